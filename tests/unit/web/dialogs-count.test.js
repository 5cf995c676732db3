// The count of a drawer by denomination.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BILLS,
  COINS,
  KINDS,
  counted,
  overShort,
  pieces,
  total,
} from '../../../writer_station/ui/dialogs/count.js';

const money = (cents) => `$${(cents / 100).toFixed(2)}`;
const NOTHING = { bills: {}, coins: {}, amounts: {} };

test('bills and coins are counted by number, the rest as amounts', () => {
  const byKind = counted({
    bills: { 10000: 15, 5000: 10, 2000: 6, 1000: 8, 500: 9, 200: 0, 100: 24 },
    coins: { 100: 0, 50: 0, 25: 200, 10: 60, 5: 20, 1: 175 },
    amounts: { coupon: 500, gaming_chips: 2500 },
  });
  assert.deepEqual(byKind, {
    currency: 226900,
    coin: 5875,
    gaming_chips: 2500,
    slot_tokens: 0,
    coupon: 500,
  });
  assert.equal(total(byKind), 235775);
});

test('every kind of tender is in the count, also when there is none', () => {
  assert.deepEqual(Object.keys(counted(NOTHING)).sort(), KINDS.map(([kind]) => kind).sort());
  assert.equal(total(counted(NOTHING)), 0);
});

test('one of each denomination', () => {
  const one = (all) => Object.fromEntries(all.map((each) => [each, 1]));
  const byKind = counted({ bills: one(BILLS), coins: one(COINS), amounts: {} });
  assert.equal(byKind.currency, 18800);
  assert.equal(byKind.coin, 191);
});

test('a number is whole, and nothing typed is none', () => {
  assert.equal(pieces(''), 0);
  assert.equal(pieces(' 12 '), 12);
  for (const text of ['1.5', '-1', 'x', '1e3', '9999999']) assert.equal(pieces(text), null);
});

test('over and short in plain words', () => {
  assert.equal(overShort(0, money), 'exact');
  assert.equal(overShort(50, money), '$0.50 over');
  assert.equal(overShort(-300, money), '$3.00 short');
});
