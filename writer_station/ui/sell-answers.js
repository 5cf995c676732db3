// Sends each change of the draft to the station and keeps the newest response; drops late ones.

import { isEmpty, toWire } from './sell-draft.js';

/**
 * @import { Refused } from '../../keno/pages/shared/ask.js'
 * @import { Draft } from './sell-draft.js'
 * @import { App, DraftAnswer, Odds } from './types.js'
 */

export class DraftAnswers {
  #app;
  #changed;
  #number = 0;
  /** Whether the draft was sent since the connection and the rate card became available. */
  #current = false;
  /** @type {Promise<void>} */
  #answered = Promise.resolve();
  /** @type {DraftAnswer | null} */
  answer = null;
  /** @type {Odds | null} */
  odds = null;

  /**
   * @param {App} app
   * @param {() => void} changed called when an answer or odds came
   */
  constructor(app, changed) {
    this.#app = app;
    this.#changed = changed;
    app.onOdds((odds) => {
      if (odds.draft !== this.#number) return;
      this.odds = odds;
      changed();
    });
  }

  /** The draft in the form of the request to the station. @param {Draft} draft */
  wire(draft) {
    return toWire(draft, this.#number);
  }

  /** The station's answer if it is about the newest draft, else null. */
  get newest() {
    return this.answer?.number === this.#number ? this.answer : null;
  }

  /** Wait for the answer about the newest draft and return it. */
  async settled() {
    await this.#answered;
    return this.answer;
  }

  /** @param {Draft} draft */
  ask(draft) {
    this.#number += 1;
    this.odds = null;
    const mine = this.#number;
    if (isEmpty(draft)) this.answer = null;
    if (!this.#app.linked || !this.#app.state?.card) {
      this.#current = false;
      this.answer = null;
      return;
    }
    this.#answered = this.#app.ask('draft', { draft: this.wire(draft) }).then(
      (answer) => this.#take(mine, isEmpty(draft) ? null : answer),
      (refused) => {
        if (refused.code !== 'link_lost') this.#take(mine, refusedAnswer(mine, refused));
      },
    );
  }

  /**
   * After a change of state, send the draft again if the connection or the rate card is new.
   * @param {Draft} draft
   */
  refresh(draft) {
    if (this.#app.linked && this.#app.state?.card && !this.#current) {
      this.#current = true;
      if (!isEmpty(draft)) this.ask(draft);
    }
    if (!this.#app.linked) this.#current = false;
  }

  /**
   * @param {number} number
   * @param {DraftAnswer | null} answer
   */
  #take(number, answer) {
    if (number !== this.#number) return;
    this.answer = answer;
    this.#changed();
  }
}

/**
 * An answer about a draft that has only its refusal.
 * @param {number} number
 * @param {Pick<Refused, 'code' | 'message' | 'where'>} refused
 * @returns {DraftAnswer}
 */
export function refusedAnswer(number, { code, message, where }) {
  return {
    number,
    sellable: false,
    missing: '',
    faults: [{ where, code, message }],
    rows: [],
    choices: [],
    more: 0,
    ways: 0,
    type: '',
    sum: '',
    read_back: '',
    changed: false,
    rate_cents: null,
    games: null,
    game_cents: null,
    price_cents: null,
  };
}
