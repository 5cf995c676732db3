/*
 * The state of the Pay view, called the counter: the presented ticket, and the writer's progress
 * with its payout.
 */
import { field } from './dialogs/form.js';

/**
 * @import { Progress } from './pay-acts.js'
 * @import { Due, Look, PayAnswer, RefundDue, WhyNot } from './types.js'
 * @typedef {ReturnType<typeof newFields>} PayFields
 * @typedef {PayAnswer & {parts: [words: string, cents: number][], refund: boolean,
 *   onSlip: boolean}} Outcome `onSlip`: the slip was paid, not the ticket
 */

/**
 * @typedef {object} Counter
 * @property {Look | null} look the ticket
 * @property {boolean} refund whether its undrawn games are refunded
 * @property {Progress} progress
 * @property {PayFields | null} fields inputs, kept as long as the ticket is on the counter
 * @property {number} open index of the game that is expanded in the list, or -1
 * @property {Look[]} batch tickets that are paid in one total with it
 * @property {WhyNot | null} refusal why there is no ticket
 * @property {Outcome | null} outcome what was handed over
 * @property {boolean} choosing whether part of it is to be paid by check
 * @property {boolean} inCash whether cash is given for owed chips or tokens, which the drawer lacks
 * @property {string} busy the request in progress, in words; '' without one
 * @property {number} since performance.now() when the ticket or its panel came
 * @property {boolean} left whether the view was left: what is scanned later is another patron's
 * @property {Map<number, number>} askedAt performance.now() of each request for an authorisation
 */

/**
 * The fields of the counter before the writer did anything for its ticket.
 * @satisfies {Partial<Counter>}
 */
const CLEAR = {
  refund: false,
  progress: {},
  refusal: null,
  outcome: null,
  choosing: false,
  inCash: false,
};

/** @returns {Counter} */
export function newCounter() {
  return {
    ...CLEAR,
    look: null,
    fields: null,
    open: -1,
    batch: [],
    busy: '',
    since: 0,
    left: false,
    askedAt: new Map(),
  };
}

/**
 * Remove the ticket from the counter.
 * @param {Counter} counter
 */
export function clearCounter(counter) {
  Object.assign(counter, { ...CLEAR, look: null, fields: null, open: -1, since: 0 });
}

/**
 * Put a ticket, or the refusal of a lookup, on the counter, without any progress.
 * @param {Counter} counter
 * @param {Pick<Counter, 'look' | 'since'> & Partial<Counter>} what
 */
export function layOn(counter, what) {
  Object.assign(counter, { ...CLEAR, ...what });
}

/**
 * What is due for the ticket on the counter, or for its refund; null if nothing is.
 * @param {Pick<Counter, 'look' | 'refund'>} counter
 * @returns {Due | RefundDue | null}
 */
export function dueOn({ look, refund }) {
  return (refund ? look?.refund : look) ?? null;
}

/**
 * Whether the writer has begun the steps for the ticket, so that no other may replace it.
 * @param {Pick<Counter, 'look' | 'outcome' | 'progress'>} counter
 */
export function halfDone({ look, outcome, progress }) {
  return Boolean(look) && !outcome && Object.keys(progress).length > 0;
}

export function newFields() {
  return {
    form: field('W-2G number', { maxlength: 40 }),
    withheld: field('Withheld', { inputmode: 'decimal', placeholder: '0.00' }),
    checkNumber: field('Check number', { maxlength: 40, inputmode: 'numeric' }),
    checkAmount: field('Amount', { inputmode: 'decimal' }),
  };
}
