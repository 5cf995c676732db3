/*
 * The dialog that closes a shift. The drawer is counted blind: what it should hold is shown by kind
 * only after the count was sent.
 */
import { overShort, total } from '../../../keno/pages/shared/count.js';
import { checkoutTable, countForm } from '../../../keno/pages/shared/count-form.js';
import { h } from '../../../keno/pages/shared/dom.js';
import { count as counts } from '../../../keno/pages/shared/format.js';
import { act, dialogForm, formKeys, secondPerson } from './form.js';
import { ticketNumber } from './show.js';

/** @import { App, Checkout, Close, DialogParts } from '../types.js' */

/**
 * The checkout that is in progress, or whose outcome the writer has not read yet. When the server
 * has closed the shift, the dialog for the next shift opens and shows this outcome first.
 * @type {{answer: Promise<Checkout> | null, close: (() => void) | null}}
 */
export const checkout = { answer: null, close: null };

/**
 * @param {App} app
 * @param {Close<boolean | null>} close
 * @returns {DialogParts}
 */
export function closeShift(app, close) {
  let finished = false;
  const count = countForm();
  const second = secondPerson('Supervisor who counted with you');
  const leave = () => {
    second.wipe();
    checkout.answer = null;
    close(finished || null);
  };
  const finish = () => {
    finished = true;
    close(true);
  };
  const give = () => {
    const found = count.read();
    if (!found || !second.complete()) return;
    const signed = second.take();
    const send = async () => {
      const answer = await remember(app.ask('close_shift', { ...found, second: signed }), finish);
      if (!answer) return; // The next dialog took over and shows it.
      finished = true;
      const done = outcome(answer, leave);
      body.element.replaceChildren(...done.children);
      done.go.focus();
    };
    body.run('Closing the shift…', send, app).then(() => {
      if (!finished && body.element.isConnected) second.password.focus();
    });
  };
  const body = dialogForm(
    'Count the drawer',
    [
      h(
        'p',
        { class: 'quiet' },
        'Cash by the number of pieces or in one sum, the rest as amounts. What the drawer ' +
          'should hold is shown when the count is given.',
      ),
      count.element,
      second.element,
    ],
    [
      act('Give the count and close', give, { primary: true, cap: 'F4' }),
      act('Keep the shift open', leave, { cap: 'Esc' }),
    ],
    { wide: true },
  );
  return {
    element: body.element,
    label: 'Count the drawer',
    first: count.inputs[0],
    key(event) {
      if (finished) return formKeys(event, { enter: leave, escape: leave });
      if (event.key !== 'F4')
        return (
          count.walk(event) || formKeys(event, { enter: () => walkOn(body.element), escape: leave })
        );
      event.preventDefault();
      give();
      return true;
    },
  };
}

/**
 * Store the checkout for the dialog that may follow. Returns its answer, or null if that dialog
 * took it over meanwhile.
 * @param {Promise<Checkout>} asked
 * @param {() => void} close
 */
async function remember(asked, close) {
  checkout.answer = asked;
  checkout.close = close;
  asked.catch(() => {
    checkout.answer = null;
  });
  const answer = await asked;
  return checkout.answer === asked ? answer : null;
}

/**
 * Do what Enter does in a count: focus the next field, or click the focused button that sends it.
 * @param {HTMLElement} form
 */
function walkOn(form) {
  /** @type {(HTMLInputElement | HTMLButtonElement)[]} */
  const stops = [...form.querySelectorAll('input'), ...form.querySelectorAll('button')].filter(
    (stop) => stop.matches('input, .button-go'),
  );
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const next = stops[at + 1] ?? stops[0];
  if (stops[at] instanceof HTMLButtonElement) stops[at].click();
  else {
    next.focus();
    if (next instanceof HTMLInputElement) next.select();
  }
}

/**
 * The view after a checkout: over and short by kind, and the tickets to hand in.
 * @param {Checkout} answer
 * @param {() => void} leave
 */
export function outcome(answer, leave) {
  const whole = total(answer.over_short_cents);
  const tickets = [...answer.tickets.map(ticketNumber), ...(answer.other_tickets ?? [])];
  const go = act('Shift is closed, sign the sheet', leave, { primary: true, cap: '↵' });
  return {
    go,
    children: [
      h('h2', {}, whole === 0 ? 'The drawer is exact' : `The drawer is ${overShort(whole)}`),
      checkoutTable(answer),
      h('p', {}, 'The checkout sheet is printing. Sign it, both of you.'),
      h(
        'p',
        { class: 'quiet' },
        tickets.length
          ? `Hand in ${counts(tickets.length, 'paid or void ticket')}: ` + `${tickets.join(', ')}.`
          : 'No paid or void tickets to hand in.',
      ),
      h('div', { class: 'acts' }, go),
    ],
  };
}
