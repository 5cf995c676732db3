// A request while it is built, and the picture of its chances.

import assert from 'node:assert/strict';
import test from 'node:test';

import * as d from '../../../keno/pages/patron/draft.js';
import {
  advantageWords,
  bandWords,
  frequencyWords,
  intricateWords,
  oddsScale,
} from '../../../keno/pages/patron/chances.js';
import { codePath, formAddress } from '../../../keno/pages/patron/sheets.js';
import { priceSize, nextStep } from '../../../keno/pages/patron/build-view.js';
import { gameNumber, query } from '../../../keno/pages/patron/results.js';

const REGULAR = {
  code: 'regular',
  shown_cents: 100,
  min_cents: 100,
  max_cents: 500,
  step_cents: 5,
};
const SPECIAL = {
  code: 'special',
  shown_cents: 125,
  min_cents: 125,
  max_cents: 1000,
  step_cents: 125,
};
const CARD = { default_rate: 'regular', rates: [REGULAR, SPECIAL], games_max: 20 };
const pick = (draft, ...numbers) => numbers.reduce(d.toggle, draft);

test('numbers go into the current group, and out again', () => {
  let draft = pick(d.begin(CARD), 18, 7);
  assert.deepEqual(draft.groups, [[7, 18]]);
  draft = pick(d.newGroup(draft), 12, 7);
  assert.deepEqual(draft.groups, [[18], [7, 12]], 'a number is in one group only');
  draft = pick(d.go(draft, d.KINGS), 55, 12);
  assert.deepEqual(
    [draft.groups, draft.kings],
    [
      [[18], [7]],
      [12, 55],
    ],
  );
  assert.deepEqual(pick(draft, 12).kings, [55]);
  assert.deepEqual([...d.marks(draft)].sort(), [
    [12, 'K'],
    [18, 'A'],
    [55, 'K'],
    [7, 'B'],
  ]);
  assert.equal(d.spotsMarked(draft), 4);
});

test('a group that is left empty goes, and there is always one', () => {
  let draft = d.newGroup(pick(d.begin(CARD), 1));
  assert.deepEqual([draft.groups.length, draft.at], [2, 1]);
  assert.equal(d.newGroup(draft).groups.length, 2, 'not a second empty one');
  draft = d.go(draft, 0);
  assert.deepEqual([draft.groups, draft.at], [[[1]], 0]);
  assert.deepEqual(d.go(d.begin(CARD), d.KINGS).groups, [[]]);
  const many = Array.from({ length: 20 }, (_, n) => n + 1).reduce(
    (made, n) => pick(d.newGroup(made), n),
    d.begin(CARD),
  );
  assert.equal(many.groups.length, d.GROUPS_MAX);
});

test('only totals that exist are played', () => {
  const draft = d.toggleTotal(d.toggleTotal(pick(d.begin(CARD), 1, 2), 8), 4);
  assert.deepEqual(
    draft.totals.map((total) => total.spots),
    [4, 8],
  );
  assert.deepEqual(
    d
      .fitted(draft, [
        { spots: 4, ways: 3 },
        { spots: 9, ways: 1 },
      ])
      .totals.map((total) => total.spots),
    [4],
  );
  assert.deepEqual(
    d.fitted(pick(d.begin(CARD), 1, 2), [{ spots: 2, ways: 1 }]).totals.map((total) => total.spots),
    [2],
  );
  const alone = d.fitted(pick(d.begin(CARD), 1, 2), [{ spots: 2, ways: 1 }]);
  assert.deepEqual(
    d.fitted(alone, [
      { spots: 1, ways: 1 },
      { spots: 2, ways: 1 },
    ]).totals,
    [],
    'it was not chosen by hand',
  );
  assert.equal(d.fitted(alone, [{ spots: 2, ways: 1 }]), alone);
  const none = pick(d.begin(CARD), 1, 2);
  assert.equal(
    d.fitted(none, [
      { spots: 2, ways: 1 },
      { spots: 3, ways: 1 },
    ]),
    none,
  );
  assert.deepEqual(
    d.toggleTotal(draft, 4).totals.map((total) => total.spots),
    [8],
  );
});

test('a rate and its wager hold for all totals, or for one', () => {
  let draft = d.toggleTotal(d.toggleTotal(d.begin(CARD), 3), 4);
  draft = d.withRate(draft, SPECIAL);
  assert.deepEqual(
    draft.totals.map((total) => total.wager_cents),
    [125, 125],
  );
  draft = d.stepped(d.withApart(draft, true), 1, SPECIAL, 4);
  assert.deepEqual(
    draft.totals.map((total) => total.wager_cents),
    [125, 250],
  );
  assert.deepEqual(
    d.withApart(draft, false).totals.map((total) => total.wager_cents),
    [125, 125],
  );
  assert.equal(d.stepped(draft, -9, SPECIAL).wager_cents, 125);
  assert.equal(d.stepped(draft, 99, SPECIAL).wager_cents, 1000);
  assert.deepEqual(
    [0, 7.9, 99, NaN].map((games) => d.withGames(draft, games, 20).games),
    [1, 7, 20, 1],
  );
});

test('an example becomes a draft unless it plays listed sets', () => {
  const request = { groups: [[1], [2]], kings: [55], lines: [], games: 5 };
  const totals = [
    { spots: 1, rate: 'regular', wager_cents: 100 },
    { spots: 2, rate: 'special', wager_cents: 125 },
  ];
  const made = d.fromExample({ request, totals }, d.begin(CARD));
  assert.deepEqual([made.games, made.apart, made.at, made.kings], [5, true, 1, [55]]);
  assert.deepEqual(d.asked(made), { groups: [[1], [2]], kings: [55], totals, games: 5 });
  assert.equal(d.fromExample({ request, totals: null }, d.begin(CARD)), null);
});

test('chance picks different numbers of the grid', () => {
  const numbers = d.picked(20);
  assert.equal(new Set(numbers).size, 20);
  assert.ok(numbers.every((number) => number >= 1 && number <= 80));
  assert.deepEqual(
    d.picked(3, () => 0),
    [1, 2, 3],
  );
});

test('chances in words and on a tenfold scale', () => {
  assert.equal(frequencyWords(14), 'Of 100 such games about 14 pay');
  assert.equal(frequencyWords(1), 'Of 100 such games about 1 pays');
  assert.match(frequencyWords(0), /fewer than one/);
  assert.equal(bandWords({ low_cents: 100, high_cents: 100 }, false), '$1');
  assert.equal(bandWords({ low_cents: 500, high_cents: 9_500 }, false), '$5 to $95');
  assert.equal(bandWords({ low_cents: 2_520_000, high_cents: 10_000_000 }, true), '$25,200 and up');
  const { lines, place } = oddsScale([{ against: 9 }, { against: 99_999 }]);
  assert.equal(lines, 5);
  assert.ok(Math.abs(place(9) - 20) < 1e-9 && Math.abs(place(99_999) - 100) < 1e-9);
  assert.equal(oddsScale([{ against: 8_900_000 }]).lines, 7);
  const advantage = (percent, atLeast) =>
    advantageWords({ house_advantage_percent: percent, house_advantage_at_least: atLeast });
  assert.equal(advantage('27.912345', false), '27.9%');
  assert.equal(advantage('28.596000', true), 'at least 28.59%', 'a least is not rounded up');
  assert.equal(advantage('28.5', true), 'at least 28.50%');
  assert.equal(advantage('28', true), 'at least 28.00%');
  assert.match(
    intricateWords({ house_advantage_at_least: false }),
    /too many different ways.* house advantage are exact/,
  );
  assert.doesNotMatch(intricateWords({ house_advantage_at_least: true }), /house advantage/);
  assert.equal(priceSize('$20.00'), 46);
  assert.ok(priceSize('$100,000.00') < 35);
});

test('what is still to do is said', () => {
  const some = pick(d.begin(CARD), 1);
  assert.match(nextStep(d.begin(CARD), null), /Pick your numbers/);
  assert.match(
    nextStep(some, { choices: [1], why_not: { code: 'no_conditioning', message: 'x' } }),
    /Choose what to play/,
  );
  assert.equal(
    nextStep(some, { choices: [1], why_not: { code: 'ticket_too_low', message: 'Too low.' } }),
    'Too low.',
  );
  assert.equal(nextStep(some, { choices: [1], why_not: null }), '');
});

test('a code is one path of runs', () => {
  assert.equal(codePath(['110', '001']), 'M0 0h2v1h-2zM2 1h1v1h-1z');
  assert.equal(
    formAddress('main', '1 2: 1/2@1.00'),
    '/request.pdf?location=main&text=1+2%3A+1%2F2%401.00',
  );
});

test('results are asked for by game before day', () => {
  assert.deepEqual(['A-1182', ' 1182 ', 'a1182', 'x', '', '-3'].map(gameNumber), [
    1182,
    1182,
    1182,
    null,
    null,
    null,
  ]);
  assert.equal(query('main', { day: '', game: null }), 'location=main&limit=20');
  assert.equal(
    query('main', { day: '2026-11-16', game: null }),
    'location=main&day=2026-11-16&limit=500',
  );
  assert.equal(query('main', { day: '2026-11-16', game: 7 }), 'location=main&game=7');
});
