// The frame of every patron's page: bar, NO VALUE band, choice of a location, foot.

import { attribute, h, put } from '../shared/dom.js';
import { openSheet } from '../shared/sheet.js';
import { ask } from './ask.js';

/**
 * @import { Child } from '../shared/types.js'
 * @import { Place, Places } from './types.js'
 */

/** The element that a page draws into; undefined in node. */
export const page = /** @type {HTMLElement} */ (globalThis.document?.getElementById('page'));

/**
 * The address of another page, with the location of this page's address. Pure.
 * @param {string} path
 * @param {string} [search]
 */
export function to(path, search = globalThis.location?.search) {
  const at = new URLSearchParams(search ?? '').get('at');
  return at === null ? path : `${path}?${new URLSearchParams({ at })}`;
}

let house = 'Keno';

/**
 * Draw the bar: a link to the start page, the page's title, and `aside` at the right.
 * @param {string} title
 * @param {Node | string | null} [aside]
 */
export function bar(title, aside = null) {
  const home = location.pathname !== '/' && h('a', { class: 'home', href: to('/') }, house);
  put(
    /** @type {Element} */ (document.querySelector('.bar')),
    home,
    h('h1', {}, title),
    aside && (aside instanceof Node ? aside : h('span', { class: 'aside' }, aside)),
  );
}

/** Set the name of the house in the bar. @param {string} [casino] */
export function named(casino) {
  house = casino ?? house;
  const home = document.querySelector('.bar > .home');
  if (home) put(home, house);
}

/** Show the NO VALUE band, once, unless the house has value. @param {boolean} value */
export function band(value) {
  if (value || document.querySelector('.no-value')) return;
  document.body.prepend(h('p', { class: 'no-value' }, 'NO VALUE'));
}

/**
 * Fetch the locations of this house, and which the page is about: the first if its address names
 * none.
 * @returns {Promise<Places>}
 */
export async function places() {
  /** @type {Place[]} */
  const found = await ask('/api/places');
  const wanted = new URLSearchParams(location.search).get('at');
  const here = found.find((each) => each.location === wanted) ?? found[0];
  band(here?.value ?? true);
  named(here?.casino);
  return { all: found, here };
}

/**
 * A choice of the location, if there are several; choosing one reloads the page.
 * @param {Places} places
 */
export function placeChoice({ all, here }) {
  if (all.length < 2) return null;
  const choice = h(
    'select',
    { 'aria-label': 'Place' },
    all.map((each) => h('option', { value: each.location }, each.name)),
  );
  choice.value = here.location;
  choice.addEventListener('change', () => {
    const there = new URL(location.href);
    there.searchParams.set('at', choice.value);
    location.assign(there);
  });
  return choice;
}

/** Draw the foot: links to the other pages, and the notices that the law requires. */
export function foot() {
  const links = [
    ['/check', 'Check a ticket'],
    ['/build', 'Build a request'],
    ['/results', 'Results'],
    ['/ratecard', 'Rate card'],
    ['/guide', 'Guide'],
  ];
  const others = links.filter(([path]) => path !== location.pathname);
  return [
    h(
      'nav',
      { class: 'foot', 'aria-label': 'Pages' },
      others.map(([path, name]) => h('a', { href: to(path) }, name)),
    ),
    h(
      'p',
      { class: 'for-age' },
      'You must be 21 to play. If it stops being a pastime: ',
      h('span', { class: 'whole' }, '1-800-GAMBLER'),
      '.',
    ),
  ];
}

/** Show an error in place of the page, with a button to try again. @param {string} words */
export function trouble(words) {
  put(
    page,
    h('p', { class: 'quiet', role: 'alert' }, words),
    h(
      'button',
      { class: 'button', type: 'button', on: { click: () => location.reload() } },
      'Try again',
    ),
  );
}

/**
 * Open a dialog with a title and a button that closes it; returns its element.
 * @param {string} title
 * @param {...Child} children
 */
export function sheet(title, ...children) {
  const closer = h('button', { type: 'button' }, 'Close');
  const header = h('header', {}, h('h2', {}, title), closer);
  return openSheet({ label: title, closer, light: true, children: [header, children] }).element;
}

/** Announce words to screen readers. @param {string} words */
export function announce(words) {
  let place = document.getElementById('said');
  if (!place) {
    place = h('p', { id: 'said', class: 'for-readers' });
    attribute(place, 'role', 'status');
    document.body.append(place);
  }
  place.textContent = words;
}
