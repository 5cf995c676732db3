// A time that must be confirmed: what the console says of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  behindWords,
  bothTimes,
  confirmedWords,
  headOf,
  timesOf,
  waitsFor,
} from '../../../keno/pages/console/clock-words.js';

const ZONE = 'America/New_York';
const NOON = Date.UTC(2026, 10, 16, 17);
const DOUBT = {
  step: 1,
  what: 'stepped',
  found_ms: NOON,
  found_machine_ms: NOON + 3_600_000,
  ledger_ms: NOON,
  machine_ms: NOON + 3_600_000,
};

test('both times are said with their date', () => {
  assert.deepEqual(timesOf(DOUBT, ZONE), [
    ['Ledger time', 'Nov 16, 2026, 12:00:00 PM'],
    ['Machine time', 'Nov 16, 2026, 1:00:00 PM'],
  ]);
});

test('both times are said in a line', () => {
  assert.equal(
    bothTimes(DOUBT, ZONE),
    'Ledger time Nov 16, 2026, 12:00:00 PM; machine time Nov 16, 2026, 1:00:00 PM',
  );
});

test('a step lets the house go on, a restart closes it', () => {
  assert.equal(headOf(DOUBT), 'The clock stepped');
  assert.match(waitsFor(DOUBT), /goes on by the ledger’s time/);
  const restarted = { ...DOUBT, what: 'restarted' };
  assert.match(headOf(restarted), /house is closed/);
  assert.match(waitsFor(restarted), /Nothing is sold, drawn or paid/);
});

test('a time behind the ledger is said to be so', () => {
  assert.equal(behindWords(DOUBT), '');
  assert.match(behindWords({ ...DOUBT, machine_ms: NOON - 1 }), /goes back only to correct/);
});

test('what was confirmed is said', () => {
  assert.match(confirmedWords('machine'), /machine/);
  assert.match(confirmedWords('ledger'), /ledger/);
});
