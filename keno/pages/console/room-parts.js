// Small parts that the tabs share: a choice among few, a key that can be copied, coloured words, a
// tooltip, and repainting without losing focus.

import { attribute, h, put } from '../shared/dom.js';
import { short } from './room-words.js';

/** @import { Child } from '../shared/types.js' */
/** @import { SessionLocation, Session, Stay, Toned } from './types.js' */

/**
 * Draw a word in the colour of its tone: jade, ember, stop, sky, lamp or quiet.
 * @param {Toned} said
 */
export function toned({ tone, word }) {
  return h('span', { class: 'toned', data: { tone } }, word);
}

/**
 * Create a choice among few options as buttons side by side; nothing if there is no choice.
 * @param {string} label
 * @param {[string, string][]} options
 * @param {string} value
 * @param {(value: string) => void} changed
 */
export function pick(label, options, value, changed) {
  const buttons = options.map(([key, words]) =>
    h(
      'button',
      {
        type: 'button',
        class: 'pick',
        data: { keep: `pick-${label}-${key}` },
        'aria-pressed': String(key === value),
        on: { click: () => choose(key) },
      },
      words,
    ),
  );
  /** @param {string} key */
  const choose = (key) => {
    buttons.forEach((each, at) => attribute(each, 'aria-pressed', String(options[at][0] === key)));
    changed(key);
  };
  return h(
    'div',
    { class: 'picks', role: 'group', 'aria-label': label, hidden: options.length < 2 },
    buttons,
  );
}

/** The locations of the house, sorted by letter. @param {Session} session */
export function placesOf(session) {
  return [...session.locations].sort((one, other) => (one.letter < other.letter ? -1 : 1));
}

/**
 * Create a choice among the locations, as `pick` does.
 * @param {Session} session
 * @param {string} value
 * @param {(location: string) => void} changed
 */
export function pickPlace(session, value, changed) {
  return pick(
    'Location',
    placesOf(session).map((each) => [each.location, each.name]),
    value,
    changed,
  );
}

/**
 * The location that was chosen last, or the first.
 * @param {Session} session
 * @param {Pick<Stay, 'location'>} stay
 * @returns {SessionLocation}
 */
export function placeOf(session, stay) {
  const places = placesOf(session);
  return (
    places.find((each) => each.location === stay.location) ??
    places[0] ?? { location: '', letter: '?', name: 'No location', zone: undefined }
  );
}

/**
 * Draw a shortened key or digest; pressing it copies all of it.
 * @param {string | null} hex
 * @param {string} what
 */
export function copyable(hex, what) {
  if (!hex) return h('span', { class: 'quiet' }, 'not known');
  const shown = h('span', { class: 'code' }, short(hex));
  const said = h('span', { role: 'status', class: 'copied' });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(hex);
      put(said, 'Copied');
    } catch {
      put(shown, hex);
      getSelection()?.selectAllChildren(shown);
    }
    setTimeout(() => put(said), 2_000);
  };
  return h(
    'span',
    { class: 'copyable' },
    said,
    h(
      'button',
      {
        type: 'button',
        title: hex,
        data: { keep: `copy-${what}` },
        'aria-label': `${what} ${short(hex)}: copy`,
        on: { click: copy },
      },
      shown,
    ),
  );
}

/**
 * Create the page's tooltip, which appears beside the element that is pointed at or focused.
 * @param {HTMLElement} page
 */
export function tips(page) {
  const tip = h('div', { class: 'tip', role: 'tooltip', hidden: true });
  /** @param {Event} event */
  const show = ({ target }) => {
    /** @type {HTMLElement | null} */
    const of = target instanceof Element ? target.closest('[data-tip]') : null;
    tip.hidden = !of;
    if (!of) return;
    put(tip, of.dataset.tip);
    const at = of.getBoundingClientRect();
    const [wide, high] = [tip.offsetWidth, tip.offsetHeight];
    const below = at.bottom + 8 + high < innerHeight;
    tip.style.setProperty('left', `${Math.max(8, Math.min(at.left, innerWidth - wide - 8))}px`);
    tip.style.setProperty('top', `${below ? at.bottom + 8 : at.top - high - 8}px`);
  };
  const hide = () => (tip.hidden = true);
  for (const type of ['pointerover', 'focusin']) page.addEventListener(type, show);
  for (const type of ['pointerleave', 'focusout', 'scroll'])
    page.addEventListener(type, hide, true);
  page.addEventListener('keydown', (event) => event.key === 'Escape' && hide());
  return tip;
}

/**
 * Replace the children of an element; the element with the same `data-keep` gets the focus back,
 * and what was unfolded stays so.
 * @param {HTMLElement} element
 * @param {...Child} children
 */
export function repaint(element, ...children) {
  const focused = document.activeElement;
  const had =
    focused instanceof HTMLElement && element.contains(focused) ? focused.dataset.keep : null;
  /** @returns {NodeListOf<HTMLElement>} */
  const kept = () => element.querySelectorAll('[data-keep]');
  const open = new Set(
    [...kept()]
      .filter((each) => each instanceof HTMLDetailsElement && each.open)
      .map((each) => each.dataset.keep),
  );
  put(element, ...children);
  for (const each of kept()) {
    if (had && each.dataset.keep === had) each.focus({ preventScroll: true });
    if (each instanceof HTMLDetailsElement && open.has(each.dataset.keep)) each.open = true;
  }
}
