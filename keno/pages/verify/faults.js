// The two errors of a verification. `Bad` is thrown by a check that knows only its own subject; it
// becomes a `Fault`, which has the protocol's step and the game as well.

/** Something is not as it must be; the message says what, for a person. */
export class Bad extends Error {}

/** The first fault of a verification. */
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
 * Throw `Bad` with these words unless it is so.
 * @param {unknown} so
 * @param {string} words
 * @returns {asserts so}
 */
export function must(so, words) {
  if (!so) throw new Bad(words);
}

/**
 * Do some work of a step; what is bad in it becomes that step's fault.
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
