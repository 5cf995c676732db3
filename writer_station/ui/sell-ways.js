// The ways panel: every way drawn as its groups, the odds when they are known, one line on how the
// ticket stands, and at the bottom the tray of buttons that belong to the field being typed.

import { h, put, say, svg } from '../../keno/pages/shared/dom.js';
import { count, money } from '../../keno/pages/shared/format.js';
import { drawShape } from '../../keno/pages/shared/shapes.js';
import { isEmpty } from './sell-draft.js';

const COLUMNS_MAX = 6;

/** The groups that occur in the rows, in order. */
export function columns(rows) {
  const seen = new Set(rows.flatMap((row) => row.members));
  const kings = [...seen]
    .filter((name) => /^K\d/.test(name))
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  const groups = [...seen].filter((name) => !/^K\d/.test(name));
  const order = (name) => (name < 'a' ? name.charCodeAt(0) : 100 + name.charCodeAt(0));
  return [...groups.sort((a, b) => order(a) - order(b)), ...kings];
}

/** How the ticket stands, in a sentence and its kind. */
export function standing(draft, answer, { game }) {
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
  if (answer.changed && !draft.origin.change_confirmed && draft.origin.kind === 'previous')
    return ['look', 'Changed: the patron marks it on the old ticket'];
  if (!game) return ['look', 'Ready, but no game is open'];
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

/** Odds that are too long for a row in words: "3.54 quintillion to 1". */
export function shortOdds(text) {
  const groups = text.split(' ')[0].split(',');
  if (groups.length < 5 || groups.length > LARGE.length) return text;
  return `${groups[0]}.${groups[1].slice(0, groups[0].length > 1 ? 1 : 2)} ${LARGE[groups.length - 1]} to 1`;
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

  let painted = [];

  /** Paint what changed: most keys change nothing here until the station has answered. */
  function render(draft, answer, known, context) {
    const [kind, words] = standing(draft, answer, context);
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
    if (rows.length)
      put(
        table,
        paintRows(rows),
        answer.more
          ? h('p', { class: 'ways-more' }, `and ${count(answer.more, 'more way')}`)
          : null,
      );
    else put(table, invitation(draft));
    paintOdds(answer?.sellable ? known : null, answer);
    state.dataset.kind = kind;
    put(state, kind === 'good' && check(), h('span', {}, words));
  }

  function paintOdds(known, answer) {
    odds.hidden = !known;
    if (!known) return;
    const line = (what, award, to, strong = '') =>
      h(
        'div',
        { class: `odds-row ${strong}` },
        h('span', {}, what),
        h('span', { class: 'odds-award' }, award),
        h('span', { class: 'odds-to' }, to),
      );
    const rows = known.rows.slice(0, answer.rows.length > 4 ? 2 : 4);
    put(
      odds,
      rows.map((row) =>
        line(row.what, money(row.award_cents).replace(/\.00$/, ''), shortOdds(row.odds)),
      ),
      known.any && line('Any award', '', known.any, 'odds-any'),
      known.maximum &&
        h(
          'div',
          { class: 'odds-row odds-maximum', title: known.maximum },
          h('span', {}, 'One game'),
          h('span', { class: 'odds-award' }, money(known.maximum_cents).replace(/\.00$/, '')),
          h('span', { class: 'odds-to' }, 'at most in all'),
        ),
    );
  }

  return { element, tray, render };
}

function paintRows(rows) {
  const names = columns(rows);
  const wide = names.length > COLUMNS_MAX;
  return rows.map((row, index) => {
    const cells = wide
      ? row.members.map((name) => shape(name, 22))
      : names.map((name) =>
          row.members.includes(name) ? shape(name, 28) : h('i', { class: 'pip' }),
        );
    const words = `${row.label ? `${row.label}: ` : ''}${row.members.join(' ')}, ${count(row.spots, 'spot')}`;
    return h(
      'div',
      { class: `way${row.label && index ? ' way-first' : ''}`, role: 'img', 'aria-label': words },
      h('span', { class: 'way-label' }, row.label),
      h('span', { class: `way-groups${wide ? ' way-wide' : ''}` }, cells),
      h('span', { class: 'way-spots' }, count(row.spots, 'spot')),
    );
  });
}

function shape(name, size) {
  const king = /^K\d/.test(name);
  return drawShape(king ? 'K' : name, {
    text: king ? (name === 'K1' ? '' : name.slice(1)) : name,
    size,
    type: 56,
  });
}

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
