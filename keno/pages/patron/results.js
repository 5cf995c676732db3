// Results: past games with their numbers, by day or by game, and the feeds.

import { h, put } from '../shared/dom.js';
import { day, time } from '../shared/format.js';
import { ask, wordsFor } from './ask.js';
import { announce, bar, foot, page, placeChoice, places, trouble } from './frame.js';

const PAGE = 20;

/** A game's number from what was typed: "A-1182", "1182"; null if it is none. Pure. */
export function gameNumber(text) {
  const found = /^\s*(?:[A-Za-z]\s*-?)?\s*([0-9]{1,15})\s*$/.exec(text);
  return found ? Number(found[1]) : null;
}

/** What the feeds are asked for: the address without its ending. Pure. */
export function query(location, { day: wanted, game, before }) {
  const asked = new URLSearchParams({ location });
  if (game !== null && game !== undefined) asked.set('game', game);
  else if (wanted) asked.set('day', wanted);
  if (before) asked.set('before', before);
  if (game === null || game === undefined) asked.set('limit', wanted ? 500 : PAGE);
  return asked.toString();
}

async function start() {
  const where = await places();
  bar('Results', where.here.name);
  const list = h('ol', { class: 'list' });
  const said = h('p', { class: 'quiet found', role: 'status' });
  const more = h(
    'button',
    { type: 'button', class: 'button small', hidden: true },
    'Earlier games',
  );
  const date = h('input', { type: 'date', id: 'day', name: 'day' });
  const game = h('input', {
    id: 'game',
    name: 'game',
    inputMode: 'numeric',
    autocomplete: 'off',
    placeholder: `${where.here.letter}-1`,
  });
  const feeds = h('p', { class: 'feeds' });
  let last = null;

  async function load(before = null) {
    const wanted = {
      day: date.value,
      game: game.value.trim() ? (gameNumber(game.value) ?? 0) : null,
      before,
    };
    const asked = query(where.here.location, wanted);
    let found;
    try {
      found = await ask(`/api/results.json?${asked}`);
    } catch (no) {
      put(said, wordsFor(no));
      return;
    }
    const rows = found.results.map((each) => row(each, found.zone));
    if (before) list.append(...rows);
    else put(list, rows);
    last = found.results.at(-1)?.game ?? null;
    more.hidden = wanted.game !== null || Boolean(wanted.day) || found.results.length < PAGE;
    const none =
      wanted.game === null
        ? 'No game is shown for this day.'
        : 'There is no result with this number yet.';
    put(said, list.childElementCount ? '' : none);
    if (list.childElementCount && (wanted.day || wanted.game !== null))
      announce(`${list.childElementCount} found.`);
    put(
      feeds,
      'As ',
      h('a', { href: `/api/results.csv?${asked}` }, 'CSV'),
      ' or ',
      h('a', { href: `/api/results.json?${asked}` }, 'JSON'),
    );
  }

  more.addEventListener('click', () => load(last));
  date.addEventListener('change', () => {
    game.value = '';
    load();
  });
  let pause = 0;
  game.addEventListener('input', () => {
    date.value = '';
    clearTimeout(pause);
    pause = setTimeout(load, 300);
  });
  const search = h(
    'form',
    { class: 'search', role: 'search' },
    h('label', { for: 'day' }, 'Day', date),
    h('label', { for: 'game' }, 'Game', game),
  );
  search.addEventListener('submit', (event) => {
    event.preventDefault();
    load();
  });
  put(page, placeChoice(where), search, said, list, more, feeds, foot());
  await load();
}

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

if (page) start().catch((no) => trouble(wordsFor(no)));
