// Draws the builder's page from a draft and the server's answer: tabs, grid, chips, price, chances.

import { attribute, h, put } from '../shared/dom.js';
import { money } from '../shared/format.js';
import { drawShape, groupName, letterOf } from '../shared/shapes.js';
import { chancesView } from './chances.js';
import { GROUPS_MAX, KINGS, marks, spotsMarked } from './draft.js';

/**
 * @import { GridElement } from '../shared/types.js'
 * @import { Draft } from './draft.js'
 * @import { BuildActs, PriceAnswer } from './types.js'
 */

/** @typedef {ReturnType<typeof buildView>} BuildView */
/** @typedef {Pick<BuildActs, 'digital' | 'go' | 'newGroup' | 'total'>} PaintActs */

/** Create the parts of the builder's page. @param {BuildActs} acts */
export function buildView(acts) {
  const tabs = h('div', { class: 'tabs', role: 'group', 'aria-label': 'Groups' });
  const grid = h('keno-grid', { touch: '' });
  grid.addEventListener('pick', (event) => acts.pick(event.detail.number));
  loupe(grid);
  const chips = h('div', {
    class: 'chips',
    role: 'group',
    'aria-label': 'Ways to play: how many ways of how many numbers',
  });
  const price = h('p', { class: 'price' });
  const terms = h('button', { type: 'button', class: 'terms', on: { click: acts.terms } });
  const said = h('p', { class: 'standing', role: 'status' });
  const chances = h('section', { class: 'panel chances', 'aria-label': 'Chances' });
  const show = h('button', { type: 'button', class: 'button go', on: { click: acts.show } });
  const left = h('div', { class: 'left' }, tabs, grid, chips);
  const right = h(
    'div',
    { class: 'right' },
    h(
      'div',
      { class: 'money' },
      terms,
      h('div', { class: 'total' }, h('span', { class: 'label' }, 'Price'), price),
    ),
    said,
    chances,
    h(
      'div',
      { class: 'cta' },
      show,
      h('p', { class: 'sells-nothing' }, 'Nothing is sold here. You wager at the booth.'),
    ),
  );
  const root = h('div', { class: 'builder' }, left, right);
  return { root, tabs, grid, chips, price, terms, said, chances, show };
}

/**
 * Paint a draft and the server's last answer about it.
 * @param {BuildView} view
 * @param {Draft} draft
 * @param {PriceAnswer | null} answer
 * @param {PaintActs} acts
 */
export function paint(view, draft, answer, acts) {
  paintTabs(view.tabs, draft, acts);
  view.grid.show({ marks: marks(draft) });
  paintChips(view.chips, draft, answer, acts);
  const priced = answer?.price_cents ?? null;
  put(view.price, priced === null ? '–' : money(priced));
  view.price.style.fontSize = `${priceSize(money(priced ?? 0))}px`;
  put(
    view.terms,
    h('span', { class: 'label' }, 'Ways, rate, games'),
    h('span', { class: 'sum' }, sum(draft, answer)),
    h('span', { class: 'for-readers' }, 'Change'),
  );
  put(view.said, nextStep(draft, answer));
  view.chances.hidden = !answer?.odds;
  if (answer?.odds) put(view.chances, chancesView(answer));
  view.show.disabled = priced === null;
  put(view.show, acts.digital ? 'Show the code to a writer' : 'Print the filled-in form');
}

/** Type size in px at which a price fits beside its terms. @param {string} text */
export function priceSize(text) {
  return Math.min(46, Math.floor(172 / (text.length * 0.5)));
}

/**
 * The sentence on what is still to do, or why the draft cannot be played; '' if neither.
 * @param {Pick<Draft, 'groups' | 'kings'>} draft
 * @param {Pick<PriceAnswer, 'choices' | 'why_not'> | null} answer
 */
export function nextStep(draft, answer) {
  if (!spotsMarked(draft)) return 'Pick your numbers. Examples show what can be played.';
  if (!answer) return '';
  if (answer.why_not?.code === 'no_conditioning')
    return answer.choices.length
      ? 'Choose what to play: 3/8 is three ways of eight numbers.'
      : 'No rate of the card pays these groups.';
  return answer.why_not?.message ?? '';
}

/**
 * @param {HTMLElement} tabs
 * @param {Draft} draft
 * @param {PaintActs} acts
 */
function paintTabs(tabs, draft, acts) {
  const groups = draft.groups.map((group, index) =>
    tab(letterOf(index), group.length, draft.at === index, () => acts.go(index)),
  );
  const kings = tab(KINGS, draft.kings.length, draft.at === KINGS, () => acts.go(KINGS));
  const full = draft.groups.length >= GROUPS_MAX;
  const add = h(
    'button',
    {
      type: 'button',
      class: 'tab add',
      'aria-label': 'New group',
      disabled: full,
      on: { click: acts.newGroup },
    },
    '+',
  );
  put(tabs, groups, kings, add);
}

/**
 * @param {string} letter
 * @param {number} size
 * @param {boolean} on
 * @param {() => void} go
 */
function tab(letter, size, on, go) {
  const made = h(
    'button',
    {
      type: 'button',
      class: 'tab',
      'aria-pressed': on ? 'true' : 'false',
      data: { letter },
      on: { click: go },
    },
    drawShape(letter, { text: letter === KINGS ? '' : letter, size: 22, type: 58, weight: 700 }),
    h('span', { class: 'for-readers' }, `${groupName(letter)}, `),
    size,
    h('span', { class: 'for-readers' }, size === 1 ? ' number' : ' numbers'),
  );
  return made;
}

/**
 * @param {HTMLElement} chips
 * @param {Draft} draft
 * @param {PriceAnswer | null} answer
 * @param {PaintActs} acts
 */
function paintChips(chips, draft, answer, acts) {
  const chosen = new Set(draft.totals.map((total) => total.spots));
  const made = (answer?.choices ?? []).map(({ spots, ways }) => {
    const of = spots === 1 ? 'number' : 'numbers';
    const name = `${ways} ${ways === 1 ? 'way' : 'ways'} of ${spots} ${of}`;
    const on = chosen.has(spots) ? 'true' : 'false';
    return h(
      'button',
      {
        type: 'button',
        class: 'chip',
        'aria-pressed': on,
        data: { spots },
        on: { click: () => acts.total(spots) },
      },
      h('span', { 'aria-hidden': 'true' }, `${ways}/${spots}`),
      h('span', { class: 'for-readers' }, name),
    );
  });
  const chip = document.activeElement?.closest('.chip');
  const focus = chip instanceof HTMLElement ? chip.dataset.spots : '';
  put(chips, made);
  if (focus) made.find((chip) => chip.dataset.spots === focus)?.focus();
  attribute(chips, 'data-many', made.length > 8 ? 'yes' : 'no');
}

/**
 * @param {Draft} draft
 * @param {PriceAnswer | null} answer
 */
function sum(draft, answer) {
  const times = () => h('i', {}, '×');
  const games = draft.games;
  if (draft.apart && answer?.game_cents) return [money(answer.game_cents), times(), games];
  return [answer?.ways ?? '–', times(), money(draft.wager_cents), times(), games];
}

/** Show a number larger above the finger that presses it. @param {GridElement} grid */
function loupe(grid) {
  /** @type {HTMLElement | null} */
  let glass = null;
  const away = () => {
    glass?.remove();
    glass = null;
  };
  grid.addEventListener('pointerdown', (event) => {
    away();
    const tile = event.target instanceof Element && event.target.closest('.grid-tile');
    if (!(tile instanceof HTMLElement) || event.pointerType === 'mouse') return;
    const { left, width, top } = tile.getBoundingClientRect();
    glass = h('div', { class: 'loupe', 'aria-hidden': 'true' }, tile.dataset.number);
    glass.style.left = `${left + width / 2}px`;
    glass.style.top = `${top - 12}px`;
    document.body.append(glass);
  });
  for (const end of ['pointerup', 'pointercancel', 'pointerleave'])
    grid.addEventListener(end, away);
}
