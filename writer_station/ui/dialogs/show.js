/*
 * How things are written in the Pay view and in dialogs: the shared formats, and a few phrases that
 * only a station needs.
 */
import {
  listed,
  money,
  parseMoney,
  ticketNumber,
  time,
} from '../../../keno/pages/shared/format.js';

export { money, parseMoney, ticketNumber };

/** A moment as a time of day at the location, as on its papers. */
export const timeWords = (ms, place) => time(ms, place?.zone);

/** "Larkspur, Main Floor, station 04"; what is not known before the line is up is left out. */
export function placeWords(place) {
  if (!place) return 'The station is still looking for the house.';
  return [place.casino, place.name, stationWords(place.station)].filter(Boolean).join(', ');
}

export function stationWords(station) {
  return /^\d/.test(String(station)) ? `station ${station}` : String(station);
}

/** "game A-1180" or "games A-1180 to A-1184"; `name` gives the location's letter, if known. */
export function gamesWords({ first_game: first, last_game: last, name = '' }) {
  const letter = name.includes('-') ? `${name.split('-')[0]}-` : '';
  if (!last || first === last) return `game ${letter}${first}`;
  return `games ${letter}${first} to ${letter}${last}`;
}

/** "Ticket 418 2276", "Tickets 418 2276 and 418 2280". */
export function ticketsWords(tickets) {
  return `Ticket${tickets.length === 1 ? '' : 's'} ${listed(tickets.map(ticketNumber))}`;
}
