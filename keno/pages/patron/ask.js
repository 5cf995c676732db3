// Requests of the patron's pages to the server, and words for patrons about refusals.

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

/** The words for a patron about an error. @param {unknown} error */
export function wordsFor(error) {
  if (error instanceof Refused) return WORDS[error.code] ?? error.message;
  return error instanceof Error ? error.message : WORDS.broken;
}

/**
 * Request a path and return its JSON; a `body` is posted; `started` is a request already sent.
 * Throws `Refused`.
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
 * Request a path and return its text; a `body` is posted. Throws `Refused`.
 * @param {string} path
 * @param {unknown} [body]
 */
export function askText(path, body) {
  return askForText(path, { body, ...AS_A_PATRON });
}
