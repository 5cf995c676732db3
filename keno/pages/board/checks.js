// The check of the last game: the board fetches its proof and verifies it here, with the numbers it
// showed and the seal it showed before the game closed. A check mark never stands for less.

import { verifyGame } from '../verify/proof.js';

const TRIES = 6;
const AGAIN_MS = 4_000;
const SPREAD_MS = 2_500;

/**
 * What may be said of a game. Pure.
 * @param {object} report of verifyGame
 * @param {{game: number, numbers: number[]}} shown what stood on the board
 * @returns {'proven'|'failed'|'unable'}
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

/** Fetch the proof of a game and verify it. Null: the proof cannot be had now. */
export async function checked(location, shown, asked = {}) {
  const path = `/api/games/${encodeURIComponent(location)}/${shown.game}/proof`;
  let lines;
  try {
    const answer = await fetch(path, { signal: AbortSignal.timeout(15_000) });
    if (!answer.ok) return null;
    lines = await answer.text();
  } catch {
    return null; // no line: it is not known, and nothing is said
  }
  try {
    return verdict(await verifyGame(lines, { name: shown.name, ...asked }), shown);
  } catch (error) {
    console.error(error);
    return 'failed';
  }
}

/** Keeps the verdict on one game at a time. */
export class Checks {
  #changed;
  #genesis;
  #wanted = '';
  #found = null;

  /** @param {() => void} changed @param {string|undefined} genesis the posted digest, if given */
  constructor(changed, genesis) {
    this.#changed = changed;
    this.#genesis = genesis;
  }

  of(location, game) {
    return this.#wanted === `${location} ${game}` ? this.#found : null;
  }

  want(location, last, seals) {
    const key = `${location} ${last?.game}`;
    if (!last || key === this.#wanted) return;
    this.#wanted = key;
    this.#found = { game: last.game, state: 'waiting' };
    const commitment = seals[last.game];
    this.#try(key, location, last, { commitment, genesis: this.#genesis }, 0);
  }

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
