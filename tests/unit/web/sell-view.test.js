// Small decisions of the Sell view and the strip that need no document.

import assert from 'node:assert/strict';
import test from 'node:test';

import { EMPTY } from '../../../writer_station/ui/sell-draft.js';
import {
  faultsByField,
  originWords,
  shownText,
} from '../../../writer_station/ui/sell-line-words.js';
import { newGroup, toggle, visit } from '../../../writer_station/ui/sell-press.js';
import { columns, readiness } from '../../../writer_station/ui/sell-ways.js';
import { amountSize, soldWords, ticketWords } from '../../../writer_station/ui/sell-price.js';
import { hasMoved, keptWords, moveWords, soundOf } from '../../../writer_station/ui/sell-words.js';
import { trayOf } from '../../../writer_station/ui/sell-tray.js';
import { NO_VALUE, drawerTotal, reading } from '../../../writer_station/ui/strip-words.js';

const CARD = {
  default_rate: 'regular',
  rates: [
    { code: 'regular', mark: '', shown_cents: 100 },
    { code: 'special', mark: 'S', shown_cents: 125 },
  ],
};

test('amounts are written out once the caret is elsewhere', () => {
  assert.equal(shownText(EMPTY, 'rate', CARD), '$1.00');
  assert.equal(shownText({ ...EMPTY, rate: '2' }, 'rate', CARD), '$2.00');
  assert.equal(shownText({ ...EMPTY, rate: '1.25S' }, 'rate', CARD), '$1.25S');
  assert.equal(shownText({ ...EMPTY, rate: '2', at: 'rate' }, 'rate', CARD), '2');
  assert.equal(shownText(EMPTY, 'games', CARD), '1');
});

test('faults are in the field they belong to', () => {
  const draft = toggle(newGroup(toggle(EMPTY, 18)), 26);
  const found = faultsByField(draft, {
    faults: [
      { where: 'groups[1]', message: 'b' },
      { where: 'rate', message: 'r' },
    ],
  });
  assert.deepEqual(
    [...found],
    [
      ['g1', 'b'],
      ['rate', 'r'],
    ],
  );
  assert.deepEqual([...faultsByField({ ...draft, fault: 'mine' }, null)], [['g1', 'mine']]);
});

test('where a ticket comes from', () => {
  assert.equal(originWords(EMPTY), 'Paper request');
  assert.equal(originWords({ ...EMPTY, origin: { kind: 'digital' } }), 'Patron’s phone');
  assert.equal(
    originWords({ ...EMPTY, origin: { kind: 'previous', ticket: 4182276, letter: 'B' } }),
    'Ticket B-418 2276',
  );
  assert.equal(
    originWords({ ...EMPTY, origin: { kind: 'previous', ticket: 4182276 } }),
    'Ticket 418 2276',
  );
  assert.equal(
    originWords({ ...EMPTY, live: { ticket: 4182276, code: 'X' } }),
    'Rewrites 418 2276',
  );
});

test('the ways have a column for each group, kings last', () => {
  assert.deepEqual(columns([{ members: ['B', 'K1'] }, { members: ['A', 'K10', 'K2'] }]), [
    'A',
    'B',
    'K1',
    'K2',
    'K10',
  ]);
});

test('one sentence on what the ticket still needs', () => {
  const good = { faults: [], missing: '', sellable: true, ways: 4, changed: false };
  assert.equal(readiness(EMPTY, good, true)[0], 'good');
  assert.equal(readiness(EMPTY, good, false)[0], 'look');
  assert.equal(readiness(EMPTY, { ...good, faults: [1] }, true)[0], 'no');
  const changed = { ...EMPTY, origin: { kind: 'previous', ticket: 1, change_confirmed: false } };
  assert.equal(readiness(changed, { ...good, changed: true }, true)[0], 'look');
});

test('the price shrinks rather than breaks', () => {
  assert.equal(amountSize('$20.00', 248, 78), 78);
  assert.ok(amountSize('$5,000.00', 248, 78) < 60);
  assert.ok(amountSize('$1,000,000.00', 248, 78) >= 34);
});

test('what became of a ticket, in words', () => {
  assert.deepEqual(ticketWords({ state: 'unknown' }), ['look', 'Printed? F8']);
  assert.deepEqual(ticketWords({ state: 'printed' }), ['', 'Printed ✓']);
  assert.equal(soundOf('printing', 'printed'), 'printed');
  assert.equal(soundOf('printing', 'unknown'), 'refused');
  assert.equal(soundOf('printed', 'printed'), '');
});

test('the panel does not call a ticket sold that is void', () => {
  const sold = { ticket: 362, price: 100, change: 0, received: 100 };
  assert.equal(soldWords({ ...sold, state: 'printed' }).label, 'Sold');
  assert.equal(soldWords({ ...sold, change: 1900, received: 2000 }).label, 'Change');
  assert.deepEqual(soldWords({ ...sold, change: 1900, received: 2000, state: 'void' }), {
    label: 'Void',
    cents: 100,
    sum: '$1.00 given back',
  });
});

test('a closed game is noticed', () => {
  assert.equal(hasMoved({ game: 1180 }, { game: 1181 }), true);
  assert.equal(hasMoved({ game: 1180 }, { game: 1180 }), false);
  assert.equal(hasMoved({ game: 1180 }, null), false);
  assert.equal(hasMoved(null, { game: 1181 }), false);
});

test('the question after a close says what its answer does', () => {
  assert.equal(moveWords('A-35', 'A-36', true).yes, 'Sell for A-36');
  assert.equal(
    moveWords('A-35', 'A-36', true).title,
    'Game A-35 has closed. Sell this ticket for A-36?',
  );
  assert.equal(moveWords('A-35', 'A-36', false).yes, 'Keep it for A-36');
  assert.match(moveWords('A-35', 'A-36', false).text, /Nothing is printed yet/);
  const ready = { ...toggle(EMPTY, 7), at: 'ready' };
  assert.equal(keptWords(ready, 'A-36'), 'Not printed yet. Enter prints it for A-36.');
  assert.equal(keptWords(toggle(EMPTY, 7), 'A-36'), 'Not printed yet. It is kept for A-36.');
});

test('the tray belongs to the field', () => {
  const words = (draft, context) => trayOf(draft, context).map((button) => button.words);
  assert.deepEqual(words(EMPTY), ['Quick-pick', 'Replay', 'Same again']);
  assert.deepEqual(words(visit(toggle(EMPTY, 7), 'conditioning'), { choices: [{ text: '1/1' }] }), [
    '1/1',
  ]);
  assert.deepEqual(words(visit(EMPTY, 'rate'), { rates: CARD.rates }), ['$1.00', '$1.25 S']);
  assert.equal(words({ ...EMPTY, quick: '', at: 'quick' }).length, 10);
  const labels = (draft) => trayOf(draft).map((button) => button.label);
  assert.deepEqual(labels({ ...EMPTY, quick: '', at: 'quick' }).slice(0, 2), ['1 spot', '2 spots']);
  assert.deepEqual(labels(visit(EMPTY, 'games')).slice(2, 4), ['1 game', '2 games']);
});

test('the strip reads every state', () => {
  const on = { linked: true, heardMs: 1 };
  const game = {
    game: 1180,
    name: 'A-1180',
    closes_in_ms: 161_000,
    closing: false,
    mode: 'automatic',
  };
  const state = {
    line: { up: true, since_ms: 0 },
    now_ms: 1_000_000,
    game,
    drawing: null,
    trouble: null,
  };
  assert.deepEqual(
    [reading(state, 161_000, on).state, reading(state, 161_000, on).clock],
    ['open', '2:41'],
  );
  assert.equal(reading(state, 6_000, on).state, 'open', 'the house says when the last call is');
  assert.doesNotMatch(reading(state, 6_000, on).note, /last call/);
  assert.equal(
    reading({ ...state, game: { ...game, closing: true } }, 80_000, on).state,
    'closing',
  );
  assert.equal(reading(state, 0, on).state, 'locked');
  assert.equal(reading({ ...state, game: { ...game, mode: 'held' } }, 10, on).state, 'held');
  assert.equal(
    reading({ ...state, game: null, drawing: { name: 'A-1180', balls: [4] } }, 0, on).state,
    'drawing',
  );
  assert.equal(reading({ ...state, game: null, trouble: 'Stopped.' }, 0, on).state, 'irregular');
  assert.equal(reading({ ...state, game: null }, 0, on).state, 'locked');
  const night = {
    ...state,
    game: { ...game, closes_in_ms: null },
    closed: 'Opens at 10:00 AM today',
  };
  const said = reading(night, 0, on);
  assert.deepEqual(
    [said.state, said.at, said.clock, said.note],
    ['closed', '10:00', 'Closed', 'Opens at 10:00 AM today'],
  );
  assert.equal(reading({ ...state, line: { up: false, since_ms: 5 } }, 0, on).state, 'offline');
  assert.equal(reading(state, 0, { linked: false }).state, 'offline');
  assert.equal(drawerTotal({ drawer: { currency: 100, coin: 5 } }), 105);
});

test('times are those of the house, whatever the machine thinks', async () => {
  const { timeWords } = await import('../../../writer_station/ui/dialogs/show.js');
  const ms = 1_794_881_220_000; // 9:07 PM in New York
  for (const [zone, words] of [
    ['America/New_York', '9:07 PM'],
    ['Asia/Tokyo', '11:07 AM'],
  ]) {
    const place = { zone };
    const game = {
      game: 1180,
      name: 'A-1180',
      closes_in_ms: 90_000,
      closing: false,
      mode: 'automatic',
    };
    const state = {
      line: { up: true, since_ms: 0 },
      place,
      now_ms: ms - 90_000,
      game,
      drawing: null,
      trouble: null,
    };
    assert.equal(reading(state, 90_000, { linked: true }).note, `closes ${words}`);
    assert.equal(
      reading({ ...state, line: { up: false, since_ms: ms } }, 0, { linked: true }).note,
      `since ${words}`,
    );
    assert.equal(timeWords(ms, place), words);
  }
});

test('the band of a demonstration does not speak of paying', () => {
  assert.equal(
    NO_VALUE.join(' '),
    'NO VALUE — Demonstration. Tickets and awards here are worth nothing.',
  );
});

test('odds beyond a trillion are said in words', async () => {
  const { shortOdds } = await import('../../../writer_station/ui/sell-ways.js');
  assert.equal(shortOdds('478,261,832 to 1'), '478,261,832 to 1');
  assert.equal(shortOdds('3,535,316,142,212,174,319 to 1'), '3.53 quintillion to 1');
  assert.equal(shortOdds('6.2 to 1'), '6.2 to 1');
});
