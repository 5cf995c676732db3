// Requests to the server by fetch. A request that fails in any way throws `Refused` with a code;
// each page has its own words for the codes.

/** @import { RefusedReply } from './protocol.js' */

/** Thrown when the server refuses a request or cannot be reached; `code` says why. */
export class Refused extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {string} [where] the field that the refusal is about
   */
  constructor(code, message, where = '') {
    super(message);
    this.code = code;
    this.where = where;
  }
}

/**
 * How to ask. A `body` is posted as JSON; `started` is a request that is already on its way;
 * `unreadable` is the code for a response that is not from this server, a proxy's page perhaps.
 * @typedef {{body?: unknown, started?: Promise<Response>, credentials?: RequestCredentials,
 *   timeout_ms?: number, unreadable?: string}} How
 */

const TIMEOUT_MS = 20_000;
const UNREACHABLE = 'The server cannot be reached.';

/**
 * Request a path and return the JSON of its response; throws `Refused`.
 * @template Answer
 * @param {string} path
 * @param {How} [how]
 * @returns {Promise<Answer>}
 */
export async function askJson(path, how = {}) {
  const response = await reach(path, how);
  const answer = await response.json().catch(() => null);
  if (!response.ok || answer === null || answer.type === 'refused') throw refusedBy(answer, how);
  return answer;
}

/**
 * Request a path and return the text of its response; throws `Refused`.
 * @param {string} path
 * @param {How} [how]
 */
export async function askText(path, how = {}) {
  const response = await reach(path, how);
  if (!response.ok) throw refusedBy(await response.json().catch(() => null), how);
  return response.text().catch(() => {
    throw new Refused('offline', UNREACHABLE);
  });
}

/**
 * @param {string} path
 * @param {How} how
 */
async function reach(path, { body, started, credentials, timeout_ms = TIMEOUT_MS }) {
  try {
    return await (started ??
      fetch(path, { credentials, signal: AbortSignal.timeout(timeout_ms), ...posting(body) }));
  } catch {
    throw new Refused('offline', UNREACHABLE);
  }
}

/**
 * @param {unknown} body
 * @returns {RequestInit}
 */
function posting(body) {
  if (body === undefined) return {};
  const headers = { 'Content-Type': 'application/json' };
  return { method: 'POST', headers, body: JSON.stringify(body) };
}

/**
 * @param {Partial<RefusedReply> | null} answer
 * @param {How} how
 */
function refusedBy(answer, { unreadable = 'offline' }) {
  return new Refused(answer?.code ?? unreadable, answer?.message ?? UNREACHABLE, answer?.where);
}
