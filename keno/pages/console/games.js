// The games tab: the guide for irregular games, halts, papers, and declaring a game void.

import { h, put } from '../shared/dom.js';
import { panel } from './frame.js';
import { MATTERS, matter } from './games-guide.js';
import { declareVoid } from './games-declare.js';
import { halts } from './games-halts.js';
import { keyPaper } from './games-paper.js';

/** @import { Matter } from './games-guide.js' */
/** @typedef {(id: string) => void} Show shows a matter, or the void */
/** @import { Tab, View } from './types.js' */

/** The parts of the tab by id: [their words, the function that draws them]. */
/** @type {Record<string, [string, typeof declareVoid]>} */
const ACTS = {
  void: ['Declare a game void', declareVoid],
  halts: ['Halts, and going on', halts],
  paper_keyed: ['Key a paper', keyPaper],
};
/** @type {Record<string, string>} */
const TABS = {
  floor: 'Open the floor',
  room: 'Open the RNG room',
  tickets: 'Open tickets',
  reports: 'Open reports',
};

/** @type {Tab} */
export const tab = {
  id: 'games',
  name: 'Games',
  roles: ['supervisor', 'manager', 'inspector'],
  open,
};

/** @param {View} view */
function open(view) {
  const { page, stay } = view;
  const right = h('div', { class: 'guide-page' });
  const list = h('nav', { class: 'guide-list', 'aria-label': 'What is the matter' });
  page.append(h('div', { class: 'side-by-side' }, list, right));
  /** @type {(() => void) | null} */
  let leave = null;

  /** @param {string} id */
  const show = (id) => {
    stay.matter = id;
    leave?.();
    leave = null;
    put(
      list,
      h('h2', {}, 'What is the matter?'),
      MATTERS.map((each) => entry(each.id, each.name)),
      h('h2', {}, 'The last resort'),
      Object.entries(ACTS).map(([act, [words]]) => entry(act, words)),
    );
    if (ACTS[id]) {
      put(right);
      leave = ACTS[id][1](right, view);
    } else put(right, guide(matter(id) ?? MATTERS[0], show));
  };
  /** @param {string} id @param {string} words */
  const entry = (id, words) => {
    const choose = () => {
      show(id);
      /** @type {HTMLElement | null} */
      const chosen = list.querySelector('[aria-current]');
      chosen?.focus();
    };
    return h(
      'button',
      {
        type: 'button',
        class: 'guide-entry',
        'aria-current': id === stay.matter ? 'true' : null,
        on: { click: choose },
      },
      words,
    );
  };
  show(stay.matter ?? MATTERS[0].id);
  return () => leave?.();
}

/**
 * @param {Matter} of
 * @param {Show} show
 */
function guide(of, show) {
  return panel(
    of.name,
    { class: 'guide' },
    h('h3', {}, 'The rule'),
    h('p', { class: 'guide-rule' }, of.rule),
    h('h3', {}, 'What the system does by itself'),
    h(
      'ul',
      { class: 'sentences' },
      of.system.map((each) => h('li', {}, coded(each))),
    ),
    h('h3', {}, 'What you do now'),
    h(
      'ol',
      { class: 'steps' },
      of.next.map((each, at) => step(each, at, show)),
    ),
  );
}

/**
 * @param {Matter['next'][number]} of
 * @param {number} at
 * @param {Show} show
 */
function step(of, at, show) {
  const { words, tab: id = '', open: what = '' } = typeof of === 'string' ? { words: of } : of;
  const link = what
    ? h(
        'button',
        { type: 'button', class: 'button', on: { click: () => show(what) } },
        ACTS[what][0],
      )
    : id && h('a', { class: 'button', href: `/supervisor/${id}` }, TABS[id]);
  return h(
    'li',
    {},
    h('span', { class: 'step-number', 'aria-hidden': 'true' }, at + 1),
    h('p', {}, coded(words)),
    link,
  );
}

/** Draw words, with the commands between backquotes as code. @param {string} words */
function coded(words) {
  return words
    .split('`')
    .map((each, at) => (at % 2 ? h('span', { class: 'code command' }, each) : each));
}
