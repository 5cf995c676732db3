// The count of a drawer: cash by denomination or as one sum, the other kinds as amounts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CENTS,
  DOLLARS,
  KINDS,
  checkoutRows,
  countOf,
  differs,
  overShort,
  pieces,
  total,
  worth,
} from '../../../keno/pages/shared/count.js';

const NOTHING = { pieces: {}, sum: null, amounts: {} };

test('cash is counted by number, the rest as amounts', () => {
  const found = countOf({
    pieces: { 10000: 15, 5000: 10, 2000: 6, 1000: 8, 500: 9, 200: 0, 100: 24, 25: 200, 1: 175 },
    sum: null,
    amounts: { coupon: 500, gaming_chips: 2500 },
  });
  assert.deepEqual(found, {
    counted: { cash: 232075, gaming_chips: 2500, coupon: 500, slot_tokens: 0 },
    denominations: { 10000: 15, 5000: 10, 2000: 6, 1000: 8, 500: 9, 100: 24, 25: 200, 1: 175 },
  });
  assert.equal(total(found.counted), 235075);
});

test('cash in one sum has no denominations', () => {
  const found = countOf({ ...NOTHING, sum: 200100 });
  assert.deepEqual([found.counted.cash, found.denominations], [200100, null]);
});

test('cash counted in both ways has to come to the same', () => {
  const both = (sum) => differs({ pieces: { 2000: 5, 25: 4 }, sum, amounts: {} });
  assert.equal(both(10100), '');
  assert.equal(both(null), '');
  assert.equal(both(10000), 'The pieces make $101.00.');
  assert.equal(differs({ ...NOTHING, sum: 5 }), '', 'only the sum was typed');
});

test('the four kinds are in the count, also when there is none', () => {
  const { counted, denominations } = countOf(NOTHING);
  const kinds = ['cash', 'gaming_chips', 'coupon', 'slot_tokens'];
  assert.deepEqual(Object.keys(counted), kinds);
  assert.deepEqual(
    KINDS.map(([kind]) => kind),
    kinds,
  );
  assert.deepEqual([total(counted), denominations], [0, null]);
});

test('one of each denomination', () => {
  const one = (all) => Object.fromEntries(all.map((each) => [each, 1]));
  assert.deepEqual([...DOLLARS, ...CENTS].length, 12);
  assert.equal(worth({ ...one(DOLLARS), ...one(CENTS) }), 188_91);
});

test('a number is whole, and nothing typed is none', () => {
  assert.equal(pieces(''), 0);
  assert.equal(pieces(' 12 '), 12);
  for (const text of ['1.5', '-1', 'x', '1e3', '9999999']) assert.equal(pieces(text), null);
});

test('over and short in plain words', () => {
  assert.equal(overShort(0), 'exact');
  assert.equal(overShort(50), '$0.50 over');
  assert.equal(overShort(-300), '$3.00 short');
});

test('the checkout by kind leaves out what was neither expected nor counted', () => {
  const done = {
    expected_cents: { cash: 5000, gaming_chips: 2500, coupon: 0, slot_tokens: 0 },
    counted_cents: { cash: 5000, gaming_chips: 0, coupon: 0, slot_tokens: 100 },
    over_short_cents: { cash: 0, gaming_chips: -2500, coupon: 0, slot_tokens: 100 },
  };
  assert.deepEqual(checkoutRows(done), [
    { name: 'Cash', expected: 5000, counted: 5000, over: 0 },
    { name: 'Gaming chips', expected: 2500, counted: 0, over: -2500 },
    { name: 'Slot tokens', expected: 0, counted: 100, over: 100 },
  ]);
});
