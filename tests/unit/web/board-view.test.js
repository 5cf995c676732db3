// What the board says in each state, and what it may claim of a proof.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { verdict } from '../../../keno/pages/board/checks.js';
import { apply, begin, lost } from '../../../keno/pages/board/model.js';
import { after, asked } from '../../../keno/pages/board/rotation.js';
import { marks } from '../../../keno/pages/board/stage.js';
import { checkOf, short, view } from '../../../keno/pages/board/view.js';
import { heard } from '../../../keno/pages/board/voice.js';

const AT = { now: 0, wall: Date.UTC(2026, 10, 17, 2, 6) };
const FACTS = {
  name: 'Main Floor',
  zone: 'America/New_York',
  interval_ms: 300_000,
  aggregate_max_cents: 100_000_00,
  full_up_to_cents: null,
  held: null,
};
const NUMBERS = Array.from({ length: 20 }, (_, index) => index + 1);
const LAST = { game: 1184, name: 'A-1184', numbers: NUMBERS };

function open(changes = {}) {
  return {
    game: 1185,
    name: 'A-1185',
    card: '1',
    commitment: '3f3ec43b'.repeat(8),
    closes_in_ms: 278_000,
    closing: false,
    mode: 'automatic',
    ...changes,
  };
}
function model(changes = {}) {
  const state = {
    type: 'state',
    location: 'main',
    value: true,
    server_ms: AT.wall,
    open: open(),
    drawing: null,
    last: LAST,
    trouble: null,
    changes: [],
    ...changes,
  };
  return apply(begin('main'), state, AT)[0];
}
function seen(changes = {}, facts = FACTS, check = null) {
  return view(model(changes), facts, AT, check);
}

test('open: the clock in the dial, the last result kept', () => {
  const picture = seen();
  assert.deepEqual([picture.tone, picture.word, picture.name], ['open', 'Open', 'A-1185']);
  assert.deepEqual(picture.face, { over: 'Closes in', main: '4:38', under: '9:11 PM' });
  assert.deepEqual(picture.side, {
    strong: 'Tickets at the booth',
    quiet: 'Draw follows at 9:11 PM',
    clock: '',
    tone: '',
  });
  assert.equal(picture.bar.text, 'Result of game A-1184');
  assert.equal(picture.grounds.filter((ground) => ground === 'was').length, 20);
  assert.deepEqual(picture.seal, { name: 'A-1185', code: '3F3E C43B' });
});

test('closing: last call, and when tickets go on', () => {
  const picture = seen({ open: open({ closing: true, closes_in_ms: 58_000 }) });
  assert.deepEqual([picture.tone, picture.word, picture.face.main], ['closing', 'Closing', '0:58']);
  assert.deepEqual(
    [picture.side.strong, picture.side.quiet],
    ['Last call at the booth', 'Tickets for game A-1186 after 9:07 PM'],
  );
});

const OPENING = { opens_ms: Date.UTC(2026, 10, 17, 15), words: 'Opens at 10:00 AM tomorrow' };

test('closed by the hours: when it opens, and no clock', () => {
  const waiting = { open: open({ closes_in_ms: null }), closed: OPENING };
  const picture = seen(waiting);
  assert.deepEqual([picture.tone, picture.word, picture.name], ['closed', 'Closed', 'A-1185']);
  assert.deepEqual(picture.face, { over: 'Opens at', main: '10:00', under: 'AM tomorrow' });
  assert.deepEqual(
    [picture.side.strong, picture.side.quiet, picture.side.clock],
    ['Opens at 10:00 AM tomorrow', 'Game A-1185 is sold from then on', ''],
  );
  assert.deepEqual(picture.dial, { state: 'closed', at: '10:00 AM' });
  assert.equal(picture.bar.text, 'Result of game A-1184');
  assert.equal(seen({ ...waiting, trouble: 'The draw is delayed.' }).tone, 'irregular');
});

test('the last game before closing says so, in its last call and while it is drawn', () => {
  const last = { open: open({ closing: true, closes_in_ms: 58_000 }), last_before: OPENING };
  assert.deepEqual(
    [seen(last).side.strong, seen(last).side.quiet],
    ['Last call, the last game before closing', 'Opens at 10:00 AM tomorrow'],
  );
  const drawing = { game: 1184, name: 'A-1184', balls: [70] };
  const picture = seen({ open: open({ closes_in_ms: null }), closed: OPENING, drawing });
  assert.deepEqual(
    [picture.tone, picture.side.strong, picture.side.quiet],
    ['drawing', 'Opens at 10:00 AM tomorrow', 'The last game before closing'],
  );
});

test('a board is painted again when the house closes', () => {
  const before = model();
  const state = { ...before, type: 'state', server_ms: AT.wall, last: LAST, closed: OPENING };
  assert.equal(apply(before, { ...state, open: open() }, AT)[1], 'still');
});

test('by hand: no clock is shown', () => {
  const picture = seen({ open: open({ closes_in_ms: null, mode: 'manual' }) });
  assert.deepEqual([picture.tone, picture.face.main, picture.side.clock], ['open', 'Open', '']);
});

test('locked: a padlock, and every place of the order is empty', () => {
  const picture = seen({ drawing: { game: 1184, name: 'A-1184', balls: [] }, last: null });
  assert.deepEqual(
    [picture.tone, picture.word, picture.face.under],
    ['locked', 'Closed', 'Draw follows'],
  );
  assert.ok(picture.slots.every((slot) => slot.number === null));
  assert.equal(picture.grounds.join(''), '');
  assert.deepEqual(
    [picture.side.quiet, picture.side.strong, picture.side.clock],
    ['Game A-1185 open', 'Closes in', '4:38'],
  );
});

test('drawing: which ball of twenty, and the next game beside it', () => {
  const picture = seen({
    drawing: { game: 1184, name: 'A-1184', balls: [70, 24, 58] },
    last: { ...LAST, game: 1183, name: 'A-1183' },
  });
  assert.deepEqual([picture.tone, picture.ball, picture.name], ['drawing', '3 of 20', 'A-1184']);
  assert.equal(picture.bar, null);
  assert.deepEqual(
    picture.past.map((each) => each.game),
    [1183],
  );
});

test('held: by whom and why, and no clock', () => {
  const picture = seen(
    { open: open({ mode: 'held', closes_in_ms: null }) },
    { ...FACTS, held: 'A bus is late.' },
  );
  assert.deepEqual(
    [picture.tone, picture.word, picture.side.strong, picture.side.quiet],
    ['held', 'Held', 'Held by the supervisor', 'A bus is late.'],
  );
  assert.equal(picture.face.main, '');
});

test('irregular: plain words, and the tickets stay valid', () => {
  const trouble = 'The draw is delayed. Tickets stay good.';
  const picture = seen({ trouble, drawing: { game: 1184, name: 'A-1184', balls: [] } });
  assert.deepEqual([picture.tone, picture.word], ['irregular', 'Stopped']);
  assert.equal(picture.bar.text, 'Game A-1184 is stopped. Your tickets stay valid.');
  assert.equal(picture.notices[0], trouble);
  assert.deepEqual(seen({ trouble, open: null }).side.strong, 'The draw is delayed');
});

test('a void game is said for some games, and where the wagers go', () => {
  const notice = (game) =>
    view({ ...model({}), voids: [{ game, name: `A-${game}` }] }, FACTS, AT, null).notices[0];
  assert.equal(notice(1184), 'Game A-1184 is void: every wager on it goes back at the booth');
  assert.match(notice(1100), /^Most paid/);
});

test('balls that come are shown, whatever else is wrong', () => {
  const picture = seen({
    trouble: 'The draw is delayed. Tickets stay good.',
    drawing: { game: 1184, name: 'A-1184', balls: [5, 6] },
  });
  assert.deepEqual(
    [picture.tone, picture.bar.text, picture.bar.tone],
    ['drawing', 'The draw is delayed. Tickets stay good.', 'irregular'],
  );
});

test('offline: since when, nothing lit, no clock, no claim', () => {
  const picture = view(
    lost(model({ drawing: { game: 1184, name: 'A-1184', balls: [1, 2] } })),
    FACTS,
    AT,
    { game: 1183, state: 'proven' },
  );
  assert.deepEqual([picture.tone, picture.word], ['offline', 'No signal']);
  assert.deepEqual(picture.face, { over: 'No signal since', main: '9:06', under: 'PM' });
  assert.deepEqual(
    [picture.side.clock, picture.check, picture.seal, picture.ball],
    ['', null, null, ''],
  );
  assert.deepEqual([...new Set(picture.grounds)].sort(), ['', 'out']);
});

test('no value is said, a new card is announced, the maximum is shown', () => {
  const picture = seen({ value: false, changes: [{ card: '2', first_game: 1193 }] });
  assert.equal(picture.band, true);
  assert.deepEqual(picture.notices, [
    'New rate card from game A-1193, about 9:46 PM: ask at the booth',
    'Most paid per game $100,000.00 among all winners',
  ]);
  assert.deepEqual(seen({}, { ...FACTS, full_up_to_cents: 500_00 }).notices, [
    'Most paid per game $100,000.00; awards up to $500.00 in full',
  ]);
});

test('a check mark is only for this game, proven', () => {
  assert.deepEqual(checkOf(LAST, { game: 1184, state: 'proven' }), {
    text: 'A-1184 verified',
    tone: 'proven',
  });
  for (const [check, tone] of [
    [null, 'unknown'],
    [{ game: 1183, state: 'proven' }, 'unknown'],
    [{ game: 1184, state: 'waiting' }, 'unknown'],
    [{ game: 1184, state: 'unable' }, 'unknown'],
    [{ game: 1184, state: 'failed' }, 'failed'],
  ]) {
    assert.equal(checkOf(LAST, check).tone, tone);
  }
  assert.equal(checkOf(null, { game: 1184, state: 'proven' }), null);
});

test('a verdict is proven only with the very numbers that were shown', () => {
  const report = {
    proven: true,
    steps: [{ state: 'good' }],
    game: 1184,
    state: 'drawn',
    numbers: NUMBERS,
  };
  assert.equal(verdict(report, LAST), 'proven');
  assert.equal(verdict({ ...report, numbers: [...NUMBERS].reverse() }, LAST), 'failed');
  assert.equal(verdict({ ...report, numbers: null }, LAST), 'failed');
  assert.equal(verdict({ ...report, game: 1183 }, LAST), 'failed');
  assert.equal(verdict({ ...report, state: 'void' }, LAST), 'failed');
  assert.equal(verdict({ ...report, proven: false }, LAST), 'failed');
  assert.equal(verdict({ ...report, steps: [] }, LAST), 'failed');
  assert.equal(
    verdict({ ...report, steps: [{ state: 'good' }, { state: 'not possible' }] }, LAST),
    'unable',
  );
  assert.equal(
    verdict({ ...report, steps: [{ state: 'not possible' }, { state: 'failed' }] }, LAST),
    'failed',
  );
});

test('a seal is shown in two fours', () => assert.equal(short('3f3ec43b227f'), '3F3E C43B'));

test('what is heard', () => {
  const before = model({ drawing: { game: 1184, name: 'A-1184', balls: [] }, last: null });
  const [one] = apply(
    before,
    { type: 'ball', location: 'main', game: 1184, index: 0, number: 58, server_ms: AT.wall },
    AT,
  );
  assert.deepEqual(heard(before, one, 'ball', 0), { sound: 'ball', words: '58' });
  assert.equal(heard(begin('main'), before, 'still', 0), null);
  assert.equal(heard(model(), before, 'still', 0).sound, 'lockout');
  assert.equal(heard(before, before, 'still', 0), null);
  assert.equal(heard(model(), one, 'still', 0), null);
  assert.equal(heard(model(), model(), 'still', 0), null);
});

test('that a game closes is heard once for each game, near a minute before it', () => {
  const minute = model({ open: open({ closing: true, closes_in_ms: 60_000 }) });
  const words = (now) => heard(model(), minute, 'still', now).words;
  for (const now of [-4_999, 0, 100, 4_999])
    assert.equal(words(now), 'Game A 1185 closes in one minute');
  for (const now of [-5_000, 5_000]) assert.equal(words(now), 'Game A 1185 is closing');
  assert.equal(heard(model(), minute, 'still', 0).sound, 'minute');
  assert.equal(heard(minute, minute, 'still', 0), null);
  const next = model({ open: open({ game: 1186, name: 'A-1186', closing: true }) });
  assert.equal(heard(minute, next, 'still', 0).words, 'Game A 1186 is closing');
  const unknown = model({ open: open({ closing: true, closes_in_ms: null }) });
  assert.equal(heard(model(), unknown, 'still', -60_000).words, 'Game A 1185 is closing');
});

test('the address says what is shown', () => {
  assert.deepEqual(asked('/board/main', '').locations, ['main']);
  const several = asked('/board', '?rotate=main,lounge,main&seconds=30&sound=1');
  assert.deepEqual(
    [several.locations, several.seconds, several.sound, several.voice],
    [['main', 'lounge'], 30, true, false],
  );
  assert.equal(asked('/board', '?rotate=a&seconds=0.1').seconds, 20);
  assert.deepEqual(
    [after(['a', 'b'], 'a'), after(['a', 'b'], 'b'), after(['a'], 'a')],
    ['b', 'a', 'a'],
  );
});

test('each rim has its marks', () => {
  for (const [kind, count, wanted] of [
    ['ring', 1, 1],
    ['arcs', 20, 20],
    ['broken', 3, 3],
    ['dots', 48, 48],
    ['ticks', 60, 60],
    ['ticks', 24, 24],
  ]) {
    assert.equal(marks({ kind, count }).length, wanted);
  }
});
