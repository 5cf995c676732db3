/*
 * Payments that add up: cash, check, withheld and coupon together are
 * what is owed, to the cent. Pure, and in whole cents throughout. The house checks all of it again.
 */

/**
 * The payment of one ticket. `due` is {total_cents, coupon_cents}; `progress` as in pay-acts.
 * Answers {payment} or, if it does not add up, {fault: {where, words}}.
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

/** What is owed in cash and check together, before it is split. */
export function leftToSplit(due, progress) {
  return due.total_cents - (due.coupon_cents ?? 0) - (progress.tax_form?.withheld_cents ?? 0);
}

/** The words on the button: "Pay $60.00 in cash". `money` writes cents. */
export function payWords(paid, money, verb = 'Pay') {
  if (paid.check_cents === 0) return `${verb} ${money(paid.cash_cents)} in cash`;
  if (paid.cash_cents === 0) return `${verb} ${money(paid.check_cents)} by check`;
  return `${verb} in cash and by check`;
}

/** Several tickets in one total, all in cash. `batch` holds tickets that pay at once. */
export function batchTotal(batch) {
  return batch.reduce((sum, look) => sum + look.total_cents, 0);
}

export function batchPayments(batch) {
  return batch.map((look) => ({
    ticket: look.ticket,
    code: look.code,
    payment: payment(look, {}).payment,
  }));
}

/** What each ticket of a payment came to, for the notice: paid sum and those refused. */
export function paidWords(answer, money, number) {
  const sum = answer.paid.reduce((total, one) => total + one.total_cents, 0);
  const count = answer.paid.length;
  const words = [];
  if (count === 1) words.push(`${money(sum)} paid on ticket ${number(answer.paid[0].ticket)}.`);
  if (count > 1) words.push(`${money(sum)} paid on ${count} tickets.`);
  for (const one of answer.refused) words.push(`Ticket ${number(one.ticket)}: ${one.message}`);
  return words.join(' ');
}
