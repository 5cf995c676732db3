// Requests of the patron's pages, and a patron's words for refusals. Nothing is kept or counted.

import { askJson, askText as askForText, Refused } from '../shared/ask.js';

/** @type {Record<string, string>} */
const WORDS = {
  unknown_ticket:
    'No ticket has this number and this code. Compare every character with the paper.',
  too_fast: 'That was often in a short time. Wait a minute, then try again.',
  sales_stopped:
    'Sales have stopped: the rate card must be replaced. Winning tickets are still paid. ' +
    'Ask at the booth.',
  offline: 'No connection. Try again when your phone is online.',
  unavailable: 'The keno computer cannot be reached at this moment. Try again.',
  broken: 'This did not work. A writer at the booth can help.',
};

/** @type {{credentials: RequestCredentials, unreadable: string}} */
const AS_A_PATRON = { credentials: 'omit', unreadable: 'unavailable' };

/** What a patron reads when something was refused. @param {unknown} error */
export function wordsFor(error) {
  if (error instanceof Refused) return WORDS[error.code] ?? error.message;
  return error instanceof Error ? error.message : WORDS.broken;
}

/**
 * The JSON behind a path; with a body, posted; `started` is a response already on its way. Throws
 * `Refused`.
 * @template Answer
 * @param {string} path
 * @param {unknown} [body]
 * @param {Promise<Response>} [started]
 * @returns {Promise<Answer>}
 */
export function ask(path, body, started) {
  return askJson(path, { body, started, ...AS_A_PATRON });
}

/**
 * The text behind a path. Throws `Refused`.
 * @param {string} path
 * @param {unknown} [body]
 */
export function askText(path, body) {
  return askForText(path, { body, ...AS_A_PATRON });
}
