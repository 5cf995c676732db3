// The start page: the open game, the last numbers, and links to the other pages.

import { h, put } from '../shared/dom.js';
import { clock } from '../shared/format.js';
import { ask, wordsFor } from './ask.js';
import { band, bar, foot, page, to, trouble } from './frame.js';

/**
 * @import { State } from '../shared/protocol.js'
 * @import { Place } from './types.js'
 */

const AGAIN_MS = 15_000;

async function start() {
  /** @type {[Place[], State[]]} */
  const [places, states] = await Promise.all([ask('/api/places'), ask('/api/locations')]);
  bar(places[0]?.casino ?? 'Keno');
  band(places[0]?.value ?? true);
  const floors = places.map((place) => new Floor(place));
  put(
    page,
    h('nav', { class: 'doors', 'aria-label': 'Pages' }, DOORS.map(door)),
    floors.map((floor) => floor.root),
    foot().at(-1),
  );
  /** @param {State[]} heard */
  const tell = (heard) =>
    floors.forEach((floor) =>
      floor.hear(heard.find((each) => each.location === floor.place.location)),
    );
  tell(states);
  setInterval(() => floors.forEach((floor) => floor.tick()), 250);
  setInterval(async () => {
    if (document.hidden) return;
    /** @type {State[]} */
    const heard = await ask('/api/locations').catch(() => []);
    tell(heard);
  }, AGAIN_MS);
}

/** @type {[path: string, name: string, words: string, first?: boolean][]} */
const DOORS = [
  ['/check', 'Check a ticket', 'Did it win? Prove the draw.', true],
  ['/build', 'Build a request', 'Pick, price and odds.'],
  ['/results', 'Results', 'By day and by game.'],
  ['/ratecard', 'Rate card', 'What every catch pays.'],
  ['/guide', 'Guide', 'Keno in plain words.'],
];

/** @param {typeof DOORS[number]} door */
function door([path, name, words, first]) {
  return h(
    'a',
    { href: to(path), class: first ? 'door first' : 'door' },
    h('b', {}, name),
    h('span', {}, words),
  );
}

class Floor {
  /** The last state and the time it arrived. @type {State & {at: number} | null} */
  #heard = null;
  #said = '';

  /** @param {Place} place */
  constructor(place) {
    this.place = place;
    this.now = h('p', { class: 'now' });
    this.last = h('div', { class: 'last' });
    const links = h(
      'p',
      { class: 'links' },
      h('a', { href: `/board/${encodeURIComponent(place.location)}` }, 'Watch the board'),
      h('a', { href: `/history/${encodeURIComponent(place.location)}` }, 'Past games'),
    );
    this.root = h(
      'section',
      { class: 'floor', 'aria-label': place.name },
      h('h2', {}, place.name),
      this.now,
      this.last,
      links,
    );
  }

  /** @param {State} [state] */
  hear(state) {
    if (!state) return;
    this.#heard = { at: performance.now(), ...state };
    this.tick();
    const { drawing, last } = state;
    const shown = drawing ?? last;
    const numbers = drawing ? drawing.balls : (last?.numbers ?? []);
    put(
      this.last,
      shown && h('p', { class: 'label' }, `${drawing ? 'Drawing' : 'Drawn in'} ${shown.name}`),
      numbers.length > 0 &&
        h(
          'p',
          { class: 'balls' },
          numbers.map((number) => h('span', {}, number)),
        ),
    );
  }

  tick() {
    if (!this.#heard) return;
    const { open, trouble, closed, at } = this.#heard;
    const left = open?.closes_in_ms ?? null;
    const rest =
      left === null ? ' is open' : ` closes in ${clock(left - (performance.now() - at))}`;
    const game = !trouble && !closed && open ? `Game ${open.name}` : '';
    const night = closed && `Closed. ${closed.words}`;
    const words = trouble ?? night ?? (open ? rest : 'The next game opens soon');
    if (this.#said === game + words) return;
    this.#said = game + words;
    put(this.now, game && h('b', {}, game), words);
  }
}

start().catch((error) => trouble(wordsFor(error)));
