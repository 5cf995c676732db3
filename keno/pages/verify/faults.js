// The two ways to say no. `Bad` is thrown by what looks at one thing and knows nothing of the rest;
// `Fault` is what it becomes in the course of a verification: with the protocol's step and the game.

/** Something is not as it must be; the message says what, for a person. */
export class Bad extends Error {}

/** The first fault of a verification. */
export class Fault extends Error {
  /**
   * @param {number} step of the protocol's section 8, 1 to 9
   * @param {string} words
   * @param {number|null} game
   */
  constructor(step, words, game = null) {
    super(words);
    this.step = step;
    this.game = game;
  }
}

/** Throw `Bad` with these words unless it is so. */
export function must(so, words) {
  if (!so) throw new Bad(words);
}

/** Do some work of a step; what is bad in it becomes that step's fault. */
export async function during(step, game, work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Bad) throw new Fault(step, error.message, game);
    throw error;
  }
}
