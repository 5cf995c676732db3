// The history page: the last games, how often each number came and how long ago, each over the band
// that chance alone would give. Numbers have no memory, and this page says so.

import { attribute, h, put } from '../shared/dom.js';
import { count, day, time } from '../shared/format.js';
import { band, counted, gapUnder, outside } from './chances.js';
import { gapsChart, timesChart } from './charts.js';
import { checked } from './checks.js';
import { pastGames } from './pastgames.js';

const SPANS = [100, 500, 1000];
const WIDE = 0.99;
const NARROW = 0.9;
const ROWS = 20;

const place = decodeURIComponent(location.pathname.split('/')[2] ?? '');
const main = document.body.appendChild(
  h('main', {}, h('p', { role: 'status' }, 'Reading the past games …')),
);

async function ask(path) {
  const answer = await fetch(path, { signal: AbortSignal.timeout(20_000) });
  if (!answer.ok) throw new Error(path);
  return answer.json();
}

async function begin() {
  try {
    const [facts, floor, games] = await Promise.all([
      ask(`/api/board/${encodeURIComponent(place)}`),
      ask('/api/locations'),
      pastGames(place, SPANS.at(-1), ask),
    ]);
    if (floor.find?.((each) => each.location === place)?.value === false) main.before(noValue());
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

/** The way to the start page, for this place. */
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

function top(facts, games, span) {
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
          click: () => (
            paint(facts, games, many),
            main.querySelector('[aria-checked="true"]').focus()
          ),
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
      `. Chance alone leaves about ${plain(outside(narrow.holds))} of the 80 outside the inner band; here it is `,
      h('b', {}, out),
      '. The next draw knows nothing of this.',
    ),
    figures(
      'How often',
      timesChart(counts, [wide, narrow]),
      key([
        ['', inside(narrow)],
        ['wide', inside(wide)],
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
      'However long a number has stayed away, its chance in the next game is one in four. 0 means the newest game.',
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

/** A picture that can be moved sideways on a narrow screen, by keys too. */
function figures(label, ...inside) {
  return h('div', { class: 'figures', tabIndex: 0, role: 'region', 'aria-label': label }, inside);
}

function inside({ low, high, holds }) {
  return `by chance ${percent(holds)} of numbers come ${low} to ${high} times`;
}

function key(rows) {
  return h(
    'ul',
    { class: 'key' },
    rows.map(([name, words]) => h('li', {}, h('i', { class: name }), words)),
  );
}

function table(title, heads, rows) {
  const part = (some) =>
    h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          heads.map((each) => h('th', { scope: 'col' }, each)),
        ),
      ),
      h(
        'tbody',
        {},
        some.map((cells) =>
          h(
            'tr',
            {},
            cells.map((each) => h('td', {}, each)),
          ),
        ),
      ),
    );
  return h(
    'details',
    {},
    h('summary', {}, title),
    h('div', { class: 'table numbers' }, part(rows)),
  );
}

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
      h(
        'table',
        { class: 'games' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            heads.map((each) => h('th', { scope: 'col' }, each)),
          ),
        ),
        body,
      ),
    ),
    more,
  );
}

function row(facts, game) {
  const rising = [...game.numbers].sort((one, other) => one - other);
  const said = h('span', { role: 'status' });
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

/** This browser checks the game; only what it checked itself gets the mark. */
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

function percent(part) {
  return `${(part * 100).toFixed(part > 0.985 ? 1 : 0).replace(/\.0$/, '')}%`;
}

function plain(number) {
  return Number.isInteger(number) ? String(number) : number.toFixed(number < 10 ? 1 : 0);
}

begin();
