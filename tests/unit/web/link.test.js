// The page's link to its station: requests and answers by id, and what a lost connection refuses.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Refused } from '../../../keno/pages/shared/ask.js';
import { Link, refusedBy } from '../../../writer_station/ui/link.js';

/** A link whose sockets and timers the test holds. */
function linked() {
  const sockets = [];
  const timers = [];
  const heard = [];
  const link = new Link(
    'ws://station/page',
    {
      onState: (state) => heard.push(['state', state]),
      onOdds: (odds) => heard.push(['odds', odds]),
      onChange: () => heard.push(['change', link.up]),
    },
    {
      make: () => {
        const socket = { sent: [], send: (text) => socket.sent.push(JSON.parse(text)), close() {} };
        sockets.push(socket);
        return socket;
      },
      set: (act, ms) => timers.push({ act, ms }),
      clear: () => {},
    },
  );
  link.start();
  return { link, sockets, timers, heard };
}

const say = (socket, message) => socket.onmessage({ data: JSON.stringify(message) });

test('answers find their request, in whatever order they come', async () => {
  const { link, sockets } = linked();
  sockets[0].onopen();
  const one = link.ask('find', { text: 'a' });
  const two = link.ask('lock', {});
  assert.deepEqual(sockets[0].sent, [
    { id: 1, do: 'find', text: 'a' },
    { id: 2, do: 'lock' },
  ]);
  say(sockets[0], { id: 2, ok: {} });
  say(sockets[0], { id: 1, ok: { kind: 'ticket', ticket: 9, code: 'X' } });
  assert.deepEqual(await one, { kind: 'ticket', ticket: 9, code: 'X' });
  assert.deepEqual(await two, {});
});

test('a refusal carries its code, its sentence and its field', async () => {
  const { link, sockets } = linked();
  sockets[0].onopen();
  const asked = link.ask('find', { text: 'a' });
  say(sockets[0], { id: 1, no: { code: 'malformed', message: 'Not a ticket.', where: 'text' } });
  await assert.rejects(asked, (error) => {
    assert.ok(error instanceof Refused);
    assert.deepEqual(
      [error.code, error.message, error.where],
      ['malformed', 'Not a ticket.', 'text'],
    );
    return true;
  });
});

test('without a connection nothing is sent', async () => {
  const { link, sockets } = linked();
  await assert.rejects(link.ask('lock', {}), { code: 'link_lost' });
  assert.deepEqual(sockets[0].sent, []);
});

test('a lost connection refuses what is open and comes back by itself', async () => {
  const { link, sockets, timers, heard } = linked();
  sockets[0].onopen();
  const asked = link.ask('lock', {});
  sockets[0].onclose({ code: 1006 });
  await assert.rejects(asked, { code: 'link_lost' });
  assert.deepEqual(heard, [
    ['change', true],
    ['change', false],
  ]);
  assert.equal(timers.at(-1).ms, 250);
  timers.at(-1).act();
  sockets[1].onclose({ code: 1006 });
  assert.equal(timers.at(-1).ms, 500);
  timers.at(-1).act();
  sockets[2].onopen();
  assert.equal(link.up, true);
});

test('states and odds are heard, also beside an answer', () => {
  const { sockets, heard } = linked();
  sockets[0].onopen();
  say(sockets[0], { state: { now_ms: 1 } });
  say(sockets[0], { odds: { draft: 3 } });
  assert.deepEqual(heard.slice(1), [
    ['state', { now_ms: 1 }],
    ['odds', { draft: 3 }],
  ]);
});

test('a mistake of the page is read out like a refusal', () => {
  const refused = new Refused('void', 'It is void.');
  assert.equal(refusedBy(refused), refused);
  assert.deepEqual([refusedBy(new TypeError('x')).code, refusedBy('y').message], ['', 'y']);
});
