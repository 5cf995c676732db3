// What a checked ticket says: reading its code, the verdict, catches, and when a check mark
// may be shown.

import assert from 'node:assert/strict';
import test from 'node:test';

import { keyed, readTicket, tidyCode } from '../../../keno/pages/patron/ticket.js';
import {
  caught,
  firstGame,
  listedAs,
  verdict,
  waysInRows,
} from '../../../keno/pages/patron/verdict.js';
import { arranged, judge } from '../../../keno/pages/patron/proof.js';
import { amountSize } from '../../../keno/pages/patron/check-view.js';
import { to } from '../../../keno/pages/patron/frame.js';
import { Refused } from '../../../keno/pages/shared/ask.js';
import { wordsFor } from '../../../keno/pages/patron/ask.js';

const CODE = '0123456789ABCDEF';
const PLACE = { zone: 'America/New_York' };
const game = (number, award, more = {}) => ({
  game: number,
  name: `A-${number}`,
  state: 'settled',
  numbers: [1, 2, 3],
  award_cents: award,
  ways: [],
  more: 0,
  ...more,
});
const ticket = (changes = {}) => ({
  letter: 'A',
  ticket: 418,
  state: 'live',
  first_game: 1,
  last_game: 2,
  price_cents: 200,
  payable_cents: null,
  why_not: null,
  why_not_code: null,
  claim_until_ms: 1_826_000_000_000,
  signed_from_cents: 150_000,
  place: PLACE,
  games: [game(1, 0), game(2, 0)],
  groups: [{ letter: 'A', numbers: [1, 2, 9] }],
  request: {
    groups: [[1, 2, 9]],
    kings: [],
    lines: [{ ways: 1, spots: 3, rate: 'regular', wager_cents: 100 }],
    games: 2,
  },
  ...changes,
});

test('a ticket is read from an address, a code or keys', () => {
  const meant = { letter: 'A', ticket: 418, code: CODE };
  assert.deepEqual(readTicket(`/t/A-418-${CODE}`), meant);
  assert.deepEqual(readTicket(`https://keno.example/t/A-418-${CODE} `), meant);
  for (const wrong of [
    '',
    'A-418',
    `a-418-${CODE}`,
    `A-418-${CODE}X`,
    `A-418-${CODE.replace('F', 'U')}`,
  ])
    assert.equal(readTicket(wrong), null);
  assert.deepEqual(keyed('A', '4 18', '0123-4567 89ab cdef').ticket, meant);
  assert.deepEqual(keyed('A', 'A-418', CODE).ticket, meant);
  assert.equal(tidyCode('oi l'), '011');
  assert.equal(keyed('A', '', CODE).field, 'number');
  assert.match(keyed('A', '1', 'ABC').fault, /has 16 characters; this has 3/);
  assert.match(keyed('A', '1', `${CODE.slice(1)}U`).fault, /character U/);
});

test('an award says what to do and by when', () => {
  const said = verdict(ticket({ payable_cents: 420_000, games: [game(1, 420_000), game(2, 0)] }));
  assert.deepEqual(
    [said.kind, said.lead, said.cents, said.waits],
    ['won', 'Your ticket won', 420_000, false],
  );
  assert.match(said.lines[0][1].strong, /^\w{3} \d+, 2027, \d+:\d\d [AP]M$/);
  assert.match(said.lines[1][0], /\$1,500\.00/);
  assert.equal(
    verdict(ticket({ payable_cents: 149_999, games: [game(1, 149_999)] })).lines.length,
    1,
  );
});

test('a void game gives its price back', () => {
  const said = verdict(
    ticket({
      payable_cents: 100,
      games: [game(1, null, { state: 'void', numbers: null }), game(2, 0)],
    }),
  );
  assert.equal(said.lead, 'Your price comes back');
  assert.match(said.lines[1][0], /A-1 was void/);
});

test('every other state has its words and no glow', () => {
  const kinds = (changes) => [verdict(ticket(changes)).kind, verdict(ticket(changes)).lead];
  assert.deepEqual(kinds({ why_not_code: 'no_award' }), ['none', 'No award on this ticket']);
  assert.deepEqual(kinds({ state: 'payout', games: [game(1, 500)] }), [
    'paid',
    'This ticket was paid',
  ]);
  assert.deepEqual(kinds({ state: 'void' }), ['gone', 'This ticket is void']);
  assert.deepEqual(kinds({ state: 'refund' }), ['gone', 'This ticket was cancelled']);
  assert.deepEqual(kinds({ state: 'surrender' }), ['gone', 'This ticket was handed back']);
  assert.deepEqual(kinds({ state: 'expiry' }), ['gone', 'Too late to claim']);
  assert.deepEqual(kinds({ why_not_code: 'expired' }), ['gone', 'Too late to claim']);
  assert.deepEqual(kinds({ why_not_code: 'held' }), ['ask', 'This ticket is held']);
  assert.deepEqual(kinds({ why_not_code: 'print_unconfirmed', why_not: 'Call.' }), [
    'ask',
    'Take this ticket to a booth',
  ]);
});

test('a ticket plays the games before it was ended, and no other', () => {
  const of = (changes, number) => listedAs(ticket(changes), number && game(number, 0));
  assert.deepEqual(
    [of({}, 1), of({}, null), of({ ended_game: null }, 2)],
    ['live', 'live', 'live'],
  );
  const voided = { state: 'void', ended_game: 1 };
  assert.deepEqual([of(voided, 1), of(voided, 2), of(voided, null)], ['void', 'void', 'void']);
  const refunded = { state: 'refund', ended_game: 2 };
  assert.deepEqual([of(refunded, 1), of(refunded, 2)], ['live', 'cancelled']);
});

test('a ticket that is not over waits, with what it has won so far', () => {
  const open = { why_not_code: 'not_complete', claim_until_ms: null };
  const drawing = verdict(
    ticket({ ...open, games: [game(1, 0), game(2, null, { state: 'drawing', numbers: null })] }),
  );
  assert.deepEqual([drawing.kind, drawing.lead, drawing.waits], ['wait', 'Being drawn now', true]);
  const far = verdict(
    ticket({ ...open, games: [game(1, 700), game(2, null, { state: 'open', numbers: null })] }),
  );
  assert.deepEqual(
    [far.kind, far.cents, far.lines[0][0]],
    ['so far', 700, 'Game A-2 is still open.'],
  );
  assert.match(verdict(ticket({ ...open, games: [] })).lines[0][0], /has not opened yet/);
});

test('the game with the largest award is opened, and its catches are counted', () => {
  assert.equal(firstGame([game(1, 5), game(2, 9), game(3, 9)]).game, 2);
  assert.equal(firstGame([game(1, 0), game(2, null, { state: 'drawing' })]).game, 2);
  assert.equal(firstGame([game(1, 0), game(2, 0), game(3, null, { state: 'open' })]).game, 2);
  assert.equal(firstGame([]), null);
  assert.deepEqual(caught(ticket(), game(1, 0)), { caught: 2, of: 3 });
  const ways = Array.from({ length: 9 }, () => ({ spots: 8, caught: 5, award_cents: 900 }));
  assert.equal(waysInRows(ways)[0].times, 9);
  assert.equal(waysInRows(ways.slice(0, 4)).length, 4);
  assert.equal(amountSize('$4,200.00'), 80);
  assert.ok(amountSize('$100,000.00') < 70);
});

const good = (id) => ({ id, title: id, state: 'good', words: '' });
const STEPS = ['genesis', 'form', 'signed', 'links', 'secrets', 'times', 'numbers', 'ticket'].map(
  good,
);
const report = (changes = {}) => ({
  proven: true,
  game: 1,
  numbers: [1, 2, 3],
  steps: STEPS,
  ...changes,
});
const leaf = () => ({
  ticket: 418,
  first: 1,
  last: 2,
  price_cents: 200,
  request: ticket().request,
});
const shown = (changes = {}) => ({ ticket: ticket(), game: game(1, 0), leaf: leaf(), ...changes });

test('a check mark means all steps, for this game and for this ticket', () => {
  assert.equal(judge(report(), shown()).state, 'proven');
  const state = (changes, seen) => judge(report(changes), shown(seen)).state;
  assert.equal(state({ proven: false }), 'unable');
  assert.equal(state({ game: 2 }), 'unable');
  assert.equal(state({ steps: [] }), 'failed');
  assert.equal(state({ steps: [...STEPS, { ...good('x'), state: 'not possible' }] }), 'unable');
  assert.equal(state({ steps: [...STEPS, { ...good('x'), state: 'failed' }] }), 'failed');
});

test('other numbers or another ticket fail at their own step', () => {
  const failed = (changes, seen) =>
    judge(report(changes), shown(seen)).steps.find((step) => step.state === 'failed')?.id;
  assert.equal(failed({ numbers: [3, 2, 1] }), 'numbers');
  assert.equal(failed({}, { leaf: { ...leaf(), price_cents: 100 } }), 'ticket');
  const other = { ...ticket().request, groups: [[1, 2, 8]] };
  assert.equal(failed({}, { leaf: { ...leaf(), request: other } }), 'ticket');
  const turned = {
    games: 2,
    kings: [],
    groups: [[1, 2, 9]],
    lines: [{ wager_cents: 100, rate: 'regular', spots: 3, ways: 1 }],
  };
  assert.equal(failed({}, { leaf: { ...leaf(), request: turned } }), undefined);
});

test('four steps come first if all hold, and all of them if not', () => {
  assert.deepEqual(
    arranged(STEPS, 'proven').first.map((step) => step.id),
    ['times', 'ticket', 'numbers', 'signed'],
  );
  assert.equal(arranged(STEPS, 'proven').rest.length, 4);
  assert.equal(arranged(STEPS, 'failed').first.length, 8);
});

test('a link keeps the place that was chosen', () => {
  assert.equal(to('/build', ''), '/build');
  assert.equal(to('/', '?at=lounge&x=1'), '/?at=lounge');
  assert.equal(to('/build', '?at=a%26b'), '/build?at=a%26b');
});

test('a refusal is worded in a patron’s words', () => {
  assert.match(wordsFor(new Refused('unknown_ticket', 'x')), /Compare every character/);
  assert.match(wordsFor(new Refused('too_fast', 'x')), /Wait a minute/);
  assert.match(wordsFor(new Refused('offline', 'x')), /online/);
  assert.match(wordsFor(new Refused('unavailable', 'x')), /cannot be reached/);
  assert.equal(wordsFor(new Refused('drawing', 'Game A-1 is not over.')), 'Game A-1 is not over.');
  assert.equal(wordsFor(new Error('odd')), 'odd');
});
