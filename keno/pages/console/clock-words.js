// The texts of a time that must be confirmed: what was found, both times, what follows. Pure.

import { day, timeExact } from '../shared/format.js';

/** @import { ClockDoubt } from '../shared/protocol.js' */

/**
 * A Unix time in ms as Nov 16, 2026, 9:08:44 PM.
 * @param {number} ms
 * @param {string} [zone]
 */
export function moment(ms, zone) {
  return `${day(ms, zone)}, ${timeExact(ms, zone)}`;
}

/** The heading on what happened to the clock. @param {ClockDoubt} doubt */
export function headOf(doubt) {
  return doubt.what === 'restarted'
    ? 'The house is closed: its time must be confirmed'
    : 'The clock stepped';
}

/** The sentences on what waits until the time is confirmed. @param {ClockDoubt} doubt */
export function waitsFor(doubt) {
  return doubt.what === 'restarted'
    ? 'The machine was restarted and nothing confirms its clock. Nothing is sold, drawn or paid.'
    : 'The house goes on by the ledger’s time. No claim ends until the time is confirmed.';
}

/**
 * Ledger time and machine time, as pairs of name and text.
 * @param {ClockDoubt} doubt
 * @param {string} [zone]
 * @returns {[name: string, time: string][]}
 */
export function timesOf(doubt, zone) {
  return [
    ['Ledger time', moment(doubt.ledger_ms, zone)],
    ['Machine time', moment(doubt.machine_ms, zone)],
  ];
}

/**
 * Ledger time and machine time in one line.
 * @param {ClockDoubt} doubt
 * @param {string} [zone]
 */
export function bothTimes(doubt, zone) {
  const ledger = moment(doubt.ledger_ms, zone);
  return `Ledger time ${ledger}; machine time ${moment(doubt.machine_ms, zone)}`;
}

/** The sentence if the machine's time is behind the ledger's, else ''. @param {ClockDoubt} doubt */
export function behindWords(doubt) {
  return doubt.machine_ms < doubt.ledger_ms
    ? 'The ledger’s time goes back only to correct a time that was confirmed by mistake: ' +
        'otherwise it stays until the machine’s has caught up with it.'
    : '';
}

/** @param {string} choice */
export function confirmedWords(choice) {
  return choice === 'machine'
    ? 'The machine’s time is confirmed.'
    : 'The ledger’s time is confirmed.';
}
