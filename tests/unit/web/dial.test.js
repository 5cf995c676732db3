// The dial: one picture for each state of a game.

import assert from 'node:assert/strict';
import test from 'node:test';

import { arc, around, dialWord, picture } from '../../../keno/pages/shared/dial.js';

test('open: the ring drains with the time', () => {
  const half = picture({ state: 'open', left_ms: 150_000, span_ms: 300_000 });
  assert.equal(half.rim.part, 0.5);
  assert.equal(half.middle.text, '2:30');
  assert.equal(half.label, 'Open, closes in 2:30');
  assert.equal(picture({ state: 'open', left_ms: 400_000, span_ms: 300_000 }).rim.part, 1);
});

test('closing: sixty ticks, one goes out each second', () => {
  assert.equal(picture({ state: 'closing', left_ms: 60_000 }).rim.lit, 60);
  assert.equal(picture({ state: 'closing', left_ms: 57_400 }).rim.lit, 58);
  assert.equal(picture({ state: 'closing', left_ms: 0 }).rim.lit, 0);
  assert.equal(picture({ state: 'closing', left_ms: 57_400 }).rim.colour, 'var(--ember)');
});

test('drawing: an arc a ball, the newest in the middle, none before the first', () => {
  const third = picture({ state: 'drawing', balls: [5, 44, 58] });
  assert.deepEqual([third.rim.count, third.rim.lit, third.middle.text], [20, 3, '58']);
  assert.equal(third.label, 'Drawing, ball 3 of 20 is 58');
  const none = picture({ state: 'drawing', balls: [] });
  assert.deepEqual([none.rim.lit, none.middle.text], [0, '']);
});

test('closed by the hours: a quiet ring around the time of the opening', () => {
  const closed = picture({ state: 'closed', at: '10:00' });
  assert.deepEqual([closed.rim.colour, closed.middle.text], ['var(--edge)', '10:00']);
  assert.equal(closed.label, 'Closed, opens at 10:00');
  assert.equal(picture({ state: 'closed' }).label, 'Closed');
});

test('locked, held, irregular and offline have their own sign and no clock', () => {
  assert.equal(picture({ state: 'locked' }).middle.kind, 'padlock');
  assert.deepEqual(
    [picture({ state: 'held' }).middle.kind, picture({ state: 'held' }).rim.count],
    ['bars', 24],
  );
  assert.deepEqual(
    [picture({ state: 'irregular' }).middle.kind, picture({ state: 'irregular' }).rim.count],
    ['mark', 3],
  );
  const offline = picture({ state: 'offline', at: '9:06' });
  assert.deepEqual(
    [offline.rim.kind, offline.middle.text, offline.label],
    ['dots', '9:06', 'No signal since 9:06'],
  );
});

test('every state has a word', () => {
  for (const state of ['open', 'closing', 'locked', 'drawing', 'held', 'irregular', 'offline']) {
    assert.ok(dialWord(state), state);
    assert.equal(picture({ state }).state, state);
  }
});

test('arcs begin at the top and run clockwise', () => {
  assert.equal(around(100, 0), '0.00 -100.00');
  assert.equal(around(100, 0.25), '100.00 0.00');
  assert.match(arc(100, 0, 0.75), / 0 1 1 /);
  assert.equal(arc(100, 0, 1).match(/A/g).length, 2);
});

test('a game that closes by hand has no clock', () => {
  const seen = picture({ state: 'open', left_ms: null, span_ms: 1 });
  assert.equal(seen.label, 'Open, closes by hand');
  assert.equal(seen.middle.text, '');
  assert.equal(seen.rim.part, 1);
});
