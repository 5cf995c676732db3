// The results page: past games with their numbers, by day or by game, and links to the feeds.

import { h, put } from '../shared/dom.js';
import { day, time } from '../shared/format.js';
import { ask, wordsFor } from './ask.js';
import { announce, bar, foot, page, placeChoice, places, trouble } from './frame.js';

/** @import { Place, ResultRow, Results } from './types.js' */

/**
 * The games to show: those of a day, one game, or those before a game.
 * @typedef {{day?: string, game?: number | null, before?: number | null}} Wanted
 */

/** Maximum games in one response, and maximum games of a day. */
const PAGE = 20;
const DAY_MAX = 500;
/** Milliseconds between typing a game's number and the request for it. */
const PAUSE_MS = 300;

/** A game's number from "A-1182" or "1182"; null if it is none. Pure. @param {string} text */
export function gameNumber(text) {
  const found = /^\s*(?:[A-Za-z]\s*-?)?\s*([0-9]{1,15})\s*$/.exec(text);
  return found ? Number(found[1]) : null;
}

/**
 * The query of the feeds for the games to show. Pure.
 * @param {string} location
 * @param {Wanted} wanted
 */
export function query(location, { day: wanted, game, before }) {
  const asked = new URLSearchParams({ location });
  if (game !== null && game !== undefined) asked.set('game', String(game));
  else if (wanted) asked.set('day', wanted);
  if (before) asked.set('before', String(before));
  if (game === null || game === undefined) asked.set('limit', String(wanted ? DAY_MAX : PAGE));
  return asked.toString();
}

class ResultsPage {
  #place;
  #list = h('ol', { class: 'list' });
  #said = h('p', { class: 'quiet found', role: 'status' });
  #feeds = h('p', { class: 'feeds' });
  #date = h('input', { type: 'date', id: 'day', name: 'day' });
  #game = h('input', { id: 'game', name: 'game', inputMode: 'numeric', autocomplete: 'off' });
  #more = h('button', { type: 'button', class: 'button small', hidden: true }, 'Earlier games');
  #pause = 0;
  /** @type {number | null} */
  #last = null;

  /** @param {Place} place */
  constructor(place) {
    this.#place = place;
    this.#game.placeholder = `${place.letter}-1`;
    this.#more.addEventListener('click', () => this.load(this.#last));
    this.#date.addEventListener('change', () => {
      this.#game.value = '';
      this.load();
    });
    this.#game.addEventListener('input', () => {
      this.#date.value = '';
      clearTimeout(this.#pause);
      this.#pause = setTimeout(() => this.load(), PAUSE_MS);
    });
  }

  get elements() {
    const search = h(
      'form',
      { class: 'search', role: 'search' },
      h('label', { for: 'day' }, 'Day', this.#date),
      h('label', { for: 'game' }, 'Game', this.#game),
    );
    search.addEventListener('submit', (event) => {
      event.preventDefault();
      this.load();
    });
    return [search, this.#said, this.#list, this.#more, this.#feeds];
  }

  /**
   * Fetch and show the games of the day or the game that the fields name.
   * @param {number | null} [before] only games before this one
   */
  async load(before = null) {
    const typed = this.#game.value.trim();
    const game = typed ? (gameNumber(typed) ?? 0) : null;
    const asked = query(this.#place.location, { day: this.#date.value, game, before });
    /** @type {Results} */
    let found;
    try {
      found = await ask(`/api/results.json?${asked}`);
    } catch (error) {
      put(this.#said, wordsFor(error));
      return;
    }
    this.#show(found, { day: this.#date.value, game, before });
    put(
      this.#feeds,
      'As ',
      h('a', { href: `/api/results.csv?${asked}` }, 'CSV'),
      ' or ',
      h('a', { href: `/api/results.json?${asked}` }, 'JSON'),
    );
  }

  /**
   * @param {Results} found
   * @param {Wanted} wanted
   */
  #show({ results, zone }, { day: of, game, before }) {
    const rows = results.map((each) => row(each, zone));
    if (before) this.#list.append(...rows);
    else put(this.#list, rows);
    this.#last = results.at(-1)?.game ?? null;
    this.#more.hidden = game !== null || Boolean(of) || results.length < PAGE;
    const many = this.#list.childElementCount;
    const none =
      game === null ? 'No game is shown for this day.' : 'There is no result with this number yet.';
    put(this.#said, many ? '' : none);
    if (many && (of || game !== null)) announce(`${many} found.`);
  }
}

async function start() {
  const where = await places();
  bar('Results', where.here.name);
  const results = new ResultsPage(where.here);
  put(page, placeChoice(where), results.elements, foot());
  await results.load();
}

/**
 * @param {ResultRow} result
 * @param {string} zone
 */
function row(result, zone) {
  const when = result.closed_ms
    ? `${day(result.closed_ms, zone)}, ${time(result.closed_ms, zone)}`
    : '';
  const body = result.numbers
    ? h(
        'p',
        { class: 'numbers' },
        [...result.numbers].sort((a, b) => a - b).map((number) => h('span', {}, number)),
      )
    : h('p', { class: 'quiet' }, 'Declared void. Every wager on it is returned.');
  return h('li', {}, h('p', { class: 'head' }, h('b', {}, result.name), h('span', {}, when)), body);
}

if (globalThis.document) start().catch((error) => trouble(wordsFor(error)));
