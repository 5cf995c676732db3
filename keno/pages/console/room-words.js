// The texts of the RNG room: the parties, the steps of a draw, the causes of alarms. Pure.

import { time } from '../shared/format.js';

/** @import { DrawRecord, LocationDraws, PartyStatus } from '../shared/protocol.js' */
/** @import { Toned } from './types.js' */

const STEPS = [
  ['commit_r', 'the generator sealed its secret'],
  ['commit_w', 'the witness sealed its own'],
  ['close', 'the list of tickets was sealed'],
  ['countersign', 'the witness countersigned the close'],
  ['result', 'the generator drew'],
  ['attest', 'the witness recomputed and attested'],
];
const ENDED = [
  ['void', 'both keyholders ordered the void'],
  ['reveal_w', 'the witness opened its secret'],
  ['reveal_r', 'the generator opened its secret'],
];

/** @type {Record<string, string>} */
const NO = {
  locked: 'it is locked until an inspector and a supervisor present their keys',
  malformed: 'it could not read the question',
  unknown_question: 'it is not asked such a thing',
  unknown_chain: 'it does not know this location’s chain',
  chain_ended: 'this chain has been continued elsewhere',
  conflict: 'this step was answered before, to another question',
  void: 'the game is void',
  attested: 'the game is attested; its result stands',
  countersigned: 'the close was countersigned since; the order must be signed anew',
  not_committed: 'nothing was sealed for this game',
  not_countersigned: 'the close was never countersigned',
  wrong_game: 'the game is not in turn',
  wrong_boot: 'a start of the generator is out of order',
  bad_key: 'a key is not allowed here',
  bad_signature: 'a signature is missing or not right',
  unknown_unlock: 'it does not know this start of the generator',
  bad_link: 'a record does not lead to the one before it',
  bad_secret: 'a secret is not the one that was sealed',
  repeated_secret: 'a secret was used before',
  bad_time: 'the times contradict each other',
  tickets_fall: 'the last ticket is below an earlier one',
  bad_numbers: 'the numbers are not what the secrets give',
  bad_void: 'the order to void is not right',
};

/** What a refusal of the generator or the witness means. @param {string} code */
export function noWords(code) {
  return NO[code] ?? `its answer was “${String(code).replaceAll('_', ' ')}”`;
}

/**
 * The state of the generator or the witness in words, with its last refusal.
 * @param {PartyStatus} party
 * @param {string} [zone]
 * @returns {{tone: string, word: string, since: string, no: string}}
 */
export function partyWords(party, zone) {
  const since = party.since_ms === null ? '' : `since ${time(party.since_ms, zone)}`;
  if (party.answering === null) return { tone: 'quiet', word: 'Not known', since: '', no: '' };
  if (!party.answering) return { tone: 'stop', word: 'Does not answer', since, no: '' };
  if (party.refused === 'locked')
    return { tone: 'ember', word: 'Locked', since, no: sentence(noWords('locked')) };
  if (party.refused)
    return {
      tone: 'ember',
      word: 'Answers',
      since,
      no: `It last said no: ${noWords(party.refused)}.`,
    };
  return { tone: 'jade', word: 'Answers', since, no: '' };
}

/**
 * The state of a location's generator and witness in one word, for the list at the left.
 * @param {Pick<LocationDraws, 'generator' | 'witness' | 'alarms'>} place
 * @returns {Toned}
 */
export function roomWord(place) {
  const parties = [place.generator, place.witness];
  if (place.alarms.length)
    return {
      tone: 'stop',
      word: place.alarms.length === 1 ? 'One alarm' : `${place.alarms.length} alarms`,
    };
  if (parties.some((each) => each.answering === false)) return { tone: 'stop', word: 'No answer' };
  if (parties.some((each) => each.refused === 'locked')) return { tone: 'ember', word: 'Locked' };
  if (parties.some((each) => each.answering === null)) return { tone: 'quiet', word: 'Not known' };
  return { tone: 'jade', word: 'Both answer' };
}

/** Why a step of a draw does not go on, in words. @param {string} cause */
export function causeWords(cause) {
  if (cause === 'fault') return 'Nobody answers, or nothing can be written.';
  if (cause === 'not_verified') return 'An answer came and did not verify. It is not used.';
  if (cause.startsWith('halted')) return 'See the Games tab for what was found.';
  const code = /^refused: (.+)$/.exec(cause)?.[1];
  return code ? `The answer was no: ${noWords(code)}.` : sentence(String(cause));
}

/** The steps of a draw in order, and whether each is recorded. @param {DrawRecord} draw */
export function stepMarks(draw) {
  const made = new Set(draw.steps);
  const ended = draw.state === 'void' || made.has('void');
  const wanted = ended ? [...STEPS.filter(([step]) => made.has(step)), ...ENDED] : STEPS;
  return wanted.map(([step, words]) => ({ step, words, made: made.has(step) }));
}

/** The steps as text for tooltip and label: "A-41, 6 of 6 steps: …". @param {DrawRecord} draw */
export function stepWords(draw) {
  const marks = stepMarks(draw);
  const made = marks.filter((each) => each.made);
  const next = marks.find((each) => !each.made);
  const said = made.map((each) => each.words).join(', ');
  const waits = next ? `${said ? '; ' : ''}waits until ${next.words}` : '';
  return `${draw.name}, ${made.length} of ${marks.length} steps: ${said}${waits}.`;
}

/**
 * The state of a draw, for the end of its row: a word and its colour.
 * @param {DrawRecord} draw
 * @returns {Toned}
 */
export function drawWords(draw) {
  if (draw.verified === false) return { tone: 'stop', word: 'Does not verify' };
  if (draw.state === 'void')
    return { tone: 'ember', word: draw.verified ? 'Void, verified' : 'Void' };
  if (draw.state === 'drawing')
    return { tone: 'quiet', word: draw.drawn_ms ? 'Being shown' : 'Not drawn yet' };
  return draw.verified
    ? { tone: 'jade', word: '✓ Verified' }
    : { tone: 'quiet', word: 'Not checked' };
}

/**
 * A key or digest short enough for a line: its first six and last four signs.
 * @param {string | null} hex
 */
export function short(hex) {
  const text = String(hex ?? '');
  return text.length > 12 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text;
}

/** Words with a capital and a full stop. @param {string} words */
export function sentence(words) {
  const text = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
