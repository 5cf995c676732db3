// The rate card's page: for a rate and a number of spots, what each catch pays and its odds.

import { h, put } from '../shared/dom.js';
import { money } from '../shared/format.js';
import { ask, wordsFor } from './ask.js';
import { rateOf } from './draft.js';
import { bar, foot, page, placeChoice, places, trouble } from './frame.js';

/** @import { Card, Pays, Rate } from './types.js' */

const SPOTS_FIRST = 8;

async function start() {
  const where = await places();
  const at = encodeURIComponent(where.here.location);
  /** @type {Card} */
  const card = await ask(`/api/card?location=${at}`);
  bar('Rate card', h('span', { class: 'aside' }, `Card ${card.version}`));
  let rate = rateOf(card, card.default_rate);
  let spots = SPOTS_FIRST;
  const rates = h('div', { class: 'chips', role: 'group', 'aria-label': 'Rate' });
  const counts = h('div', { class: 'chips', role: 'group', 'aria-label': 'Numbers on a way' });
  const table = h('section', { class: 'panel', 'aria-live': 'polite' });

  function show() {
    const pays = rate.pays.find((each) => each.spots === spots) ?? rate.pays[0];
    spots = pays.spots;
    put(
      rates,
      card.rates.map((each) =>
        chip(
          each.name + (each.mark ? ` (${each.mark})` : ''),
          each === rate,
          () => ((rate = each), show()),
        ),
      ),
    );
    put(
      counts,
      rate.pays.map((each) =>
        chip(each.spots, each.spots === spots, () => ((spots = each.spots), show())),
      ),
    );
    put(table, awards(card, rate, pays));
  }

  show();
  put(
    page,
    placeChoice(where),
    h('h2', {}, 'Rate'),
    rates,
    h('h2', {}, 'Numbers on a way'),
    counts,
    table,
    h('h2', {}, 'Limits'),
    h(
      'dl',
      { class: 'limits' },
      card.limits.map(({ what, words }) => [h('dt', {}, what), h('dd', {}, words)]),
    ),
    h('h2', {}, 'The maximum, claims, refunds'),
    card.rules.map((words) => h('p', {}, words)),
    h('a', { class: 'button', href: `/ratecard.pdf?location=${at}` }, 'The whole card as PDF'),
    foot(),
  );
}

/**
 * @param {string | number} name
 * @param {boolean} on
 * @param {() => void} choose
 */
function chip(name, on, choose) {
  return h(
    'button',
    { type: 'button', class: 'chip', 'aria-pressed': on ? 'true' : 'false', on: { click: choose } },
    name,
  );
}

/**
 * @param {Card} card
 * @param {Rate} rate
 * @param {Pays} pays
 */
function awards(card, rate, { spots, advantage, awards: rows }) {
  return [
    h(
      'table',
      { class: 'awards' },
      h(
        'caption',
        {},
        `${spots} ${spots === 1 ? 'number' : 'numbers'}, ${money(rate.shown_cents)} a way`,
      ),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['Catch', 'Pays', 'Odds'].map((name) => h('th', { scope: 'col' }, name)),
        ),
      ),
      h(
        'tbody',
        {},
        rows.map(({ catch: caught, cents }) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, caught),
            h('td', {}, h('b', {}, money(cents))),
            h('td', {}, card.odds[spots][caught]),
          ),
        ),
      ),
    ),
    h(
      'p',
      { class: 'notes' },
      h('span', {}, `Least a way: ${rate.minimum}${rate.only ? `; ${rate.only}` : ''}`),
    ),
    h('p', { class: 'notes' }, h('span', {}, 'House advantage'), h('b', {}, `${advantage}%`)),
  ];
}

start().catch((error) => trouble(wordsFor(error)));
