// An authorisation in words and figures. Pure.

import { clock, count, listed, money, time } from '../shared/format.js';
import { groupName } from '../shared/shapes.js';
import { personName, stationName, ticketName } from './floor-words.js';

/** "0:32", or "1:04:10" from an hour on. */
export function ago(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  if (!hours) return clock(seconds * 1000);
  return `${hours}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}

export function askedWords(item, people, nowMs) {
  return `Asked ${ago(nowMs - item.asked_ms)} ago by Station ${stationName(item.station)}, ${personName(people, item.asked_by)}`;
}

/** When a request lapses, if it does. */
export function lapseWords(detail, nowMs, zone) {
  if (!detail?.lapses_ms) return '';
  const left = detail.lapses_ms - nowMs;
  if (left > 10 * 60_000) return `Lapses at ${time(detail.lapses_ms, zone)}`;
  return `Lapses in ${ago(left)}`;
}

/** A row of the queue: what it is about, and what is to be known of it. */
export function queueWords(item, people, lettered, zone) {
  const station = `Station ${stationName(item.station)}`;
  const ticket = `Ticket ${ticketName(item.ticket, lettered ? item.letter : '')}`;
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

/** The best catch of a ticket: "six of six". */
export function bestWords(record) {
  const best = (record?.games ?? [])
    .flatMap((game) => game.ways ?? [])
    .sort((one, two) => two.award_cents - one.award_cents)[0];
  return best ? `${best.caught} of ${best.spots}` : '';
}

/** The game to show first: the one with the largest award. */
export function shownGame(record, wanted) {
  const games = record?.games ?? [];
  const chosen = games.find((game) => game.game === wanted);
  if (chosen) return chosen;
  return (
    games.reduce(
      (best, game) => ((game.award_cents ?? -1) > (best?.award_cents ?? -1) ? game : best),
      null,
    ) ??
    games[0] ??
    null
  );
}

/** The ways of a game with the conditioning that they belong to, named at the first of each: "3/8". */
export function wayRows(game, conditioning = '') {
  const named = new Map(
    String(conditioning ?? '')
      .split(/[\s,]+/)
      .map((each) => /^(\d+)\/(\d+)/.exec(each))
      .filter(Boolean)
      .map((match) => [Number(match[2]), match[0]]),
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

/** A group of a ticket for who cannot see it. */
export function groupWords(group, drawn) {
  const caught = drawn ? group.numbers.filter((number) => drawn.includes(number)) : null;
  const tail =
    caught === null ? 'not drawn yet' : caught.length ? `caught ${listed(caught)}` : 'none caught';
  return `${groupName(group.letter)}: ${group.numbers.join(', ')}; ${tail}`;
}

/** A game of the ticket on a chip: its name and its award or its state. */
export function gameChip(game) {
  if (game.award_cents) return money(game.award_cents).replace(/\.00$/, '');
  return (
    { void: 'void', drawing: 'being drawn', open: 'open' }[game.state] ??
    (game.numbers ? 'no award' : 'to come')
  );
}

const CHIPS = 3;

/** The games of a ticket, the best first: those with a chip, and the rest. */
export function chipsOf(games, open) {
  const ranked = [...games].sort(
    (one, two) => (two.award_cents ?? 0) - (one.award_cents ?? 0) || one.game - two.game,
  );
  const shown = ranked.slice(0, CHIPS);
  if (open && !shown.includes(open)) shown[shown.length - 1] = open;
  return { shown, rest: ranked.filter((game) => !shown.includes(game)) };
}

/** What became of a request that is gone from the list. */
export function goneWords({ item, state, by }, people, you, lettered) {
  const what = `${money(item.amount_cents)}, ticket ${ticketName(item.ticket, lettered ? item.letter : '')}`;
  if (by === you) return '';
  if (state === 'approved' || state === 'used')
    return `${what}: approved${by ? ` by ${personName(people, by)}` : ''}.`;
  if (state === 'denied') return `${what}: denied${by ? ` by ${personName(people, by)}` : ''}.`;
  if (state === 'lapsed') return `${what}: the request lapsed.`;
  return `${what}: no longer asked for.`;
}

/** Why the open request cannot be answered by whoever looks at it; nothing if it can. */
export function whyNot(item, role, hasKey) {
  if (role === 'inspector' || role === 'accounting') return 'A supervisor or manager answers this.';
  if (item.yours) return 'Waits for another supervisor.';
  return hasKey ? '' : 'key';
}

/** How large the spots are drawn, by how many there are. */
export function spotSize(groups) {
  const spots = groups.reduce((sum, group) => sum + group.numbers.length, 0);
  return spots <= 13 && groups.length <= 4 ? 'large' : spots <= 20 ? 'middle' : 'small';
}

export function moreWays(hidden) {
  return hidden > 0 ? `and ${count(hidden, 'more way')}` : '';
}
