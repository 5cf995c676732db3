// Reads what a supervisor keys or scans to find a ticket. Only letter and number are used; a code
// is cut off here. Pure.

/** @import { TicketKey } from './types.js' */

const CODE_PARTS = 4;
const CODE_PART = /^[0-9A-Z]{4}$/;
const CODE = /^[0-9A-Z]{16}$/;

/**
 * Letter and number from "A-418", "418 2276" or a scan; null if it is no ticket.
 * @param {string} text
 * @returns {{letter: string|null, ticket: number}|null} letter: null if none was keyed
 */
export function readNumber(text) {
  const last = text.trim().toUpperCase().split('/').at(-1) ?? '';
  const found = /^([A-Z])?[\s-]*([0-9][0-9A-Z\s-]*)$/.exec(last);
  if (!found) return null;
  const digits = withoutCode(found[2].split(/[\s-]+/).filter(Boolean)).join('');
  if (!/^[0-9]{1,15}$/.test(digits) || Number(digits) < 1) return null;
  return { letter: found[1] ?? null, ticket: Number(digits) };
}

/** @param {string[]} parts */
function withoutCode(parts) {
  if (parts.length > 1 && CODE.test(parts.at(-1) ?? '')) return parts.slice(0, -1);
  const tail = parts.slice(-CODE_PARTS);
  if (parts.length > CODE_PARTS && tail.every((part) => CODE_PART.test(part)))
    return parts.slice(0, -CODE_PARTS);
  return parts;
}

/**
 * The ticket that is meant: its location is that of the letter, else the chosen one.
 * @param {string} text
 * @param {{location: string, letter: string}[]} locations
 * @param {string} chosen the location that is chosen
 * @returns {TicketKey | {fault: string}}
 */
export function meant(text, locations, chosen) {
  const read = readNumber(text);
  if (!read) return { fault: 'Key the number as it stands on the paper: A-418, or 418 2276.' };
  const place = read.letter
    ? locations.find((each) => each.letter === read.letter)
    : (locations.find((each) => each.location === chosen) ?? locations[0]);
  if (!place) return { fault: `No location here has the letter ${read.letter}.` };
  return { location: place.location, letter: place.letter, ticket: read.ticket };
}
