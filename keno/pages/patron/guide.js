// The page of the gaming guide: the same words as on paper, with the limits of the card in force.

import { h, put } from '../shared/dom.js';
import { money } from '../shared/format.js';
import { ask, wordsFor } from './ask.js';
import { bar, foot, page, placeChoice, places, trouble } from './frame.js';
import { spotRows } from './spots.js';

/**
 * @import { Child } from '../shared/types.js'
 * @import { Example, Guide, Run } from './types.js'
 */

async function start() {
  const where = await places();
  const at = encodeURIComponent(where.here.location);
  /** @type {Guide} */
  const guide = await ask(`/api/guide?location=${at}`);
  bar('A guide to keno', h('span', { class: 'aside' }, `Card ${guide.version}`));
  put(
    page,
    placeChoice(where),
    guide.sections.map((section) =>
      h(
        'section',
        {},
        h('h2', {}, section.title),
        section.parts.map((part) => PARTS[part.kind]?.(part.runs ?? [], guide)),
      ),
    ),
    h(
      'p',
      { class: 'quiet' },
      'The rules abridged. The whole rules are N.J.A.C. 19:47-15; ask for them at the booth.',
    ),
    h('a', { class: 'button', href: `/guide.pdf?location=${at}` }, 'The guide as PDF'),
    foot(),
  );
}

/** @param {Run[]} runs */
const words = (runs) => runs.map((run) => (run.strong ? h('b', {}, run.text) : run.text));

/**
 * How the parts of a section are drawn, by kind.
 * @type {Record<string, (runs: Run[], guide: Guide) => Child>}
 */
const PARTS = {
  text: (runs) => h('p', {}, words(runs)),
  step: (runs) => h('p', { class: 'step' }, words(runs)),
  picture: () => null,
  tickets: (_, guide) => h('ul', { class: 'kinds' }, guide.examples.map(kind)),
  chances: (_, guide) => chances(guide),
};

/** @param {Example} example */
function kind(example) {
  return h(
    'li',
    {},
    h('h3', {}, example.name),
    h('p', {}, example.note),
    !example.quick && spotRows(example.request),
    h(
      'p',
      { class: 'sum-line' },
      h('b', {}, example.conditioning.join(', ')),
      h('span', {}, `${example.arithmetic} = ${money(example.price_cents)}`),
    ),
  );
}

/** @param {Guide} guide */
function chances(guide) {
  return h(
    'table',
    { class: 'awards' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        ['Spots', 'Any award', 'All caught', `${money(guide.shown_cents)} then pays`].map((name) =>
          h('th', { scope: 'col' }, name),
        ),
      ),
    ),
    h(
      'tbody',
      {},
      guide.chances.map((row) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, row.spots),
          h('td', {}, row.any),
          h('td', {}, row.all),
          h('td', {}, h('b', {}, money(row.award_cents))),
        ),
      ),
    ),
  );
}

start().catch((error) => trouble(wordsFor(error)));
