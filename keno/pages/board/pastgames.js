// Past games of a location from the server, page by page, the newest first.

const PAGE = 100;

/**
 * @param {string} location
 * @param {number} many as many as these, or as there are
 * @param {(path: string) => Promise<object[]>} ask
 * @returns {Promise<object[]>} games that have their twenty numbers
 */
export async function pastGames(location, many, ask) {
  const found = [];
  let before = null;
  while (found.length < many) {
    const from = before === null ? '' : `&before=${before}`;
    const page = await ask(
      `/api/games?location=${encodeURIComponent(location)}${from}&limit=${PAGE}`,
    );
    found.push(...page.filter((each) => each.numbers?.length === 20));
    const last = page.at(-1)?.game;
    if (page.length < PAGE || last === undefined || last === before) break;
    before = last;
  }
  return found.slice(0, many);
}
