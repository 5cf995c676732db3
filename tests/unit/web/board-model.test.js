// The board's model: whatever is said to it, only drawn numbers are lit, in their order.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { apply, begin, gaveUp, lost, remember } from '../../../keno/pages/board/model.js';
import { grounds, slots } from '../../../keno/pages/board/view.js';

const AT = { now: 1_000, wall: 50_000 };
const ORDER = [70, 24, 7, 22, 56, 29, 30, 49, 1, 53, 3, 18, 58, 61, 59, 31, 2, 10, 12, 78];
const BEFORE = [58, 72, 77, 25, 19, 7, 12, 5, 76, 41, 79, 64, 69, 23, 55, 75, 9, 50, 26, 22];

const open = {
  game: 12,
  name: 'A-12',
  card: '1',
  commitment: 'ab'.repeat(32),
  closes_in_ms: 9_000,
  closing: false,
  mode: 'automatic',
};
const last = { game: 10, name: 'A-10', numbers: BEFORE };

function state(changes = {}) {
  return {
    type: 'state',
    location: 'main',
    site: 'x',
    value: true,
    server_ms: 100,
    open,
    drawing: null,
    last,
    trouble: null,
    changes: [],
    ...changes,
  };
}
function drawing(balls) {
  return { game: 11, name: 'A-11', balls: ORDER.slice(0, balls) };
}
function ball(index, changes = {}) {
  return {
    type: 'ball',
    location: 'main',
    game: 11,
    index,
    number: ORDER[index],
    server_ms: 200 + index,
    ...changes,
  };
}
function after(...events) {
  let model = begin('main');
  let effect = 'none';
  for (const event of events) [model, effect] = apply(model, event, AT);
  return { model, effect };
}
function lit(model) {
  return grounds(model).flatMap((ground, index) =>
    ground === 'lit' || ground === 'hot' ? [index + 1] : [],
  );
}
const rising = (numbers) => [...numbers].sort((one, other) => one - other);

test('nothing is known before a state', () => {
  const { model, effect } = after(ball(0));
  assert.equal(effect, 'none');
  assert.deepEqual(lit(model), []);
  assert.equal(model.connected, false);
});

test('ball by ball, the lit numbers are a prefix of the order', () => {
  let { model } = after(state({ drawing: drawing(0) }));
  for (let index = 0; index < 20; index += 1) {
    let effect;
    [model, effect] = apply(model, ball(index), AT);
    assert.equal(effect, 'ball');
    assert.deepEqual(lit(model), rising(ORDER.slice(0, index + 1)));
    assert.equal(grounds(model)[ORDER[index] - 1], 'hot');
    assert.deepEqual(
      slots(model).map((slot) => slot.number),
      [...ORDER.slice(0, index + 1), ...Array(19 - index).fill(null)],
    );
  }
  const [ended, effect] = apply(
    model,
    { type: 'result', location: 'main', game: 11, numbers: ORDER, server_ms: 300 },
    AT,
  );
  assert.equal(effect, 'still');
  assert.deepEqual(lit(ended), []);
  assert.equal(ended.drawing, null);
  assert.deepEqual(ended.last.numbers, ORDER);
  assert.deepEqual(
    ended.past.map((each) => each.game),
    [11, 10],
  );
});

test('a ball of the state comes again and changes nothing', () => {
  const { model, effect } = after(state({ drawing: drawing(3) }), ball(1), ball(2));
  assert.equal(effect, 'none');
  assert.deepEqual(model.drawing.balls, ORDER.slice(0, 3));
});

for (const [what, event] of Object.entries({
  'a ball of a later game': ball(3, { game: 12 }),
  'a ball too far ahead': ball(5),
  'another number in a place that is taken': ball(1, { number: 80 }),
  'a number that is lit already': ball(3, { number: 70 }),
  'the number 0': ball(3, { number: 0 }),
  'the number 81': ball(3, { number: 81 }),
  'half a number': ball(3, { number: 1.5 }),
  'a number as text': ball(3, { number: '22' }),
  'a result that is not the balls': {
    type: 'result',
    location: 'main',
    game: 11,
    numbers: rising(ORDER),
    server_ms: 9,
  },
  'a result of an unseen game': {
    type: 'result',
    location: 'main',
    game: 13,
    numbers: ORDER,
    server_ms: 9,
  },
  'a state with a number twice': state({
    server_ms: 500,
    drawing: { game: 11, name: 'A-11', balls: [1, 1] },
  }),
  'a state with 21 balls': state({
    server_ms: 500,
    drawing: { game: 11, name: 'A-11', balls: Array.from({ length: 21 }, (_, i) => i + 1) },
  }),
  'a last game of 19 numbers': state({
    server_ms: 500,
    last: { ...last, numbers: BEFORE.slice(1) },
  }),
})) {
  test(`${what} lights nothing and asks for the state anew`, () => {
    const { model, effect } = after(state({ drawing: drawing(3) }), event);
    assert.equal(effect, 'resync');
    assert.deepEqual(lit(model), rising(ORDER.slice(0, 3)));
  });
}

test('a late ball of a game that is over is nothing', () => {
  const { model, effect } = after(state({ last: { ...last, game: 11 } }), ball(19));
  assert.equal(effect, 'none');
  assert.deepEqual(lit(model), []);
});

test('what is said of another location is nothing', () => {
  for (const event of [
    ball(3, { location: 'lounge' }),
    state({ location: 'lounge', drawing: drawing(9) }),
  ]) {
    const { model, effect } = after(state({ drawing: drawing(3) }), event);
    assert.equal(effect, 'none');
    assert.deepEqual(lit(model), rising(ORDER.slice(0, 3)));
  }
});

test('a state that was overtaken takes no ball away', () => {
  const { model, effect } = after(
    state({ drawing: drawing(3) }),
    ball(3),
    state({ drawing: drawing(2), server_ms: 150 }),
  );
  assert.equal(effect, 'none');
  assert.equal(model.drawing.balls.length, 4);
});

test('the server’s clock may be set back', () => {
  const { model } = after(
    state({ server_ms: 10_000_000, drawing: drawing(3) }),
    state({ server_ms: 5, drawing: drawing(4) }),
  );
  assert.equal(model.drawing.balls.length, 4);
});

test('the same state again is not painted anew, but its clock counts', () => {
  const once = after(state()).model;
  const [model, effect] = apply(
    once,
    state({ server_ms: 5_100, open: { ...open, closes_in_ms: 4_000 } }),
    { now: 6_000, wall: 1 },
  );
  assert.equal(effect, 'none');
  assert.equal(model.open.closes_at, 10_000);
});

test('a lost line lights nothing, and events mean nothing until the next state', () => {
  const { model } = after(state({ drawing: drawing(5) }));
  const dark = lost(model);
  assert.deepEqual(lit(dark), []);
  assert.equal(grounds(dark).filter((ground) => ground === 'out').length, 5);
  const [same, effect] = apply(dark, ball(5), AT);
  assert.equal(effect, 'none');
  assert.equal(same.drawing.balls.length, 5);
});

test('resynchronising in mid-draw paints the whole state at once', () => {
  const dark = lost(after(state({ drawing: drawing(5) })).model);
  const [model, effect] = apply(dark, state({ drawing: drawing(13), server_ms: 50 }), AT);
  assert.equal(effect, 'still');
  assert.deepEqual(lit(model), rising(ORDER.slice(0, 13)));
  const [next, moves] = apply(model, ball(13), AT);
  assert.equal(moves, 'ball');
  assert.equal(next.drawing.balls.length, 14);
});

test('after a restart the server shows the draw from its first ball, and so does the board', () => {
  const dark = lost(after(state({ drawing: drawing(9) })).model);
  const [model] = apply(dark, state({ drawing: drawing(0), server_ms: 1 }), AT);
  assert.deepEqual(lit(model), []);
});

test('the notice of the close belongs to the open game', () => {
  const said = {
    type: 'closing',
    location: 'main',
    game: 12,
    closes_in_ms: 60_000,
    server_ms: 150,
  };
  const { model, effect } = after(state(), said);
  assert.deepEqual([effect, model.open.closing, model.open.closes_at], ['still', true, 61_000]);
  assert.equal(after(state(), { ...said, game: 11 }).model.open.closing, false);
});

test('the list of past games stays short', () => {
  const games = Array.from({ length: 50 }, (_, i) => ({
    game: i,
    name: `A-${i}`,
    numbers: BEFORE,
    tickets: 3,
  }));
  const model = remember(after(state()).model, [
    ...games,
    { game: 60, name: 'A-60', numbers: null },
  ]);
  assert.deepEqual(
    model.past.map((each) => each.game),
    [49, 48, 47, 46, 45, 44],
  );
});

test('the seal of the game being drawn is the one it was sold under', () => {
  let { model } = after(state());
  [model] = apply(
    model,
    state({
      server_ms: 101,
      open: { ...open, game: 13, name: 'A-13', commitment: 'cd'.repeat(32) },
    }),
    AT,
  );
  assert.deepEqual(model.seals, { 12: 'ab'.repeat(32), 13: 'cd'.repeat(32) });
  [model] = apply(
    model,
    state({
      server_ms: 102,
      open: { ...open, game: 14, name: 'A-14', commitment: 'ef'.repeat(32) },
    }),
    AT,
  );
  assert.deepEqual(Object.keys(model.seals), ['13', '14']);
});

test('a game that ends without a result is asked about, and its void is kept by name', () => {
  const { model: open } = after(state());
  const drawing = { ...open, connected: true, drawing: { game: 61, name: 'A-61', balls: [] } };
  const over = { ...drawing, drawing: null };
  assert.equal(gaveUp(drawing, over), true);
  assert.equal(gaveUp(drawing, { ...over, last: { game: 61 } }), false);
  assert.equal(gaveUp(drawing, drawing), false);
  assert.equal(gaveUp(over, over), false);
  assert.equal(gaveUp(drawing, { ...over, connected: false }), false);
  const known = remember(over, [
    { game: 61, name: 'A-61', state: 'void', numbers: null },
    { game: 60, name: 'A-60', state: 'settled', numbers: null },
  ]);
  assert.deepEqual(known.voids, [{ game: 61, name: 'A-61' }]);
});
