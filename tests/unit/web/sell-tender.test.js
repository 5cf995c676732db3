// Tender: what is received is sent; what it is beyond the price is change, except for coupons.

import assert from 'node:assert/strict';
import test from 'node:test';

import {
  bothWays,
  handedCents,
  handedWords,
  hasChips,
} from '../../../writer_station/ui/hand-over.js';
import { soldWords, sumWords } from '../../../writer_station/ui/sell-price.js';
import {
  EXACT,
  presets,
  settleTender,
  startTender,
  tenderWords,
} from '../../../writer_station/ui/sell-tender.js';
import { soldNotice } from '../../../writer_station/ui/sell-words.js';

const part = (kind, cents, serial = '') => ({ kind, cents, serial });
const of = (given, ...parts) => ({ given, parts });
const wire = (kind, cents, serial = null) => ({ kind, cents, serial });

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

test('exact is the price in cash', () => {
  assert.deepEqual(settleTender(EXACT, 2000), {
    wire: [wire('currency', 2000)],
    due: 2000,
    cash: 2000,
    received: 2000,
    change: 0,
    back: [],
    fault: '',
  });
});

test('15.4(c): what is received is sent, and what is beyond the price is change', () => {
  const done = settleTender(of(4000), 2000);
  assert.deepEqual([done.change, done.wire, done.fault], [2000, [wire('currency', 4000)], '']);
  assert.match(settleTender(of(1500), 2000).fault, /\$5\.00 is still/);
});

test('a $25 chip for a $7 ticket: change $18.00', () => {
  const tender = of(null, part('gaming_chips', 2500));
  const done = settleTender(tender, 700);
  assert.deepEqual(done.wire, [wire('gaming_chips', 2500)]);
  assert.deepEqual([done.due, done.change, done.fault], [0, 1800, '']);
  assert.equal(sumWords({ price_cents: 700 }, tender).words, 'Change $18.00');
});

test('chips and notes on the counter: the change is for both', () => {
  const done = settleTender(of(2000, part('gaming_chips', 500), part('slot_tokens', 100)), 2500);
  assert.deepEqual([done.due, done.received, done.change], [1900, 2600, 100]);
  assert.equal(settleTender(of(null, part('gaming_chips', 500)), 2500).cash, 2000);
});

test('a coupon pays its part, the rest is cash', () => {
  const tender = of(2000, part('coupon', 500, 'C-77'));
  const done = settleTender(tender, 2000);
  assert.deepEqual(done.wire, [wire('currency', 2000), wire('coupon', 500, 'C-77')]);
  assert.equal(done.change, 500);
  assert.equal(tenderWords({ ...tender, given: null }), '$5.00 coupon, the rest in cash');
  const two = of(1000, part('coupon', 500, 'A'), part('coupon', 100, 'B'));
  assert.equal(tenderWords(two), '$6.00 in 2 coupons, $10.00 cash');
});

test('coupons need serials of their own, whatever the case of their letters', () => {
  const coupon = (serial) => part('coupon', 100, serial);
  assert.match(settleTender(of(null, coupon('')), 2000).fault, /serial/);
  assert.match(settleTender(of(null, coupon('A'), coupon('a')), 2000).fault, /same serial/);
});

test('no change is given for a coupon: it is not larger than the price', () => {
  const done = settleTender(of(null, part('coupon', 2500, 'A')), 2000);
  assert.match(done.fault, /\$25\.00 for a ticket of \$20\.00: no change is given for a coupon/);
  const both = of(null, part('coupon', 1500, 'A'), part('coupon', 1000, 'B'));
  assert.match(settleTender(both, 2000).fault, /^Coupons of \$25\.00/);
  const chips = of(null, part('coupon', 2000, 'A'), part('gaming_chips', 500));
  assert.deepEqual([settleTender(chips, 2000).fault, settleTender(chips, 2000).change], ['', 500]);
});

test('why the house did not take a tender blocks it until the tender changes', () => {
  const refused = { ...of(null, part('coupon', 500, 'A')), refused: 'Coupon A was used.' };
  assert.equal(settleTender(refused, 2000).fault, 'Coupon A was used.');
  assert.deepEqual(sumWords({ price_cents: 2000 }, refused), {
    kind: 'no',
    words: 'Coupon A was used.',
  });
});

// ---------------------------------------------------------------- a ticket that is rewritten

const live = (...paid) => ({ ticket: 1, code: 'X', paid, coupons: [] });
const kind = (name, cents) => ({ kind: name, cents });

test('a dearer rewrite: what came in counts, and the difference is paid', () => {
  const old = live(kind('cash', 2000));
  const done = settleTender(EXACT, 2500, old.paid);
  assert.deepEqual([done.wire, done.due, done.back], [[wire('currency', 2500)], 500, []]);
  const note = settleTender(of(1000), 2500, old.paid);
  assert.deepEqual([note.wire, note.change], [[wire('currency', 3000)], 500]);
  assert.equal(sumWords({ price_cents: 2500 }, EXACT, old).words, '$5.00 more to pay');
});

test('a cheaper rewrite hands back the kind that came in', () => {
  const old = live(kind('gaming_chips', 2000));
  const done = settleTender(EXACT, 1500, old.paid);
  assert.deepEqual(done.wire, [wire('gaming_chips', 1500)]);
  assert.deepEqual(done.back, [kind('gaming_chips', 500)]);
  assert.equal(
    sumWords({ price_cents: 1500 }, EXACT, old).words,
    'Give back $5.00 in gaming chips',
  );
});

test('a rewrite keeps its coupon', () => {
  const coupons = [{ serial: 'P-1', cents: 500 }];
  const old = { ...live(kind('cash', 1500), kind('coupon', 500)), coupons };
  const done = settleTender(startTender(old), 2500, old.paid);
  assert.deepEqual(done.wire, [wire('currency', 2000), wire('coupon', 500, 'P-1')]);
  assert.deepEqual([done.due, done.back], [500, []]);
  assert.equal(startTender(null), EXACT);
});

test('chips the drawer cannot make up go back as cash; the new ticket keeps its own', () => {
  const old = live(kind('gaming_chips', 2000));
  const done = settleTender({ ...EXACT, inCash: true }, 1500, old.paid);
  assert.deepEqual(done.wire, [wire('gaming_chips', 1500)]);
  assert.deepEqual(done.back, [kind('cash', 500)]);
  assert.deepEqual([hasChips(old.paid), hasChips(done.back)], [true, false]);
});

test('an even rewrite hands nothing over', () => {
  const old = live(kind('cash', 2000));
  assert.equal(sumWords({ price_cents: 2000 }, EXACT, old).words, 'Paid by the old ticket');
  const words = soldWords({ price: 2000, change: 0, received: 0, net: [] });
  assert.deepEqual([words.label, words.sum], ['Rewritten', 'Nothing to hand over']);
});

// ---------------------------------------------------------------- what is said afterwards

test('what is handed over, kind for kind', () => {
  const amounts = [kind('cash', 700), kind('gaming_chips', 1800), kind('coupon', 500)];
  assert.equal(handedWords(amounts), '$7.00 in cash, $18.00 in gaming chips and a coupon of $5.00');
  assert.equal(handedCents(amounts), 3000);
  assert.deepEqual(bothWays([kind('cash', 500), kind('gaming_chips', -2500)]), {
    handed: [kind('cash', 500)],
    received: [kind('gaming_chips', 2500)],
  });
});

test('the change is large after the sale, and in the notice', () => {
  const sold = { ticket: 362, price: 700, change: 1800, received: 2500, net: null };
  assert.deepEqual(soldWords(sold), {
    label: 'Change',
    cents: 1800,
    sum: '$25.00 received for $7.00',
  });
  assert.equal(soldNotice(sold), 'Ticket 362 is sold for $7.00. Change $18.00.');
  const net = [kind('cash', 500), kind('gaming_chips', -2500)];
  assert.deepEqual(soldWords({ ...sold, net }), {
    label: 'Hand over',
    cents: 500,
    sum: '$5.00 in cash; $25.00 in gaming chips received',
  });
  assert.equal(
    soldNotice({ ...sold, net }),
    'Ticket 362 replaces it. Hand over $5.00 in cash. $25.00 in gaming chips received.',
  );
});
