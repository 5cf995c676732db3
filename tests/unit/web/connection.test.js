// The connection to the server: it comes back for ever, ever more slowly, and notices its loss.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Connection, retryDelay, socketAddress } from '../../../keno/pages/shared/connection.js';

const SILENT_MS = 25_000;
const BOARD = { first_ms: 500, longest_ms: 15_000, jitter: true, silent_ms: SILENT_MS };
const CONSOLE = { first_ms: 1_000, longest_ms: 1_000, silent_ms: SILENT_MS, end_code: 4001 };
const STATION = { first_ms: 250, longest_ms: 2_000, silent_ms: null };

/** A connection with sockets and timers of its own. */
function world({ believe = () => true, timing = BOARD } = {}) {
  const it = { sockets: [], timers: new Map(), heard: [], lost: 0, next: 1, events: [] };
  const outside = {
    make: () => {
      const socket = { closed: false, sent: [], close: () => (socket.closed = true) };
      socket.send = (text) => socket.sent.push(text);
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
  const handlers = {
    onMessage: (message) => (it.heard.push(message), believe(message)),
    onUp: () => it.events.push('up'),
    onDown: (wasUp) => {
      it.lost += 1;
      it.events.push(wasUp ? 'down' : 'failed');
    },
    onEnd: () => it.events.push('end'),
  };
  it.line = new Connection('ws://x', handlers, timing, outside);
  it.fire = (ms) => {
    const [timer, { act }] = [...it.timers].find(([, each]) => each.ms === ms);
    it.timers.delete(timer);
    act();
  };
  it.waits = () => [...it.timers.values()].map((each) => each.ms);
  return it;
}

const TRIES = [0, 1, 2, 3, 4, 5, 6, 999];

test('waits grow, and end at a quarter of a minute', () => {
  assert.deepEqual(
    TRIES.map((tries) => retryDelay(tries, 0.5, BOARD)),
    [500, 1000, 2000, 4000, 8000, 15000, 15000, 15000],
  );
  assert.deepEqual([retryDelay(0, 0, BOARD), retryDelay(0, 1, BOARD)], [375, 625]);
});

test('without jitter chance does not matter, and waits may stay the same', () => {
  assert.deepEqual(
    TRIES.map((tries) => retryDelay(tries, 1, STATION)),
    [250, 500, 1000, 2000, 2000, 2000, 2000, 2000],
  );
  assert.deepEqual(new Set(TRIES.map((tries) => retryDelay(tries, 0, CONSOLE))), new Set([1000]));
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
  const believe = () => {
    it.line.resync();
    return false;
  };
  const it = world({ believe });
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

test('a stopped line stays closed until it is opened', () => {
  const it = world();
  it.line.open();
  it.line.stop();
  it.line.hurry();
  it.line.resync();
  assert.deepEqual([it.sockets.length, it.sockets[0].closed, it.timers.size], [1, true, 0]);
  assert.deepEqual([it.events, it.line.isUp], [[], false]);
  it.line.open();
  assert.deepEqual([it.sockets.length, it.sockets[1].closed], [2, false]);
});

test('a line is up at its first message; a failed attempt is not a loss', () => {
  const it = world({ timing: CONSOLE });
  it.line.open();
  it.sockets[0].onopen();
  assert.equal(it.line.isUp, false);
  it.sockets[0].onclose({ code: 1006 });
  it.fire(1000);
  it.sockets[1].onmessage({ data: '{}' });
  it.sockets[1].onmessage({ data: '{}' });
  assert.equal(it.line.isUp, true);
  it.sockets[1].onclose({ code: 1006 });
  assert.equal(it.line.isUp, false);
  assert.deepEqual(it.events, ['failed', 'up', 'down']);
  assert.deepEqual(it.waits(), [1000]);
});

test('the end code ends it for good', () => {
  const it = world({ timing: CONSOLE });
  it.line.open();
  it.sockets[0].onmessage({ data: '{}' });
  it.sockets[0].onclose({ code: 4001 });
  it.line.hurry();
  assert.deepEqual([it.events, it.sockets.length, it.timers.size], [['up', 'down', 'end'], 1, 0]);
});

test('where silence is no sign, a line is up when it opens and waits grow until then', () => {
  const it = world({ timing: STATION });
  it.line.open();
  assert.equal(it.timers.size, 0);
  it.sockets[0].onclose({ code: 1006 });
  it.fire(250);
  it.sockets[1].onclose({ code: 1006 });
  it.fire(500);
  it.sockets[2].onopen();
  assert.equal(it.line.isUp, true);
  it.sockets[2].onclose({ code: 1001 });
  assert.deepEqual(it.waits(), [250]);
  assert.deepEqual(it.events, ['failed', 'failed', 'up', 'down']);
});

test('messages are sent as JSON over the socket of the moment', () => {
  const it = world({ timing: STATION });
  it.line.open();
  it.sockets[0].onopen();
  it.line.send({ id: 1, do: 'sell' });
  assert.deepEqual(it.sockets[0].sent, ['{"id":1,"do":"sell"}']);
});

test('an address that no socket can be made for is tried again', () => {
  let lost = 0;
  const waits = [];
  const line = new Connection('x', { onMessage: () => true, onDown: () => (lost += 1) }, BOARD, {
    make: () => {
      throw new SyntaxError('no address');
    },
    set: (_, ms) => waits.push(ms),
    chance: () => 0.5,
  });
  line.open();
  assert.deepEqual([lost, waits], [1, [500]]);
});

test('the address of a socket is of the page’s own server', () => {
  const at = (protocol) => socketAddress({ protocol, host: 'keno.house:80' }, '/ws/console');
  assert.equal(at('https:'), 'wss://keno.house:80/ws/console');
  assert.equal(at('http:'), 'ws://keno.house:80/ws/console');
});
