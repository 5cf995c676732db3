// The page that builds a keno request: the patron picks, the server checks and prices it, and the
// writer scans its code.

import '../shared/grid.js';
import { Refused } from '../shared/ask.js';
import { h, put } from '../shared/dom.js';
import { ask, wordsFor } from './ask.js';
import { buildView, paint } from './build-view.js';
import { asked, begin, fitted, go, newGroup, spotsMarked, toggle, toggleTotal } from './draft.js';
import { bar, foot, page, placeChoice, places, sheet, trouble } from './frame.js';
import { codeSheet, examplesSheet, formAddress, termsSheet } from './sheets.js';

/**
 * @import { Draft } from './draft.js'
 * @import { BuildActs, Card, Place, PriceAnswer, RequestCode } from './types.js'
 */

/** Milliseconds between a change and the request for its price. */
const PAUSE_MS = 140;
/** Milliseconds before a failed request for a price is repeated. */
const AGAIN_MS = 3000;
const PASSING = ['too_fast', 'offline', 'unavailable'];

class Builder {
  #place;
  #card;
  #draft;
  /** @type {PriceAnswer | null} */
  #answer = null;
  /** Number of the last change; prices of earlier changes are dropped. */
  #turn = 0;
  #waiting = 0;
  /** @type {BuildActs} */
  #acts;
  #view;

  /**
   * @param {Place} place
   * @param {Card} card
   */
  constructor(place, card) {
    this.#place = place;
    this.#card = card;
    this.#draft = begin(card);
    this.#acts = {
      digital: place.digital,
      pick: (number) => this.change(toggle(this.#draft, number)),
      go: (at) => this.change(go(this.#draft, at)),
      newGroup: () => this.change(newGroup(this.#draft)),
      total: (spots) => this.change(toggleTotal(this.#draft, spots)),
      terms: () => termsSheet(card, { draft: () => this.#draft, change: (to) => this.change(to) }),
      show: () => this.#show(),
    };
    this.#view = buildView(this.#acts);
  }

  get element() {
    return this.#view.root;
  }

  get draft() {
    return this.#draft;
  }

  examples() {
    examplesSheet(this.#card, this.#draft, (next) => this.change(next, 0));
  }

  /**
   * Show another draft and request its price after `pause` ms.
   * @param {Draft} next
   * @param {number} [pause]
   */
  change(next, pause = PAUSE_MS) {
    this.#draft = next;
    if (!spotsMarked(next)) this.#answer = null;
    this.#paint();
    clearTimeout(this.#waiting);
    this.#turn += 1;
    const turn = this.#turn;
    if (spotsMarked(next)) this.#waiting = setTimeout(() => this.#price(turn), pause);
    page.dataset.priced = 'no';
  }

  #paint() {
    paint(this.#view, this.#draft, this.#answer, this.#acts);
  }

  /** @param {number} turn */
  async #price(turn) {
    const body = { location: this.#place.location, draft: asked(this.#draft) };
    /** @type {PriceAnswer} */
    let found;
    try {
      found = await ask('/api/price', body);
    } catch (error) {
      if (turn === this.#turn) this.#failed(error, turn);
      return;
    }
    if (turn !== this.#turn) return;
    const fit = fitted(this.#draft, found.choices);
    this.#answer = found;
    if (fit !== this.#draft) {
      this.change(fit, 0);
      return;
    }
    this.#paint();
    page.dataset.priced = 'yes';
  }

  /**
   * @param {unknown} error
   * @param {number} turn
   */
  #failed(error, turn) {
    this.#answer = null;
    this.#paint();
    put(this.#view.said, wordsFor(error));
    if (error instanceof Refused && PASSING.includes(error.code))
      this.#waiting = setTimeout(() => this.#price(turn), AGAIN_MS);
  }

  /** Show the request's code, or its paper form where writers do not scan codes. */
  async #show() {
    const { location: at, digital } = this.#place;
    const text = this.#answer?.text ?? '';
    if (!digital) {
      location.assign(formAddress(at, text));
      return;
    }
    try {
      /** @type {RequestCode} */
      const code = await ask('/api/requests/code', { location: at, text });
      codeSheet(at, code);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const form = { class: 'button small', href: formAddress(at, text) };
      sheet(
        'Show this to a writer',
        h('p', { class: 'quiet' }, wordsFor(error)),
        h('a', form, 'Print the filled-in form'),
      );
    }
  }
}

async function start() {
  const where = await places();
  /** @type {Card} */
  const card = await ask(`/api/card?location=${encodeURIComponent(where.here.location)}`);
  const builder = new Builder(where.here, card);
  const examples = { type: 'button', on: { click: () => builder.examples() } };
  bar('Build a request', h('button', examples, 'Examples'));
  put(page, placeChoice(where), builder.element, foot());
  builder.change(builder.draft);
}

start().catch((error) => trouble(wordsFor(error)));
