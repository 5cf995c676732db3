// What changes hands at the counter, kind for kind, in words. Pure.

import { listed, money } from '../../keno/pages/shared/format.js';
import { DRAWER_KINDS } from '../../keno/pages/shared/words.js';

/** @import { KindCents } from '../../keno/pages/shared/protocol.js' */

/**
 * Amounts in words: "$7.00 in cash, $18.00 in gaming chips and a coupon of $5.00".
 * @param {readonly KindCents[]} amounts
 */
export function handedWords(amounts) {
  const some = amounts.filter(({ cents }) => cents > 0);
  return listed(
    some.map(({ kind, cents }) =>
      kind === 'coupon'
        ? `a coupon of ${money(cents)}`
        : `${money(cents)} in ${DRAWER_KINDS[kind]}`,
    ),
  );
}

/** Whether there are chips or tokens among the amounts. @param {readonly KindCents[]} amounts */
export function hasChips(amounts) {
  return amounts.some(({ kind }) => kind === 'gaming_chips' || kind === 'slot_tokens');
}

/**
 * Chips and tokens as rows of a payment: "In gaming chips", cents.
 * @param {readonly KindCents[]} chips
 * @returns {[words: string, cents: number][]}
 */
export function chipParts(chips) {
  return chips.map(({ kind, cents }) => [`In ${DRAWER_KINDS[kind]}`, cents]);
}

/** The sum of amounts in cents. @param {readonly KindCents[]} amounts */
export function handedCents(amounts) {
  return amounts.reduce((total, { cents }) => total + cents, 0);
}

/**
 * What a patron is handed and hands over, of what changes hands in all (negative: received).
 * @param {readonly KindCents[]} net
 */
export function bothWays(net) {
  return {
    handed: net.filter(({ cents }) => cents > 0),
    received: net
      .filter(({ cents }) => cents < 0)
      .map(({ kind, cents }) => ({ kind, cents: -cents })),
  };
}

/** From this many cents on, what a void, rewrite or refund owes waits for a supervisor. */
const WAITS_FROM_CENTS = 150_000;

/** Whether what a void of this price owes waits for a supervisor. @param {number} cents */
export function mustWait(cents) {
  return cents >= WAITS_FROM_CENTS;
}

/**
 * What waits for a supervisor after a void, rewrite or refund, in words; empty for nothing.
 * @param {number} cents
 */
export function owedWords(cents) {
  return cents
    ? `${money(cents)} is owed and waits for a supervisor: give the patron the slip.`
    : '';
}
