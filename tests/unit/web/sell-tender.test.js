// Tender: what is sent always comes to the price; what is handed over decides the change.

import assert from 'node:assert/strict';
import test from 'node:test';

import {
  EXACT,
  presets,
  settleTender,
  tenderWords,
} from '../../../writer_station/ui/sell-tender.js';

test('presets are three amounts above the price', () => {
  assert.deepEqual(presets(2000), [4000, 5000, 10000]);
  assert.deepEqual(presets(100), [500, 1000, 2000]);
  assert.deepEqual(presets(600), [1000, 2000, 5000]);
  for (let price = 5; price < 200_000; price += 385) {
    const found = presets(price);
    assert.equal(found.length, 3, String(price));
    assert.ok(found.every((cents, index) => cents > (index ? found[index - 1] : price)));
  }
  assert.deepEqual(presets(null), []);
});

test('exact is the price in currency', () => {
  assert.deepEqual(settleTender(EXACT, 2000), {
    wire: [{ kind: 'currency', cents: 2000, serial: null }],
    cash: 2000,
    change: 0,
    fault: '',
  });
});

test('change is what was given beyond the price', () => {
  const done = settleTender({ given: 4000, parts: [] }, 2000);
  assert.deepEqual([done.change, done.wire[0].cents, done.fault], [2000, 2000, '']);
  assert.match(settleTender({ given: 1500, parts: [] }, 2000).fault, /\$5\.00 is still/);
});

test('a coupon pays its part, the rest is currency', () => {
  const parts = [{ kind: 'coupon', cents: 500, serial: 'C-77' }];
  const done = settleTender({ given: 2000, parts }, 2000);
  assert.deepEqual(done.wire, [
    { kind: 'currency', cents: 1500, serial: null },
    { kind: 'coupon', cents: 500, serial: 'C-77' },
  ]);
  assert.equal(done.change, 500);
  assert.equal(tenderWords({ given: null, parts }), '$5.00 coupon, the rest in currency');
});

test('coupons need serials of their own, and nothing but currency is given change for', () => {
  const coupon = (serial) => ({ kind: 'coupon', cents: 100, serial });
  assert.match(settleTender({ given: null, parts: [coupon('')] }, 2000).fault, /serial/);
  assert.match(
    settleTender({ given: null, parts: [coupon('A'), coupon('A')] }, 2000).fault,
    /same serial/,
  );
  assert.match(
    settleTender({ given: null, parts: [{ kind: 'gaming_chips', cents: 2500, serial: '' }] }, 2000)
      .fault,
    /more than the price/,
  );
});

test('all in chips leaves no currency', () => {
  const done = settleTender(
    { given: null, parts: [{ kind: 'gaming_chips', cents: 2000, serial: '' }] },
    2000,
  );
  assert.deepEqual([done.wire.length, done.wire[0].kind, done.fault], [1, 'gaming_chips', '']);
});
