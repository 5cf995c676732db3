// Payments that add up to the cent: cash, check, withheld and coupon.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  batchPayments,
  batchTotal,
  leftToSplit,
  paidWords,
  payWords,
  payment,
} from '../../../writer_station/ui/pay-money.js';

const DUE = { total_cents: 420000, coupon_cents: 2000 };
const money = (cents) => `$${(cents / 100).toFixed(2)}`;

function whole(due, { cash_cents: cash, check_cents: check, withheld_cents: withheld }) {
  return cash + check + withheld + due.coupon_cents === due.total_cents;
}

/** @param {{ticket: number}} one */
const numberOf = ({ ticket }) => String(ticket);

test('without anything else all of it is cash, but for the coupon', () => {
  const { payment: paid } = payment(DUE, {});
  assert.deepEqual(paid, {
    cash_cents: 418000,
    check_cents: 0,
    check_number: null,
    withheld_cents: 0,
    tax_form: null,
  });
});

test('cash, check, withheld and coupon are always what is owed', () => {
  for (const withheld of [0, 1, 99999, 418000]) {
    for (const check of [0, 1, 250000, 418000]) {
      const progress = {
        tax_form: { number: 'W1', withheld_cents: withheld },
        check: { number: '77', cents: check },
      };
      const { payment: paid, fault } = payment(DUE, progress);
      if (withheld + check > 418000) assert.equal(fault.where, 'check');
      else assert.ok(whole(DUE, paid) && paid.cash_cents >= 0, JSON.stringify(paid));
    }
  }
});

test('a check has its number, and no check has none', () => {
  assert.equal(payment(DUE, { check: { number: '', cents: 100 } }).fault.where, 'check_number');
  assert.equal(payment(DUE, { check: { number: '77', cents: 0 } }).payment.check_number, null);
});

test('more than the award is not withheld', () => {
  assert.equal(
    payment(DUE, { tax_form: { number: 'W1', withheld_cents: 418001 } }).fault.where,
    'withheld',
  );
});

test('what is split between cash and check is what is left after withholding and coupon', () => {
  assert.equal(leftToSplit(DUE, {}), 418000);
  assert.equal(leftToSplit(DUE, { tax_form: { number: 'W1', withheld_cents: 100000 } }), 318000);
});

test('the button names the act', () => {
  assert.equal(payWords({ cash_cents: 6000, check_cents: 0 }, money), 'Pay $60.00 in cash');
  assert.equal(payWords({ cash_cents: 0, check_cents: 6000 }, money), 'Pay $60.00 by check');
  assert.equal(
    payWords({ cash_cents: 1, check_cents: 6000 }, money, 'Refund'),
    'Refund in cash and by check',
  );
});

test('several tickets make one total, each paid by itself', () => {
  const batch = [
    { ticket: 1, code: 'A', total_cents: 300, coupon_cents: 0 },
    { ticket: 2, code: 'B', total_cents: 1400, coupon_cents: 200 },
  ];
  assert.equal(batchTotal(batch), 1700);
  assert.deepEqual(
    batchPayments(batch).map((one) => [one.ticket, one.code, one.payment.cash_cents]),
    [
      [1, 'A', 300],
      [2, 'B', 1200],
    ],
  );
});

test('a ticket of several that is refused is named', () => {
  const answer = {
    paid: [
      { ticket: 1, total_cents: 300 },
      { ticket: 2, total_cents: 1400 },
    ],
    refused: [{ ticket: 3, code: 'already_paid', message: 'This ticket has already been paid.' }],
  };
  assert.equal(
    paidWords(answer, money, numberOf),
    '$17.00 paid on 2 tickets. Ticket 3: This ticket has already been paid.',
  );
  assert.equal(
    paidWords({ paid: [{ ticket: 9, total_cents: 300 }], refused: [] }, money, numberOf),
    '$3.00 paid on ticket 9.',
  );
});
