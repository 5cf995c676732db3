// The texts of a listing's cells, groups and sums, by the kinds of its columns; days. Pure.
// Columns and words come from the server (GET /api/listings): keno/service/listing_registry.py.

import { count, day as dayOf, money, timeExact } from '../shared/format.js';

/**
 * @typedef {object} Column
 * @property {string} key the field of the row
 * @property {string} heading
 * @property {'text'|'sentence'|'word'|'number'|'ticket'|'game'|'cents'|'time'|'numbers'} kind
 * @property {boolean} summed whether its sum is shown
 * @property {Record<string, string>} words for codes; a code without words is its own word
 */

/**
 * @typedef {object} Listing
 * @property {string} name
 * @property {string} title
 * @property {string} clause
 * @property {string} what
 * @property {string} one
 * @property {string} many
 * @property {string} none said of a day without rows
 * @property {string} group_key the field by which rows are grouped; empty: they are not
 * @property {string} group_heading precedes the value of a group
 * @property {Column[]} columns
 */

/** @typedef {Record<string, string | number | null>} Row its fields are the columns' keys */

/** @typedef {{letter: string, zone?: string, day: string}} Place */

const RIGHT = new Set(['cents', 'number']);

/**
 * The CSS class of a column's cells.
 * @param {Column} column
 */
export function side(column) {
  if (column.kind === 'sentence') return 'wide';
  return RIGHT.has(column.kind) ? 'right' : '';
}

/**
 * The text of a cell; a time of another day has its date.
 * @param {Column} column
 * @param {Row[string] | undefined} value
 * @param {Place} place
 */
export function cell(column, value, place) {
  if (value === null || value === undefined || value === '') return '';
  switch (column.kind) {
    case 'cents':
      return money(Number(value));
    case 'time':
      return timeCell(Number(value), place);
    case 'ticket':
    case 'game':
      return `${place.letter}-${value}`;
    case 'word':
      return column.words[value] ?? String(value);
    default:
      return String(value);
  }
}

/**
 * @param {number} ms
 * @param {Place} place
 */
function timeCell(ms, { zone, day }) {
  const time = timeExact(ms, zone);
  return isoDay(ms, zone) === day ? time : `${dayOf(ms, zone).replace(/, \d+$/, '')}, ${time}`;
}

/**
 * The balls of a game from their JSON text.
 * @param {string} numbers
 * @returns {number[]}
 */
export function balls(numbers) {
  return JSON.parse(numbers);
}

/**
 * The rows of a listing in groups; one group without heading if it is not grouped.
 * @param {Listing} listing @param {Row[]} rows
 * @returns {{heading: string, rows: Row[]}[]}
 */
export function groups(listing, rows) {
  const key = listing.group_key;
  if (!key) return [{ heading: '', rows }];
  return [...Map.groupBy(rows, (row) => row[key])].map(([value, some]) => ({
    heading: `${listing.group_heading} ${value}: ${count(some.length, listing.one, listing.many)}`,
    rows: some,
  }));
}

/**
 * The sum of each column that is summed; '' for the others.
 * @param {Listing} listing @param {Row[]} rows
 */
export function sums(listing, rows) {
  return listing.columns.map((column) =>
    column.summed ? money(rows.reduce((all, row) => all + Number(row[column.key] ?? 0), 0)) : '',
  );
}

/**
 * The calendar day of a Unix time in ms as 2026-11-16, in the time zone `zone`.
 * @param {number} ms @param {string} [zone]
 */
export function isoDay(ms, zone) {
  const parts = new Intl.DateTimeFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: zone,
  }).format(new Date(ms));
  return parts.replaceAll('/', '-');
}

/**
 * The day `by` days later (or earlier), as 2026-11-15; null if `day` is no day.
 * @param {string} day @param {number} by
 */
export function stepDay(day, by) {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? null : new Date(at + by * 86_400_000).toISOString().slice(0, 10);
}

/**
 * A day in words: Monday, Nov 16, 2026.
 * @param {string} day
 */
export function dayWords(day) {
  const at = Date.parse(`${day}T12:00:00Z`);
  if (Number.isNaN(at)) return '';
  return new Intl.DateTimeFormat('en-US', {
    weekday: 'long',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(at));
}
