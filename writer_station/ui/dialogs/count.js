/*
 * Adds up the count of a drawer at the end of a shift: bills and coins by number, the other kinds
 * of tender as amounts. Pure. What the drawer should hold is not known here; the server compares.
 */

import { sentence } from '../../../keno/pages/shared/format.js';
import { TENDER_KINDS } from '../../../keno/pages/shared/words.js';

export const BILLS = [10000, 5000, 2000, 1000, 500, 200, 100];
export const COINS = [100, 50, 25, 10, 5, 1];
/** @typedef {[kind: string, words: string]} Kind */

/** @type {Kind[]} */
export const AMOUNTS = [
  ['gaming_chips', sentence(TENDER_KINDS.gaming_chips)],
  ['slot_tokens', sentence(TENDER_KINDS.slot_tokens)],
  ['coupon', 'Coupons'],
];
/** @type {Kind[]} */
export const KINDS = [['currency', 'Bills'], ['coin', 'Coins'], ...AMOUNTS];
/** The kinds that a checkout compares: bills and coins are one cash. @type {Kind[]} */
export const COMPARED = [['cash', 'Cash'], ...AMOUNTS];

/**
 * The number of pieces of one denomination from its text; 0 if empty, null if not a whole number.
 * @param {string} text
 */
export function pieces(text) {
  const plain = text.trim();
  if (plain === '') return 0;
  return /^\d{1,6}$/.test(plain) ? Number(plain) : null;
}

/**
 * @typedef {{bills: Record<string, number>, coins: Record<string, number>,
 *   amounts: Record<string, number>}} Parts pieces by their value in cents, amounts by kind
 */

/**
 * The counted cents by kind of tender.
 * @param {Parts} parts
 */
export function counted({ bills, coins, amounts }) {
  /** @param {Record<string, number>} numbers */
  const sum = (numbers) =>
    Object.entries(numbers).reduce((total, [each, number]) => total + Number(each) * number, 0);
  /** @type {Record<string, number>} */
  const totals = { currency: sum(bills), coin: sum(coins) };
  for (const [kind] of AMOUNTS) totals[kind] = amounts[kind] ?? 0;
  return totals;
}

/** @param {Record<string, number>} byKind */
export function total(byKind) {
  return Object.values(byKind).reduce((sum, one) => sum + one, 0);
}

/**
 * A difference in words: "$3.00 short", "$0.50 over" or "exact".
 * @param {number} centsOver
 * @param {(cents: number) => string} money
 */
export function overShort(centsOver, money) {
  if (centsOver === 0) return 'exact';
  return `${money(Math.abs(centsOver))} ${centsOver > 0 ? 'over' : 'short'}`;
}
