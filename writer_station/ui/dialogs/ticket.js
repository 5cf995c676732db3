/*
 * The dialogs about a sold ticket: void it (F6), and the menu (F7): refund its undrawn games, print
 * it again, declare it not issued after the lock-out, or change it while its game is open.
 */
import { h } from '../../../keno/pages/shared/dom.js';
import { handedWords } from '../hand-over.js';
import { act, dialogForm, focusOn, formKeys, nextEmpty, secondPerson, settled } from './form.js';
import { firstGameOpen, ticketField, ticketLine } from './find.js';
import { menu } from './menu.js';
import { notIssuedLines } from './not-issued.js';
import { money, ticketNumber } from './show.js';
import { askVoid } from './void.js';

/**
 * @import { App, Close, DialogParts, EnterArgs, Look, Step } from '../types.js'
 * @typedef {(step: Step) => void} Show
 */

/**
 * The dialog that voids a ticket (F6).
 * @param {App} app
 * @param {Close<unknown>} close
 * @returns {DialogParts}
 */
export function voidTicket(app, close) {
  return steps((show) =>
    show(
      askTicket(
        app,
        close,
        ['Void a ticket', 'Before its first game closes, with its paper.'],
        (look) => show(askVoid(app, { close, show }, look)),
      ),
    ),
  );
}

/**
 * The menu of what can be done with a ticket (F7).
 * @param {App} app
 * @param {Close<unknown>} close
 * @returns {DialogParts}
 */
export function ticketMenu(app, close) {
  return steps((show) =>
    show(
      askTicket(
        app,
        close,
        ['What about this ticket?', 'Refund, print again, not issued, or change.'],
        (look) => show(ticketChoices(app, close, look, show)),
        true,
      ),
    ),
  );
}

/**
 * A dialog of several steps, each a dialog of its own shown in the same place.
 * @param {(show: Show) => void} begin
 * @returns {DialogParts}
 */
function steps(begin) {
  const element = h('div', { class: 'steps' });
  /** @type {Step} */
  let now = { element, key: () => false };
  begin((step) => {
    now = step;
    element.replaceChildren(step.element);
    if (element.isConnected) focusOn(step.first);
  });
  return {
    element,
    label: now.label,
    get first() {
      return now.first;
    },
    key: (event) => now.key(event),
  };
}

/**
 * The step that asks for a ticket; one on the counter of the Pay view is looked up at once.
 * @param {App} app
 * @param {Close} close
 * @param {[heading: string, words: string]} words
 * @param {(look: Look) => void} found
 * @param {boolean} [anywhere] whether a ticket of another location is taken too
 * @returns {Step}
 */
function askTicket(app, close, [heading, words], found, anywhere = false) {
  const counter = app.counter();
  const entry = ticketField(app, found, anywhere);
  const body = dialogForm(
    heading,
    [h('p', { class: 'quiet' }, words), entry.element],
    [
      act('Find the ticket', entry.go, { primary: true, cap: '↵' }),
      act('Back', () => close(null), { cap: 'Esc' }),
    ],
  );
  if (counter) {
    entry.set(counter);
    entry.go();
  }
  return {
    element: body.element,
    label: heading,
    first: entry.input,
    key: (event) => formKeys(event, { enter: entry.go, escape: () => close(null) }),
  };
}

/**
 * @param {App} app
 * @param {Close} close
 * @param {Look} look
 * @param {Show} show
 * @returns {Step}
 */
function ticketChoices(app, close, look, show) {
  const open = firstGameOpen(look);
  const live = look.state === 'live';
  const paper = { ticket: look.ticket, code: look.code };
  const gone = live ? '' : 'This ticket is no longer in play.';
  const never = gone || (look.sold_in ? `It is done where it was sold: ${look.sold_in}.` : '');
  /**
   * @param {'sell' | 'pay'} view
   * @param {EnterArgs} args
   */
  const leave = (view, args) => () => {
    close(null);
    app.show(view, args);
  };
  const shown = menu(
    `Ticket ${look.sold_in ? `${look.letter}-` : ''}${ticketNumber(look.ticket)}`,
    [
      {
        cap: 'C',
        words: 'Change it',
        note: 'It is voided and written anew in one act.',
        off: never || (open ? '' : 'Its first game is closed.'),
        does: leave('sell', { rewrite: paper }),
      },
      {
        cap: 'V',
        words: 'Void it',
        note: `${handedWords(look.gives_back) || money(look.price_cents)} goes back.`,
        off: never || (open ? '' : 'Its first game is closed.'),
        does: () => show(askVoid(app, { close, show }, look)),
      },
      {
        cap: 'U',
        words: 'Refund the undrawn games',
        note: look.refund ? `${money(look.refund.total_cents)}, and the ticket ends.` : '',
        off: never || (look.refund ? '' : 'There is nothing to refund now.'),
        does: leave('pay', { refund: paper }),
      },
      {
        cap: 'P',
        words: 'Print it again',
        note: 'The second paper is marked as a reprint.',
        off: never,
        does: () => show(askReprint(app, close, look, look.printed || !open)),
      },
      ...notIssuedLines(app, close, look, show, { gone, never, open }),
    ],
    close,
    [ticketLine(look)],
  );
  return shown;
}

/**
 * @param {App} app
 * @param {Close} close
 * @param {Look} look
 * @param {boolean} needsSecond
 * @returns {Step}
 */
function askReprint(app, close, look, needsSecond) {
  const second = needsSecond ? secondPerson('Supervisor') : null;
  const go = () => {
    if (second && nextEmpty(second.person, second.password)) return;
    if (second && !second.complete()) return;
    const signed = second ? second.take() : null;
    body.run(
      'Printing…',
      async () => {
        await app.ask('reprint', { ticket: look.ticket, second: signed });
        app.notice(`Ticket ${ticketNumber(look.ticket)} is printing again, marked.`, 'good');
        close(true);
      },
      app,
    );
  };
  const enter = second ? go : settled(go);
  const back = () => {
    second?.wipe();
    close(null);
  };
  const body = dialogForm(
    `Print ticket ${ticketNumber(look.ticket)} again?`,
    [
      ticketLine(look),
      h(
        'p',
        {},
        needsSecond
          ? 'A second paper needs a supervisor. Take the first one if it is there.'
          : 'It comes out marked as a reprint.',
      ),
      second?.element,
    ],
    [act('Print it again', go, { primary: true, cap: '↵' }), act('Back', back, { cap: 'Esc' })],
  );
  return {
    element: body.element,
    label: 'Print a ticket again',
    first: second?.person.input ?? body.firstAct,
    key: (event) => formKeys(event, { enter, escape: back }),
  };
}
