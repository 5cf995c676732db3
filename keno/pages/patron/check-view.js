// Draws a checked ticket: amount, what to do, games, catches, as sold. The proof is in proof.js.

import { attribute, h, put } from '../shared/dom.js';
import { count, day, deadline, money, shortMoney, ticketNumber, time } from '../shared/format.js';
import { drawShape, groupName } from '../shared/shapes.js';
import { caught, firstGame, listedAs, verdict, waysInRows } from './verdict.js';

/**
 * @import { Child } from '../shared/types.js'
 * @import { CheckedTicket, PlayedGame } from './types.js'
 * @import { Verdict } from './verdict.js'
 */

/** @typedef {CheckedTicket['groups'][number]} Group */

/** Words on the tile of a game for its state. @type {Record<string, string>} */
const TILE_WORDS = { open: 'open', drawing: 'drawing', void: 'void' };
/** @type {Record<string, string>} */
const SPOKEN_WORDS = { open: 'still open', drawing: 'being drawn', void: 'void' };

const AMOUNT_PX = 80;
const ROOM_PX = 346;
const SIGN_EM = 0.47;
const SHAPES_MAX = 40;

/** Type size in px at which an amount fits on one line of a phone. @param {string} text */
export function amountSize(text, room = ROOM_PX) {
  return Math.min(AMOUNT_PX, Math.floor(room / (text.length * SIGN_EM)));
}

/**
 * Draw the ticket; choosing a game shows its catches.
 * @param {CheckedTicket} ticket
 * @param {(game: PlayedGame | null) => void} chosen called with each game that is opened
 */
export function ticketView(ticket, chosen) {
  const seen = verdict(ticket);
  const detail = h('section', { class: 'panel catch', 'aria-live': 'off' });
  /** @type {Map<PlayedGame, HTMLElement>} */
  const tiles = new Map();
  /** @param {PlayedGame | null} game */
  const open = (game) => {
    for (const [each, tile] of tiles)
      attribute(tile, 'aria-pressed', each === game ? 'true' : 'false');
    put(detail, catches(ticket, game));
    attribute(detail, 'aria-label', game ? `Game ${game.name}` : 'Ticket');
    chosen(game);
  };
  for (const game of ticket.games)
    tiles.set(
      game,
      tile(ticket, game, () => open(game)),
    );
  const first = firstGame(ticket.games);
  const view = h(
    'div',
    { class: 'ticket', data: { kind: seen.kind } },
    hero(seen),
    tiles.size > 0 &&
      h(
        'div',
        {
          class: 'games',
          role: 'group',
          'aria-label': 'Games',
          data: { many: tiles.size > 15 ? 'yes' : 'no' },
        },
        ...tiles.values(),
      ),
    detail,
  );
  open(first);
  return { view, verdict: seen, sold: asSold(ticket) };
}

/** @param {Verdict} seen */
function hero(seen) {
  const amount = seen.cents !== null && h('p', { class: 'amount' }, money(seen.cents));
  if (amount) amount.style.fontSize = `${amountSize(money(seen.cents ?? 0))}px`;
  const lines = seen.lines.map((line) =>
    h(
      'p',
      {},
      line.map((part) => (typeof part === 'string' ? part : h('strong', {}, part.strong))),
    ),
  );
  return h(
    'section',
    { class: 'hero', 'aria-label': 'Result' },
    h('h2', { class: 'lead', tabIndex: -1 }, seen.lead),
    amount,
    h('div', { class: 'what' }, lines),
  );
}

/**
 * @param {CheckedTicket} ticket
 * @param {PlayedGame} game
 * @param {() => void} open
 */
function tile(ticket, game, open) {
  const award = game.award_cents;
  const words = TILE_WORDS[game.state] ?? (award ? shortMoney(award) : '–');
  const played = listedAs(ticket, game) === 'live';
  const spoken = !played
    ? 'not played'
    : (SPOKEN_WORDS[game.state] ?? (award ? money(award) : 'no award'));
  const short = game.name.length > 7 ? String(game.game) : game.name;
  return h(
    'button',
    { type: 'button', class: 'game', data: { won: award ? 'yes' : 'no' }, on: { click: open } },
    h('span', { class: 'for-readers' }, `Game ${game.name}, ${spoken}`),
    h('span', { 'aria-hidden': 'true' }, short),
    h('b', { 'aria-hidden': 'true' }, played ? words : '–'),
  );
}

/**
 * @param {CheckedTicket} ticket
 * @param {PlayedGame | null} game
 * @returns {Child}
 */
function catches(ticket, game) {
  if (listedAs(ticket, game) !== 'live')
    return h(
      'div',
      { class: 'groups' },
      ticket.groups.map((group) => groupRow(group, null)),
    );
  const drawn = game?.numbers ? new Set(game.numbers) : null;
  const sum = caught(ticket, game);
  const words = drawn
    ? [h('b', {}, sum.caught), ` of ${sum.of} caught`]
    : [h('b', {}, sum.of), ` ${sum.of === 1 ? 'number' : 'numbers'}`];
  return [
    h(
      'div',
      { class: 'groups' },
      ticket.groups.map((group) => groupRow(group, drawn)),
      h('p', { class: 'sum' }, words),
    ),
    game?.numbers && game.ways.length > 0 && wayList(game),
    game?.numbers && balls(ticket, game, game.numbers),
    game?.state === 'void' &&
      h('p', { class: 'drawn' }, 'This game was declared void. Its price comes back.'),
  ];
}

/**
 * Draw the twenty balls in order, with the caught ones in bold.
 * @param {CheckedTicket} ticket
 * @param {PlayedGame} game
 * @param {number[]} numbers
 */
function balls(ticket, game, numbers) {
  const played = new Set(ticket.groups.flatMap((group) => group.numbers));
  const shown = numbers.map((number) =>
    h('li', {}, played.has(number) ? h('b', {}, number) : number),
  );
  return h(
    'ol',
    { class: 'balls', 'aria-label': `Balls of game ${game.name} in their order` },
    shown,
  );
}

/**
 * @param {Group} group
 * @param {Set<number> | null} drawn
 */
function groupRow({ letter, numbers }, drawn) {
  const shown = numbers.slice(0, SHAPES_MAX).map((number) => spot(letter, number, drawn));
  const row = h('span', { class: 'group', role: 'img' }, shown);
  const hit = drawn ? numbers.filter((number) => drawn.has(number)) : [];
  const said = drawn ? `, ${hit.length ? `caught ${hit.join(' ')}` : 'nothing caught'}` : '';
  attribute(row, 'aria-label', `${groupName(letter)}: ${numbers.join(' ')}${said}`);
  return row;
}

/**
 * @param {string} letter
 * @param {number} number
 * @param {Set<number> | null} drawn
 */
function spot(letter, number, drawn) {
  const mode = !drawn ? 'filled' : drawn.has(number) ? 'lamp' : 'outline';
  return drawShape(letter, { text: number, mode, size: 37, type: 49, weight: 600 });
}

/** @param {PlayedGame} game */
function wayList(game) {
  const rows = waysInRows(game.ways);
  const sum = game.ways.reduce((all, way) => all + way.award_cents, 0);
  const shared = game.more === 0 && sum !== game.award_cents;
  return [
    h(
      'ul',
      { class: 'ways', 'aria-label': 'Winning ways' },
      rows.map((row) =>
        h(
          'li',
          {},
          h(
            'span',
            {},
            h('b', {}, row.caught),
            ` of ${row.spots}`,
            row.times > 1 && ` × ${row.times}`,
          ),
          h('b', {}, shortMoney(row.award_cents * row.times)),
        ),
      ),
    ),
    game.more > 0 && h('p', { class: 'drawn' }, `And ${count(game.more, 'smaller way')}.`),
    shared &&
      h(
        'p',
        { class: 'drawn' },
        `The game’s maximum was shared: this ticket’s part is ${money(game.award_cents ?? 0)}.`,
      ),
  ];
}

/** @param {CheckedTicket} ticket */
function asSold(ticket) {
  const { zone } = ticket.place;
  const games = ticket.last_game - ticket.first_game + 1;
  /** @type {[what: string, words: string][]} */
  const rows = [
    ['Ticket', `${ticket.letter}-${ticketNumber(ticket.ticket)}`],
    [
      'Kind',
      `${ticket.kind[0].toUpperCase()}${ticket.kind.slice(1)}, ${count(ticket.ways, 'way')}`,
    ],
    ['Conditioning', ticket.conditioning.join(', ')],
    [
      'Games',
      games === 1
        ? `${ticket.letter}-${ticket.first_game}`
        : `${ticket.letter}-${ticket.first_game} to ${ticket.letter}-${ticket.last_game}`,
    ],
    ['Price', money(ticket.price_cents)],
    [
      'Sold',
      `${day(ticket.sold_ms, zone)}, ${time(ticket.sold_ms, zone)}, station ${ticket.station}`,
    ],
    ['Rate card', ticket.card],
  ];
  if (ticket.claim_until_ms) rows.push(['Claim until', deadline(ticket.claim_until_ms, zone)]);
  const sold = h(
    'details',
    { class: 'sold' },
    h('summary', {}, 'As sold'),
    h(
      'dl',
      {},
      rows.map(([what, words]) => [h('dt', {}, what), h('dd', {}, words)]),
    ),
  );
  // The buttons would cover it: it scrolls up until it is above them.
  sold.addEventListener('toggle', () => sold.open && sold.scrollIntoView({ block: 'nearest' }));
  return sold;
}
