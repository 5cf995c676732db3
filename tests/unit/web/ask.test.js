// Requests to the server: every failure is a `Refused` with a code.

import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';

import { askJson, askText, Refused } from '../../../keno/pages/shared/ask.js';

const json = (value, status = 200) => new Response(JSON.stringify(value), { status });
const answering = (respond) => mock.method(globalThis, 'fetch', async () => respond());
const refusal = (code, where = '') => ({
  constructor: Refused,
  code,
  where,
});

afterEach(() => mock.restoreAll());

/** The parts of a refusal that pages look at. */
async function refused(promise) {
  const error = await promise.then(
    () => assert.fail('it was answered'),
    (thrown) => thrown,
  );
  return { constructor: error.constructor, code: error.code, where: error.where };
}

test('JSON and text are given as they come', async () => {
  answering(() => json({ game: 7 }));
  assert.deepEqual(await askJson('/api/games'), { game: 7 });
  answering(() => new Response('line\n'));
  assert.equal(await askText('/api/games/a/7/proof'), 'line\n');
});

test('without a body it is a GET, with one a POST of JSON', async () => {
  const { mock: called } = answering(() => json([]));
  await askJson('/a', { timeout_ms: 8_000 });
  await askJson('/b', { body: { ticket: 1 }, credentials: 'omit' });
  const [[, get], [path, post]] = called.calls.map((call) => call.arguments);
  assert.deepEqual([get.method, get.body, get.signal.aborted], [undefined, undefined, false]);
  assert.equal(path, '/b');
  assert.deepEqual(
    [post.method, post.body, post.credentials, post.headers['Content-Type']],
    ['POST', '{"ticket":1}', 'omit', 'application/json'],
  );
});

test('a request that is on its way is not made again', async () => {
  const { mock: called } = answering(() => assert.fail('asked twice'));
  assert.equal(await askJson('/a', { started: Promise.resolve(json(5)) }), 5);
  assert.deepEqual(
    await refused(askJson('/a', { started: Promise.reject(new TypeError('gone')) })),
    refusal('offline'),
  );
  assert.equal(called.callCount(), 0);
});

test('the server refuses with a code, a message and the field it is about', async () => {
  const said = { type: 'refused', code: 'too_fast', message: 'Wait.', where: 'code' };
  for (const status of [200, 429]) {
    answering(() => json(said, status));
    assert.deepEqual(await refused(askJson('/a')), refusal('too_fast', 'code'));
  }
  assert.deepEqual(await refused(askText('/a')), refusal('too_fast', 'code'));
  await assert.rejects(askJson('/a'), { message: 'Wait.' });
});

test('no network, and a page that is not the server’s', async () => {
  answering(() => {
    throw new TypeError('Failed to fetch');
  });
  assert.deepEqual(await refused(askJson('/a', { unreadable: 'x' })), refusal('offline'));
  for (const status of [200, 502]) {
    answering(() => new Response('<html>', { status }));
    assert.deepEqual(await refused(askJson('/a')), refusal('offline'));
    assert.deepEqual(
      await refused(askJson('/a', { unreadable: 'unavailable' })),
      refusal('unavailable'),
    );
  }
  assert.deepEqual(
    await refused(askText('/a', { unreadable: 'unavailable' })),
    refusal('unavailable'),
  );
});

test('an answer that breaks off is none', async () => {
  const broken = () =>
    new Response(new ReadableStream({ pull: (stream) => stream.error(new Error('reset')) }));
  answering(broken);
  assert.deepEqual(await refused(askJson('/a')), refusal('offline'));
  assert.deepEqual(await refused(askText('/a')), refusal('offline'));
});
