// What the patron gives for a ticket: kinds, coupons with their serials, the change. The arithmetic
// is pure; `tenderDialog` is where kinds are typed. A tender is {given, parts}: `parts` are coin,
// chips, tokens and coupons towards the price, `given` the currency handed over (null: exact).

import { h, keycap, put, say } from '../../keno/pages/shared/dom.js';
import { money, parseMoney } from '../../keno/pages/shared/format.js';

export const EXACT = Object.freeze({ given: null, parts: Object.freeze([]) });

export const KINDS = Object.freeze({
  currency: 'Currency',
  coin: 'Coin',
  gaming_chips: 'Gaming chips',
  slot_tokens: 'Slot tokens',
  coupon: 'Coupon',
});

const NOTES = [500, 1000, 2000, 5000, 10000];

/** Three amounts somebody may well hand over for a price. */
export function presets(price) {
  if (!price) return [];
  const rounded = NOTES.map((note) => Math.ceil(price / note) * note);
  const beyond = [2000, 5000, 10000].map((note) => (Math.floor(price / note) + 1) * note);
  const more = [...rounded, ...beyond, beyond[2] + 10000, beyond[2] + 20000];
  const first = rounded.filter((cents) => cents > price);
  const pool = new Set(first);
  for (const cents of more) if (pool.size < 3 && cents > price) pool.add(cents);
  return [...pool].sort((a, b) => a - b).slice(0, 3);
}

/**
 * Set a tender against a price: what is sent, the change due, or why it does not do.
 * @returns {{wire: object[], cash: number, change: number, fault: string}}
 */
export function settleTender(tender, price) {
  const parts = tender.parts.filter((part) => part.cents > 0);
  const other = parts.reduce((sum, part) => sum + part.cents, 0);
  const cash = price - other;
  const wire = parts.map((part) => ({
    kind: part.kind,
    cents: part.cents,
    serial: part.serial || null,
  }));
  if (cash > 0) wire.unshift({ kind: 'currency', cents: cash, serial: null });
  const change = tender.given === null ? 0 : tender.given - Math.max(0, cash);
  return { wire, cash: Math.max(0, cash), change, fault: faultOf(parts, cash, tender.given) };
}

function faultOf(parts, cash, given) {
  if (cash < 0)
    return `That is ${money(-cash)} more than the price. Only currency is given change for.`;
  const coupons = parts.filter((part) => part.kind === 'coupon');
  if (coupons.some((part) => !part.serial)) return 'Each coupon needs its serial number.';
  if (new Set(coupons.map((part) => part.serial)).size < coupons.length)
    return 'Two coupons have the same serial number.';
  if (given !== null && given < cash) return `${money(cash - given)} is still to be paid.`;
  return '';
}

/** A tender in words for the price panel: "Exact", "$40.00 given", "$5.00 coupon, rest exact". */
export function tenderWords(tender) {
  const parts = tender.parts
    .filter((part) => part.cents > 0)
    .map((part) => `${money(part.cents)} ${KINDS[part.kind].toLowerCase()}`);
  const cash =
    tender.given === null
      ? parts.length
        ? 'the rest in currency'
        : 'Exact'
      : `${money(tender.given)} currency`;
  return [...parts, cash].join(', ');
}

/** The dialog behind T: an amount for each kind; closes with a tender, or nothing. */
export function tenderDialog(app, close, { price, tender }) {
  const coupons = tender.parts.filter((part) => part.kind === 'coupon');
  const rows = [];
  const list = h('div', { class: 'tender-rows' });
  const result = h('p', { class: 'tender-result', role: 'status' });
  const add = (kind, cents, serial = '') => {
    const row = tenderRow(kind, cents, serial, update);
    rows.push(row);
    list.append(row.element);
    return row;
  };
  add('currency', tender.given);
  for (const kind of ['coin', 'gaming_chips', 'slot_tokens'])
    add(kind, tender.parts.find((part) => part.kind === kind)?.cents ?? null);
  for (const coupon of coupons.length ? coupons : [{ cents: null, serial: '' }])
    add('coupon', coupon.cents, coupon.serial);

  function read() {
    const wrong = rows.find(
      (row) => row.amount.value.trim() && parseMoney(row.amount.value) === null,
    );
    const parts = rows.slice(1).map((row) => ({
      kind: row.kind,
      cents: parseMoney(row.amount.value) ?? 0,
      serial: row.serial?.value.trim() ?? '',
    }));
    const given = rows[0].amount.value.trim() ? parseMoney(rows[0].amount.value) : null;
    return { tender: { given, parts: parts.filter((part) => part.cents > 0) }, wrong };
  }

  function update() {
    const { tender: now, wrong } = read();
    const { cash, change, fault } = settleTender(now, price);
    const words = wrong ? 'Amounts are typed like 5 or 2.50.' : fault;
    result.dataset.kind = words ? 'no' : '';
    say(
      result,
      words ||
        (now.given === null ? `${money(cash)} in currency, exact` : `Change due ${money(change)}`),
    );
    return words;
  }

  function done() {
    const words = update();
    if (!words) close(read().tender);
    else app.sound('refused');
  }

  const go = h(
    'button',
    { type: 'button', class: 'button button-go', on: { click: done } },
    'Take this',
    keycap('↵'),
  );
  const another = h(
    'button',
    { type: 'button', class: 'button', on: { click: () => add('coupon', null).amount.focus() } },
    'Another coupon',
  );
  const back = h(
    'button',
    { type: 'button', class: 'button', on: { click: () => close() } },
    'Back',
    keycap('Esc'),
  );
  const element = h(
    'div',
    { class: 'ask ask-tender' },
    h('h2', {}, `What is given for ${money(price)}`),
    list,
    result,
    h('div', { class: 'ask-acts' }, go, another, back),
  );
  update();
  return {
    element,
    label: 'Tender',
    first: rows[0].amount,
    key: (event) => walk(event, element, done),
  };
}

function tenderRow(kind, cents, serial, update) {
  const id = `tender-${kind}-${Math.random().toString(36).slice(2, 8)}`;
  const amount = h('input', {
    id,
    class: 'ask-input',
    inputMode: 'decimal',
    autocomplete: 'off',
    value: cents ? (cents / 100).toFixed(2) : '',
    placeholder: kind === 'currency' ? 'exact' : '0.00',
    on: { input: update },
  });
  const number =
    kind === 'coupon' &&
    h('input', {
      class: 'ask-input code',
      autocomplete: 'off',
      value: serial,
      placeholder: 'serial number',
      'aria-label': 'Serial number of the coupon',
      on: { input: update },
    });
  const element = h(
    'div',
    { class: 'tender-row' },
    h('label', { htmlFor: id }, KINDS[kind]),
    amount,
    number,
  );
  return { kind, element, amount, serial: number || null };
}

/** Up and Down walk through the inputs, Enter takes what is typed. */
function walk(event, element, done) {
  if (event.key === 'Enter') {
    if (event.target instanceof HTMLButtonElement && !event.target.classList.contains('button-go'))
      return false;
    done();
    return true;
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return false;
  const inputs = [...element.querySelectorAll('input')];
  const to = inputs.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
  inputs[to]?.focus();
  return true;
}

/** Paint the row of presets; `choose` is told the currency given, null for exact, 'more' for kinds. */
export function paintPresets(element, { price, tender, choose }) {
  const key = JSON.stringify([price, tender]);
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  const special = tender.parts.length > 0;
  const amounts = [null, ...presets(price)];
  const other = special || (tender.given !== null && !amounts.includes(tender.given));
  const chip = (cents, words) =>
    h(
      'button',
      {
        type: 'button',
        class: 'button tender-chip',
        'aria-pressed': String(!other && tender.given === cents),
        disabled: !price,
        on: { click: () => choose(cents), mousedown: (event) => event.preventDefault() },
      },
      words,
    );
  const more = h(
    'button',
    {
      type: 'button',
      class: 'button tender-chip',
      'aria-pressed': String(other),
      disabled: !price,
      title: 'Other amounts and kinds',
      'aria-label': other ? `Tender: ${tenderWords(tender)}` : 'Other tender',
      on: { click: () => choose('more'), mousedown: (event) => event.preventDefault() },
    },
    other ? '✓' : '',
    keycap('T'),
  );
  put(
    element,
    chip(null, 'Exact'),
    amounts.slice(1).map((cents) => chip(cents, short(cents))),
    more,
  );
}

function short(cents) {
  return money(cents).replace(/\.00$/, '');
}
