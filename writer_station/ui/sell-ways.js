// Draws the ways panel: each way as its groups, the odds once they are known, a line on what the
// draft still needs, and the tray at the bottom.

import { h, put, say, svg } from '../../keno/pages/shared/dom.js';
import { count, shortMoney } from '../../keno/pages/shared/format.js';
import { drawShape } from '../../keno/pages/shared/shapes.js';
import { isEmpty } from './sell-draft.js';

/**
 * @import { Props } from '../../keno/pages/shared/types.js'
 * @import { Draft } from './sell-draft.js'
 * @import { DraftAnswer, Odds, WayRow } from './types.js'
 */

const COLUMNS_MAX = 6;

/** The groups and then the kings that occur in the rows. @param {Pick<WayRow, 'members'>[]} rows */
export function columns(rows) {
  const seen = new Set(rows.flatMap((row) => row.members));
  const kings = [...seen]
    .filter((name) => /^K\d/.test(name))
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  const groups = [...seen].filter((name) => !/^K\d/.test(name));
  /** @param {string} name */
  const order = (name) => (name < 'a' ? name.charCodeAt(0) : 100 + name.charCodeAt(0));
  return [...groups.sort((a, b) => order(a) - order(b)), ...kings];
}

/**
 * Kind and sentence on whether the draft can be sold or what it still needs.
 * @param {Draft} draft
 * @param {Pick<DraftAnswer, 'faults' | 'missing' | 'sellable' | 'changed' | 'ways'> | null} answer
 * @param {boolean} gameOpen
 * @returns {[kind: string, words: string]}
 */
export function readiness(draft, answer, gameOpen) {
  if (!answer) return ['', ''];
  if (answer.faults.length)
    return [
      'no',
      answer.faults.length > 1
        ? `${answer.faults.length} things to put right`
        : 'One thing to put right, marked in the line',
    ];
  if (answer.missing) return ['', answer.missing];
  if (!answer.sellable) return ['', ''];
  if (answer.changed && draft.origin.kind === 'previous' && !draft.origin.change_confirmed)
    return ['look', 'Changed: the patron marks it on the old ticket'];
  if (!gameOpen) return ['look', 'Ready, but no game is open'];
  if (draft.quick !== null) return ['good', 'The system chooses when it is sold'];
  return ['good', answer.ways > 1 ? 'Every set counted, every group used' : 'Ready to print'];
}

const LARGE = [
  '',
  'thousand',
  'million',
  'billion',
  'trillion',
  'quadrillion',
  'quintillion',
  'sextillion',
];

/** Odds with a large number in words: "3.54 quintillion to 1". @param {string} text */
export function shortOdds(text) {
  const groups = text.split(' ')[0].split(',');
  if (groups.length < 5 || groups.length > LARGE.length) return text;
  const decimals = groups[1].slice(0, groups[0].length > 1 ? 1 : 2);
  return `${groups[0]}.${decimals} ${LARGE[groups.length - 1]} to 1`;
}

export function createWays() {
  const type = h('span', { class: 'ways-type' });
  const number = h('span', { class: 'ways-count' });
  const word = h('span', { class: 'ways-word' });
  const table = h('div', { class: 'ways-rows', role: 'group', 'aria-label': 'Each way' });
  const odds = h('div', { class: 'ways-odds' });
  const state = h('p', { class: 'ways-standing' });
  const tray = h('div', { class: 'tray' });
  const element = h(
    'section',
    { class: 'panel waypanel', 'aria-label': 'Ways' },
    h('div', { class: 'ways-head' }, type, h('span', {}, number, ' ', word)),
    table,
    h('div', { class: 'ways-foot' }, odds, state),
    tray,
  );

  /** @type {unknown[]} */
  let painted = [];

  /**
   * Draw the panel if anything that it shows has changed.
   * @param {Draft} draft
   * @param {DraftAnswer | null} answer
   * @param {Odds | null} known
   * @param {boolean} gameOpen
   */
  function render(draft, answer, known, gameOpen) {
    const [kind, words] = readiness(draft, answer, gameOpen);
    const now = [answer, known, kind, words, draft.quick !== null, isEmpty(draft)];
    if (now.every((each, index) => each === painted[index]) && painted.length) return;
    painted = now;
    const rows = draft.quick === null ? (answer?.rows ?? []) : [];
    say(
      type,
      answer?.type ||
        (draft.quick !== null ? 'Quick-pick' : isEmpty(draft) ? 'New ticket' : 'Ticket'),
    );
    say(number, answer?.ways ? answer.ways.toLocaleString('en-US') : '');
    say(word, answer?.ways ? (answer.ways === 1 ? 'way' : 'ways') : '');
    element.dataset.rows = rows.length > 2 ? 'many' : 'few';
    table.tabIndex = rows.length > 2 ? 0 : -1; // what may scroll can be reached by keys
    const more = answer?.more ?? 0;
    if (rows.length)
      put(
        table,
        paintRows(rows),
        more ? h('p', { class: 'ways-more' }, `and ${count(more, 'more way')}`) : null,
      );
    else put(table, invitation(draft));
    odds.hidden = !(answer?.sellable && known);
    if (answer?.sellable && known) put(odds, oddsRows(known, answer.rows.length > 4 ? 2 : 4));
    state.dataset.kind = kind;
    put(state, kind === 'good' && check(), h('span', {}, words));
  }

  return { element, tray, render };
}

/**
 * @param {Odds} known
 * @param {number} most the most rows of awards
 */
function oddsRows(known, most) {
  return [
    known.rows
      .slice(0, most)
      .map((row) => oddsRow(row.what, shortMoney(row.award_cents), shortOdds(row.odds))),
    known.any && oddsRow('Any award', '', known.any, { class: 'odds-row odds-any' }),
    known.maximum &&
      oddsRow('One game', shortMoney(known.maximum_cents), 'at most in all', {
        class: 'odds-row odds-maximum',
        title: known.maximum,
      }),
  ];
}

/**
 * @param {string} what
 * @param {string} award
 * @param {string} to
 * @param {Props} [props]
 */
function oddsRow(what, award, to, props = { class: 'odds-row' }) {
  return h(
    'div',
    props,
    h('span', {}, what),
    h('span', { class: 'odds-award' }, award),
    h('span', { class: 'odds-to' }, to),
  );
}

/** @param {WayRow[]} rows */
function paintRows(rows) {
  const names = columns(rows);
  const wide = names.length > COLUMNS_MAX;
  return rows.map((row, index) => {
    const cells = wide
      ? row.members.map((name) => shape(name, 22))
      : names.map((name) =>
          row.members.includes(name) ? shape(name, 28) : h('i', { class: 'pip' }),
        );
    const label = row.label ? `${row.label}: ` : '';
    const words = `${label}${row.members.join(' ')}, ${count(row.spots, 'spot')}`;
    return h(
      'div',
      { class: `way${row.label && index ? ' way-first' : ''}`, role: 'img', 'aria-label': words },
      h('span', { class: 'way-label' }, row.label),
      h('span', { class: `way-groups${wide ? ' way-wide' : ''}` }, cells),
      h('span', { class: 'way-spots' }, count(row.spots, 'spot')),
    );
  });
}

/**
 * @param {string} name
 * @param {number} size
 */
function shape(name, size) {
  const king = /^K\d/.test(name);
  return drawShape(king ? 'K' : name, {
    text: king ? (name === 'K1' ? '' : name.slice(1)) : name,
    size,
    type: 56,
  });
}

/** @param {Draft} draft */
function invitation(draft) {
  if (draft.quick !== null)
    return h(
      'p',
      { class: 'ways-invite' },
      h('b', {}, 'How many spots?'),
      'Type 1 to 20, or touch a number below.',
    );
  if (draft.groups.flat().length || draft.kings.length) return null;
  return h(
    'p',
    { class: 'ways-invite' },
    h('b', {}, 'Type, touch or scan'),
    'Two digits make a number. Enter ends the group, Enter again prints.',
  );
}

function check() {
  return svg(
    'svg',
    {
      width: 18,
      height: 18,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 3.4,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
      'aria-hidden': 'true',
    },
    svg('path', { d: 'M4 13l5 5L20 6' }),
  );
}
