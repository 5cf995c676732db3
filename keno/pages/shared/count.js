// Adds up the count of a drawer at the end of a shift: cash by pieces or as one sum, the other
// kinds as amounts. Pure. What the drawer should hold is not known here; the server compares.

import { money, sentence } from './format.js';
import { DRAWER_KINDS } from './words.js';

/**
 * @import { DrawerKind } from './protocol.js'
 * @typedef {[kind: DrawerKind, words: string]} Kind
 * @typedef {{pieces: Record<string, number>, sum: number | null,
 *   amounts: Partial<Record<DrawerKind, number>>}} Parts pieces by the cents of their denomination,
 *   the cash as one sum (null: not typed), cents of the other kinds
 * @typedef {{counted: Record<DrawerKind, number>,
 *   denominations: Record<string, number> | null}} Count `denominations` is null if no pieces were
 *   counted
 */

/** Denominations of cash in cents; a dollar is a note or a coin. */
export const DOLLARS = [10000, 5000, 2000, 1000, 500, 200, 100];
export const CENTS = [50, 25, 10, 5, 1];

/** @type {Kind[]} */
export const AMOUNTS = [
  ['gaming_chips', sentence(DRAWER_KINDS.gaming_chips)],
  ['coupon', 'Coupons'],
  ['slot_tokens', sentence(DRAWER_KINDS.slot_tokens)],
];
/** @type {Kind[]} */
export const KINDS = [['cash', 'Cash'], ...AMOUNTS];

/**
 * The number of pieces of one denomination from its text; 0 if empty, null if not a whole number.
 * @param {string} text
 */
export function pieces(text) {
  const plain = text.trim();
  if (plain === '') return 0;
  return /^\d{1,6}$/.test(plain) ? Number(plain) : null;
}

/** The cents of pieces by their denomination. @param {Record<string, number>} numbers */
export function worth(numbers) {
  return Object.entries(numbers).reduce((sum, [each, number]) => sum + Number(each) * number, 0);
}

/**
 * The count as it is sent. Cash that was counted in both ways has to come to the same; the caller
 * asks `differs` first.
 * @param {Parts} parts
 * @returns {Count}
 */
export function countOf({ pieces: numbers, sum, amounts }) {
  const some = Object.entries(numbers).filter(([, number]) => number > 0);
  return {
    counted: {
      cash: sum ?? worth(numbers),
      gaming_chips: amounts.gaming_chips ?? 0,
      coupon: amounts.coupon ?? 0,
      slot_tokens: amounts.slot_tokens ?? 0,
    },
    denominations: some.length ? Object.fromEntries(some) : null,
  };
}

/** Why the sum of the cash and its pieces disagree; '' if they do not. @param {Parts} parts */
export function differs({ pieces: numbers, sum }) {
  const found = worth(numbers);
  if (sum === null || found === 0 || found === sum) return '';
  return `The pieces make ${money(found)}.`;
}

/** @param {Record<string, number>} byKind */
export function total(byKind) {
  return Object.values(byKind).reduce((sum, one) => sum + one, 0);
}

/**
 * A difference in words: "$3.00 short", "$0.50 over" or "exact".
 * @param {number} centsOver
 */
export function overShort(centsOver) {
  if (centsOver === 0) return 'exact';
  return `${money(Math.abs(centsOver))} ${centsOver > 0 ? 'over' : 'short'}`;
}

/**
 * The rows of a checkout by kind: name, expected, counted, difference; kinds without any are left
 * out.
 * @param {{expected_cents: Record<string, number>, counted_cents: Record<string, number>,
 *   over_short_cents: Record<string, number>}} done
 */
export function checkoutRows({
  expected_cents: expected,
  counted_cents: found,
  over_short_cents: over,
}) {
  return KINDS.filter(([kind]) => expected[kind] || found[kind]).map(([kind, name]) => ({
    name,
    expected: expected[kind] ?? 0,
    counted: found[kind] ?? 0,
    over: over[kind] ?? 0,
  }));
}
