// The texts of an authorisation request. Pure.

import { clock, count, listed, money, time } from '../shared/format.js';
import { groupName } from '../shared/shapes.js';
import { personName, stationName, ticketName } from './floor-words.js';

/**
 * @import { AuthorisationRecord, NamedGroup, RecordedGame,
 *   TicketRecord } from '../shared/protocol.js'
 * @import { People, WaitingItem } from './types.js'
 * @typedef {{item: WaitingItem, state: string, by: string | null}} Gone a request that was answered
 */

/** @type {Record<string, string>} */
const UNDRAWN = { void: 'void', drawing: 'being drawn', open: 'open' };

/** A duration in ms as "0:32", from an hour on as "1:04:10". @param {number} ms */
export function ago(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  if (!hours) return clock(seconds * 1000);
  const under = [Math.floor((seconds % 3600) / 60), seconds % 60];
  return [hours, ...under.map((each) => String(each).padStart(2, '0'))].join(':');
}

/**
 * @param {WaitingItem} item
 * @param {People | undefined} people
 * @param {number} nowMs
 */
export function askedWords(item, people, nowMs) {
  const by = `Station ${stationName(item.station)}, ${personName(people, item.asked_by)}`;
  return `Asked ${ago(nowMs - item.asked_ms)} ago by ${by}`;
}

/**
 * Whether the money is owed for a void: the ticket is in the drawer, its slip is signed.
 * @param {Pick<WaitingItem, 'detail'>} item
 */
export function isOfVoid({ detail }) {
  return detail?.record?.state === 'void';
}

/** What is to be authorised, in words. @param {Pick<WaitingItem, 'detail'>} item */
export function titleWords(item) {
  if (isOfVoid(item)) return 'Authorise money of a void';
  return item.detail?.refund ? 'Authorise refund' : 'Authorise payout';
}

/**
 * What is signed by hand after the approval, in words.
 * @param {Pick<WaitingItem, 'detail'>} item
 * @param {string} [ticket] its name
 */
export function signWords(item, ticket) {
  if (isOfVoid(item))
    return `Then sign the void slip${ticket ? ` of ticket ${ticket}` : ''}, in ink.`;
  return `Then sign the back of ${ticket ? `ticket ${ticket}` : 'the ticket'}, in ink.`;
}

/** What a denial leaves, in words. @param {Pick<WaitingItem, 'detail'>} item */
export function deniedWords(item) {
  return isOfVoid(item)
    ? 'It stays owed, and the reason is kept.'
    : 'The ticket stays unpaid, and the reason is kept.';
}

/**
 * When a request lapses, in words; '' if it does not.
 * @param {Pick<AuthorisationRecord, 'lapses_ms'> | null} detail
 * @param {number} nowMs
 * @param {string} [zone]
 */
export function lapseWords(detail, nowMs, zone) {
  if (!detail?.lapses_ms) return '';
  const left = detail.lapses_ms - nowMs;
  if (left > 10 * 60_000) return `Lapses at ${time(detail.lapses_ms, zone)}`;
  return `Lapses in ${ago(left)}`;
}

/**
 * The words of a request in the queue.
 * @param {WaitingItem} item
 * @param {People | undefined} people
 * @param {boolean} lettered
 * @param {string} [zone]
 */
export function queueWords(item, people, lettered, zone) {
  const station = `Station ${stationName(item.station)}`;
  const name = ticketName(item.ticket, lettered ? item.letter : '');
  const ticket = isOfVoid(item) ? `Void of ticket ${name}` : `Ticket ${name}`;
  if (item.yours === 'sold') {
    const sold = item.detail?.record?.sold_ms;
    return {
      station,
      about: `, ticket sold by you${sold ? ` at ${time(sold, zone)}` : ''}`,
      under: 'Waits for another supervisor',
    };
  }
  if (item.yours === 'asked')
    return { station, about: ', asked for by you', under: 'Waits for another supervisor' };
  return {
    station,
    about: `, ${personName(people, item.asked_by)}`,
    under: [ticket, bestWords(item.detail?.record)].filter(Boolean).join(', '),
  };
}

/** The catch of a ticket's best way: "6 of 6". @param {TicketRecord | undefined} record */
export function bestWords(record) {
  const best = (record?.games ?? [])
    .flatMap((game) => game.ways ?? [])
    .sort((one, two) => two.award_cents - one.award_cents)[0];
  return best ? `${best.caught} of ${best.spots}` : '';
}

/**
 * The game to show: the wanted one, else the one with the largest award.
 * @param {TicketRecord} record
 * @param {number | null} wanted
 * @returns {RecordedGame | null}
 */
export function shownGame(record, wanted) {
  const { games } = record;
  const chosen = games.find((game) => game.game === wanted);
  if (chosen) return chosen;
  const most = Math.max(...games.map((game) => game.award_cents ?? -1));
  return games.find((game) => (game.award_cents ?? -1) === most) ?? null;
}

/**
 * The winning ways of a game; the first of each spot count has its conditioning, such as "3/8".
 * @param {RecordedGame | null} game
 * @param {string} [conditioning]
 */
export function wayRows(game, conditioning = '') {
  const named = new Map(
    [...conditioning.matchAll(/(?<![^\s,])\d+\/(\d+)/g)].map((match) => [
      Number(match[1]),
      match[0],
    ]),
  );
  const seen = new Set();
  return [...(game?.ways ?? [])]
    .sort((one, two) => one.spots - two.spots || two.award_cents - one.award_cents)
    .map((way) => {
      const first = !seen.has(way.spots);
      seen.add(way.spots);
      return { ...way, label: first ? (named.get(way.spots) ?? '') : '' };
    });
}

/**
 * A group of a ticket in words for screen readers.
 * @param {NamedGroup} group
 * @param {number[] | null} drawn
 */
export function groupWords(group, drawn) {
  const caught = drawn ? group.numbers.filter((number) => drawn.includes(number)) : null;
  const tail =
    caught === null
      ? 'not drawn yet'
      : caught.length
        ? `caught ${listed(caught.map(String))}`
        : 'none caught';
  return `${groupName(group.letter)}: ${group.numbers.join(', ')}; ${tail}`;
}

/** The words on a game's chip: its award or its state. @param {RecordedGame} game */
export function gameChip(game) {
  if (game.award_cents) return money(game.award_cents).replace(/\.00$/, '');
  return UNDRAWN[game.state] ?? (game.numbers ? 'no award' : 'to come');
}

const CHIPS = 3;

/**
 * The games of a ticket that get a chip, highest awards first, and the rest.
 * @param {RecordedGame[]} games
 * @param {RecordedGame | null} open
 */
export function chipsOf(games, open) {
  const ranked = [...games].sort(
    (one, two) => (two.award_cents ?? 0) - (one.award_cents ?? 0) || one.game - two.game,
  );
  const shown = ranked.slice(0, CHIPS);
  if (open && !shown.includes(open)) shown[shown.length - 1] = open;
  return { shown, rest: ranked.filter((game) => !shown.includes(game)) };
}

/**
 * What became of a request that is no longer listed, in words; '' if the reader answered it.
 * @param {Gone} gone
 * @param {People | undefined} people
 * @param {string} you
 * @param {boolean} lettered
 */
export function goneWords({ item, state, by }, people, you, lettered) {
  const ticket = ticketName(item.ticket, lettered ? item.letter : '');
  const what = `${money(item.amount_cents)}, ticket ${ticket}`;
  if (by === you) return '';
  if (state === 'approved' || state === 'used')
    return `${what}: approved${by ? ` by ${personName(people, by)}` : ''}.`;
  if (state === 'denied') return `${what}: denied${by ? ` by ${personName(people, by)}` : ''}.`;
  if (state === 'lapsed') return `${what}: the request lapsed.`;
  return `${what}: no longer asked for.`;
}

/**
 * Return why this person cannot answer the request: a sentence, 'key' if they have none, or ''.
 * @param {WaitingItem} item
 * @param {string} role
 * @param {boolean} hasKey
 */
export function whyNot(item, role, hasKey) {
  if (role === 'inspector' || role === 'accounting') return 'A supervisor or manager answers this.';
  if (item.yours) return 'Waits for another supervisor.';
  return hasKey ? '' : 'key';
}

/** The size in which the spots are drawn, by their number. @param {NamedGroup[]} groups */
export function spotSize(groups) {
  const spots = groups.reduce((sum, group) => sum + group.numbers.length, 0);
  return spots <= 13 && groups.length <= 4 ? 'large' : spots <= 20 ? 'middle' : 'small';
}

/** @param {number} hidden */
export function moreWays(hidden) {
  return hidden > 0 ? `and ${count(hidden, 'more way')}` : '';
}
