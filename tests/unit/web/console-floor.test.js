// What the floor says of games, stations, exceptions and the draw room; what an event changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { after, merged } from '../../../keno/pages/console/floor-data.js';
import { controlsOf } from '../../../keno/pages/console/floor-overrides.js';
import { dayOf } from '../../../keno/pages/console/floor-head.js';
import {
  exceptionWords,
  exposureView,
  lookAt,
  placeView,
  spread,
  stationMark,
  stationName,
  stationsAtWork,
  stationView,
  toneOf,
  unusual,
} from '../../../keno/pages/console/floor-words.js';
import { healthOf } from '../../../keno/pages/console/party-health.js';

const NOON = Date.UTC(2026, 10, 16, 17, 0);
const ZONE = 'America/New_York';
const PEOPLE = { SUE: 'M. Okafor', DRE: 'D. Reyes', IVY: 'I. Vance' };

function state(changes = {}, open = {}) {
  return {
    type: 'state',
    location: 'main',
    server_ms: NOON,
    drawing: null,
    last: null,
    trouble: null,
    changes: [],
    open: {
      game: 1185,
      name: 'A-1185',
      card: '1',
      closes_in_ms: 176_000,
      closing: false,
      mode: 'automatic',
      ...open,
    },
    ...changes,
  };
}
function place(changes = {}) {
  return {
    location: 'main',
    letter: 'A',
    name: 'Main Floor',
    state: state(),
    trouble: null,
    not_sold: null,
    stations: [],
    exceptions: [],
    ...changes,
  };
}
function station(changes = {}) {
  return {
    station: '4',
    enabled: true,
    connected: true,
    writer: 'DRE',
    printer: 'ready',
    paper: 'ok',
    authorisations: [],
    shift: {
      shift: 1,
      writer: 'DRE',
      locked: false,
      opened_ms: NOON,
      expected_cents: { cash: 230_575, gaming_chips: 500 },
    },
    unprinted: { count: 0, oldest_ticket: null, oldest_ms: null },
    ...changes,
  };
}
function odd(kind, changes = {}) {
  return {
    kind,
    override: null,
    seconds: null,
    game: null,
    ticket: null,
    cents: null,
    actor: 'SUE',
    second: null,
    reason: null,
    ms: NOON,
    ...changes,
  };
}

test('each state of a game has its tone, and what nobody confirms has none of them', () => {
  assert.equal(toneOf(state(), true), 'open');
  assert.equal(toneOf(state({}, { closing: true }), true), 'closing');
  assert.equal(toneOf(state({}, { mode: 'held' }), true), 'held');
  assert.equal(toneOf(state({ drawing: { game: 1184, balls: [] } }), true), 'locked');
  assert.equal(toneOf(state({ drawing: { game: 1184, balls: [7] } }), true), 'drawing');
  assert.equal(toneOf(state({ trouble: 'It waits.' }), true), 'irregular');
  assert.equal(toneOf(null, true), 'irregular');
  const closed = { opens_ms: 1_794_927_600_000, words: 'Opens at 10:00 AM tomorrow' };
  assert.equal(toneOf(state({ closed }), true), 'closed');
  assert.equal(toneOf(state({ closed, drawing: { game: 1184, balls: [7] } }), true), 'drawing');
  assert.equal(toneOf(state({ closed, trouble: 'It waits.' }), true), 'irregular');
  const night = placeView(place({ state: state({ closed }, { closes_in_ms: null }) }), {
    zone: 'America/New_York',
  });
  assert.deepEqual(
    [night.word, night.note, night.closes, night.dial.at],
    ['Closed', 'Game A-1185 waits. Opens at 10:00 AM tomorrow', '–', '10:00'],
  );
  assert.equal(toneOf(state(), false), 'offline');
});

test('a location: its game, its clock and when it closes', () => {
  const seen = placeView(place(), { leftMs: 174_000, span_ms: 360_000, zone: ZONE });
  assert.equal(seen.word, 'Open');
  assert.equal(seen.name, 'A-1185');
  assert.equal(seen.closes, '12:02:56 PM');
  assert.deepEqual(
    [seen.dial.state, seen.dial.left_ms, seen.dial.span_ms],
    ['open', 174_000, 360_000],
  );
  const byHand = placeView(place({ state: state({}, { mode: 'manual', closes_in_ms: null }) }), {
    leftMs: null,
    zone: ZONE,
  });
  assert.equal(byHand.closes, 'by hand');
  const drawing = placeView(
    place({ state: state({ drawing: { game: 1184, name: 'A-1184', balls: [7, 18] } }) }),
    { zone: ZONE },
  );
  assert.equal(drawing.name, 'A-1184');
  assert.equal(drawing.open.name, 'A-1185');
  assert.match(drawing.note, /ball\s2 of\s20/);
});

test('a held game says who, when and why', () => {
  const held = place({
    state: state({}, { mode: 'held', closes_in_ms: null }),
    exceptions: [
      odd('override', { override: 'hold', game: 1185, reason: 'Power check' }),
      odd('override', { override: 'hold', game: 1184, reason: 'Before' }),
    ],
  });
  assert.deepEqual(placeView(held, { zone: ZONE, people: PEOPLE, you: 'IVY' }).held, {
    who: 'by M. Okafor 12:00 PM',
    reason: 'Power check',
  });
  assert.equal(
    placeView(held, { zone: ZONE, people: PEOPLE, you: 'SUE' }).held.who,
    'by you 12:00 PM',
  );
});

test('the buttons go with the mode', () => {
  const kinds = (...of) => controlsOf(...of).map(([kind]) => kind);
  assert.deepEqual(kinds('automatic', false), ['delay', 'hold', 'close_early', 'manual']);
  assert.deepEqual(kinds('manual', true), ['close_game', 'hold', 'automatic']);
  assert.deepEqual(kinds('held', true), ['delay', 'resume', 'close_early', 'automatic']);
});

test('stations: the number, the drawer, and the word why to look', () => {
  assert.equal(stationName('4'), '04');
  assert.equal(stationName('window-3'), 'window-3');
  assert.equal(stationMark('window-3'), '03');
  assert.equal(stationMark('bar'), 'bar');
  const look = (changes) => stationView(station(changes), PEOPLE, NOON);
  assert.deepEqual([look().kind, look().name, look().note], ['calm', 'D. Reyes', '$2,310.75']);
  assert.equal(look({ authorisations: [{}] }).kind, 'wait');
  assert.deepEqual(
    [look({ paper: 'low' }).kind, look({ paper: 'low' }).note],
    ['look', 'Paper low'],
  );
  assert.equal(look({ paper: 'out' }).note, 'No paper');
  assert.equal(look({ printer: 'stopped' }).note, 'Printer stopped');
  assert.equal(
    look({ connected: false, writer: null, printer: null, paper: null }).note,
    'Off line',
  );
  assert.equal(look({ shift: { ...station().shift, locked: true } }).note, 'Locked for a break');
  assert.equal(look({ shift: null, writer: null }).kind, 'closed');
  assert.equal(look({ enabled: false }).name, 'Switched off');
  assert.equal(
    stationView(station({ paper: 'low' }), PEOPLE, NOON, false).look,
    '',
    'what is not confirmed does not call',
  );
  assert.equal(
    stationsAtWork([
      station(),
      station({ shift: null, writer: null }),
      station({ enabled: false }),
    ]),
    '1 of 3 stations',
  );
});

test('a print that is under way is nothing to look at', () => {
  const printing = { count: 1, oldest_ticket: 318, oldest_ms: NOON - 3_000 };
  assert.equal(lookAt(station({ unprinted: printing }), NOON), '');
  assert.equal(
    lookAt(station({ unprinted: { ...printing, oldest_ms: NOON - 20_000 } }), NOON),
    'Printed?',
  );
});

test('every kind of exception is a sentence', () => {
  const words = (item, you = '') => {
    const { about, rest } = exceptionWords(item, place(), PEOPLE, you);
    return `${about} ${rest}`;
  };
  assert.equal(
    words(odd('hold', { ticket: 4182301 })),
    'Ticket 418 2301 held in dispute by M. Okafor',
  );
  assert.equal(words(odd('release', { ticket: 318 }), 'SUE'), 'Ticket 318 released by you');
  assert.equal(
    words(odd('reprint', { ticket: 318, actor: 'DRE', second: 'SUE' })),
    'Ticket 318 reprinted by D. Reyes, with M. Okafor',
  );
  assert.equal(
    words(odd('lock_out', { game: 1184, actor: 'DRE', second: 'SUE' })),
    'Game A-1184 closed by hand by D. Reyes, with M. Okafor',
  );
  assert.equal(
    words(odd('surrender', { ticket: 318, actor: 'DRE', second: 'SUE' })),
    'Ticket 318 surrendered by D. Reyes, with M. Okafor',
  );
  assert.equal(
    words(odd('denied', { ticket: 318, cents: 250_000, actor: 'DRE', second: 'SUE' })),
    'Ticket 318 $2,500.00 denied by M. Okafor',
  );
  assert.equal(
    words(odd('lapsed', { ticket: 318, cents: 250_000, actor: 'DRE' })),
    'Ticket 318 request for $2,500.00 lapsed; nobody answered it',
  );
  assert.equal(
    words(odd('void_game', { game: 1184, second: 'IVY' })),
    'Game A-1184 declared void by M. Okafor and I. Vance',
  );
  assert.equal(
    words(odd('override', { override: 'delay', seconds: 120, game: 1185 })),
    'Main Floor delayed 2 minutes by M. Okafor',
  );
  assert.equal(
    words(odd('override', { override: 'close_early', game: 1185 })),
    'Main Floor closed early by M. Okafor',
  );
  assert.equal(
    words(odd('something_new', { ticket: 318 })),
    'Ticket 318 something new by M. Okafor',
  );
});

test('exceptions: the newest first; what is so now keeps the time it was first seen', () => {
  const floor = {
    people: PEOPLE,
    locations: [
      place({
        stations: [station({ paper: 'low' })],
        exceptions: [odd('hold', { ticket: 318, ms: NOON + 5_000 })],
      }),
    ],
  };
  const since = new Map();
  assert.deepEqual(
    unusual(floor, '', NOON, since).map((each) => each.rest),
    ['held in dispute by M. Okafor', 'paper low'],
  );
  assert.equal(unusual(floor, '', NOON + 60_000, since)[1].ms, NOON);
  floor.locations[0].stations[0].paper = 'ok';
  assert.equal(unusual(floor, '', NOON + 70_000, since).length, 1);
  assert.equal(since.size, 0);
});

test('what a draw would pay stands on a tenfold scale that ends at the maximum', () => {
  const answer = {
    maximum_cents: 10_000_000,
    p50_cents: 54_000,
    p99_cents: 487_000,
    largest_cents: 6_130_000,
    draws: 2_000,
    reached_maximum: 0,
  };
  const seen = exposureView(answer);
  assert.equal(seen.most, 'most $100,000');
  assert.deepEqual(
    seen.marks.map((mark) => [mark.amount, mark.chance]),
    [
      ['$540', '1 in 2'],
      ['$4,870', '1 in 100'],
      ['$61,300', '1 in 2,000'],
    ],
  );
  assert.deepEqual(
    seen.marks.map((mark) => mark.part.toFixed(2)),
    ['0.24', '0.56', '0.93'],
  );
  assert.equal(seen.note, '');
  const over = exposureView({ ...answer, largest_cents: 13_000_000, reached_maximum: 3 });
  assert.equal(over.marks[2].part, 1);
  assert.match(over.note, /3 of 2,000 draws/);
  const nothing = exposureView({ ...answer, p50_cents: 0, p99_cents: 0, largest_cents: 0 });
  assert.deepEqual(
    nothing.marks.map((mark) => mark.part),
    [0, 0, 0],
  );
});

test('labels keep apart and inside', () => {
  for (const parts of [
    [0, 0, 0],
    [1, 1, 1],
    [0.24, 0.56, 0.93],
    [0, 0.5, 0.5],
  ]) {
    const places = spread(parts);
    assert.ok(places[1] - places[0] >= 0.249 && places[2] - places[1] >= 0.249, String(places));
    assert.ok(places[0] >= 0.13 && places[2] <= 0.871, String(places));
  }
});

test('the header says the worst of the draw rooms', () => {
  const party = (changes = {}) => ({
    key: 'a',
    answering: true,
    since_ms: 1,
    asked_ms: 1,
    refused: null,
    ...changes,
  });
  const room = (changes = {}) => ({
    name: 'Main Floor',
    generator: party(),
    witness: party(),
    boots: [{ verified: true }],
    alarms: [],
    ...changes,
  });
  const said = (...rooms) => healthOf({ locations: rooms });
  assert.deepEqual(said(room()), { kind: 'good', head: 'Both keys in', note: 'RNG healthy' });
  assert.equal(
    said(room(), room({ generator: party({ answering: false }) })).head,
    'RNG does not answer',
  );
  assert.equal(said(room({ witness: party({ answering: false }) })).kind, 'no');
  assert.equal(
    said(room({ generator: party({ refused: 'locked' }) })).head,
    'RNG waits for its keys',
  );
  assert.equal(said(room({ boots: [{ verified: false }] })).head, 'Keys not verified');
  assert.equal(said(room({ boots: [] })).kind, 'unknown');
  assert.equal(said(room({ alarms: [{}] })).head, 'A draw is stopped');
  assert.equal(said(room({ alarms: [{ step: 'expiry' }] })).head, 'Claims do not expire');
  assert.equal(said(room({ alarms: [{ step: 'expiry' }, {}] })).head, 'A draw is stopped');
  assert.equal(said(room({ alarms: [{ step: 'halt' }] })).head, 'Keno is halted');
  assert.equal(said(room({ alarms: [{ step: 'clock' }] })).head, 'The time is not confirmed');
});

test('an event changes the state it is about, and nothing is called out of turn', () => {
  const before = state({ drawing: { game: 1184, name: 'A-1184', balls: [7] } });
  assert.deepEqual(
    after(before, { type: 'ball', game: 1184, index: 1, number: 18 }).drawing.balls,
    [7, 18],
  );
  assert.equal(after(before, { type: 'ball', game: 1184, index: 3, number: 18 }), before);
  assert.equal(after(before, { type: 'ball', game: 1183, index: 1, number: 18 }), before);
  const closing = after(before, {
    type: 'closing',
    game: 1185,
    closes_in_ms: 60_000,
    server_ms: NOON + 1,
  });
  assert.deepEqual([closing.open.closing, closing.open.closes_in_ms], [true, 60_000]);
  const old = { ...before, server_ms: NOON - 1 };
  assert.equal(after(before, old), before);
  assert.equal(after(null, old), old);
});

test('an answer does not take back what was heard after it was given', () => {
  const later = { ...state(), server_ms: NOON + 500, trouble: 'It waits.' };
  const floor = { server_ms: NOON, locations: [place({ location: 'b', letter: 'B' }), place()] };
  const seen = merged(floor, new Map([['main', later]]));
  assert.deepEqual(
    seen.locations.map((each) => each.letter),
    ['A', 'B'],
  );
  assert.equal(seen.locations[0].trouble, 'It waits.');
  assert.deepEqual(seen.people, {});
});

test('a card that is not sold is said where the game goes on, and no event takes it back', () => {
  const stopped = place({ not_sold: 'It keeps 31%.' });
  const words =
    'Nothing is sold under rate card 1. It keeps 31%. Sales go on when a new card is in force.';
  const seen = placeView(stopped, { leftMs: 174_000, zone: ZONE });
  assert.deepEqual([seen.tone, seen.word, seen.trouble], ['open', 'Sales stopped', words]);
  assert.equal(
    placeView({ ...stopped, trouble: 'It waits.' }, { zone: ZONE }).trouble,
    `It waits. ${words}`,
  );
  assert.equal(placeView(stopped, { signal: false, zone: ZONE }).word, 'No signal');
  const later = { ...state(), server_ms: NOON + 500 };
  const told = merged({ server_ms: NOON, locations: [stopped] }, new Map([['main', later]]));
  assert.equal(placeView(told.locations[0], { zone: ZONE }).trouble, words);
  assert.deepEqual(
    unusual(told, '', NOON, new Map()).map((each) => [each.kind, each.rest]),
    [['stop', 'Nothing is sold under rate card 1.']],
  );
});

test('the day in the house’s zone', () => {
  assert.equal(dayOf(Date.UTC(2026, 10, 15, 2, 0), ZONE), 'Sat Nov 14');
});
