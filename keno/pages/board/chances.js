// Computes what chance alone gives: how often a number is drawn in n games of 20 of 80, and how
// many games it is not drawn. Pure; the bands are exact sums of the binomial distribution.

export const DRAWN = 1 / 4;

/**
 * How often a number came and how many games ago it last did: a gap of 0 is the newest game, null
 * none of them.
 * @typedef {{number: number, times: number, gap: number | null}} Count
 * @typedef {{low: number, high: number, holds: number, mean: number}} Band
 */

/**
 * Count how often each number came, and how many games ago it last did.
 * @param {{numbers: number[]}[]} games the newest first
 * @returns {Count[]}
 */
export function counted(games) {
  /** @type {Count[]} */
  const all = Array.from({ length: 80 }, (_, index) => ({
    number: index + 1,
    times: 0,
    gap: null,
  }));
  games.forEach(({ numbers }, ago) => {
    for (const number of numbers) {
      const one = all[number - 1];
      one.times += 1;
      one.gap ??= ago;
    }
  });
  return all;
}

/** The probabilities of 0, 1, … n successes in n tries of probability p. @param {number} n */
export function binomial(n, p = DRAWN) {
  const logs = [n * Math.log1p(-p)];
  for (let k = 1; k <= n; k += 1)
    logs.push(logs[k - 1] + Math.log((n - k + 1) / k) + Math.log(p / (1 - p)));
  return logs.map(Math.exp);
}

/**
 * The narrowest band of outcomes that holds at least `part` of the probability: at most half of
 * the rest lies below it, and at most half above.
 * @param {number} n
 * @param {number} part
 * @returns {Band}
 */
export function band(n, part, p = DRAWN) {
  const chances = binomial(n, p);
  const tail = (1 - part) / 2;
  const low = edge(chances, tail);
  const high = n - edge([...chances].reverse(), tail);
  const holds = chances.slice(low, high + 1).reduce((sum, each) => sum + each, 0);
  return { low, high, holds, mean: n * p };
}

/**
 * The smallest outcome that is not in the lower tail of this probability.
 * @param {number[]} chances
 * @param {number} tail
 */
function edge(chances, tail) {
  let sum = 0;
  let at = 0;
  while (at < chances.length - 1 && sum + chances[at] <= tail) {
    sum += chances[at];
    at += 1;
  }
  return at;
}

/**
 * The gap, in games, that a number does not exceed with probability `part`: the probability of g
 * games without it is (3/4)^g.
 * @param {number} part
 */
export function gapUnder(part, p = DRAWN) {
  return Math.ceil(Math.log(1 - part) / Math.log(1 - p)) - 1;
}

/**
 * The expected count of the 80 numbers outside a band that holds this part.
 * @param {number} holds
 */
export function outside(holds) {
  return 80 * (1 - holds);
}
