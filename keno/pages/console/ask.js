// Requests of the console to the server.
//   ask(type, fields, {quiet})  sends a command and returns its answer; throws `Refused`. `quiet`:
//                               a refresh by the page itself, which does not renew the session
//   look(path)                  returns the JSON of a path; throws `Refused`
//   signIn(person, password), signOut(), whoIsHere()   the session; `whoIsHere` is null without one
//   words(error), codeOf(error) the sentence to show for an error, and the code of a refusal
//   sessionEnd                  an EventTarget; 'over' when the server does not know the session
// A command without a response is sent once more with the same request id; the server executes it
// only once.

import { askJson, Refused } from '../shared/ask.js';

/** @import { Ask, Session } from './types.js' */

/** Milliseconds before a command without a response is sent again. */
const AGAIN_MS = 700;

/** @type {Record<string, string>} */
const WORDS = {
  offline: 'The server cannot be reached. It is tried again by itself; what you typed is kept.',
  not_signed_in: 'Your session is over. Sign in again.',
};

export const sessionEnd = new EventTarget();

/** The sentence to show for an error. @param {unknown} error */
export function words(error) {
  if (!(error instanceof Refused))
    return 'This did not work. Look whether it was done before trying again.';
  return WORDS[error.code] ?? error.message;
}

/** The code of a refusal; '' for any other error. @param {unknown} error */
export function codeOf(error) {
  return error instanceof Refused ? error.code : '';
}

/** @type {Ask} */
export async function ask(type, fields, { quiet = false } = {}) {
  const body = { type, request_id: crypto.randomUUID(), ...fields };
  const path = quiet ? '/api/command?quiet=1' : '/api/command';
  try {
    return (await reach(path, body)).answer;
  } catch (error) {
    if (quiet || codeOf(error) !== 'offline') throw error;
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    return (await reach(path, body)).answer;
  }
}

/**
 * @template Answer
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<Answer>}
 */
async function reach(path, body) {
  try {
    return await askJson(path, { body });
  } catch (error) {
    if (codeOf(error) === 'not_signed_in') sessionEnd.dispatchEvent(new Event('over'));
    throw error;
  }
}

/**
 * @template Answer
 * @param {string} path
 * @returns {Promise<Answer>}
 */
export async function look(path) {
  return reach(path);
}

/**
 * @param {string} person
 * @param {string} password
 */
export async function signIn(person, password) {
  await askJson('/api/sign-in', { body: { person, password } });
}

export async function signOut() {
  await askJson('/api/sign-out', { body: {} });
}

/**
 * The current session; null if no person is signed in.
 * @returns {Promise<Session | null>}
 */
export async function whoIsHere() {
  try {
    return await askJson('/api/session');
  } catch (error) {
    if (codeOf(error) === 'not_signed_in') return null;
    throw error;
  }
}
