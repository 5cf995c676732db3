// The bands of chance on the history page are exact, and the counts are counts.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { band, binomial, counted, gapUnder, outside } from '../../../keno/pages/board/chances.js';
import { scale } from '../../../keno/pages/board/charts.js';
import { pastGames } from '../../../keno/pages/board/pastgames.js';

/** Exact, with whole numbers: the chance of k in n tries at 1/4 is C(n, k) 3^(n-k) / 4^n. */
function exact(n) {
  const all = [];
  let ways = 1n;
  for (let k = 0; k <= n; k += 1) {
    all.push(ways * 3n ** BigInt(n - k));
    ways = (ways * BigInt(n - k)) / BigInt(k + 1);
  }
  return all;
}

/** The band by its definition, in whole numbers. */
function exactBand(n, per1000) {
  const all = exact(n);
  const [whole, tail] = [4n ** BigInt(n), BigInt(1000 - per1000)];
  const fits = (sum) => sum * 2000n <= whole * tail;
  let low = 0;
  for (let sum = all[0]; fits(sum); sum += all[low]) low += 1;
  let high = n;
  for (let sum = all[n]; fits(sum); sum += all[high]) high -= 1;
  return [low, high];
}

for (const n of [1, 7, 20, 100, 500, 1000]) {
  test(`the binomial of ${n} games is exact to twelve digits, and so are its bands`, () => {
    const [whole, ways] = [4n ** BigInt(n), exact(n)];
    binomial(n).forEach((chance, k) => {
      const wanted = Number((ways[k] * 10n ** 18n) / whole) / 1e18;
      assert.ok(Math.abs(chance - wanted) < 1e-12, `${k}: ${chance} is not ${wanted}`);
    });
    for (const part of [900, 990]) {
      const { low, high, holds, mean } = band(n, part / 1000);
      assert.deepEqual([low, high], exactBand(n, part));
      assert.ok(holds >= part / 1000);
      assert.equal(mean, n / 4);
    }
  });
}

test('the bands of the page', () => {
  assert.deepEqual([band(100, 0.9).low, band(100, 0.9).high], [18, 32]);
  assert.deepEqual([band(100, 0.99).low, band(100, 0.99).high], [14, 37]);
  assert.ok(Math.abs(outside(0.9) - 8) < 1e-9);
});

test('a gap of at most 16 games comes in 99 of 100 cases', () => {
  assert.equal(gapUnder(0.99), 16);
  assert.ok(1 - 0.75 ** 17 >= 0.99);
  assert.ok(1 - 0.75 ** 16 < 0.99);
});

test('times and gaps are counted from the newest game', () => {
  const games = [{ numbers: [1, 2] }, { numbers: [2, 3] }, { numbers: [3, 4] }];
  const [one, two, three, four, five] = counted(games);
  assert.deepEqual([one.times, two.times, three.times, four.times, five.times], [1, 2, 2, 1, 0]);
  assert.deepEqual([one.gap, two.gap, three.gap, four.gap, five.gap], [0, 0, 1, 2, null]);
});

test('a scale holds what it must, with round lines', () => {
  const at = scale(37, 14);
  assert.deepEqual(at.lines, [10, 20, 30, 40]);
  assert.ok(at.y(37) > at.y(40) && at.y(14) < at.y(10));
  assert.deepEqual(scale(1).lines, [0, 1]);
  assert.deepEqual(scale(0).lines, [0, 1]);
});

test('pages are asked for until there are enough games or no more', async () => {
  const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
  const all = Array.from({ length: 250 }, (_, index) => ({
    game: 250 - index,
    numbers: index === 3 ? null : numbers,
  }));
  const asked = [];
  const ask = async (path) => {
    asked.push(path);
    const before = Number(/before=(\d+)/.exec(path)?.[1] ?? 1e9);
    return all.filter((each) => each.game < before).slice(0, 100);
  };
  assert.equal((await pastGames('main', 1000, ask)).length, 249);
  assert.deepEqual(
    asked.map((path) => /before=(\d+)/.exec(path)?.[1]),
    [undefined, '151', '51'],
  );
  assert.equal((await pastGames('main', 100, ask)).length, 100);
  assert.deepEqual(await pastGames('main', 100, async () => []), []);
});
