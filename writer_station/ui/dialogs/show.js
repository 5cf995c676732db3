/*
 * How things are written in the Pay view and in dialogs: the shared formats, and a few phrases that
 * only a station needs.
 */
import { money, parseMoney, ticketNumber, time } from '../../../keno/pages/shared/format.js';

export { money, parseMoney, ticketNumber };

/** @import { Place } from '../types.js' */

/**
 * A moment as a time of day at the location, as on its papers.
 * @param {number} ms
 * @param {Pick<Place, 'zone'> | null | undefined} place
 */
export const timeWords = (ms, place) => time(ms, place?.zone);

/**
 * "Larkspur, Main Floor, station 04"; what is not known before the line is up is left out.
 * @param {Pick<Place, 'casino' | 'name' | 'station'> | null | undefined} place
 */
export function placeWords(place) {
  if (!place) return 'The station is still looking for the house.';
  return [place.casino, place.name, stationWords(place.station)].filter(Boolean).join(', ');
}

/** @param {number | string} station */
export function stationWords(station) {
  return /^\d/.test(String(station)) ? `station ${station}` : String(station);
}

/**
 * "game A-1180" or "games A-1180 to A-1184"; `name` gives the location's letter, if known.
 * @param {{first_game: number, last_game?: number, name?: string}} ticket
 */
export function gamesWords({ first_game: first, last_game: last, name = '' }) {
  const letter = name.includes('-') ? `${name.split('-')[0]}-` : '';
  if (!last || first === last) return `game ${letter}${first}`;
  return `games ${letter}${first} to ${letter}${last}`;
}
