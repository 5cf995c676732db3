/*
 * Splits what is due into cash, check, withheld tax and coupon, which add up to the cent. Pure; all
 * amounts are whole cents. The server checks them again.
 */
import { owedWords } from './hand-over.js';
import { paperOf } from './pay-acts.js';

/**
 * @import { Progress } from './pay-acts.js'
 * @import { Due, Look, PaidTicket, PayAnswer, Payment } from './types.js'
 * @typedef {Pick<Due, 'total_cents' | 'coupon_cents'>} Owed
 * @typedef {{payment: Payment, fault?: undefined} |
 *   {payment?: undefined, fault: {where: string, words: string}}} Reckoned
 * @typedef {(cents: number) => string} Money how cents are written
 */

/**
 * The payment of one ticket; if it does not add up, the fault and its field.
 * @param {Owed} due
 * @param {Progress} progress
 * @returns {Reckoned}
 */
export function payment(due, progress) {
  const withheld = progress.tax_form?.withheld_cents ?? 0;
  const check = progress.check?.cents ?? 0;
  const number = progress.check?.number ?? '';
  const inHand = due.total_cents - (due.coupon_cents ?? 0);
  if (withheld < 0 || withheld > inHand) {
    return { fault: { where: 'withheld', words: 'That is more than the award.' } };
  }
  if (check < 0 || check > inHand - withheld) {
    return { fault: { where: 'check', words: 'The check is higher than what is owed.' } };
  }
  if (check > 0 && !number) {
    return { fault: { where: 'check_number', words: 'A check needs its number.' } };
  }
  return {
    payment: {
      cash_cents: inHand - withheld - check,
      check_cents: check,
      check_number: check > 0 ? number : null,
      withheld_cents: withheld,
      tax_form: progress.tax_form?.number || null,
    },
  };
}

/**
 * The cents due in cash and check together: the total without coupon and withheld tax.
 * @param {Owed} due
 * @param {Progress} progress
 */
export function leftToSplit(due, progress) {
  return due.total_cents - (due.coupon_cents ?? 0) - (progress.tax_form?.withheld_cents ?? 0);
}

/**
 * The words on the button that pays: "Pay $60.00 in cash".
 * @param {Pick<Payment, 'cash_cents' | 'check_cents'>} paid
 * @param {Money} money
 * @param {string} [verb]
 */
export function payWords(paid, money, verb = 'Pay') {
  if (paid.check_cents === 0) return `${verb} ${money(paid.cash_cents)} in cash`;
  if (paid.cash_cents === 0) return `${verb} ${money(paid.check_cents)} by check`;
  return `${verb} in cash and by check`;
}

/**
 * The total of tickets that are paid together, in cents.
 * @param {readonly Pick<Look, 'total_cents'>[]} batch
 */
export function batchTotal(batch) {
  return batch.reduce((sum, look) => sum + look.total_cents, 0);
}

/** @param {readonly (Owed & Pick<Look, 'ticket' | 'code'>)[]} batch */
export function batchPayments(batch) {
  return batch.map((look) => {
    const { payment: handed, fault } = payment(look, {});
    if (fault) throw new Error(fault.words);
    return { ...paperOf(look), payment: handed };
  });
}

/**
 * The notice after a payment: the sum that was paid, and each ticket that was refused.
 * @param {PayAnswer} answer
 * @param {Money} money
 * @param {(one: PaidTicket | PayAnswer['refused'][number]) => string} number
 */
export function paidWords(answer, money, number) {
  const sum = answer.paid.reduce((total, one) => total + one.total_cents, 0);
  const count = answer.paid.length;
  const words = [];
  const owed = answer.paid[0]?.owed_cents ?? 0;
  if (owed) words.push(`Ticket ${number(answer.paid[0])} is refunded. ${owedWords(owed)}`);
  else if (count === 1) words.push(`${money(sum)} paid on ticket ${number(answer.paid[0])}.`);
  if (count > 1) words.push(`${money(sum)} paid on ${count} tickets.`);
  for (const one of answer.refused) words.push(`Ticket ${number(one)}: ${one.message}`);
  return words.join(' ');
}
