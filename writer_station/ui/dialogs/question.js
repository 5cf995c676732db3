/*
 * The dialog (F8) that asks the writer whether a ticket was printed, if that is unknown, and what
 * to do with one that was not. It shows one ticket at a time, the oldest first.
 */
import { h } from '../../../keno/pages/shared/dom.js';
import { act, dialogForm, focusOn, formKeys, nextEmpty, secondPerson } from './form.js';
import { ticketLine } from './find.js';
import { ticketNumber } from './show.js';
import { toHandOver, voidTicket } from './void.js';

/**
 * @import { App, Close, DialogParts, Question, Step } from '../types.js'
 * @typedef {{show: (step: Step) => void, left: number, done: () => void,
 *   close: Close<boolean | null>}} Flow `left` counts the tickets that are still to be settled
 */

/**
 * @param {App} app
 * @param {Close<boolean | null>} close
 * @returns {DialogParts}
 */
export function question(app, close) {
  const element = h('div', { class: 'steps' });
  /** @type {Step} */
  let now;
  /** @type {Set<number>} */
  const shown = new Set();
  /** @param {Step} step */
  const show = (step) => {
    now = step;
    element.replaceChildren(step.element);
    if (element.isConnected) focusOn(step.first);
  };
  const next = () => {
    const open = (app.state?.questions ?? []).filter((one) => !shown.has(one.ticket));
    const [asked] = open;
    if (!asked) {
      close(true);
      return;
    }
    show(
      ask(app, asked, {
        show,
        left: open.length,
        done: () => {
          shown.add(asked.ticket);
          next();
        },
        close,
      }),
    );
  };
  const first = (app.state?.questions ?? [])[0];
  if (first) next();
  else show(nothing(close));
  return {
    element,
    label: first ? 'A ticket to settle' : 'Nothing to settle',
    get first() {
      return now.first;
    },
    key: (event) => now.key(event),
  };
}

/**
 * @param {Close<boolean | null>} close
 * @returns {Step}
 */
function nothing(close) {
  const body = dialogForm(
    'Every ticket is settled',
    [h('p', {}, 'All papers of this station came out, or were voided.')],
    [act('Back to selling', () => close(null), { primary: true, cap: '↵' })],
  );
  return {
    element: body.element,
    first: body.firstAct,
    key: (event) => formKeys(event, { enter: () => close(null), escape: () => close(null) }),
  };
}

/**
 * @param {App} app
 * @param {Question} asked
 * @param {Flow} flow
 * @returns {Step}
 */
function ask(app, asked, flow) {
  const unknown = asked.kind === 'unknown';
  const number = ticketNumber(asked.ticket);
  /**
   * @param {boolean} printed
   * @param {string} words
   */
  const settle = (printed, words) =>
    body.run(
      words,
      async () => {
        await app.ask('resolve', { ticket: asked.ticket, printed, second: null });
        app.notice(
          printed
            ? `Ticket ${number} is confirmed.`
            : `Ticket ${number} is printing${unknown ? ' again, marked' : ''}.`,
          'good',
        );
        flow.done();
      },
      app,
    );
  const again = () => {
    if (asked.supervisor) flow.show(askSupervisor(app, asked, flow));
    else settle(false, 'Printing…');
  };
  /** @type {[cap: string, words: string, does: () => unknown][]} */
  const lines = unknown
    ? [
        ['Y', 'Yes, it is here', () => settle(true, 'Noting it…')],
        [
          'N',
          asked.supervisor ? 'No, print it with a supervisor' : 'No, print it again, marked',
          again,
        ],
      ]
    : [['P', asked.supervisor ? 'Print it with a supervisor' : 'Print it now', again]];
  if (asked.voidable) lines.push(['V', 'Void it', () => flow.show(askVoid(app, asked, flow))]);
  const left = flow.left > 1 ? `${flow.left} tickets are to be settled; this is the oldest.` : '';
  const body = dialogForm(
    unknown ? `Did ticket ${number} come out?` : `Ticket ${number} did not come out`,
    [
      ticketLine({ ...asked, last_game: asked.last_game ?? asked.first_game }),
      asked.reason ? h('p', {}, asked.reason) : null,
      unknown
        ? h('p', {}, 'Look at the printer and on the counter. The patron may have it in hand.')
        : null,
      asked.voidable
        ? null
        : h('p', { class: 'quiet' }, 'Its game is closed, so it cannot be voided any more.'),
      left ? h('p', { class: 'quiet' }, left) : null,
    ],
    lines
      .map(([cap, words, f]) => act(words, f, { cap }))
      .concat(act('Later', () => flow.close(null), { cap: 'Esc', kind: 'quiet-act' })),
  );
  body.row.classList.add('stacked');
  return {
    element: body.element,
    first: body.firstAct,
    key(event) {
      const line = lines.find(([cap]) => cap.toLowerCase() === event.key.toLowerCase());
      if (line && !event.ctrlKey && !event.altKey) {
        event.preventDefault();
        line[2]();
        return true;
      }
      return formKeys(event, { escape: () => flow.close(null) });
    },
  };
}

/**
 * @param {App} app
 * @param {Question} asked
 * @param {Flow} flow
 * @returns {Step}
 */
function askSupervisor(app, asked, flow) {
  const second = secondPerson('Supervisor');
  const go = () => {
    if (nextEmpty(second.person, second.password) || !second.complete()) return;
    const signed = second.take();
    body.run(
      'Printing…',
      async () => {
        await app.ask('resolve', { ticket: asked.ticket, printed: false, second: signed });
        app.notice(`Ticket ${ticketNumber(asked.ticket)} is printing.`, 'good');
        flow.done();
      },
      app,
    );
  };
  const back = () => {
    second.wipe();
    flow.show(ask(app, asked, flow));
  };
  const body = dialogForm(
    `Print ticket ${ticketNumber(asked.ticket)}`,
    [h('p', {}, 'Its game is closed, so a supervisor allows the paper.'), second.element],
    [act('Print it', go, { primary: true, cap: '↵' }), act('Back', back, { cap: 'Esc' })],
  );
  return {
    element: body.element,
    first: second.person.input,
    key: (event) => formKeys(event, { enter: go, escape: back }),
  };
}

/**
 * @param {App} app
 * @param {Question} asked
 * @param {Flow} flow
 * @returns {Step}
 */
function askVoid(app, asked, flow) {
  const back = () => flow.show(ask(app, asked, flow));
  const then = {
    show: flow.show,
    close: (/** @type {unknown} */ given) => (given ? flow.done() : back()),
  };
  const ticket = { ticket: asked.ticket, code: null };
  const go = () => body.run('Voiding…', () => voidTicket(app, then, ticket), app);
  const body = dialogForm(
    `Void ticket ${ticketNumber(asked.ticket)}?`,
    [
      toHandOver('To give back', asked.gives_back, asked.price_cents),
      h('p', {}, 'If its paper turns up later, it is worth nothing.'),
    ],
    [act('Void it', go, { primary: true, cap: '↵' }), act('Back', back, { cap: 'Esc' })],
  );
  return {
    element: body.element,
    first: body.firstAct,
    key: (event) => formKeys(event, { enter: go, escape: back }),
  };
}
