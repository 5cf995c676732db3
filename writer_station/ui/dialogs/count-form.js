/*
 * The form in which a drawer is counted: a line for each denomination and for each other kind of
 * tender, with their sums beside them. The arithmetic is in count.js.
 */
import { h } from '../../../keno/pages/shared/dom.js';
import { AMOUNTS, BILLS, COINS, counted, pieces, total } from './count.js';
import { focusOn } from './form.js';
import { money, parseMoney } from './show.js';

/**
 * @import { Child } from '../../../keno/pages/shared/types.js'
 * @import { Parts } from './count.js'
 * @typedef {{kind: string, each: number, input: HTMLInputElement, sum: HTMLOutputElement}} Row
 *   `each` is the value of one piece in cents, 0 where an amount is typed
 */

/** @typedef {ReturnType<typeof countForm>} CountForm */

/**
 * @param {Child} [beside] what else is filled in, under the other tender
 */
export function countForm(beside = null) {
  const lines = {
    currency: BILLS.map((each) => countRow('currency', each, `$${each / 100}`)),
    coin: COINS.map((each) => countRow('coin', each, each === 100 ? '$1 coin' : `${each}¢`)),
    rest: AMOUNTS.map(([kind, words]) => countRow(kind, 0, words)),
  };
  const rows = Object.values(lines).flatMap((all) => all.map((line) => line.row));
  const totals = { currency: h('b'), coin: h('b') };
  const whole = h('b', { class: 'count-total' });
  const element = h(
    'div',
    { class: 'count' },
    column(['Bills', totals.currency], lines.currency),
    column(['Coins', totals.coin], lines.coin),
    h(
      'div',
      { class: 'count-rest' },
      column('Other tender', lines.rest),
      beside,
      h('p', { class: 'count-sum' }, h('span', {}, 'Counted'), whole),
    ),
  );

  /** The counted cents by kind; null if a line is wrong, which is then focused. */
  function read() {
    const { parts, wrong } = readRows(rows);
    const byKind = counted(parts);
    totals.currency.textContent = money(byKind.currency);
    totals.coin.textContent = money(byKind.coin);
    whole.textContent = money(total(byKind));
    if (!wrong) return byKind;
    wrong.focus();
    return null;
  }

  function refresh() {
    const focused = document.activeElement;
    read();
    focusOn(focused);
  }

  element.addEventListener('input', refresh);
  refresh();
  const inputs = rows.map((row) => row.input);
  return {
    element,
    inputs,
    read,
    walk: (/** @type {KeyboardEvent} */ event) => walk(event, inputs),
  };
}

/**
 * @param {Child} title
 * @param {{element: HTMLElement}[]} lines
 */
function column(title, lines) {
  return h(
    'section',
    { class: 'count-kind' },
    h('h3', {}, title),
    lines.map((line) => line.element),
  );
}

/**
 * @param {string} kind
 * @param {number} each
 * @param {string} label
 */
function countRow(kind, each, label) {
  const id = `count-${kind}-${each}`;
  const input = h('input', {
    id,
    inputmode: each ? 'numeric' : 'decimal',
    autocomplete: 'off',
    maxlength: 9,
    placeholder: each ? '0' : '0.00',
  });
  const sum = h('output', { for: id });
  const element = h('div', { class: 'count-row' }, h('label', { for: id }, label), input, sum);
  return { element, row: { kind, each, input, sum } };
}

/**
 * Read every line and write its sum beside it; returns the parts and the first wrong line.
 * @param {Row[]} rows
 */
function readRows(rows) {
  /** @type {Parts} */
  const parts = { bills: {}, coins: {}, amounts: {} };
  /** @type {HTMLInputElement | null} */
  let wrong = null;
  for (const { kind, each, input, sum } of rows) {
    const text = input.value.trim();
    const number = each ? pieces(text) : text === '' ? 0 : parseMoney(text);
    input.toggleAttribute('aria-invalid', number === null);
    if (number === null) wrong ??= input;
    else if (kind === 'currency') parts.bills[each] = number;
    else if (kind === 'coin') parts.coins[each] = number;
    else parts.amounts[kind] = number;
    sum.textContent = number === null ? 'a number' : number && each ? money(number * each) : '';
  }
  return { parts, wrong };
}

/**
 * Move to the line above or below on Up or Down; returns whether the key was taken.
 * @param {KeyboardEvent} event
 * @param {HTMLInputElement[]} inputs
 */
function walk(event, inputs) {
  const at = inputs.findIndex((input) => input === document.activeElement);
  if (at < 0 || !['ArrowDown', 'ArrowUp'].includes(event.key)) return false;
  event.preventDefault();
  const next = inputs[at + (event.key === 'ArrowDown' ? 1 : -1)];
  next?.focus();
  next?.select();
  return true;
}
