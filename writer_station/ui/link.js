// The websocket between this page and its station. It carries requests and responses, matched by
// id, the state, and the odds of drafts. When the connection ends, open requests are refused with
// the code `link_lost`; the caller decides whether to repeat a request.

import { Refused } from '../../keno/pages/shared/ask.js';
import { Connection } from '../../keno/pages/shared/connection.js';

/**
 * @import { Outside } from '../../keno/pages/shared/connection.js'
 * @import { AnswerOf, Odds, RequestName, Requests, StationMessage, StationState } from './types.js'
 * @typedef {{onState: (state: StationState) => void, onOdds: (odds: Odds) => void,
 *   onChange: () => void}} Handlers `onChange`: the connection is up or down
 */

const TIMING = Object.freeze({ first_ms: 250, longest_ms: 2_000, silent_ms: null });
const LOST = 'This page lost its station. It tries again by itself.';

const lost = () => new Refused('link_lost', LOST);

/**
 * The error of a request as a `Refused`; any other error is wrapped in one without a code.
 * @param {unknown} error
 */
export function refusedBy(error) {
  if (error instanceof Refused) return error;
  return new Refused('', error instanceof Error ? error.message : String(error));
}

export class Link {
  /** @type {Map<number, {resolve(answer: unknown): void, reject(why: Refused): void}>} */
  #pending = new Map();
  #nextId = 1;
  /** @type {Connection<StationMessage>} */
  #connection;
  #handlers;

  /**
   * @param {string} url
   * @param {Handlers} handlers
   * @param {Partial<Outside>} [outside]
   */
  constructor(url, handlers, outside = {}) {
    this.#handlers = handlers;
    const { onChange } = handlers;
    this.#connection = new Connection(
      url,
      {
        onMessage: (message) => this.#read(message),
        onUp: onChange,
        onDown: () => this.#refuseAll(),
      },
      TIMING,
      outside,
    );
  }

  /** Connect, and reconnect after each loss. */
  start() {
    this.#connection.open();
  }

  get up() {
    return this.#connection.isUp;
  }

  /**
   * Send a request to the station; returns the promise of its response, or rejects with `Refused`.
   * @template {RequestName} Name
   * @param {Name} what
   * @param {Requests[Name]} fields
   * @returns {Promise<AnswerOf<Name>>}
   */
  ask(what, fields) {
    if (!this.up) return Promise.reject(lost());
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#connection.send({ ...fields, id, do: what });
    });
  }

  /** @param {StationMessage} message */
  #read({ id = 0, ok, no, state, odds }) {
    if (state) this.#handlers.onState(state);
    if (odds) this.#handlers.onOdds(odds);
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    if (no) pending.reject(new Refused(no.code ?? '', no.message ?? '', no.where));
    else pending.resolve(ok ?? {});
  }

  #refuseAll() {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(lost());
    this.#handlers.onChange();
  }
}
