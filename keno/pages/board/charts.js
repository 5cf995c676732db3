// Draws charts of the 80 numbers as SVG: a mark for each number over the band that chance alone
// would give. history.js makes the table of the same values.

import { svg } from '../shared/dom.js';

/**
 * @import { Child } from '../shared/types.js'
 * @import { Band, Count } from './chances.js'
 */

/** @typedef {ReturnType<typeof scale>} Scale */

const WIDTH = 1200;
const HEIGHT = 250;
const LEFT = 46;
const BOTTOM = 26;
const TOP = 12;

/**
 * The coordinates of a chart of the 80 numbers for values from `least` to `most`. Pure.
 * @param {number} most the highest value it must hold
 * @param {number} [least] the lowest
 */
export function scale(most, least = 0) {
  const step = stepOf(most - least);
  const floor = Math.floor(least / step) * step;
  const roof = Math.max(Math.ceil(most / step) * step, floor + step);
  /** @param {number} value */
  const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - floor) / (roof - floor));
  const wide = (WIDTH - LEFT) / 80;
  /** @param {number} number */
  const x = (number) => LEFT + (number - 1) * wide;
  const lines = [];
  for (let value = floor; value <= roof; value += step) lines.push(value);
  return { x, y, wide, lines, floor, roof };
}

/** @param {number} room */
function stepOf(room) {
  const rough = Math.max(room, 1) / 4;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const enough = [1, 2, 5].find((each) => each * ten >= rough) ?? 10;
  return Math.max(1, enough * ten);
}

/**
 * Draw how often each number came: a mark from the mean up or down, over the bands.
 * @param {Pick<Count, 'number' | 'times'>[]} counts
 * @param {Pick<Band, 'low' | 'high' | 'mean'>[]} bands the widest first
 */
export function timesChart(counts, bands) {
  const values = [
    ...counts.map((each) => each.times),
    ...bands.flatMap(({ low, high }) => [low, high]),
  ];
  const at = scale(Math.max(...values) + 1, Math.max(0, Math.min(...values) - 1));
  const { mean } = bands[0];
  const marks = counts.map(({ number, times }) => stem(at, number, mean, times));
  const grounds = bands.map(({ low, high }, index) =>
    ground(at, low - 0.5, high + 0.5, `band band-${index}`),
  );
  return frame('How often each number came', at, [
    ...grounds,
    ...rules(at),
    line(at, mean, 'mean'),
    ...marks,
  ]);
}

/**
 * Draw how many games ago each number last came.
 * @param {Pick<Count, 'number' | 'gap'>[]} counts
 * @param {number} under nearly all gaps are at most this
 * @param {number} games a number that did not come at all is drawn as long as this
 */
export function gapsChart(counts, under, games) {
  /** @param {number | null} gap */
  const far = (gap) => gap ?? games;
  const at = scale(Math.max(under + 1, ...counts.map((each) => far(each.gap))));
  const bars = counts.map(({ number, gap }) => stem(at, number, 0, far(gap)));
  return frame('How many games ago each number last came', at, [
    ground(at, 0, under + 0.5, 'band band-0'),
    ...rules(at),
    ...bars,
  ]);
}

/**
 * @param {string} label
 * @param {Scale} at
 * @param {Child} inside
 */
function frame(label, at, inside) {
  return svg(
    'svg',
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: 'img',
      'aria-label': `${label}. The table below says the same.`,
      class: 'chart',
    },
    inside,
    numbersBelow(at),
  );
}

/**
 * @param {Scale} at
 * @param {number} low
 * @param {number} high
 * @param {string} name
 */
function ground({ y }, low, high, name) {
  const top = y(high);
  return svg('rect', {
    x: LEFT,
    y: top,
    width: WIDTH - LEFT,
    height: Math.max(0, y(low) - top),
    class: name,
  });
}

/**
 * @param {Scale} at
 * @param {number} value
 * @param {string} name
 */
function line({ y }, value, name) {
  return svg('path', { d: `M${LEFT} ${y(value)}H${WIDTH}`, class: name });
}

/** @param {Scale} at */
function rules(at) {
  return at.lines.flatMap((value) => [
    line(at, value, 'rule'),
    svg('text', { x: LEFT - 10, y: at.y(value) + 5, 'text-anchor': 'end', class: 'figure' }, value),
  ]);
}

/**
 * @param {Scale} at
 * @param {number} number
 * @param {number} from
 * @param {number} to
 */
function stem(at, number, from, to) {
  const middle = at.x(number) + at.wide / 2;
  const [low, high] = [at.y(from), at.y(to)];
  return svg(
    'g',
    { class: 'stem' },
    svg('path', { d: `M${middle} ${low}V${high}` }),
    svg('circle', { cx: middle, cy: high, r: 4 }),
    svg('title', {}, `${number}: ${to}`),
  );
}

/** @param {Scale} at */
function numbersBelow(at) {
  const shown = [1, ...Array.from({ length: 16 }, (_, index) => (index + 1) * 5)];
  return shown.map((number) =>
    svg(
      'text',
      { x: at.x(number) + at.wide / 2, y: HEIGHT - 4, 'text-anchor': 'middle', class: 'figure' },
      number,
    ),
  );
}
