// The five listings the law names, as the screen has them: columns, words, empty days, sums. The
// columns are those of keno/documents/listings.py. Pure.

import { count, day as dayOf, money, timeExact } from '../shared/format.js';

/** @import { ListingRow } from './types.js' */

/** @type {Record<string, string>} */
const WORDS = {
  close_early: 'close early',
  void: 'declare void',
};

/** Kinds of exceptions as headings. @type {Record<string, string>} */
export const EXCEPTIONS = {
  hold: 'Held in dispute',
  release: 'Released',
  reprint: 'Reprint',
  surrender: 'Surrendered',
  void_game: 'Game void',
  denied: 'Payout denied',
  lapsed: 'Request lapsed',
  over: 'Checkout over',
  short: 'Checkout short',
  over_short: 'Over and short',
  unconfirmed_print: 'Print unconfirmed',
};

/**
 * @typedef {{key: string, head: string, kind?: string, added?: boolean, wide?: boolean}} Column
 * @typedef {{title: string, clause: string, what: string, one: string, many: string, none: string,
 *   columns: Column[], grouped?: string}} Form
 */

/** @type {Record<string, Form>} */
export const FORMS = {
  winning_numbers: {
    title: 'Winning numbers',
    clause: '15.5(h)',
    what: 'Games by the day of their lock-out, numbers in the order drawn',
    one: 'game drawn',
    many: 'games drawn',
    none: 'No game was drawn on this day',
    columns: [
      { key: 'game', head: 'Game', kind: 'numbered' },
      { key: 'locked_ms', head: 'Locked out', kind: 'time' },
      { key: 'shown_ms', head: 'Shown', kind: 'time' },
      { key: 'numbers', head: 'Numbers, in the order drawn', kind: 'balls' },
    ],
  },
  voids: {
    title: 'Voided tickets',
    clause: '15.4(e)',
    what: 'By the station that voided them',
    one: 'ticket voided',
    many: 'tickets voided',
    none: 'No voids on this day',
    grouped: 'voided_at',
    columns: [
      { key: 'ticket', head: 'Ticket', kind: 'numbered' },
      { key: 'ms', head: 'Voided', kind: 'time' },
      { key: 'actor', head: 'Voided by' },
      { key: 'sold_at', head: 'Sold at' },
      { key: 'sold_by', head: 'Sold by' },
      { key: 'rewritten_as', head: 'Rewritten as', kind: 'numbered' },
      { key: 'price_cents', head: 'Price', kind: 'money', added: true },
    ],
  },
  overrides: {
    title: 'Overrides of the lock-out',
    clause: '15.5(e)',
    what: 'Who changed a close, and why',
    one: 'override',
    many: 'overrides',
    none: 'No overrides on this day',
    columns: [
      { key: 'ms', head: 'Time', kind: 'time' },
      { key: 'game', head: 'Game', kind: 'numbered' },
      { key: 'kind', head: 'What', kind: 'word' },
      { key: 'seconds', head: 'Seconds', kind: 'number' },
      { key: 'actor', head: 'By' },
      { key: 'second', head: 'Second person' },
      { key: 'reason', head: 'Why', wide: true },
    ],
  },
  large_payouts: {
    title: 'Payouts of $1,500.00 or more',
    clause: '15.6(b)',
    what: 'With the supervisor who signed each',
    one: 'payout',
    many: 'payouts',
    none: 'No payout of $1,500.00 or more on this day',
    columns: [
      { key: 'ms', head: 'Paid', kind: 'time' },
      { key: 'ticket', head: 'Ticket', kind: 'numbered' },
      { key: 'kind', head: 'Kind', kind: 'word' },
      { key: 'station', head: 'Station' },
      { key: 'actor', head: 'Paid by' },
      { key: 'authorised_by', head: 'Authorised by' },
      { key: 'authorised_ms', head: 'Authorised', kind: 'time' },
      { key: 'total_cents', head: 'Total', kind: 'money', added: true },
      { key: 'cash_cents', head: 'Cash', kind: 'money', added: true },
      { key: 'check_cents', head: 'Check', kind: 'money', added: true },
      { key: 'check_number', head: 'Check no.' },
      { key: 'coupon_cents', head: 'Coupon', kind: 'money', added: true },
      { key: 'withheld_cents', head: 'Withheld', kind: 'money', added: true },
      { key: 'tax_form', head: 'W-2G' },
    ],
  },
  exceptions: {
    title: 'Exceptions',
    clause: '',
    what: 'Whatever was out of the ordinary, in the order it happened',
    one: 'exception',
    many: 'exceptions',
    none: 'No exceptions on this day',
    columns: [
      { key: 'ms', head: 'Time', kind: 'time' },
      { key: 'kind', head: 'What', kind: 'exception' },
      { key: 'ticket', head: 'Ticket', kind: 'numbered' },
      { key: 'game', head: 'Game', kind: 'numbered' },
      { key: 'station', head: 'Station' },
      { key: 'actor', head: 'By' },
      { key: 'second', head: 'Second person' },
      { key: 'detail', head: 'Why, or what', wide: true },
      { key: 'cents', head: 'Amount', kind: 'money' },
    ],
  },
};

const RIGHT = new Set(['money', 'number']);

/** Whether a column's figures stand at the right. @param {Column} column */
export function isRight(column) {
  return RIGHT.has(column.kind ?? '');
}

/**
 * A cell's words. A time of another day has its date.
 * @param {Column} column
 * @param {ListingRow[string] | undefined} value
 * @param {{letter: string, zone?: string, day: string}} place
 */
export function cell(column, value, place) {
  if (value === null || value === undefined || value === '') return '';
  switch (column.kind) {
    case 'money':
      return money(Number(value));
    case 'time':
      return timeCell(Number(value), place);
    case 'numbered':
      return `${place.letter}-${value}`;
    case 'word':
      return WORDS[String(value)] ?? String(value);
    case 'exception':
      return EXCEPTIONS[String(value)] ?? String(value).replaceAll('_', ' ');
    default:
      return String(value);
  }
}

/**
 * @param {number} ms
 * @param {{zone?: string, day: string}} place
 */
function timeCell(ms, { zone, day }) {
  const time = timeExact(ms, zone);
  return isoDay(ms, zone) === day ? time : `${dayOf(ms, zone).replace(/, \d+$/, '')}, ${time}`;
}

/**
 * The balls of a game: they come as a list, or as a list in text.
 * @param {ListingRow[string]} numbers
 */
export function balls(numbers) {
  return Array.isArray(numbers)
    ? numbers
    : String(numbers)
        .replace(/[[\]\s]/g, '')
        .split(',')
        .filter(Boolean)
        .map(Number);
}

/**
 * Rows that stand together: [{heading, rows}], one without a heading if they do not.
 * @param {Form} form
 * @param {ListingRow[]} rows
 */
export function groups(form, rows) {
  if (!form.grouped) return [{ heading: '', rows }];
  const found = new Map();
  for (const row of rows)
    found.set(row[form.grouped], [...(found.get(row[form.grouped]) ?? []), row]);
  return [...found].map(([key, some]) => ({
    heading: `Station ${key}: ${count(some.length, form.one, form.many)}`,
    rows: some,
  }));
}

/**
 * The sums of the columns that say something, in the columns' order; '' for the others.
 * @param {Form} form
 * @param {ListingRow[]} rows
 */
export function sums(form, rows) {
  return form.columns.map((column) =>
    column.added ? money(rows.reduce((all, row) => all + Number(row[column.key] ?? 0), 0)) : '',
  );
}

/**
 * A moment's calendar day as 2026-11-16, by the clock of `zone`.
 * @param {number} ms
 * @param {string} [zone]
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
 * The day before or after, as 2026-11-15; null for no day.
 * @param {string} day
 * @param {number} by
 */
export function stepDay(day, by) {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? null : new Date(at + by * 86_400_000).toISOString().slice(0, 10);
}

/** A day as it is spoken: Monday, Nov 16, 2026. @param {string} day */
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
