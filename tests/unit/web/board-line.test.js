// The board's line: it comes back for ever, ever more slowly, and finds out that it is dead.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Line, SILENT_MS, wait } from '../../../keno/pages/board/line.js';

/** A world with sockets and timers of its own. */
function world(believe = () => true) {
  const it = { sockets: [], timers: new Map(), heard: [], lost: 0, next: 1 };
  const outside = {
    make: () => {
      const socket = { closed: false, close: () => (socket.closed = true) };
      it.sockets.push(socket);
      return socket;
    },
    set: (act, ms) => {
      it.timers.set(it.next, { act, ms });
      return it.next++;
    },
    clear: (timer) => it.timers.delete(timer),
    chance: () => 0.5,
  };
  it.line = new Line(
    'ws://x',
    (event) => (it.heard.push(event), believe(event)),
    () => (it.lost += 1),
    outside,
  );
  it.fire = (ms) => {
    const [timer, { act }] = [...it.timers].find(([, each]) => each.ms === ms);
    it.timers.delete(timer);
    act();
  };
  it.waits = () => [...it.timers.values()].map((each) => each.ms);
  return it;
}

test('waits grow, and end at a quarter of a minute', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 999].map((tries) => wait(tries, 0.5)),
    [500, 1000, 2000, 4000, 8000, 15000, 15000, 15000],
  );
  assert.deepEqual([wait(0, 0), wait(0, 1)], [375, 625]);
});

test('a line that closes is opened again; what it heard begins the waits anew', () => {
  const it = world();
  it.line.open();
  it.sockets[0].onclose();
  assert.equal(it.lost, 1);
  it.fire(500);
  it.sockets[1].onclose();
  it.fire(1000);
  it.sockets[2].onmessage({ data: '{"type":"state"}' });
  assert.deepEqual(it.heard, [{ type: 'state' }]);
  it.sockets[2].onclose();
  assert.deepEqual(it.waits(), [500]);
});

test('a line that says nothing is dead', () => {
  const it = world();
  it.line.open();
  it.fire(SILENT_MS);
  assert.deepEqual([it.lost, it.sockets[0].closed, it.waits()], [1, true, [500]]);
});

test('a socket that was given up is not listened to', () => {
  const it = world();
  it.line.open();
  const hear = it.sockets[0].onmessage;
  it.line.resync();
  hear({ data: '{}' });
  assert.deepEqual(it.heard, []);
  assert.equal(it.sockets[0].onmessage, null);
});

test('who cannot be believed is asked ever more slowly', () => {
  const it = world((event) => {
    it.line.resync();
    return false;
  });
  it.line.open();
  it.sockets[0].onmessage({ data: '{}' });
  it.fire(500);
  it.sockets[1].onmessage({ data: '{}' });
  assert.deepEqual(it.waits(), [1000]);
});

test('what is no message ends the line', () => {
  const it = world();
  it.line.open();
  it.sockets[0].onmessage({ data: 'not json' });
  assert.deepEqual([it.heard, it.lost], [[], 1]);
});

test('there is never more than one socket and two timers', () => {
  const it = world();
  it.line.open();
  for (let time = 0; time < 1000; time += 1) {
    it.sockets.at(-1).onclose();
    it.line.hurry();
    assert.equal(it.sockets.filter((socket) => !socket.closed).length, 1);
    assert.ok(it.timers.size <= 2);
  }
});

test('a stopped line stays closed', () => {
  const it = world();
  it.line.open();
  it.line.stop();
  it.line.hurry();
  it.line.open();
  assert.deepEqual([it.sockets.length, it.sockets[0].closed, it.timers.size], [1, true, 0]);
});
