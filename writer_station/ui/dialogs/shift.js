/*
 * The dialogs of the shift (F4): break, fill and credit with a second person, close.
 */
import { h } from '../../../keno/pages/shared/dom.js';
import { DRAWER_KINDS } from '../../../keno/pages/shared/words.js';
import { act, dialogForm, field, formKeys, nextEmpty, secondPerson } from './form.js';
import { kindChoice } from './kind-choice.js';
import { menu } from './menu.js';
import { closeShift } from './close-shift.js';
import { money, parseMoney, timeWords } from './show.js';

/**
 * @import { App, Close, DialogMaker, DialogParts, Place, Shift, Writer } from '../types.js'
 */

/**
 * The menu of the shift (F4).
 * @param {App} app
 * @param {Close<boolean | null>} close
 * @returns {DialogParts}
 */
export function shiftMenu(app, close) {
  const { writer, shift } = app.state ?? {};
  const here = shift && !shift.elsewhere ? shift : null;
  const noShift = here ? '' : 'No shift is open here.';
  /** @param {DialogMaker<boolean | null, []>} create */
  const then = (create) => () => {
    close(null);
    app.dialog(create);
  };
  /**
   * @param {'lock' | 'test_page' | 'sign_out'} what
   * @param {string} words
   * @param {string} busy
   */
  const plain = (what, words, busy) => () =>
    shown.body.run(
      busy,
      async () => {
        await app.ask(what, {});
        if (words) app.notice(words, 'good');
        close(null);
      },
      app,
    );
  const shown = menu(
    'Your shift',
    [
      {
        cap: 'B',
        words: 'Lock for a break',
        note: 'The screen is covered until you are back.',
        off: noShift,
        does: plain('lock', '', 'Locking…'),
      },
      {
        cap: 'F',
        words: 'Fill',
        note: 'Cash, chips or tokens into the drawer, with a second person.',
        off: noShift,
        does: then(fill),
      },
      {
        cap: 'C',
        words: 'Credit',
        note: 'Cash, chips or tokens out of the drawer, with a second person.',
        off: noShift,
        does: then(credit),
      },
      {
        cap: 'E',
        words: 'End the shift',
        note: 'Count the drawer, and print the checkout sheet.',
        off: noShift,
        does: then(closeShift),
      },
      {
        cap: 'T',
        words: 'Print a test page',
        note: app.state?.printer?.words ?? '',
        does: plain('test_page', 'A test page is printing.', 'Printing…'),
      },
      {
        cap: 'S',
        words: 'Sign out',
        note: here ? 'The shift stays open.' : '',
        does: plain('sign_out', '', 'Signing out…'),
      },
    ],
    close,
    [h('p', { class: 'quiet' }, shiftWords(writer, here, app.state?.place))],
  );
  return shown;
}

/**
 * @param {Writer | null | undefined} writer
 * @param {Shift | null} shift
 * @param {Place | null | undefined} place
 */
function shiftWords(writer, shift, place) {
  const name = writer?.name ?? 'Nobody';
  if (!shift) return `${name}, no shift is open here.`;
  return `${name}, shift ${shift.shift}, open since ${timeWords(shift.opened_ms, place)}.`;
}

/**
 * @param {App} app
 * @param {Close<boolean | null>} close
 * @returns {DialogParts}
 */
export function fill(app, close) {
  return slip(app, close, {
    what: 'fill',
    heading: 'Fill the drawer',
    done: 'into the drawer',
    words: 'Somebody brings money and signs for it with you. A numbered slip is kept.',
  });
}

/**
 * @param {App} app
 * @param {Close<boolean | null>} close
 * @returns {DialogParts}
 */
export function credit(app, close) {
  return slip(app, close, {
    what: 'credit',
    heading: 'Credit from the drawer',
    done: 'out of the drawer',
    words: 'Somebody takes money away and signs for it with you. A numbered slip is kept.',
  });
}

/**
 * @param {App} app
 * @param {Close<boolean | null>} close
 * @param {{what: 'fill' | 'credit', heading: string, words: string, done: string}} how
 * @returns {DialogParts}
 */
function slip(app, close, { what, heading, words, done }) {
  const kind = kindChoice();
  const amount = field('Amount', { inputmode: 'decimal', placeholder: '0.00', wrap: 'big' });
  const second = secondPerson('Second person');
  const go = () => {
    if (nextEmpty(amount, second.person, second.password)) return;
    const amountCents = parseMoney(amount.typed());
    if (!amountCents) {
      amount.refuse('An amount in dollars, such as 300.00.');
      return;
    }
    if (!second.complete()) return;
    const signed = second.take();
    body
      .run(
        'Writing the slip…',
        async () => {
          const moved = { cents: amountCents, kind: kind.value, second: signed };
          const answer = await app.ask(what, moved);
          const number = answer.slip ? ` Slip ${answer.slip}.` : '';
          const words = `${money(amountCents)} in ${DRAWER_KINDS[moved.kind]} ${done}`;
          app.notice(`${words}.${number}`, 'good');
          close(true);
        },
        app,
      )
      .then(() => {
        if (body.element.isConnected) second.password.focus();
      });
  };
  const back = () => {
    second.wipe();
    close(null);
  };
  const body = dialogForm(
    heading,
    [h('p', { class: 'quiet' }, words), kind.element, amount.element, second.element],
    [
      act(what === 'fill' ? 'Put it in' : 'Take it out', go, { primary: true, cap: '↵' }),
      act('Back', back, { cap: 'Esc' }),
    ],
  );
  return {
    element: body.element,
    label: heading,
    first: amount.input,
    key: (event) => kind.step(event) || formKeys(event, { enter: go, escape: back }),
  };
}
