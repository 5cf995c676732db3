// Verifies the record of a game, in the patron's own browser: the draw protocol's section 8, step by
// step, from the published lines and public keys alone. Written from docs/draw-protocol.md and not
// from the programs that draw, so that one mistake cannot hide in both.

import { linesOf } from './canonical.js';
import { Chain } from './chain.js';
import { canCompute } from './crypto.js';
import { during, Fault, must } from './faults.js';
import { goodWords, stepsOf } from './steps.js';
import { checkTicket, readTicket } from './ticket.js';

const CLOCKS_MS = 5000; // the clocks of house and witness may differ by so much
const SEAL_DIGITS = 32; // so many digits of the seal are printed on a ticket

const NOT_SECURE =
  'Browsers compute this only on pages opened over https. Save the proof and use keno verify.';
const NO_SIGNATURES =
  'This browser cannot check signatures (Ed25519). Save the proof and use keno verify.';
const AFTER_FAULT = 'Not looked at, because an earlier step failed.';
const NOT_OVER = 'The game is not over.';

/**
 * @typedef {object} Step
 * @property {string} id genesis, form, signed, links, secrets, times, numbers, void or ticket
 * @property {number} step its number in the protocol's section 8
 * @property {string} title
 * @property {'good'|'failed'|'not reached'|'not possible'} state
 * @property {string} words
 */

/**
 * Verify a game.
 * @param {string|Uint8Array|ArrayBuffer|Array<string|Uint8Array>} lines a proof as the server gives
 *   it: one game or a whole chain; as a list, each line with its line feed
 * @param {object} [asked]
 * @param {string|Uint8Array} [asked.ticket] a holder's proof, one line
 * @param {'live'|'void'|'cancelled'} [asked.state] as what the ticket must be in the list: live, if
 *   nobody says that it was ended before
 * @param {string} [asked.genesis] the digest that is posted
 * @param {string} [asked.commitment] the digits of the seal on the ticket, if this is its first game
 * @param {string} [asked.name] what the house calls the game: A-1182
 * @param {number} [asked.openedMs] when the house says that the game opened
 * @param {string} [asked.zone] the time zone for words
 * @returns {Promise<{proven: boolean, steps: Step[], game: number|null,
 *   state: 'drawn'|'void'|'open', numbers: number[]|null, suppressed: number[]|null,
 *   mode: string|null, genesis: string|null, commitment: string|null, head: string|null,
 *   boot: number|null}>} `numbers` are computed here; `suppressed` are those of a void game
 */
export async function verifyGame(lines, asked = {}) {
  const meant = meaning(asked);
  const all = linesOf(lines);
  const outlines = all.map(outlineOf);
  const outline = subjectOf(
    outlines.filter((each) => each?.state),
    meant.ticket,
  );
  if (!canCompute()) {
    const steps = stepsOf(outline, meant).map((step) => told(step, 'not possible', NOT_SECURE));
    return report(outline, null, steps);
  }
  const chain = new Chain({ posted: meant.genesis, part: isPart(outlines) });
  const { fault, ticket } = await faultOf(all, chain, outline, meant);
  const game = chain.games.get(outline.game);
  const words = game ? goodWords(chain, game, ticket, meant) : {};
  const steps = stepsOf(outline, meant, fault?.step);
  return report(
    outline,
    chain,
    steps.map((step) => judged(step, words[step.id], chain, outline, fault)),
    fault,
  );
}

// ---------------------------------------------------------------- the work

async function faultOf(lines, chain, outline, asked) {
  try {
    return { fault: null, ticket: await verifyAll(lines, chain, outline, asked) };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return { fault, ticket: null };
  }
}

async function verifyAll(lines, chain, outline, asked) {
  for (const line of lines) await chain.take(line);
  await chain.end();
  const game = chain.games.get(outline.game);
  await during(2, null, () => must(game, 'There is no game in this file.'));
  await during(4, game.number, () => checkPrinted(game, asked.commitment));
  await during(6, game.number, () => checkOpened(game, asked.openedMs));
  if (asked.ticket === undefined) return null;
  return during(9, game.number, async () => {
    const ticket = readTicket(asked.ticket);
    must(ticket.game === game.number, 'The ticket’s proof is for another game.');
    await checkTicket(ticket, game, chain.genesis, asked.state ?? 'live');
    return ticket;
  });
}

function checkPrinted({ made }, commitment) {
  if (commitment === undefined) return;
  const digits = plain(commitment);
  const same = digits.length >= SEAL_DIGITS && made.commit_w?.digest.startsWith(digits);
  must(same, 'The seal printed on the ticket is not the one of this game.');
}

function checkOpened({ made }, openedMs) {
  if (openedMs === undefined) return;
  const before = made.commit_w && made.commit_w.body.time_ms <= openedMs + CLOCKS_MS;
  must(before, 'The secrets were sealed only after the game had opened.');
}

/** What was asked, with every way to leave something out alike. */
function meaning(asked) {
  const given = Object.fromEntries(
    Object.entries(asked).filter(([, value]) => value !== null && value !== undefined),
  );
  if ('ticket' in given) [given.ticket] = linesOf([given.ticket]);
  if ('genesis' in given) given.genesis = plain(given.genesis);
  return given;
}

function plain(digits) {
  return String(digits).replace(/[\s-]/g, '').toLowerCase();
}

// ---------------------------------------------------------------- what a file seems to be

/** What a line claims to be, believed for titles only: a genesis, a game, or null. */
function outlineOf(line) {
  try {
    const value = JSON.parse(line);
    if (value.body) return { first: value.body.first_game };
    const { game } = value.commit_r.body;
    const state = value.void ? 'void' : value.attest ? 'drawn' : 'open';
    const suppressed = Boolean(value.void && value.countersign && (value.result || value.reveal_r));
    const known = {
      suppressed,
      closed: Boolean(value.close),
      countersigned: Boolean(value.countersign),
    };
    return Number.isSafeInteger(game) ? { game, state, ...known } : null;
  } catch {
    return null; // whoever reads it in earnest will say what is wrong with it
  }
}

const UNKNOWN = {
  game: null,
  state: 'drawn',
  suppressed: false,
  closed: true,
  countersigned: true,
};

/** The game that is asked about: the ticket's, else the last one that is over, else the last. */
function subjectOf(games, ticket) {
  const played = ticket === undefined ? null : gameOf(ticket);
  return (
    games.find(({ game }) => game === played) ??
    games.findLast(({ state }) => state !== 'open') ??
    games.at(-1) ??
    UNKNOWN
  );
}

function gameOf(ticket) {
  try {
    return JSON.parse(ticket).game;
  } catch {
    return null; // step 9 will say so
  }
}

/** A proof of one game has the opening lines of its chain, but not the games before it. */
function isPart(outlines) {
  const genesis = outlines.find((each) => each?.first !== undefined);
  const game = outlines.find((each) => each?.state);
  return Boolean(genesis && game && game.game !== genesis.first);
}

// ---------------------------------------------------------------- what is said

function told({ id, step, title }, state, words) {
  return { id, step, title, state, words };
}

function judged(step, words, chain, outline, fault) {
  if (fault && step.step > fault.step) return told(step, 'not reached', AFTER_FAULT);
  if (fault && step.step === fault.step) {
    const where = fault.game === null || fault.game === outline.game ? '' : `Game ${fault.game}: `;
    return told(step, 'failed', where + fault.message);
  }
  if (step.id === 'numbers' && outline.state === 'open') return told(step, 'not reached', NOT_OVER);
  if (chain.untold.has(step.step)) return told(step, 'not possible', NO_SIGNATURES);
  return told(step, 'good', words ?? 'This is in order.');
}

function report(outline, chain, steps, fault = null) {
  const { game: number, state } = outline;
  const game = chain?.games.get(number);
  const contradicted = fault?.step === 7 && fault.game === number ? chain.numbers : null;
  const numbers = game?.numbers ?? contradicted;
  return {
    proven: fault === null && steps.every((step) => step.state === 'good'),
    steps,
    game: number,
    state,
    numbers: state === 'drawn' ? numbers : null,
    suppressed: state === 'void' ? numbers : null,
    mode: chain?.first?.body.mode ?? null,
    genesis: chain?.first?.digest ?? null,
    commitment: game?.made.commit_w?.digest ?? null,
    head: chain?.head ?? null,
    boot: chain?.genesis ? chain.boot : null,
  };
}
