// The history page: the last games, how often each number came and how long ago, each over the band
// that chance alone would give. The page states that past draws predict nothing.

import { askJson } from '../shared/ask.js';
import { attribute, h, put } from '../shared/dom.js';
import { count, day, time } from '../shared/format.js';
import { band, counted, gapUnder, outside } from './chances.js';
import { gapsChart, timesChart } from './charts.js';
import { checked } from './checks.js';
import { bandWords, percent, plain } from './history-words.js';
import { pastGames } from './pastgames.js';

/** @import { State } from '../shared/protocol.js' */
/** @import { BoardFacts, Child, DrawnGame } from '../shared/types.js' */

const SPANS = [100, 500, 1000];
const WIDE = 0.99;
const NARROW = 0.9;
const ROWS = 20;

const place = decodeURIComponent(location.pathname.split('/')[2] ?? '');
const main = document.body.appendChild(
  h('main', {}, h('p', { role: 'status' }, 'Reading the past games …')),
);

async function begin() {
  try {
    /** @type {[BoardFacts, State[], DrawnGame[]]} */
    const [facts, floor, games] = await Promise.all([
      askJson(`/api/board/${encodeURIComponent(place)}`),
      askJson('/api/locations'),
      pastGames(place, Math.max(...SPANS), askJson),
    ]);
    if (floor.find((each) => each.location === place)?.value === false) main.before(noValue());
    paint(facts, games, SPANS[0]);
  } catch (error) {
    console.error(error);
    put(
      main,
      home('Keno'),
      h('h1', {}, 'Past games'),
      h('p', { role: 'alert' }, 'The past games cannot be read now. Try again in a minute.'),
    );
  }
}

/** A link to the start page of this place. @param {string} name */
function home(name) {
  return h('a', { class: 'home', href: `/?${new URLSearchParams({ at: place })}` }, name);
}

function noValue() {
  return h(
    'p',
    { class: 'band-no-value' },
    h('b', {}, 'NO VALUE'),
    ' Tickets and awards here are worth nothing',
  );
}

/**
 * @param {BoardFacts} facts
 * @param {DrawnGame[]} games
 * @param {number} span
 */
function paint(facts, games, span) {
  const some = games.slice(0, span);
  put(
    main,
    home(facts.casino ?? 'Keno'),
    top(facts, games, span),
    ...(some.length ? [times(some), gaps(some)] : [h('p', {}, 'No game has been drawn here yet.')]),
    some.length > 0 && list(facts, some),
  );
}

/**
 * @param {BoardFacts} facts
 * @param {DrawnGame[]} games
 * @param {number} span
 */
function top(facts, games, span) {
  /** @param {number} many */
  const pick = (many) =>
    h(
      'button',
      {
        type: 'button',
        class: 'button',
        role: 'radio',
        'aria-checked': String(many === span),
        disabled: many !== SPANS[0] && games.length <= SPANS[SPANS.indexOf(many) - 1],
        on: {
          click: () => {
            paint(facts, games, many);
            /** @type {HTMLElement} */ (main.querySelector('[aria-checked="true"]')).focus();
          },
        },
      },
      many,
    );
  return h(
    'div',
    { class: 'top' },
    h('div', {}, h('p', {}, facts.name ?? place), h('h1', {}, 'Past games')),
    h('p', {}, `The last ${count(Math.min(span, games.length), 'game')}`),
    h(
      'div',
      { class: 'spans', role: 'radiogroup', 'aria-label': 'How many games' },
      SPANS.map(pick),
    ),
  );
}

/** @param {DrawnGame[]} games */
function times(games) {
  const counts = counted(games);
  const [wide, narrow] = [band(games.length, WIDE), band(games.length, NARROW)];
  const out = counts.filter((each) => each.times < narrow.low || each.times > narrow.high).length;
  return h(
    'section',
    { 'aria-labelledby': 'times' },
    h('h2', { id: 'times' }, 'How often each number came'),
    h(
      'p',
      {},
      'Each game draws 20 of the 80 numbers, so each number comes in one game of four: here ',
      h('b', {}, `about ${plain(wide.mean)} times in ${count(games.length, 'game')}`),
      `. Chance alone leaves about ${plain(outside(narrow.holds))} of the 80 outside the inner ` +
        'band; here it is ',
      h('b', {}, out),
      '. The next draw knows nothing of this.',
    ),
    figures(
      'How often',
      timesChart(counts, [wide, narrow]),
      key([
        ['', bandWords(narrow)],
        ['wide', bandWords(wide)],
        ['line', 'one game of four'],
      ]),
    ),
    table(
      'The same as a table',
      ['Number', 'Times'],
      counts.map((each) => [each.number, each.times]),
    ),
  );
}

/** @param {DrawnGame[]} games */
function gaps(games) {
  const counts = counted(games);
  const under = gapUnder(WIDE);
  return h(
    'section',
    { 'aria-labelledby': 'gaps' },
    h('h2', { id: 'gaps' }, 'How many games ago each number last came'),
    h(
      'p',
      {},
      'However long a number has stayed away, its chance in the next game is one in four. ' +
        '0 means the newest game.',
    ),
    figures(
      'How long ago',
      gapsChart(counts, under, games.length),
      key([['wide', `by chance ${percent(WIDE)} of gaps are ${under} games or fewer`]]),
    ),
    table(
      'The same as a table',
      ['Number', 'Games ago'],
      counts.map((each) => [each.number, each.gap ?? `over ${games.length}`]),
    ),
  );
}

/**
 * A box for a picture that scrolls sideways on a narrow screen, by keys too.
 * @param {string} label
 * @param {...Child} inside
 */
function figures(label, ...inside) {
  return h('div', { class: 'figures', tabIndex: 0, role: 'region', 'aria-label': label }, inside);
}

/** @param {[kind: string, words: string][]} rows */
function key(rows) {
  return h(
    'ul',
    { class: 'key' },
    rows.map(([name, words]) => h('li', {}, h('i', { class: name }), words)),
  );
}

/**
 * @param {string} title
 * @param {string[]} heads
 * @param {Child[][]} rows
 */
function table(title, heads, rows) {
  const body = rows.map((cells) => {
    const data = cells.map((each) => h('td', {}, each));
    return h('tr', {}, data);
  });
  const made = h('table', {}, headRow(heads), h('tbody', {}, body));
  return h('details', {}, h('summary', {}, title), h('div', { class: 'table numbers' }, made));
}

/** @param {string[]} heads */
function headRow(heads) {
  const cells = heads.map((each) => h('th', { scope: 'col' }, each));
  return h('thead', {}, h('tr', {}, cells));
}

/**
 * @param {BoardFacts} facts
 * @param {DrawnGame[]} games
 */
function list(facts, games) {
  const body = h(
    'tbody',
    {},
    games.slice(0, ROWS).map((each) => row(facts, each)),
  );
  const more = h(
    'button',
    { type: 'button', class: 'button more', on: { click: () => show() } },
    'Show more games',
  );
  const show = () => {
    body.append(
      ...games
        .slice(body.children.length, body.children.length + ROWS)
        .map((each) => row(facts, each)),
    );
    more.hidden = body.children.length >= games.length;
  };
  more.hidden = games.length <= ROWS;
  const heads = ['Game', 'Closed', 'Numbers, rising', 'Proof'];
  return h(
    'section',
    { 'aria-labelledby': 'games' },
    h('h2', { id: 'games' }, 'Games'),
    h(
      'div',
      { class: 'table', tabIndex: 0, role: 'region', 'aria-label': 'Games' },
      h('table', { class: 'games' }, headRow(heads), body),
    ),
    more,
  );
}

/**
 * @param {BoardFacts} facts
 * @param {DrawnGame} game
 */
function row(facts, game) {
  const rising = [...game.numbers].sort((one, other) => one - other);
  const said = h('span', { role: 'status' });
  /** @type {HTMLButtonElement} */
  const button = h(
    'button',
    {
      type: 'button',
      class: 'button',
      'aria-label': `Verify game ${game.name}`,
      on: { click: () => verify(game, button, said) },
    },
    'Verify',
  );
  const closed = game.locked_ms ?? game.opened_ms;
  return h(
    'tr',
    {},
    h('td', {}, game.name),
    h('td', { class: 'when' }, `${day(closed, facts.zone)}, ${time(closed, facts.zone)}`),
    h(
      'td',
      {},
      h(
        'span',
        { class: 'balls' },
        rising.map((each) => h('span', {}, each)),
      ),
    ),
    h('td', { class: 'proof' }, button, said),
  );
}

/**
 * Verify a game in this browser and show the result; only then it gets a check mark.
 * @param {DrawnGame} game
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} said
 */
async function verify(game, button, said) {
  button.disabled = true;
  put(button, 'Checking …');
  const state = await checked(place, game, {
    commitment: game.commitment,
    openedMs: game.opened_ms,
  });
  button.hidden = state !== null;
  button.disabled = false;
  put(button, 'Verify again');
  const words = { proven: '✓ Verified', failed: 'Does not verify', unable: 'Not possible here' };
  attribute(said, 'data-tone', state ?? 'unknown');
  put(said, state === null ? '' : words[state]);
}

begin();
