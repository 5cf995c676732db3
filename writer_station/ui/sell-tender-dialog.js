// The tender dialog (T), in which is typed what the patron lays on the counter: an amount of each
// kind, and coupons by serial, whose values the house says. A coupon may be scanned into any field.

import { h, keycap, say } from '../../keno/pages/shared/dom.js';
import { money, parseMoney, sentence } from '../../keno/pages/shared/format.js';
import { TENDER_KINDS } from '../../keno/pages/shared/words.js';
import { handedWords, hasChips } from './hand-over.js';
import { couponRows } from './sell-tender-coupons.js';
import { settleTender } from './sell-tender.js';

/**
 * @import { KindCents, TenderKind } from '../../keno/pages/shared/protocol.js'
 * @import { App, Close, DialogParts } from './types.js'
 * @import { Tender } from './sell-tender.js'
 * @typedef {ReturnType<typeof amountRow>} AmountRow
 */

/** Kinds that are typed as amounts; cash is the first. @type {TenderKind[]} */
const AMOUNTS = ['currency', 'gaming_chips', 'slot_tokens'];

/**
 * The dialog with an amount for each kind; closes with a tender, or without one if cancelled.
 * @param {App} app
 * @param {Close<Tender>} close
 * @param {{price: number, tender: Tender, paid?: readonly KindCents[], rewrites?: number | null}}
 *   given `paid` is what came in for the ticket that is rewritten, `rewrites` its number
 * @returns {DialogParts}
 */
export function tenderDialog(app, close, { price, tender, paid = [], rewrites = null }) {
  const amounts = AMOUNTS.map((kind) => amountRow(kind, amountOf(tender, kind)));
  const coupons = couponRows(app, tender, rewrites, () => update());
  const list = h(
    'div',
    { class: 'tender-rows', on: { input: () => update() } },
    amounts.map((row) => row.element),
    coupons.element,
  );
  const instead = insteadButton(tender, paid);
  const label = h('span', {}, '');
  const figure = h('b', {}, '');
  const result = h('p', { class: 'tender-result', role: 'status' }, label, figure);

  /** Say what the tender comes to; returns why it cannot be taken, or ''. */
  function update() {
    const words = amounts.some((row) => row.cents() === null)
      ? 'Amounts are typed like 5 or 2.50.'
      : '';
    const settled = settleTender(read(), price, paid);
    const fault = words || coupons.open() || settled.fault;
    result.dataset.kind = fault ? 'no' : '';
    const { due, change } = settled;
    say(label, fault || (change ? 'Change' : due ? 'In cash, exact' : 'Exact, no cash'));
    say(figure, fault || !(change || due) ? '' : money(change || due));
    return fault;
  }

  /** @returns {Tender} */
  function read() {
    const [cash, ...others] = amounts;
    const parts = others.map((row) => ({ kind: row.kind, cents: row.cents() ?? 0, serial: '' }));
    return {
      given: cash.input.value.trim() ? cash.cents() : null,
      parts: [...parts.filter((part) => part.cents > 0), ...coupons.parts()],
      inCash: pressed(instead),
    };
  }

  function done() {
    const scanned = amounts.find((row) => row.input === document.activeElement && row.isSerial());
    if (scanned) coupons.scan(scanned.take());
    else if (!coupons.enter()) {
      if (!update()) return close(read());
      (amounts.find((row) => row.cents() === null)?.input ?? coupons.unanswered())?.focus();
      app.sound('refused');
    }
    update();
  }

  const element = h(
    'div',
    { class: 'ask ask-tender' },
    h('h2', {}, `What is given for ${money(price)}`),
    paid.length > 0 && h('p', {}, `The old ticket has paid ${handedWords(paid)} of it.`),
    instead,
    list,
    result,
    h(
      'div',
      { class: 'ask-acts' },
      button('Take this', '↵', done, 'button button-go'),
      button('Back', 'Esc', () => close()),
    ),
  );
  update();
  return {
    element,
    label: 'Tender',
    first: amounts[0].input,
    key: (event) => walk(event, element, done),
  };
}

/**
 * The button by which a rewrite hands back cash for chips; hidden if none came in.
 * @param {Tender} tender
 * @param {readonly KindCents[]} paid
 */
function insteadButton(tender, paid) {
  /** @type {HTMLButtonElement} */
  const element = h('button', {
    type: 'button',
    class: 'button tender-instead',
    hidden: !hasChips(paid),
    'aria-pressed': String(Boolean(tender.inCash)),
    on: { click: () => element.setAttribute('aria-pressed', String(!pressed(element))) },
  });
  say(element, 'Hand its chips back as cash');
  return element;
}

/** @param {HTMLElement} button */
function pressed(button) {
  return button.getAttribute('aria-pressed') === 'true';
}

/**
 * @param {string} words
 * @param {string} cap
 * @param {() => void} does
 * @param {string} [look]
 */
function button(words, cap, does, look = 'button') {
  return h(
    'button',
    { type: 'button', class: look, on: { click: does } },
    words,
    cap && keycap(cap),
  );
}

/**
 * The cents of a kind in a tender; null if there are none.
 * @param {Tender} tender
 * @param {TenderKind} kind
 */
function amountOf({ given, parts }, kind) {
  if (kind === 'currency') return given;
  return parts.find((part) => part.kind === kind)?.cents ?? null;
}

/**
 * @param {TenderKind} kind
 * @param {number | null} cents
 */
function amountRow(kind, cents) {
  const cash = kind === 'currency';
  const input = h('input', {
    id: `tender-${kind}`,
    class: 'ask-input',
    inputMode: 'decimal',
    autocomplete: 'off',
    value: cents ? (cents / 100).toFixed(2) : '',
    placeholder: cash ? 'exact' : '0.00',
  });
  const words = cash ? 'Cash' : sentence(TENDER_KINDS[kind]);
  return {
    kind,
    input,
    element: h('div', { class: 'tender-row' }, h('label', { htmlFor: input.id }, words), input),
    /** The typed cents, 0 if nothing is typed; null if it is no amount. */
    cents: () => (input.value.trim() ? parseMoney(input.value) : 0),
    /** Whether a coupon was scanned here: no amount has letters. */
    isSerial: () => /[a-z]/i.test(input.value) && parseMoney(input.value) === null,
    /** The text, which is taken out of the field. */
    take() {
      const text = input.value.trim();
      input.value = '';
      return text;
    },
  };
}

/**
 * Handle a key of the dialog: Up and Down move between inputs, Enter calls `done`.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} element
 * @param {() => void} done
 */
function walk(event, element, done) {
  if (event.key === 'Enter') {
    if (onOtherButton(event)) return false;
    done();
    return true;
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return false;
  const inputs = [...element.querySelectorAll('input')];
  const at = inputs.findIndex((input) => input === document.activeElement);
  inputs[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
  return true;
}

/** Whether Enter presses a button other than the primary one. @param {KeyboardEvent} event */
export function onOtherButton({ target }) {
  return target instanceof HTMLButtonElement && !target.classList.contains('button-go');
}
