// The texts of the register of coupons, and what is read of a list of serials. Pure.

import { count, money } from '../shared/format.js';

/** @import { CouponBatch, CouponView } from '../shared/protocol.js' */
/** @import { CouponRow, Toned } from './types.js' */

/** The longest list of serials that one message of the page can carry, in characters. */
export const LIST_MAX = 55_000;

/** @type {Record<string, string>} */
const CAME = {
  issued: 'Issued',
  registered: 'Registered',
  given_back: 'Given back',
  taken_over: 'From before the register',
};

/** What a coupon that was found is worth. @param {CouponView} found */
export function worth(found) {
  return `${found.serial} is worth ${money(found.cents)}, good ${found.until}.`;
}

/** What was issued or registered. @param {CouponView | CouponBatch} done */
export function entered(done) {
  if ('serial' in done)
    return `Coupon ${done.serial} of ${money(done.cents)} is issued, good ${done.until}.`;
  const which = done.coupons === 1 ? done.first : `${done.first} to ${done.last}`;
  const each = done.coupons === 1 ? '' : ' each';
  const what = `${count(done.coupons, 'coupon')} of ${money(done.cents)}${each}`;
  return `${what} registered: ${which}, good ${done.until}.`;
}

/** The serials of a row: one, or a range. @param {CouponRow} row */
export function serials(row) {
  return row.coupons === 1 ? row.serial : `${row.serial} to ${row.last}`;
}

/** The state of a row. @param {CouponRow} row @returns {Toned} */
export function state(row) {
  if (row.state === 'used') return { tone: 'quiet', word: `Paid ${row.used_on}` };
  if (row.state === 'void') return { tone: 'ember', word: 'Void' };
  return { tone: 'jade', word: 'Not used' };
}

/** How the coupons of a row came into the register, and by whom. @param {CouponRow} row */
export function came(row) {
  const how = CAME[row.source] ?? row.source;
  if (row.given_for) return `${how} for ${row.given_for}`;
  return row.issued_by
    ? `${how} by ${[row.issued_by, row.second].filter(Boolean).join(' and ')}`
    : how;
}

/** What is not used of these rows, in words. @param {readonly CouponRow[]} rows */
export function open(rows) {
  const left = rows.filter((row) => row.state === 'open');
  const many = left.reduce((sum, row) => sum + row.coupons, 0);
  const cents = left.reduce((sum, row) => sum + row.total_cents, 0);
  return many ? `${count(many, 'coupon')} not used, ${money(cents)} together` : 'None is open';
}

/**
 * The serials of a list or a CSV file, its first column; a heading `serial` is left out. Each line
 * that has no serial is a fault.
 * @param {string} text
 * @returns {{serials: string} | {fault: string}}
 */
export function readList(text) {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const found = [];
  for (const [index, line] of lines.entries()) {
    const cell = (line.split(/[,;\t]/)[0] ?? '').trim().replace(/^"(.*)"$/, '$1');
    if (!cell || (index === 0 && cell.toLowerCase() === 'serial')) continue;
    if (!/^[A-Za-z0-9]([A-Za-z0-9-]{0,30}[A-Za-z0-9])?$/.test(cell))
      return { fault: `Line ${index + 1}, “${cell}”, is not 1 to 32 letters, digits and hyphens.` };
    found.push(cell);
  }
  if (!found.length) return { fault: 'There is no serial in it. One stands on each line.' };
  const serials = found.join('\n');
  if (serials.length > LIST_MAX)
    return { fault: 'The list is too long for the page: register it as a range, or in parts.' };
  return { serials };
}
