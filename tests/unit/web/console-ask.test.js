// Commands of the console: sent once more after a lost response, and the end of a session.

import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';

import { ask, codeOf, sessionEnd, whoIsHere, words } from '../../../keno/pages/console/ask.js';
import { Refused } from '../../../keno/pages/shared/ask.js';

const json = (value, status = 200) => new Response(JSON.stringify(value), { status });
const refused = (code) => json({ type: 'refused', code, message: 'No.', where: 'x' }, 400);

/** Answers requests in turn; an Error is a network without a server. */
function serve(...answers) {
  const sent = [];
  mock.method(globalThis, 'fetch', async (path, { body } = {}) => {
    sent.push([path, body && JSON.parse(body)]);
    const next = answers.shift();
    if (next instanceof Error) throw next;
    return next;
  });
  return sent;
}

afterEach(() => mock.restoreAll());

test('a command has its answer, and a request id of its own', async () => {
  const sent = serve(json({ answer: [1] }), json({ answer: [2] }));
  assert.deepEqual(await ask('listing', { day: '2026-11-16' }), [1]);
  assert.deepEqual(await ask('floor', {}, { quiet: true }), [2]);
  const [[path, body], [quietPath, quietBody]] = sent;
  assert.deepEqual([path, quietPath], ['/api/command', '/api/command?quiet=1']);
  assert.deepEqual([body.type, body.day, quietBody.type], ['listing', '2026-11-16', 'floor']);
  assert.notEqual(body.request_id, quietBody.request_id);
});

test('a command without a response is sent once more under the same request id', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const sent = serve(new TypeError('no network'), json({ answer: 'done' }));
  const asked = ask('hold', { ticket: 7 });
  while (sent.length < 2) {
    await new Promise((done) => setImmediate(done));
    mock.timers.tick(700);
  }
  assert.equal(await asked, 'done');
  assert.deepEqual(sent[0], sent[1]);
  mock.timers.reset();
});

test('a refresh is not sent again, and neither is what was refused', async () => {
  const sent = serve(new TypeError('no network'), refused('own_act'));
  await assert.rejects(ask('floor', {}, { quiet: true }), { code: 'offline' });
  await assert.rejects(ask('hold'), { code: 'own_act', message: 'No.', where: 'x' });
  assert.equal(sent.length, 2);
});

test('a command without a session ends the session; asking who is here does not', async () => {
  let ended = 0;
  const count = () => (ended += 1);
  sessionEnd.addEventListener('over', count);
  serve(refused('not_signed_in'), refused('not_signed_in'), refused('unavailable'));
  await assert.rejects(ask('floor'), { code: 'not_signed_in' });
  assert.equal(ended, 1);
  assert.equal(await whoIsHere(), null);
  await assert.rejects(whoIsHere(), { code: 'unavailable' });
  assert.equal(ended, 1);
  sessionEnd.removeEventListener('over', count);
});

test('the words and the code of an error', () => {
  assert.match(words(new Refused('offline', 'x')), /cannot be reached/);
  assert.match(words(new Refused('not_signed_in', 'x')), /session is over/);
  assert.equal(words(new Refused('held', 'It is held.')), 'It is held.');
  assert.deepEqual([codeOf(new Refused('held', 'x')), codeOf(new TypeError('x'))], ['held', '']);
});
