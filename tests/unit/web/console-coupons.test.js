// The register of coupons at the console: what is said, and what is read of a list of serials.

import assert from 'node:assert/strict';
import test from 'node:test';

import * as coupons from '../../../keno/pages/console/coupons-words.js';

const found = { serial: 'P-1', cents: 500, ends_ms: 1, until: 'through gaming day 2026-12-31' };
const row = (changes = {}) => ({
  serial: 'P-1',
  last: 'P-9',
  coupons: 9,
  cents: 500,
  total_cents: 4_500,
  source: 'registered',
  state: 'open',
  issued_by: 'SUE',
  second: 'MAX',
  given_for: null,
  until: '2026-12-31',
  used_on: null,
  void_reason: null,
  ...changes,
});

test('what a coupon is worth', () => {
  assert.equal(coupons.worth(found), 'P-1 is worth $5.00, good through gaming day 2026-12-31.');
});

test('what was issued or registered', () => {
  const good = 'good through gaming day 2026-12-31.';
  assert.equal(coupons.entered(found), `Coupon P-1 of $5.00 is issued, ${good}`);
  const batch = {
    coupons: 9,
    first: 'P-1',
    last: 'P-9',
    cents: 500,
    ends_ms: 1,
    until: found.until,
  };
  assert.equal(coupons.entered(batch), `9 coupons of $5.00 each registered: P-1 to P-9, ${good}`);
  assert.equal(
    coupons.entered({ ...batch, coupons: 1, last: 'P-1' }),
    `1 coupon of $5.00 registered: P-1, ${good}`,
  );
});

test('a row of the register', () => {
  assert.equal(coupons.serials(row()), 'P-1 to P-9');
  assert.equal(coupons.serials(row({ coupons: 1, last: 'P-1' })), 'P-1');
  assert.deepEqual(coupons.state(row()), { tone: 'jade', word: 'Not used' });
  assert.deepEqual(coupons.state(row({ state: 'used', used_on: 'A-17' })), {
    tone: 'quiet',
    word: 'Paid A-17',
  });
  assert.deepEqual(coupons.state(row({ state: 'void' })), { tone: 'ember', word: 'Void' });
  assert.equal(coupons.came(row()), 'Registered by SUE and MAX');
  assert.equal(coupons.came(row({ source: 'issued', second: null })), 'Issued by SUE');
  const given = { source: 'given_back', issued_by: null, given_for: 'A-17' };
  assert.equal(coupons.came(row(given)), 'Given back for A-17');
  assert.equal(
    coupons.came(row({ source: 'taken_over', issued_by: null })),
    'From before the register',
  );
});

test('what is not used yet', () => {
  const used = row({ state: 'used', coupons: 1, total_cents: 500 });
  assert.equal(coupons.open([row(), used]), '9 coupons not used, $45.00 together');
  assert.equal(coupons.open([used]), 'None is open');
});

test('the serials of a list or of the first column of a file', () => {
  for (const [text, serials] of [
    ['A-1', 'A-1'],
    ['\uFEFFSerial,Name\r\na-1,Ann\r\n\r\n"A-2";Bob\r\n', 'a-1\nA-2'],
    [' A-1 \n\tA-2\n', 'A-1'],
    ['serial\nserial', 'serial'],
  ])
    assert.deepEqual(coupons.readList(text), { serials });
});

test('a list that is none', () => {
  const fault = (text) => coupons.readList(text).fault;
  assert.match(fault(''), /no serial/);
  assert.match(fault('serial\n\n'), /no serial/);
  assert.equal(fault('A-1\nA 2'), 'Line 2, “A 2”, is not 1 to 32 letters, digits and hyphens.');
  for (const text of ['-A', 'A-', 'А1', 'A_1', `A${'1'.repeat(32)}`])
    assert.match(fault(text), /^Line 1/);
  const many = Array.from({ length: 6_000 }, (_, at) => `PROMO-${10_000 + at}`).join('\n');
  assert.match(fault(many), /too long for the page/);
});
