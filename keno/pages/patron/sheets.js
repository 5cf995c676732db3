// The builder's dialogs: worked examples, rate and games, and the code that a writer scans.

import { attribute, h, put, svg } from '../shared/dom.js';
import { count, money } from '../shared/format.js';
import { fromExample, picked, rateOf, stepped, withApart, withGames, withRate } from './draft.js';
import { sheet } from './frame.js';
import { spotRows } from './spots.js';

/**
 * @import { Draft } from './draft.js'
 * @import { Card, RequestCode, Total } from './types.js'
 */

/** @typedef {{draft: () => Draft, change: (next: Draft) => void}} Holder of the draft to change */

/**
 * Open the dialog with an example of every type of ticket; `start` is called with the chosen one.
 * @param {Card} card
 * @param {Draft} draft
 * @param {(draft: Draft) => void} start
 */
export function examplesSheet(card, draft, start) {
  const items = card.examples.map((example) => {
    const { totals } = example;
    const made = fromExample(example, draft);
    const use = () => {
      box.close();
      if (made && totals)
        start(example.quick ? { ...made, groups: [picked(totals[0].spots)] } : made);
    };
    const button =
      totals &&
      h(
        'button',
        { type: 'button', class: 'button small', on: { click: use } },
        example.quick ? 'Let chance pick' : 'Start from this',
      );
    return h(
      'li',
      {},
      h('h3', {}, example.name),
      h('p', { class: 'quiet' }, example.note),
      !example.quick && spotRows(example.request),
      h(
        'p',
        { class: 'sum-line' },
        h('b', {}, example.conditioning.join(', ')),
        h('span', {}, `${example.arithmetic} = ${money(example.price_cents)}`),
      ),
      button,
    );
  });
  const box = sheet('Examples', h('ul', { class: 'examples' }, items));
}

// ---------------------------------------------------------------- rate and games

/**
 * Open the dialog for rate, wager a way and games.
 * @param {Card} card
 * @param {Holder} of
 */
export function termsSheet(card, of) {
  const body = h('div', { class: 'terms-body' });
  const repaint = () => {
    put(body, termsBody(card, of, repaint));
  };
  repaint();
  sheet('Rate and games', body);
}

/**
 * @param {Card} card
 * @param {Holder} of
 * @param {() => void} repaint
 */
function termsBody(card, of, repaint) {
  const draft = of.draft();
  /** @param {Draft} next */
  const set = (next) => {
    of.change(next);
    repaint();
  };
  const several = draft.totals.length > 1;
  const rows =
    draft.apart && several
      ? draft.totals.map((total) => rateRow(card, draft, total, set))
      : [rateRow(card, draft, null, set)];
  const games = h('input', {
    type: 'number',
    min: 1,
    max: card.games_max,
    value: draft.games,
    inputMode: 'numeric',
  });
  games.addEventListener('change', () =>
    set(withGames(of.draft(), Number(games.value), card.games_max)),
  );
  const own = h('input', { type: 'checkbox', checked: draft.apart });
  own.addEventListener('change', () => set(withApart(of.draft(), own.checked)));
  return [
    rows,
    several && h('label', { class: 'own' }, own, 'A rate of its own for each total'),
    stepper(
      'Games',
      games,
      () => set(withGames(of.draft(), draft.games - 1, card.games_max)),
      () => set(withGames(of.draft(), draft.games + 1, card.games_max)),
    ),
    h('p', { class: 'quiet' }, 'One after the other, with the same numbers.'),
  ];
}

/**
 * @param {Card} card
 * @param {Draft} draft
 * @param {Total | null} total
 * @param {(next: Draft) => void} set
 */
function rateRow(card, draft, total, set) {
  const spots = total?.spots ?? null;
  const now = total ?? draft;
  const rate = rateOf(card, now.rate);
  const choice = h(
    'select',
    {},
    card.rates.map((each) =>
      h('option', { value: each.code }, `${each.name}${each.only ? ` (${each.only})` : ''}`),
    ),
  );
  choice.value = now.rate;
  choice.addEventListener('change', () => set(withRate(draft, rateOf(card, choice.value), spots)));
  const limits = { ...rate, min_cents: rate.step_cents };
  const amount = h('output', {}, money(now.wager_cents));
  return [
    h('label', {}, spots ? `Rate for ${count(spots, 'number')}` : 'Rate', choice),
    stepper(
      'A way',
      amount,
      () => set(stepped(draft, -1, limits, spots)),
      () => set(stepped(draft, 1, limits, spots)),
    ),
    h(
      'p',
      { class: 'quiet' },
      `${money(rate.shown_cents)} is what the rate card is printed for. Least: ${rate.minimum}.`,
    ),
  ];
}

/**
 * @param {string} name
 * @param {HTMLElement} field
 * @param {() => void} less
 * @param {() => void} more
 */
function stepper(name, field, less, more) {
  attribute(field, 'aria-label', name);
  return h(
    'div',
    { class: 'stepper' },
    h('span', {}, name),
    h('button', { type: 'button', 'aria-label': `${name}: less`, on: { click: less } }, '–'),
    field,
    h('button', { type: 'button', 'aria-label': `${name}: more`, on: { click: more } }, '+'),
  );
}

// ---------------------------------------------------------------- the code

/** The dark modules of a QR code as one SVG path. Pure. @param {string[]} rows */
export function codePath(rows) {
  return rows
    .flatMap((row, y) =>
      [...row.matchAll(/1+/g)].map(
        (run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`,
      ),
    )
    .join('');
}

/**
 * The address of the paper form with this request written in.
 * @param {string} place
 * @param {string} text
 */
export function formAddress(place, text) {
  return `/request.pdf?${new URLSearchParams({ location: place, text })}`;
}

/**
 * Open the dialog with the request's QR code and a link to its paper form.
 * @param {string} place
 * @param {RequestCode} code
 */
export function codeSheet(place, { text, rows, price_cents: cents }) {
  const size = rows.length;
  const picture = svg(
    'svg',
    {
      viewBox: `-4 -4 ${size + 8} ${size + 8}`,
      class: 'qr',
      role: 'img',
      'aria-label': 'Code for the keno writer',
      'shape-rendering': 'crispEdges',
    },
    svg('rect', { x: -4, y: -4, width: size + 8, height: size + 8, fill: '#fff' }),
    svg('path', { d: codePath(rows), fill: '#000' }),
  );
  sheet(
    'Show this to a writer',
    picture,
    h('p', { class: 'code-text code' }, text),
    h(
      'p',
      { class: 'quiet' },
      `The writer scans it, reads it back to you and takes ${money(cents)}. ` +
        'Only the ticket you get then is a wager.',
    ),
    h(
      'a',
      { class: 'button small', href: formAddress(place, text) },
      'Print the filled-in form instead',
    ),
  );
}
