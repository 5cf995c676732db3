/*
 * Text formats of the Pay view and the dialogs: the shared ones, and a few of the station only.
 */
import { money, parseMoney, ticketNumber, time } from '../../../keno/pages/shared/format.js';

export { money, parseMoney, ticketNumber };

/** @import { Place } from '../types.js' */

/**
 * A Unix time in ms as the time of day at the location.
 * @param {number} ms
 * @param {Pick<Place, 'zone'> | null | undefined} place
 */
export const timeWords = (ms, place) => time(ms, place?.zone);

/**
 * Casino, location and station in words: "Larkspur, Main Floor, station 04".
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
 * A ticket's games in words: "game A-1180", "games A-1180 to A-1184"; the letter is that of `name`.
 * @param {{first_game: number, last_game?: number, name?: string}} ticket
 */
export function gamesWords({ first_game: first, last_game: last, name = '' }) {
  const letter = name.includes('-') ? `${name.split('-')[0]}-` : '';
  if (!last || first === last) return `game ${letter}${first}`;
  return `games ${letter}${first} to ${letter}${last}`;
}
