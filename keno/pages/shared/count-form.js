// The form in which a drawer is counted: a line for each denomination of cash, or its sum, and for
// each other kind, with the sums beside them. The arithmetic is in count.js. Needs count.css.

import { AMOUNTS, CENTS, DOLLARS, checkoutRows, countOf, differs, overShort } from './count.js';
import { pieces, total, worth } from './count.js';
import { h, say } from './dom.js';
import { money, parseMoney } from './format.js';

/**
 * @import { Child } from './types.js'
 * @import { Parts } from './count.js'
 * @import { DrawerKind } from './protocol.js'
 * @typedef {{kind: DrawerKind | 'sum' | 'pieces', each: number, input: HTMLInputElement,
 *   sum: HTMLOutputElement}} Row `each` is the value of one piece in cents, 0 where an amount is
 *   typed
 * @typedef {ReturnType<typeof countForm>} CountForm
 */

/** @param {Child} [beside] what else is filled in, under the other kinds */
export function countForm(beside = null) {
  const lines = {
    dollars: DOLLARS.map((each) => countRow('pieces', each, `$${each / 100}`)),
    cents: CENTS.map((each) => countRow('pieces', each, `${each}¢`)),
    sum: [countRow('sum', 0, 'In one sum')],
    rest: AMOUNTS.map(([kind, words]) => countRow(kind, 0, words)),
  };
  const rows = Object.values(lines).flatMap((all) => all.map((line) => line.row));
  const cash = h('b');
  const cents = h('b');
  const whole = h('b', { class: 'count-total' });
  const element = h(
    'div',
    { class: 'count' },
    column(['Cash, dollars', cash], lines.dollars),
    h(
      'div',
      { class: 'count-rest' },
      column(['Cash, cents', cents], lines.cents, 'count-cents'),
      column('Or all the cash', lines.sum),
    ),
    h(
      'div',
      { class: 'count-rest' },
      column('Other kinds', lines.rest),
      beside,
      h('p', { class: 'count-sum', role: 'status' }, h('span', {}, 'Counted'), whole),
    ),
  );

  /** Read every line and write the sums; returns the count, or null and the first wrong line. */
  function refresh() {
    const { parts, wrong } = readRows(rows);
    const found = countOf(parts);
    const small = Object.entries(parts.pieces).filter(([each]) => Number(each) < 100);
    say(cash, money(worth(parts.pieces) - worth(Object.fromEntries(small))));
    say(cents, money(worth(Object.fromEntries(small))));
    say(whole, money(total(found.counted)));
    return { found, wrong };
  }

  element.addEventListener('input', refresh);
  refresh();
  const inputs = rows.map((row) => row.input);
  return {
    element,
    inputs,
    /** The count as it is sent; null if a line is wrong, which is then focused. */
    read() {
      const { found, wrong } = refresh();
      wrong?.focus();
      return wrong ? null : found;
    },
    walk: (/** @type {KeyboardEvent} */ event) => walk(event, inputs),
  };
}

/**
 * @param {Child} title
 * @param {{element: HTMLElement}[]} lines
 * @param {string} [kind]
 */
function column(title, lines, kind = '') {
  return h(
    'section',
    { class: `count-kind ${kind}`.trim() },
    h('h3', {}, title),
    lines.map((line) => line.element),
  );
}

/**
 * @param {Row['kind']} kind
 * @param {number} each
 * @param {string} label
 */
function countRow(kind, each, label) {
  const id = `count-${each || kind}`;
  const input = h('input', {
    id,
    inputmode: each ? 'numeric' : 'decimal',
    autocomplete: 'off',
    maxlength: each ? 6 : 12,
    placeholder: each ? '0' : '0.00',
  });
  const sum = h('output', { for: id });
  const element = h(
    'div',
    { class: each ? 'count-row' : 'count-row count-amount' },
    h('label', { for: id }, label),
    input,
    sum,
  );
  return { element, row: { kind, each, input, sum } };
}

/**
 * Read every line and write its sum, or what is wrong, beside it.
 * @param {Row[]} rows
 */
function readRows(rows) {
  /** @type {Parts} */
  const parts = { pieces: {}, sum: null, amounts: {} };
  /** @type {HTMLInputElement[]} */
  const wrong = [];
  /** @type {(row: Row, why: string) => void} */
  const mark = ({ input, sum }, why) => {
    input.toggleAttribute('aria-invalid', why !== '');
    say(sum, why);
    if (why) wrong.push(input);
  };
  for (const row of rows) {
    const text = row.input.value.trim();
    const number = row.each ? pieces(text) : text === '' ? 0 : parseMoney(text);
    mark(row, number !== null ? '' : row.each ? 'a number' : 'an amount, such as 500.00');
    if (number === null) continue;
    if (row.kind === 'pieces') parts.pieces[row.each] = number;
    else if (row.kind !== 'sum') parts.amounts[row.kind] = number;
    else if (text) parts.sum = number;
    if (row.each && number) say(row.sum, money(number * row.each));
  }
  const sum = rows.find((row) => row.kind === 'sum');
  if (sum && differs(parts)) mark(sum, differs(parts));
  return { parts, wrong: wrong.at(0) };
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

/**
 * The table of a checkout: what was expected, counted, over and short, by kind.
 * @param {Parameters<typeof checkoutRows>[0]} done
 */
export function checkoutTable(done) {
  const heads = ['Kind', 'Should hold', 'Counted', 'Difference'];
  return h(
    'table',
    { class: 'over-short' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        heads.map((words) => h('th', { scope: 'col' }, words)),
      ),
    ),
    h(
      'tbody',
      {},
      checkoutRows(done).map(({ name, expected, counted, over }) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, name),
          h('td', {}, money(expected)),
          h('td', {}, money(counted)),
          h('td', { class: over ? 'off' : 'even' }, overShort(over)),
        ),
      ),
    ),
  );
}
