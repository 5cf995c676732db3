// How amounts, clocks and numbers are written.

import assert from 'node:assert/strict';
import test from 'node:test';

import {
  clock,
  count,
  day,
  listed,
  money,
  odds,
  parseMoney,
  shortMoney,
  ticketNumber,
  time,
  timeExact,
} from '../../../keno/pages/shared/format.js';

test('money always has cents and commas', () => {
  assert.equal(money(0), '$0.00');
  assert.equal(money(5), '$0.05');
  assert.equal(money(420000), '$4,200.00');
  assert.equal(money(123456789), '$1,234,567.89');
  assert.equal(money(-150), '−$1.50');
});

test('a chip may drop even cents', () => {
  assert.equal(shortMoney(4000), '$40');
  assert.equal(shortMoney(250), '$2.50');
  assert.equal(shortMoney(2500000), '$25,000');
});

test('typed amounts become cents, and nothing else does', () => {
  assert.equal(parseMoney('20'), 2000);
  assert.equal(parseMoney('2.5'), 250);
  assert.equal(parseMoney('$1,000.05'), 100005);
  assert.equal(parseMoney('.5'), 50);
  for (const wrong of ['', '.', 'x', '1.234', '-5', '1..2', '1e3'])
    assert.equal(parseMoney(wrong), null, wrong);
});

test('money that is written is read back to the same cents', () => {
  for (let cents = 0; cents < 2_000_000; cents += 977)
    assert.equal(parseMoney(money(cents)), cents);
});

test('a clock shows 0:00 only when nothing is left', () => {
  assert.equal(clock(161_000), '2:41');
  assert.equal(clock(60_000), '1:00');
  assert.equal(clock(59_001), '1:00');
  assert.equal(clock(1), '0:01');
  assert.equal(clock(0), '0:00');
  assert.equal(clock(-5), '0:00');
});

test('times and days have plain spaces', () => {
  const ms = Date.UTC(2026, 10, 16, 21, 8, 44);
  assert.equal(time(ms, 'UTC'), '9:08 PM');
  assert.equal(timeExact(ms, 'UTC'), '9:08:44 PM');
  assert.equal(day(ms, 'UTC'), 'Nov 16, 2026');
});

test('ticket numbers are read out in fours from the end', () => {
  assert.equal(ticketNumber(4182276), '418 2276');
  assert.equal(ticketNumber(418), '418');
  assert.equal(ticketNumber(123456789), '1 2345 6789');
});

test('odds are whole numbers from a hundred on', () => {
  assert.equal(odds(6.21), '6.2 to 1');
  assert.equal(odds(230113.4), '230,113 to 1');
});

test('counts and lists', () => {
  assert.equal(count(1, 'spot'), '1 spot');
  assert.equal(count(10000, 'way'), '10,000 ways');
  assert.equal(listed([]), '');
  assert.equal(listed(['A']), 'A');
  assert.equal(listed(['A', 'B', 'C']), 'A, B and C');
});
