// What the board and the history page paint, and how the board keeps the verdict on a proof.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';

import { gapsChart, timesChart } from '../../../keno/pages/board/charts.js';
import { checked, Checks } from '../../../keno/pages/board/checks.js';
import { bandWords, percent, plain } from '../../../keno/pages/board/history-words.js';
import { Stage } from '../../../keno/pages/board/stage.js';
import { Strip, Tiles } from '../../../keno/pages/board/tiles.js';
import { find, findAll, freshDocument } from './fake-document.js';

beforeEach(freshDocument);
afterEach(() => {
  mock.restoreAll();
  mock.timers.reset();
});

const grounds = (marks) => Array.from({ length: 80 }, (_, index) => marks[index + 1] ?? '');

test('each number has its ground and says it', () => {
  const tiles = new Tiles();
  const [first, second] = tiles.blocks.map((block) => block.children);
  tiles.show(grounds({ 1: 'lit', 2: 'hot', 41: 'was', 80: 'out' }));
  assert.deepEqual(
    [first[0], first[1], first[2], second[0], second[39]].map((tile) => [
      tile.dataset.ground,
      tile.getAttribute('aria-label'),
    ]),
    [
      ['lit', '1, called'],
      ['hot', '2, called'],
      ['', '3'],
      ['was', '41, called last game'],
      ['out', '80, not confirmed'],
    ],
  );
  first[0].setAttribute('aria-label', 'untouched');
  tiles.show(grounds({ 1: 'lit' }));
  assert.equal(first[0].getAttribute('aria-label'), 'untouched', 'what stays is not painted again');
  assert.equal(first[1].dataset.ground, '');
});

test('the strip has twenty places, in the order of the balls', () => {
  const strip = new Strip();
  const empty = Array.from({ length: 20 }, () => ({ number: null, ground: '' }));
  strip.show([{ number: 70, ground: 'lit' }, { number: 24, ground: 'hot' }, ...empty.slice(2)]);
  const lamps = findAll(strip.element, '.o');
  assert.deepEqual(
    lamps.slice(0, 3).map((lamp) => [find(lamp, 'span').textContent, lamp.dataset.ground]),
    [
      ['70', 'lit'],
      ['24', 'hot'],
      ['', ''],
    ],
  );
  assert.equal(find(lamps[1], '.hot').getAttribute('data-number'), '24');
  assert.equal(lamps.length, 20);
});

const face = (over, main, under) => ({ over, main, under });

test('while balls come, the newest arc is hot and the ball is in front', () => {
  const stage = new Stage();
  stage.show({ state: 'drawing', balls: [5, 44] }, face('', '', ''));
  const arcs = findAll(stage.element, '.mark').filter((arc) => !arc.classList.contains('hot'));
  const hot = findAll(stage.element, '.hot');
  const on = (all) => all.flatMap((each, at) => (each.getAttribute('data-on') === 'yes' ? at : []));
  assert.deepEqual([arcs.length, on(arcs), on(hot)], [20, [0, 1], [1]]);
  const balls = findAll(stage.element, '.ball');
  const shown = () => balls.filter((ball) => ball.dataset.on === 'yes').map((b) => b.textContent);
  assert.deepEqual(shown(), ['44']);
  stage.show({ state: 'drawing', balls: [5, 44, 3] }, face('', '', ''));
  assert.deepEqual([shown(), on(arcs), on(hot)], [['3'], [0, 1, 2], [2]]);
  assert.equal(stage.element.getAttribute('aria-label'), 'Drawing, ball 3 of 20 is 3');
});

test('the clock is a ring that drains, and is read out as it is written', () => {
  const stage = new Stage();
  stage.show(
    { state: 'open', left_ms: 60_000, span_ms: 120_000 },
    face('Closes in', '1:00', '9:08 PM'),
  );
  const [ring] = findAll(stage.element, '.mark');
  assert.match(ring.getAttribute('d'), /^M0\.00 -100\.00A100 100 0 0 1 0\.00 100\.00$/);
  assert.equal(stage.element.getAttribute('aria-label'), 'Closes in 1:00 9:08 PM');
  assert.equal(find(stage.element, '.main').dataset.length, '');
  stage.show({ state: 'locked' }, face('', '', 'Draw follows'));
  assert.equal(stage.element.getAttribute('aria-label'), 'Closed, draw follows');
  assert.equal(find(stage.element, '.sign').children.length, 2, 'a padlock');
});

const stems = (chart) => findAll(chart, 'title').map((title) => title.textContent);

test('a chart says each value and names itself', () => {
  const counts = [
    { number: 1, times: 30, gap: 0 },
    { number: 2, times: 19, gap: null },
  ];
  const bands = [
    { low: 14, high: 37, mean: 25 },
    { low: 18, high: 32, mean: 25 },
  ];
  const times = timesChart(counts, bands);
  assert.deepEqual(stems(times), ['1: 30', '2: 19']);
  assert.match(times.getAttribute('aria-label'), /^How often each number came\./);
  assert.equal(findAll(times, '.band').length, 2);
  const gaps = gapsChart(counts, 16, 100);
  assert.deepEqual(stems(gaps), ['1: 0', '2: 100'], 'one that never came is as long as the games');
});

test('chances and means in words', () => {
  assert.deepEqual([0.9, 0.902, 0.99, 0.9936].map(percent), ['90%', '90%', '99%', '99.4%']);
  assert.deepEqual([25, 2.04, 8.6, 12.5].map(plain), ['25', '2.0', '8.6', '13']);
  assert.equal(
    bandWords({ low: 18, high: 32, holds: 0.9 }),
    'by chance 90% of numbers come 18 to 32 times',
  );
});

const LAST = { game: 7, name: 'A-7', numbers: Array.from({ length: 20 }, (_, i) => i + 1) };

test('a proof that cannot be had is no verdict; one that cannot be read is a failure', async () => {
  mock.method(globalThis, 'fetch', async () => new Response('', { status: 503 }));
  assert.equal(await checked('main', LAST), null);
  const { mock: called } = mock.method(
    globalThis,
    'fetch',
    async () => new Response('not lines\n'),
  );
  assert.equal(await checked('a b', LAST), 'failed');
  assert.equal(called.calls[0].arguments[0], '/api/games/a%20b/7/proof');
});

/** Let the promises of a try come to their end. */
async function settled() {
  for (let round = 0; round < 50; round += 1) await new Promise((done) => setImmediate(done));
}

test('the verdict on a game is asked for until it is there, and once', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(Math, 'random', () => 0);
  const answers = [new Response('', { status: 503 }), new Response('not lines\n')];
  const { mock: called } = mock.method(globalThis, 'fetch', async () => answers.shift());
  let changes = 0;
  const checks = new Checks(() => (changes += 1));
  checks.want('main', LAST, {});
  assert.deepEqual(checks.of('main', 7), { game: 7, state: 'waiting' });
  assert.equal(checks.of('lounge', 7), null);
  mock.timers.tick(0);
  await settled();
  mock.timers.tick(4_000);
  await settled();
  checks.want('main', LAST, {});
  assert.deepEqual(checks.of('main', 7), { game: 7, state: 'failed' });
  assert.deepEqual([called.callCount(), changes], [2, 1]);
});

test('after seven tries it may be asked for again; without a game nothing is', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(Math, 'random', () => 0);
  const gone = async () => new Response('', { status: 503 });
  const { mock: called } = mock.method(globalThis, 'fetch', gone);
  const checks = new Checks(() => assert.fail('there is nothing to show'));
  checks.want('main', null, {});
  checks.want('main', LAST, {});
  for (let time = 0; time < 10; time += 1) {
    mock.timers.tick(4_000);
    await settled();
  }
  assert.equal(called.callCount(), 7);
  assert.equal(checks.of('main', 7), null);
});
