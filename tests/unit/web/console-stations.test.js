// A station in detail, whom a message reaches, and the middle of a small dial.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dialFigure } from '../../../keno/pages/console/floor-games.js';
import {
  messageReach,
  paperWords,
  stationFacts,
} from '../../../keno/pages/console/floor-station-words.js';

const NOON = Date.UTC(2026, 10, 16, 17, 0);
const PLACE = { location: 'main', letter: 'A', name: 'Main Floor', stations: [] };
const HOW = { people: { DRE: 'D. Reyes' }, lettered: true, zone: 'America/New_York' };

function station(changes = {}) {
  return {
    station: '4',
    enabled: true,
    connected: true,
    writer: 'DRE',
    printer: 'ready',
    paper: 'low',
    authorisations: [],
    shift: {
      shift: 1,
      writer: 'DRE',
      locked: false,
      opened_ms: NOON,
      expected_cents: { cash: 230_575, gaming_chips: 0, coupon: 0, slot_tokens: 0 },
    },
    unprinted: { count: 0, oldest_ticket: null, oldest_ms: null },
    ...changes,
  };
}
const factsOf = (changes, how = HOW) =>
  Object.fromEntries(stationFacts(station(changes), PLACE, how));

test('a station at work, in facts', () => {
  assert.deepEqual(stationFacts(station(), PLACE, HOW), [
    ['Location', 'Main Floor'],
    ['Line', 'Connected'],
    ['Signed in', 'D. Reyes'],
    ['Drawer of', 'D. Reyes, since 12:00 PM'],
    ['Drawer should hold', '$2,305.75'],
    ['Cash', '$2,305.75'],
    ['Gaming chips', '$0.00'],
    ['Coupons', '$0.00'],
    ['Slot tokens', '$0.00'],
    ['Printer', 'Ready, paper low'],
  ]);
});

test('a drawer is said by its four kinds, and a break is said', () => {
  const shift = {
    ...station().shift,
    locked: true,
    expected_cents: { cash: 100, gaming_chips: 500 },
  };
  const facts = factsOf({ shift });
  assert.equal(facts['Drawer should hold'], '$6.00');
  const kinds = ['Cash', 'Gaming chips', 'Coupons', 'Slot tokens'].map((name) => facts[name]);
  assert.deepEqual(kinds, ['$1.00', '$5.00', '$0.00', '$0.00']);
  assert.equal(facts.Break, 'Locked for a break');
});

test('a station without drawer, line or person', () => {
  const facts = factsOf({
    connected: false,
    writer: null,
    printer: null,
    paper: null,
    shift: null,
  });
  assert.deepEqual(facts, {
    Location: 'Main Floor',
    Line: 'Not connected',
    'Signed in': 'Nobody',
    'Drawer of': 'No drawer open',
  });
  assert.equal(factsOf({ enabled: false }).Line, 'Switched off');
});

test('prints to confirm and payouts that wait name their tickets', () => {
  const changes = {
    unprinted: { count: 2, oldest_ticket: 418, oldest_ms: NOON },
    authorisations: [{ authorisation: 7, ticket: 4182276, amount_cents: 420_000 }],
    printer: 'stopped',
    paper: null,
  };
  const facts = factsOf(changes);
  assert.equal(facts['Prints to confirm'], '2 tickets, the oldest A-418, sold 12:00:00 PM');
  assert.equal(facts['Waits for you'], '$4,200.00, ticket A-418 2276');
  assert.equal(facts.Printer, 'Stopped, paper not known');
  assert.match(factsOf(changes, { ...HOW, lettered: false })['Waits for you'], /ticket 418 2276$/);
  assert.equal(paperWords('out'), 'No paper');
});

test('a message reaches what is connected; a drawer without a line is missed', () => {
  const stations = [
    station(),
    station({ station: '5', connected: false }),
    station({ station: '6', connected: false, shift: null }),
    station({ station: '7', enabled: false }),
  ];
  assert.deepEqual(messageReach({ ...PLACE, stations }), { reached: ['04'], missed: ['05'] });
});

test('the middle of a small dial: the newest ball, the clock, the time of the last signal', () => {
  const figure = (tone, dial) => dialFigure({ tone, dial: { left_ms: null, at: '', ...dial } });
  assert.equal(figure('drawing', { balls: [7, 18] }), '18');
  assert.equal(figure('open', { left_ms: 61_000 }), '1:01');
  assert.equal(figure('open', {}), '');
  assert.equal(figure('closing', {}), '0:00');
  assert.equal(figure('offline', { at: '9:06' }), '9:06');
  assert.equal(figure('held', { left_ms: 5_000 }), '');
});
