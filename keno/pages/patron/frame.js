// The frame of every patron's page: its bar, the NO VALUE band, the choice of a place, the foot.

import { attribute, h, put } from '../shared/dom.js';
import { openSheet } from '../shared/sheet.js';
import { ask } from './ask.js';

/**
 * @import { Child } from '../shared/types.js'
 * @import { Place, Places } from './types.js'
 */

/** Where a page shows itself; in node there is none. */
export const page = /** @type {HTMLElement} */ (globalThis.document?.getElementById('page'));

/**
 * A page of ours, with the place that this page's address chose. Pure.
 * @param {string} path
 * @param {string} [search]
 */
export function to(path, search = globalThis.location?.search) {
  const at = new URLSearchParams(search ?? '').get('at');
  return at === null ? path : `${path}?${new URLSearchParams({ at })}`;
}

let house = 'Keno';

/**
 * The bar: the house, which leads to the start page, the page's title, and something on the right.
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

/** Set the name of the house. @param {string} [casino] */
export function named(casino) {
  house = casino ?? house;
  const home = document.querySelector('.bar > .home');
  if (home) put(home, house);
}

/** Show once that nothing here has value. @param {boolean} value */
export function band(value) {
  if (value || document.querySelector('.no-value')) return;
  document.body.prepend(h('p', { class: 'no-value' }, 'NO VALUE'));
}

/**
 * Where this house plays; the first one if the address does not say which.
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
 * A choice of the place, where there is more than one; choosing opens the page anew.
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

/** Links to the other pages, and what the law wants to be said. */
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

/** What went wrong, instead of the page, with a way to try again. @param {string} words */
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
 * A sheet from below: a dialog with a title and a way out.
 * @param {string} title
 * @param {...Child} children
 */
export function sheet(title, ...children) {
  const closer = h('button', { type: 'button' }, 'Close');
  const header = h('header', {}, h('h2', {}, title), closer);
  return openSheet({ label: title, closer, light: true, children: [header, children] }).element;
}

/** Say something to a screen reader. @param {string} words */
export function announce(words) {
  let place = document.getElementById('said');
  if (!place) {
    place = h('p', { id: 'said', class: 'for-readers' });
    attribute(place, 'role', 'status');
    document.body.append(place);
  }
  place.textContent = words;
}
