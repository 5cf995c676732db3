// Draws the ticket of an authorisation request as it was sold: its spots with the caught ones lit,
// the ways that won, its other games, and what the server checked.

import { h } from '../shared/dom.js';
import { money } from '../shared/format.js';
import { drawShape, groupName, look } from '../shared/shapes.js';
import { ticketName } from './floor-words.js';
import {
  chipsOf,
  gameChip,
  groupWords,
  moreWays,
  shownGame,
  spotSize,
  wayRows,
} from './authorise-words.js';

/** @import { PayoutCheck, RecordedGame, TicketRecord } from '../shared/protocol.js' */
/** @import { WaitingItem } from './types.js' */

/** Maximum winning ways that are listed. */
const WAYS_MAX = 12;

/**
 * @param {WaitingItem} item
 * @param {boolean} lettered
 * @param {number | null} wanted
 * @param {(game: number) => void} choose
 */
export function ticketPicture(item, lettered, wanted, choose) {
  const record = item.detail?.record;
  const name = ticketName(item.ticket, lettered ? item.letter : '');
  if (!record)
    return h(
      'p',
      { class: 'quiet decision-plain' },
      `Ticket ${name}. Its record cannot be shown here.`,
    );
  const game = shownGame(record, wanted);
  return [spots(record, game), others(name, record, game, choose), ways(record, game)];
}

/**
 * @param {TicketRecord} record
 * @param {RecordedGame | null} game
 */
function spots(record, game) {
  const drawn = game?.numbers ?? null;
  return h(
    'div',
    { class: 'spots', data: { size: spotSize(record.groups) } },
    record.groups.map((group) =>
      h(
        'span',
        { class: 'spots-group', role: 'img', 'aria-label': groupWords(group, drawn) },
        group.numbers.map((number) =>
          drawShape(group.letter, {
            text: number,
            type: 50,
            weight: 600,
            mode: drawn?.includes(number) ? 'lamp' : drawn ? 'outline' : 'dim',
          }),
        ),
      ),
    ),
  );
}

/**
 * @param {TicketRecord} record
 * @param {RecordedGame | null} game
 */
function ways(record, game) {
  const rows = wayRows(game, record.conditioning);
  const shown = rows.slice(0, WAYS_MAX);
  const more = moreWays(rows.length - shown.length);
  if (!rows.length) return h('p', { class: 'quiet decision-plain' }, game ? noWays(game) : '');
  return h(
    'ul',
    { class: rows.some((way) => way.label) ? 'ways' : 'ways ways-plain' },
    shown.map((way) =>
      h(
        'li',
        {},
        h('b', {}, way.label),
        h(
          'span',
          { role: 'img', 'aria-label': way.members.map(groupName).join(', ') },
          way.members.map(member),
        ),
        h('span', {}, h('b', {}, way.caught), ` of ${way.spots}`),
        h('b', {}, money(way.award_cents)),
      ),
    ),
    more && h('li', { class: 'ways-more' }, more),
  );
}

/** @param {RecordedGame} game */
function noWays(game) {
  if (game.state === 'void') return `Game ${game.name} is void; its wager goes back.`;
  return game.numbers ? `No way won in game ${game.name}.` : `Game ${game.name} is not drawn yet.`;
}

/** @param {string} letter */
function member(letter) {
  const { name, double } = look(letter);
  return drawShape(letter, double || !name ? { size: 22, text: letter, type: 60 } : { size: 20 });
}

/**
 * @param {string} name
 * @param {TicketRecord} record
 * @param {RecordedGame | null} game
 * @param {(game: number) => void} choose
 */
function others(name, record, game, choose) {
  const ticket = h('span', {}, 'Ticket ', h('b', {}, name));
  if (record.games.length < 2)
    return h(
      'div',
      { class: 'chips' },
      ticket,
      h('span', {}, 'Game ', h('b', {}, game?.name ?? '')),
    );
  const { shown, rest } = chipsOf(record.games, game);
  /** @param {RecordedGame} each */
  const chip = (each) =>
    h(
      'button',
      {
        type: 'button',
        class: 'chip',
        'aria-pressed': String(each === game),
        on: { click: () => choose(each.game) },
      },
      each.name,
      ' ',
      h('b', {}, gameChip(each)),
    );
  const row = h('div', { class: 'chips' }, ticket, shown.map(chip));
  if (rest.length) {
    const more = h(
      'button',
      {
        type: 'button',
        class: 'chip',
        on: {
          click: () => {
            const chips = rest.map(chip);
            more.replaceWith(...chips);
            chips.at(-1)?.focus();
          },
        },
      },
      `${rest.length} more`,
      h('span', { class: 'for-readers' }, rest.length === 1 ? ' game' : ' games'),
    );
    row.append(more);
  }
  return row;
}

/** Draw the server's checks, each with its mark. @param {PayoutCheck[]} all */
export function checks(all) {
  /** @param {PayoutCheck} each */
  const mark = (each) => (each.ok ? '✓' : each.ok === false ? '✕' : '–');
  /** @param {PayoutCheck} each */
  const kind = (each) => (each.ok ? 'good' : each.ok === false ? 'bad' : 'unknown');
  return h(
    'ul',
    { class: 'checks', 'aria-label': 'Checks' },
    all.map((each) =>
      h(
        'li',
        { data: { kind: kind(each) } },
        h('span', { 'aria-hidden': 'true' }, mark(each)),
        ' ',
        each.words,
      ),
    ),
  );
}
