/*
 * Why a ticket is not paid, in words: a heading for the writer, what to do with the paper, and how
 * serious it is. The sentence to read out to the patron comes from the station itself.
 *
 * tone: calm (nothing is wrong), look (somebody has to do something), no (refused), held.
 */

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
  not_issued: ['Never issued', 'It was surrendered. Call the supervisor.', 'no'],
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
  other_location: ['From another location', 'Hand it back. It is paid where it was sold.', 'no'],
  no_line: [
    'No line to the house',
    'Nothing was done. Try it again when the line is back.',
    'look',
  ],
  link_lost: ['No answer', 'Try it again when the station is back.', 'look'],
};

/**
 * The words for a refusal's code; a code not listed is named by its own sentence.
 * @param {string} code
 */
export function whyWords(code) {
  const [heading, next, tone] = WORDS[code] ?? ['Cannot be paid now', 'Call the supervisor.', 'no'];
  return { heading, next, tone };
}

/** The words for a payout that no supervisor answered. */
export const LAPSED = 'No supervisor answered in time. Ask again.';

/**
 * What became of a payout for which a supervisor was asked; a sentence goes on behind it.
 * @param {Pick<Payout, 'state' | 'answered_by' | 'reason'>} one
 */
export function waitingWords(one) {
  if (one.state === 'approved')
    return one.answered_by ? `Approved by ${one.answered_by}` : 'Approved';
  if (one.state === 'denied') return one.reason ? `Denied: ${one.reason}` : 'Denied';
  if (one.state === 'lapsed') return LAPSED.replace(/\.$/, '');
  return 'Asked';
}

/**
 * How a ticket is keyed, as on the papers of this location.
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
 * What the foot of the paper says under "Ours: code matches", and whether that is well.
 * @param {Pick<Look, 'state' | 'just' | 'printed'> &
 *   {why_not: Pick<NonNullable<Look['why_not']>, 'code'> | null}} look
 */
export function paperWords(look) {
  const ended = PAPER[look.state];
  if (ended) return { good: Boolean(look.just), words: ended };
  if (look.why_not?.code === 'held') return { good: false, words: 'Held in dispute' };
  if (!look.printed) return { good: false, words: 'Print never confirmed' };
  return { good: true, words: 'Not paid yet, not void, not held' };
}
