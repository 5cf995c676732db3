// The tender dialog (T), in which the amount of each kind of tender is typed.

import { h, keycap, say } from '../../keno/pages/shared/dom.js';
import { money, parseMoney, sentence } from '../../keno/pages/shared/format.js';
import { TENDER_KINDS } from '../../keno/pages/shared/words.js';
import { settleTender } from './sell-tender.js';

/**
 * @import { TenderKind } from '../../keno/pages/shared/protocol.js'
 * @import { App, Close, DialogParts } from './types.js'
 * @import { Tender } from './sell-tender.js'
 * @typedef {ReturnType<typeof tenderRow>} Row
 */

/**
 * The dialog with an amount for each kind; closes with a tender, or without one if cancelled.
 * @param {App} app
 * @param {Close<Tender>} close
 * @param {{price: number, tender: Tender}} given
 * @returns {DialogParts}
 */
export function tenderDialog(app, close, { price, tender }) {
  const rows = rowsOf(tender);
  const list = h(
    'div',
    { class: 'tender-rows', on: { input: () => update() } },
    rows.map((row) => row.element),
  );
  const result = h('p', { class: 'tender-result', role: 'status' });

  function update() {
    const { tender: typed, wrong } = readRows(rows);
    const { cash, change, fault } = settleTender(typed, price);
    const words = wrong ? 'Amounts are typed like 5 or 2.50.' : fault;
    const exact = typed.given === null;
    result.dataset.kind = words ? 'no' : '';
    say(
      result,
      words || (exact ? `${money(cash)} in currency, exact` : `Change due ${money(change)}`),
    );
    return words;
  }

  function done() {
    const words = update();
    if (!words) close(readRows(rows).tender);
    else app.sound('refused');
  }

  function addCoupon() {
    const row = tenderRow('coupon', null);
    rows.push(row);
    list.append(row.element);
    row.amount.focus();
  }

  const element = h(
    'div',
    { class: 'ask ask-tender' },
    h('h2', {}, `What is given for ${money(price)}`),
    list,
    result,
    h(
      'div',
      { class: 'ask-acts' },
      button('Take this', '↵', done, 'button button-go'),
      button('Another coupon', '', addCoupon),
      button('Back', 'Esc', () => close()),
    ),
  );
  update();
  return {
    element,
    label: 'Tender',
    first: rows[0].amount,
    key: (event) => walk(event, element, done),
  };
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

/** The rows of a tender, currency first and coupons last. @param {Tender} tender */
function rowsOf({ given, parts }) {
  const coupons = parts.filter((part) => part.kind === 'coupon');
  /** @type {TenderKind[]} */
  const other = ['coin', 'gaming_chips', 'slot_tokens'];
  const others = other.map((kind) =>
    tenderRow(kind, parts.find((part) => part.kind === kind)?.cents ?? null),
  );
  return [
    tenderRow('currency', given),
    ...others,
    ...coupons.map((coupon) => tenderRow('coupon', coupon.cents, coupon.serial)),
    ...(coupons.length ? [] : [tenderRow('coupon', null)]),
  ];
}

/**
 * The tender as typed, and the first row that is not an amount.
 * @param {Row[]} rows
 * @returns {{tender: Tender, wrong: Row | undefined}}
 */
function readRows([currency, ...others]) {
  const wrong = [currency, ...others].find(
    (row) => row.amount.value.trim() && parseMoney(row.amount.value) === null,
  );
  const parts = others.map((row) => ({
    kind: row.kind,
    cents: parseMoney(row.amount.value) ?? 0,
    serial: row.serial?.value.trim() ?? '',
  }));
  const given = currency.amount.value.trim() ? parseMoney(currency.amount.value) : null;
  return { tender: { given, parts: parts.filter((part) => part.cents > 0) }, wrong };
}

/**
 * @param {TenderKind} kind
 * @param {number | null} cents
 * @param {string} [serial]
 */
function tenderRow(kind, cents, serial = '') {
  const id = `tender-${kind}-${Math.random().toString(36).slice(2, 8)}`;
  const amount = h('input', {
    id,
    class: 'ask-input',
    inputMode: 'decimal',
    autocomplete: 'off',
    value: cents ? (cents / 100).toFixed(2) : '',
    placeholder: kind === 'currency' ? 'exact' : '0.00',
  });
  const number =
    kind === 'coupon'
      ? h('input', {
          class: 'ask-input code',
          autocomplete: 'off',
          value: serial,
          placeholder: 'serial number',
          'aria-label': 'Serial number of the coupon',
        })
      : null;
  const label = h('label', { htmlFor: id }, sentence(TENDER_KINDS[kind]));
  const element = h('div', { class: 'tender-row' }, label, amount, number);
  return { kind, element, amount, serial: number };
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
