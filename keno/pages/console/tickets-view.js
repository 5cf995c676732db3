// Draws a ticket's record: the paper as sold, its games and catches, its state, its history.

import { h } from '../shared/dom.js';
import { count, day, deadline, money, ticketNumber, timeExact } from '../shared/format.js';
import { drawShape, groupName, look } from '../shared/shapes.js';
import { facts, panel } from './frame.js';
import { toned } from './room-parts.js';
import {
  actWords,
  awards,
  gameWords,
  notIssuedWords,
  paidLines,
  said,
  spanWords,
  stateWords,
} from './tickets-words.js';

/**
 * @import { HandedOver, NamedGroup, RecordedGame, TicketEvent, TicketRecord,
 *   WonWay } from '../shared/protocol.js'
 * @import { Session } from './types.js'
 */

/** @import { Child } from '../shared/types.js' */
/** @typedef {{zone?: string}} Zoned a location with its time zone */

/** Maximum winning ways of a game, and games of a ticket, that are listed. */
const WAYS_MAX = 24;
const GAMES_MAX = 60;

/**
 * Draw the ticket as sold.
 * @param {TicketRecord} record
 * @param {Session} session
 * @param {Zoned} place
 */
export function paper(record, session, place) {
  /** @type {[string, Child][]} */
  const lines = [
    ['Type', said(record.type)],
    ['Conditioning', record.conditioning || 'Straight'],
    ['Ways', record.ways],
    ['Rate', record.rate],
    [
      record.first_game === record.last_game ? 'Game' : 'Games',
      spanWords(record)
        .split(' to ')
        .flatMap((each, at) => [at > 0 && ' to ', h('span', { class: 'whole' }, each)]),
    ],
    ['Sold', timeExact(record.sold_ms, place.zone)],
    ['Day', day(record.sold_ms, place.zone)],
    ['Station', record.station],
    ['Rate card', record.card],
  ];
  return h(
    'section',
    { class: 'sold on-paper', 'aria-label': `Ticket ${record.name} as sold` },
    h(
      'div',
      { class: 'sold-head' },
      h('span', {}, session.casino),
      h('b', { class: 'code' }, `${record.letter}-${ticketNumber(record.ticket)}`),
    ),
    h('div', { class: 'sold-groups' }, record.groups.map(groupLine)),
    h(
      'dl',
      { class: 'sold-facts' },
      lines
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
    ),
    h(
      'div',
      { class: 'sold-price' },
      h('span', {}, 'Price'),
      h('b', {}, money(record.price_cents)),
    ),
    record.text && h('p', { class: 'sold-text code' }, record.text),
  );
}

/** @param {NamedGroup} group */
function groupLine({ letter, numbers }) {
  const { name, double } = look(letter);
  const lettered = letter.startsWith('K') ? '' : letter;
  return h(
    'div',
    { class: 'sold-group' },
    drawShape(letter, { text: double || !name ? letter : lettered, size: 24, type: 60 }),
    h('span', { class: 'for-readers' }, groupName(letter)),
    h('b', {}, numbers.join(' ')),
  );
}

/** Draw the games in order; those with an award are unfolded. @param {TicketRecord} record */
export function gamesPanel(record) {
  const shown = record.games.slice(0, GAMES_MAX);
  const won = record.games.filter((each) => (each.award_cents ?? 0) > 0).length;
  const all = record.games.length;
  return panel(
    all === 1 ? 'Its game' : `Its ${all} games`,
    { class: 'record-games', aside: won ? `${won} with an award` : 'No award so far' },
    h(
      'ol',
      { class: 'its-games' },
      shown.map((game) =>
        h('li', { data: { won: game.award_cents ? 'yes' : 'no' } }, gameRow(record, game)),
      ),
    ),
    all > shown.length &&
      h('p', { class: 'quiet' }, `and ${count(all - shown.length, 'game')} more`),
  );
}

/**
 * @param {TicketRecord} record
 * @param {RecordedGame} game
 */
function gameRow(record, game) {
  const { words, won } = gameWords(game);
  const ways = (game.ways ?? []).filter((way) => way.award_cents > 0);
  return [
    h(
      'div',
      { class: 'its-line' },
      h('b', { class: 'its-name' }, game.name),
      spots(record, game),
      h('span', { class: won ? 'its-award' : 'quiet' }, words),
    ),
    won && ways.length > 0 && h('ul', { class: 'its-ways' }, ways.slice(0, WAYS_MAX).map(wayRow)),
    ways.length > WAYS_MAX &&
      h('p', { class: 'quiet' }, `and ${count(ways.length - WAYS_MAX, 'more way')}`),
    game.numbers &&
      won &&
      h(
        'p',
        { class: 'its-drawn' },
        'Drawn ',
        [...game.numbers].sort((one, other) => one - other).join(' '),
      ),
  ];
}

/**
 * @param {TicketRecord} record
 * @param {RecordedGame} game
 */
function spots(record, game) {
  const drawn = game.numbers && new Set(game.numbers);
  return h(
    'span',
    { class: 'its-spots' },
    record.groups.map((group) => {
      const hits = group.numbers.filter((number) => drawn?.has(number));
      const words = !drawn
        ? 'not drawn'
        : hits.length
          ? `caught ${hits.join(', ')}`
          : 'none caught';
      return h(
        'span',
        {
          role: 'img',
          'aria-label': `${groupName(group.letter)}: ${group.numbers.join(', ')}; ${words}`,
        },
        group.numbers.map((number) =>
          drawShape(group.letter, {
            text: number,
            mode: !drawn ? 'dim' : drawn.has(number) ? 'lamp' : 'outline',
            size: 32,
            type: 46,
            weight: 600,
          }),
        ),
      );
    }),
  );
}

/** @param {WonWay} way */
function wayRow(way) {
  return h(
    'li',
    {},
    h(
      'span',
      { role: 'img', 'aria-label': way.members.map(groupName).join(', ') },
      way.members.map((letter) => {
        const { name, double } = look(letter);
        return drawShape(
          letter,
          double || !name ? { size: 22, text: letter, type: 60 } : { size: 18 },
        );
      }),
    ),
    h('span', { class: 'quiet' }, h('b', {}, way.caught), ` of ${way.spots}`),
    h('b', { class: 'right' }, money(way.award_cents)),
  );
}

/**
 * Draw the panel with the ticket's state and how it was paid.
 * @param {TicketRecord} record
 * @param {Zoned} place
 */
export function standing(record, place) {
  const state = stateWords(record);
  return panel(
    'How it stands',
    { aside: toned(state) },
    record.held && h('p', { class: 'held-why' }, record.why_held || 'No reason is in the record.'),
    record.not_issued && h('p', { class: 'held-why' }, notIssuedWords(record)),
    facts([
      ['Sold by', `${record.writer}, ${record.station}`],
      [
        'Printed',
        record.printed
          ? record.reprints
            ? `Yes, and ${count(record.reprints, 'reprint')}`
            : 'Yes'
          : 'Nobody has confirmed it',
      ],
      record.origin && ['Taken from', said(record.origin)],
      ['Awards so far', money(awards(record))],
      record.not_issued?.kind === 'declared' &&
        record.not_issued.on_top_cents > 0 && [
          'Of them on top of the maximum',
          money(record.not_issued.on_top_cents),
        ],
      record.claim_until_ms &&
        !record.paid && ['Claim until', deadline(record.claim_until_ms, place.zone)],
      record.held_until_ms && ['Held until', deadline(record.held_until_ms, place.zone)],
    ]),
    record.paid && paidFacts(record.paid, place),
  );
}

/**
 * @param {HandedOver} paid
 * @param {Zoned} place
 */
function paidFacts(paid, place) {
  const what = said(paid.kind === 'payout' ? 'paid' : paid.kind);
  const when = `${day(paid.ms, place.zone)}, ${timeExact(paid.ms, place.zone)}`;
  return h(
    'div',
    { class: 'paid' },
    h('h3', {}, `${what} ${when}`),
    facts([
      ...paidLines(paid),
      ['By', paid.station ? `${paid.actor}, ${paid.station}` : paid.actor],
      paid.authorisation && ['Authorisation', paid.authorisation],
    ]),
  );
}

/**
 * Draw the history of everything that was done to the ticket, newest last.
 * @param {TicketRecord} record
 * @param {Zoned} place
 */
export function story(record, place) {
  return panel(
    'History',
    { class: 'story' },
    record.history.length
      ? h(
          'ol',
          { class: 'acts-list' },
          record.history.map((act) =>
            h(
              'li',
              {},
              h('span', { class: 'quiet' }, timeExact(act.ms, place.zone)),
              h(
                'div',
                {},
                h('b', {}, actWords(act.kind)),
                ` ${byWords(act)}`,
                act.reason && h('p', { class: 'quiet' }, `“${act.reason}”`),
              ),
            ),
          ),
        )
      : h('p', { class: 'nothing' }, 'Nothing beyond the sale.'),
  );
}

/** @param {TicketEvent} act */
function byWords(act) {
  if (!act.actor) return '';
  return act.second ? `by ${act.actor}, with ${act.second}` : `by ${act.actor}`;
}
