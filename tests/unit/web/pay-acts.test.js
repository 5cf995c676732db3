// The order of needs and the writer's next act, without a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  allGames,
  answered,
  askedFor,
  canReplay,
  doneWords,
  gameWords,
  mostUrgent,
  nextAct,
  notGiven,
  numbered,
  openAtFirst,
  paperOf,
  paysAtOnce,
  same,
  scannedInto,
  ticketWords,
  wonSoFar,
} from '../../../writer_station/ui/pay-acts.js';
import { lapsedWords, waitingWords } from '../../../writer_station/ui/pay-words.js';

const need = (kind, done = false) => ({ kind, done, text: `${kind} text` });
const ALL = [need('supervisor'), need('signature'), need('tax_form'), need('check')];
const DUE = { total_cents: 420000, needs: ALL };
const asked = (state, more = {}) => ({
  authorisation: 41,
  ticket: 4182276,
  amount_cents: 420000,
  state,
  answered_by: 'Sue',
  reason: '',
  refund: false,
  ...more,
});
const steps = (progress, payout) => numbered(DUE, progress, payout);

test('a payout goes through its needs in their order, one at a time', () => {
  const story = [
    [{}, undefined, 'ask'],
    [{}, asked('pending'), 'wait'],
    [{}, asked('approved'), 'signature'],
    [{ signature: true }, asked('approved'), 'tax_form'],
    [
      { signature: true, tax_form: { number: 'W1', withheld_cents: 0 } },
      asked('approved'),
      'check',
    ],
    [
      { signature: true, tax_form: { number: 'W1' }, check: { number: '7', cents: 1 } },
      asked('approved'),
      'pay',
    ],
  ];
  for (const [progress, payout, act] of story) assert.equal(nextAct(steps(progress, payout)), act);
});

test('only the current need is lit; those before are done, those after are later', () => {
  const at = steps({ signature: true }, asked('approved')).map((step) => step.at);
  assert.deepEqual(at, ['done', 'done', 'now', 'later']);
});

test('what was done out of order does not jump ahead of the supervisor', () => {
  const done = { signature: true, tax_form: { number: 'W1' }, check: { number: '7', cents: 1 } };
  assert.equal(nextAct(steps(done, asked('pending'))), 'wait');
});

test('a denied payout is not approved, and can be asked again', () => {
  assert.equal(nextAct(steps({}, asked('denied'))), 'denied');
});

test('a lapsed payout is asked again, and is no longer in the way', () => {
  assert.equal(nextAct(steps({}, asked('lapsed', { answered_by: null }))), 'lapsed');
  assert.equal(waitingWords(asked('lapsed')), 'No supervisor answered in time. Ask again');
  assert.equal(lapsedWords(undefined), 'No supervisor answered in time. Ask again.');
  const unused = 'The approval by SUE was not used within its gaming day.';
  assert.equal(lapsedWords({ reason: unused }), `${unused} Ask again.`);
  const both = [asked('lapsed'), asked('pending', { authorisation: 42 })];
  assert.equal(askedFor(both, { ticket: 4182276 }, false).authorisation, 42);
  assert.equal(
    askedFor([asked('denied'), asked('lapsed', { authorisation: 42 })], { ticket: 4182276 }, false)
      .state,
    'lapsed',
  );
  assert.equal(
    mostUrgent([asked('pending'), asked('lapsed', { authorisation: 42 })]).authorisation,
    42,
  );
  assert.deepEqual(
    answered([asked('pending')], [asked('lapsed')]).map(([, kind]) => kind),
    ['no'],
  );
  assert.deepEqual([asked('denied'), asked('lapsed'), asked('pending')].map(notGiven), [
    true,
    true,
    false,
  ]);
});

test('a yes to another amount does not count', () => {
  assert.equal(nextAct(steps({}, asked('approved', { amount_cents: 410000 }))), 'differs');
});

test('what the station calls done is done, without a payout', () => {
  const due = { total_cents: 420000, needs: [need('supervisor', true), need('signature')] };
  assert.equal(nextAct(numbered(due, {}, undefined)), 'signature');
});

test('no needs: pay', () => {
  assert.equal(nextAct(numbered({ total_cents: 300, needs: [] }, {}, undefined)), 'pay');
});

test('a payout is found by ticket, and its refund is another one', () => {
  const waiting = [
    asked('denied'),
    asked('pending', { authorisation: 42 }),
    asked('pending', { authorisation: 43, refund: true }),
  ];
  assert.equal(askedFor(waiting, { ticket: 4182276 }, false).authorisation, 42);
  assert.equal(askedFor(waiting, { ticket: 4182276 }, true).authorisation, 43);
  assert.equal(askedFor(waiting, { ticket: 1 }, false), undefined);
  assert.equal(askedFor([asked('denied')], { ticket: 4182276 }, false).state, 'denied');
});

test('only a ticket that pays and needs nothing goes into one total', () => {
  const look = { why_not: null, total_cents: 300, needs: [] };
  assert.equal(paysAtOnce(look), true);
  assert.equal(paysAtOnce({ ...look, needs: [need('check')] }), false);
  assert.equal(paysAtOnce({ ...look, why_not: { code: 'no_award' } }), false);
  assert.equal(paysAtOnce({ ...look, total_cents: 0 }), false);
});

const LOOK = {
  name: 'A-9',
  first_game: 1180,
  last_game: 1183,
  done: 2,
  state: 'live',
  games: [
    { game: 1180, name: 'A-1180', state: 'settled', award_cents: 0, numbers: [1], ways: [] },
    { game: 1181, name: 'A-1181', state: 'settled', award_cents: 900, numbers: [1], ways: [] },
    { game: 1182, name: 'A-1182', state: 'drawing', award_cents: null, numbers: null, ways: [] },
  ],
};

test('games that have not begun stand in the list as well', () => {
  const games = allGames(LOOK);
  assert.deepEqual(
    games.map((game) => game.name),
    ['A-1180', 'A-1181', 'A-1182', 'A-1183'],
  );
  assert.deepEqual(games.map(gameWords), ['–', '', 'Drawing', 'To come']);
});

test('the highest award is open at first, else the only game, else the one being drawn', () => {
  const games = allGames(LOOK);
  assert.equal(openAtFirst(games), 1);
  assert.equal(openAtFirst(games.map((game) => ({ ...game, award_cents: 0 }))), 2);
  assert.equal(openAtFirst([{ ...games[0] }]), 0);
  assert.equal(openAtFirst([games[0], { ...games[0], game: 2 }]), -1);
});

test('what is done is said in words', () => {
  assert.equal(doneWords(LOOK), '2 of 4 games drawn and settled');
  assert.equal(doneWords({ first_game: 5, last_game: 5, done: 0 }), 'Game not drawn yet');
  assert.equal(wonSoFar(LOOK), 900);
});

test('a ticket is replayed when all its games are drawn, and never when void', () => {
  assert.equal(canReplay(LOOK), false);
  assert.equal(canReplay({ ...LOOK, done: 4 }), true);
  assert.equal(canReplay({ ...LOOK, done: 4, letter: 'B' }), true);
  assert.equal(canReplay({ ...LOOK, done: 4, state: 'payout' }), true);
  assert.equal(canReplay({ ...LOOK, done: 4, state: 'refund' }), false);
  assert.equal(canReplay({ ...LOOK, done: 4, state: 'void' }), false);
});

test('an answer is told once, and an approved payout is the one to go to', () => {
  const before = [asked('pending'), asked('pending', { authorisation: 42 })];
  const now = [asked('pending'), asked('approved', { authorisation: 42 })];
  assert.deepEqual(
    answered(before, now).map(([one, kind]) => [one.authorisation, kind]),
    [[42, 'good']],
  );
  assert.deepEqual(answered(now, now), []);
  assert.equal(mostUrgent(now).authorisation, 42);
  assert.equal(mostUrgent([]), undefined);
});

test('a ticket scanned into another field is told from what is keyed there', () => {
  assert.equal(scannedInto('W2G-9A-4182280-7QK2M9XW4RHD3T8P'), 'A-4182280-7QK2M9XW4RHD3T8P');
  for (const keyed of ['', 'W2G-10233', '88120', '1,000.00', 'A-418'])
    assert.equal(scannedInto(keyed), '');
});

test('a ticket of another location has its letter and is not the one with the same number', () => {
  const other = { ticket: 4182276, letter: 'B', code: '7QK2M9XW4RHD3T8P' };
  assert.equal(ticketWords(other), 'B-418 2276');
  assert.equal(ticketWords({ ticket: 4182276, letter: '' }), '418 2276');
  assert.deepEqual(paperOf({ ...other, state: 'live' }), other);
  assert.deepEqual(paperOf({ ...other, letter: '' }), { ticket: other.ticket, code: other.code });
  assert.equal(same(other, { ticket: 4182276, letter: 'B' }), true);
  assert.equal(same(other, { ticket: 4182276, letter: '' }), false);
  assert.equal(same({ ticket: 1 }, { ticket: 1, letter: '' }), true);
  assert.equal(same(null, other), false);
  assert.equal(askedFor([asked('pending')], other, false), undefined);
});
