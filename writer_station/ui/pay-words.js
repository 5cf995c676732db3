/*
 * Words for why a ticket is not paid: a heading for the writer, what to do next, and how serious it
 * is. The sentence for the patron comes from the station.
 *
 * tone: calm (nothing is wrong), look (a person has to act), no (refused), held.
 */

import { NOT_ANSWERED } from '../../keno/pages/shared/words.js';

/** @import { Look, Payout, Place } from './types.js' */

/**
 * @type {Record<string, [heading: string, next: string, tone: 'calm' | 'look' | 'no' | 'held']>}
 */
const WORDS = {
  no_award: [
    'No award on this ticket',
    'Hand it back, or write it again for the next game.',
    'calm',
  ],
  drawing: ['Being drawn', 'This page turns as soon as the last ball is in.', 'calm'],
  not_complete: ['Not complete yet', 'Hand it back. It is paid after its last game.', 'calm'],
  already_paid: [
    'Already paid',
    'Hand it back. The supervisor can say when and where it was paid.',
    'no',
  ],
  void: ['Void', 'It plays in no game, and its price was given back.', 'no'],
  not_issued: ['Never issued', 'A supervisor ended it with its paper. Call one.', 'no'],
  held_not_issued: [
    'Held as not issued',
    'Call the supervisor. Keep the paper on the counter. F7 shows what they decide.',
    'held',
  ],
  cancelled: ['Refunded', 'Its undrawn games were cancelled and paid back.', 'no'],
  expired: ['Expired', 'The time to claim has run out. The supervisor can explain it.', 'no'],
  held: ['Held in dispute', 'Call the supervisor. Keep the paper on the counter.', 'held'],
  print_unconfirmed: [
    'Print never confirmed',
    'Call the supervisor: nobody saw this paper come out.',
    'look',
  ],
  altered: [
    'Not our code',
    'Look at the paper and key it again. If it stays so, call the supervisor.',
    'no',
  ],
  unknown_ticket: [
    'Not one of ours',
    'Look at the number and key it again. If it stays so, call the supervisor.',
    'no',
  ],
  malformed: [
    'Not the code of a ticket',
    'Scan it again, or key its number and then the sixteen characters.',
    'no',
  ],
  no_code: ['The code is missing', 'Key the 16 characters behind the number.', 'look'],
  other_location: ['From another location', 'It is done where it was sold. Paying is F2.', 'no'],
  no_line: [
    'No line to the house',
    'Nothing was done. Try it again when the line is back.',
    'look',
  ],
  link_lost: ['No answer', 'Try it again when the station is back.', 'look'],
};

/**
 * Heading, next step and tone for a refusal's code; general ones for a code that is not listed.
 * @param {string} code
 */
export function whyWords(code) {
  const [heading, next, tone] = WORDS[code] ?? ['Cannot be paid now', 'Call the supervisor.', 'no'];
  return { heading, next, tone };
}

/**
 * The words for an authorisation that lapsed: not answered in time, or approved and not used.
 * @param {Pick<Payout, 'reason'> | undefined} payout
 */
export function lapsedWords(payout) {
  return `${payout?.reason || NOT_ANSWERED} Ask again.`;
}

/**
 * The state of an authorisation in words, without a full stop.
 * @param {Pick<Payout, 'state' | 'answered_by' | 'reason'>} one
 */
export function waitingWords(one) {
  if (one.state === 'approved')
    return one.answered_by ? `Approved by ${one.answered_by}` : 'Approved';
  if (one.state === 'denied') return one.reason ? `Denied: ${one.reason}` : 'Denied';
  if (one.state === 'lapsed') return lapsedWords(one).replace(/\.$/, '');
  return 'Asked';
}

/**
 * An example of number and code as keyed, with the letter of this location.
 * @param {Pick<Place, 'letter'> | null | undefined} place
 */
export function exampleWords(place) {
  return `As on the paper: ${place?.letter ?? 'A'}-99 7QK2 M9XW 4RHD 3T8P`;
}

/** @type {Record<string, string>} */
const PAPER = {
  void: 'Void',
  payout: 'Paid',
  refund: 'Refunded',
  surrender: 'Surrendered',
  expiry: 'Expired',
  cancelled: 'Refunded',
};

/**
 * The words under "Ours: code matches" on the drawn paper, and whether the ticket is in order.
 * @param {Pick<Look, 'state' | 'just' | 'printed'> &
 *   {why_not: Pick<NonNullable<Look['why_not']>, 'code'> | null}} look
 */
export function paperWords(look) {
  const ended = PAPER[look.state];
  if (ended) return { good: Boolean(look.just), words: ended };
  if (look.why_not?.code === 'held') return { good: false, words: 'Held in dispute' };
  if (look.why_not?.code === 'held_not_issued') return { good: false, words: 'Held as not issued' };
  if (!look.printed) return { good: false, words: 'Print never confirmed' };
  return { good: true, words: 'Not paid yet, not void, not held' };
}
