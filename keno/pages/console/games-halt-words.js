// The words for halts, who may end one, and a check of the signed order. Pure; the server decides.

import { readOrderFile } from './order-file.js';

/** @import { HaltView } from '../shared/protocol.js' */

const ORDER = /^keno-halt\/\d+\/resume$/;
const GIVES = ['supervisor', 'manager'];

/** Whether a role may order that a halt ends; an inspector signs too. @param {string} role */
export function mayResume(role) {
  return GIVES.includes(role);
}

/** @param {Pick<HaltView, 'scope' | 'location' | 'in_force'>} halt */
export function haltTitle({ scope, location, in_force: inForce }) {
  const what = scope === 'house' ? 'The whole house' : `Location ${location}`;
  return inForce ? `${what} is halted` : `${what} was halted`;
}

/**
 * @param {HaltView} halt
 * @param {(ms: number) => string} time
 * @returns {[string, string][]}
 */
export function haltLines(halt, time) {
  /** @type {[string, string][]} */
  const lines = [
    ['Fault', halt.fault.replaceAll('_', ' ')],
    ['Halt', halt.halt.slice(0, 16)],
  ];
  if (halt.resumed_ms) {
    lines.push(
      ['Resumed', time(halt.resumed_ms)],
      ['By', `${halt.resumed_by} and ${halt.second}`],
      ['Because', halt.reason ?? ''],
    );
  }
  return lines;
}

/**
 * Read the signed order from the generator's console; returns the order or its fault.
 * @param {string} text
 * @param {Pick<HaltView, 'halt'>} halt
 */
export function readResume(text, halt) {
  return readOrderFile(text, ORDER, {
    request: '`keno-rng resume` writes the order.',
    record: 'an order to go on',
    forOther: (body) => (body.halt === halt.halt ? '' : 'This order is for another halt.'),
  });
}
