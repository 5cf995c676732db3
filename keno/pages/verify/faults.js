// The two errors of a verification. `Bad` is thrown by a check that knows only its own subject; it
// becomes a `Fault`, which has the protocol's step and the game as well.

/** Thrown by a check that fails; the message is a sentence about what is wrong. */
export class Bad extends Error {}

/** The first fault of a verification: the protocol's step, the words and the game. */
export class Fault extends Error {
  /**
   * @param {number} step of the protocol's section 8, 1 to 9
   * @param {string} words
   * @param {number | null} game
   */
  constructor(step, words, game = null) {
    super(words);
    this.step = step;
    this.game = game;
  }
}

/**
 * Throw `Bad` with these words unless `so` is true.
 * @param {unknown} so
 * @param {string} words
 * @returns {asserts so}
 */
export function must(so, words) {
  if (!so) throw new Bad(words);
}

/**
 * Run `work` and return its result; a `Bad` that it throws becomes a `Fault` of this step and game.
 * @template Made
 * @param {number} step
 * @param {number | null} game
 * @param {() => Made | Promise<Made>} work
 */
export async function during(step, game, work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Bad) throw new Fault(step, error.message, game);
    throw error;
  }
}
