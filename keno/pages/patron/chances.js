// Draws the odds of a request: a hundred dots for any award, then each band of awards as a dot on a
// scale on which every line is ten times rarer. The house advantage is always shown.

import { h } from '../shared/dom.js';
import { shortMoney } from '../shared/format.js';

/** @import { Odds, OddsBand, OddsPicture, PriceAnswer } from './types.js' */

const LINES_MIN = 5;

/** How many of 100 games pay: "Of 100 such games about 14 pay". @param {number} count */
export function frequencyWords(count) {
  if (count === 0) return 'Of 100 such games fewer than one pays';
  if (count === 100) return 'Nearly every such game pays';
  return `Of 100 such games about ${count} ${count === 1 ? 'pays' : 'pay'}`;
}

/**
 * A band of awards in words: "$1", "$5 to $95"; the last one "$25,200 and up".
 * @param {Pick<OddsBand, 'low_cents' | 'high_cents'>} band
 * @param {boolean} [last]
 */
export function bandWords({ low_cents: low, high_cents: high }, last) {
  if (low === high) return shortMoney(low);
  return last ? `${shortMoney(low)} and up` : `${shortMoney(low)} to ${shortMoney(high)}`;
}

/**
 * The number of lines of the scale, and the function that places odds on it, in percent.
 * @param {Pick<OddsBand, 'against'>[]} bands
 */
export function oddsScale(bands) {
  const most = Math.max(...bands.map((band) => band.against), 1);
  const lines = Math.max(LINES_MIN, Math.ceil(Math.log10(most + 1)));
  /** @param {number} against */
  const place = (against) => (100 * Math.log10(against + 1)) / lines;
  return { lines, place };
}

/**
 * The house advantage in words: "27.9%"; a least value is rounded down: "at least 28.59%".
 * @param {Odds} odds
 */
export function advantageWords({
  house_advantage_percent: percent,
  house_advantage_at_least: atLeast,
}) {
  if (!atLeast) return `${Number(percent).toFixed(1)}%`;
  const [whole, part = ''] = percent.split('.');
  return `at least ${whole}.${part.slice(0, 2).padEnd(2, '0')}%`;
}

/** The words for odds that are not listed. @param {Pick<Odds, 'house_advantage_at_least'>} odds */
export function intricateWords({ house_advantage_at_least: atLeast }) {
  const exact = atLeast
    ? 'Price and number of ways are exact.'
    : 'Price, number of ways and house advantage are exact.';
  return `This ticket can win in too many different ways to list their odds here. ${exact}`;
}

/**
 * Draw the panel of odds for an answer of /api/price.
 * @param {Pick<PriceAnswer, 'picture' | 'odds'>} answer
 */
export function chancesView({ picture, odds }) {
  if (!odds) return [];
  const kept = h('span', {}, 'House advantage ', h('b', {}, advantageWords(odds)));
  const maximum = odds.maximum && h('p', { class: 'quiet' }, odds.maximum);
  if (!picture) {
    return [
      h('h2', {}, 'Too intricate to list'),
      h('p', { class: 'quiet' }, intricateWords(odds)),
      h('p', { class: 'notes' }, kept),
      maximum,
    ];
  }
  return [
    h('h2', {}, frequencyWords(picture.of_100), h('span', {}, picture.any)),
    dots(picture),
    ladder(picture.bands),
    h('p', { class: 'notes' }, h('span', {}, 'Strong dots: more than a game costs')),
    h('p', { class: 'notes' }, h('span', {}, 'Each line: ten times rarer'), kept),
    maximum,
  ];
}

/** @param {OddsPicture} picture */
function dots({ of_100: pay, more_of_100: more }) {
  const label =
    `${pay} of 100 games ${pay === 1 ? 'pays' : 'pay'} something, ` +
    `${more} of them more than the game costs`;
  const made = Array.from({ length: 100 }, (_, index) =>
    h('i', { class: index < more ? 'more' : index < pay ? 'less' : '' }),
  );
  return h('div', { class: 'dots', role: 'img', 'aria-label': label }, made);
}

/** @param {OddsBand[]} bands */
function ladder(bands) {
  const { lines, place } = oddsScale(bands);
  return h(
    'ul',
    { class: 'ladder', 'aria-label': 'Awards and their odds' },
    bands.map((band, index) => row(band, index, bands.length, lines, place)),
  );
}

/**
 * @param {OddsBand} band
 * @param {number} index
 * @param {number} all
 * @param {number} lines
 * @param {(against: number) => number} place
 */
function row(band, index, all, lines, place) {
  const axis = h('span', { class: 'axis', 'aria-hidden': 'true' });
  for (let line = 0; line <= lines; line += 1) {
    const mark = h('u');
    mark.style.left = `${(100 * line) / lines}%`;
    axis.append(mark);
  }
  const dot = h('s', { class: `band-${Math.round((index * 4) / Math.max(1, all - 1))}` });
  dot.style.left = `${place(band.against)}%`;
  axis.append(dot);
  return h(
    'li',
    {},
    h('b', {}, bandWords(band, index === all - 1)),
    axis,
    h('span', {}, band.odds),
  );
}
