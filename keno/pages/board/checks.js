// Checks the last game: fetches its proof and verifies it in this browser, against the numbers that
// the board showed and the seal that it showed before the game closed. Only then there is a mark.

import { askText } from '../shared/ask.js';
import { verifyGame } from '../verify/proof.js';

/**
 * @import { ShownGame } from '../shared/protocol.js'
 * @import { Asked, Report } from '../verify/types.js'
 * @import { Check } from './view.js'
 */

/** @typedef {'proven' | 'failed' | 'unable'} Verdict */

const TRIES = 6;
const AGAIN_MS = 4_000;
const SPREAD_MS = 2_500;
const TIMEOUT_MS = 15_000;

/**
 * The verdict on a game from the report of its verification and what was shown. Pure.
 * @param {Pick<Report, 'proven' | 'steps' | 'game' | 'state' | 'numbers'>} report
 * @param {Pick<ShownGame, 'game' | 'numbers'>} shown what was on the board
 * @returns {Verdict}
 */
export function verdict(report, shown) {
  const states = report.steps.map((step) => step.state);
  if (!states.length || states.includes('failed')) return 'failed';
  if (states.includes('not possible')) return 'unable';
  const same =
    report.game === shown.game &&
    report.state === 'drawn' &&
    report.numbers?.length === shown.numbers.length &&
    report.numbers.every((number, index) => number === shown.numbers[index]);
  return same && report.proven === true ? 'proven' : 'failed';
}

/**
 * Fetch the proof of a game and verify it; null if it cannot be fetched now.
 * @param {string} location
 * @param {ShownGame} shown
 * @param {Asked} [asked]
 * @returns {Promise<Verdict | null>}
 */
export async function checked(location, shown, asked = {}) {
  const path = `/api/games/${encodeURIComponent(location)}/${shown.game}/proof`;
  const lines = await askText(path, { timeout_ms: TIMEOUT_MS }).catch(() => null);
  if (lines === null) return null;
  try {
    return verdict(await verifyGame(lines, { name: shown.name, ...asked }), shown);
  } catch (error) {
    console.error(error);
    return 'failed';
  }
}

/** Checks games and keeps the verdict on the last one. */
export class Checks {
  #changed;
  #genesis;
  #wanted = '';
  /** @type {Check | null} */
  #found = null;

  /**
   * @param {() => void} changed
   * @param {string} [genesis] the posted digest, if given
   */
  constructor(changed, genesis) {
    this.#changed = changed;
    this.#genesis = genesis;
  }

  /**
   * @param {string} location
   * @param {number} [game]
   */
  of(location, game) {
    return this.#wanted === `${location} ${game}` ? this.#found : null;
  }

  /**
   * Check the last game unless that was begun already.
   * @param {string} location
   * @param {ShownGame | null} last
   * @param {Record<number, string>} seals
   */
  want(location, last, seals) {
    const key = `${location} ${last?.game}`;
    if (!last || key === this.#wanted) return;
    this.#wanted = key;
    this.#found = { game: last.game, state: 'waiting' };
    const commitment = seals[last.game];
    this.#try(key, location, last, { commitment, genesis: this.#genesis }, 0);
  }

  /**
   * @param {string} key
   * @param {string} location
   * @param {ShownGame} last
   * @param {Asked} asked
   * @param {number} tries
   */
  async #try(key, location, last, asked, tries) {
    await new Promise((done) =>
      setTimeout(done, Math.random() * SPREAD_MS + (tries ? AGAIN_MS : 0)),
    );
    if (key !== this.#wanted) return;
    const state = await checked(location, last, asked);
    if (key !== this.#wanted) return;
    if (state === null) {
      if (tries < TRIES) this.#try(key, location, last, asked, tries + 1);
      else this.#wanted = '';
      return;
    }
    this.#found = { game: last.game, state };
    this.#changed();
  }
}
