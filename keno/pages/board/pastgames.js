// Past games of a location from the server, page by page, the newest first.

/** @import { DrawnGame, PublicGame } from '../shared/types.js' */

/** Maximum games in one response. */
const PAGE = 100;

/**
 * @param {string} location
 * @param {number} many as many as these, or as there are
 * @param {(path: string) => Promise<PublicGame[]>} ask
 * @returns {Promise<DrawnGame[]>} games that have their twenty numbers
 */
export async function pastGames(location, many, ask) {
  /** @type {DrawnGame[]} */
  const found = [];
  /** @type {number | null} */
  let before = null;
  while (found.length < many) {
    const from = before === null ? '' : `&before=${before}`;
    /** @type {PublicGame[]} */
    const page = await ask(
      `/api/games?location=${encodeURIComponent(location)}${from}&limit=${PAGE}`,
    );
    found.push(...page.filter(isDrawn));
    const last = page.at(-1)?.game;
    if (page.length < PAGE || last === undefined || last === before) break;
    before = last;
  }
  return found.slice(0, many);
}

/**
 * @param {PublicGame} game
 * @returns {game is DrawnGame}
 */
function isDrawn(game) {
  return game.numbers?.length === 20;
}
