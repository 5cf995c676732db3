// Verifies the record of a game in the patron's own browser: the draw protocol's section 8, step
// by step, from the published lines and public keys alone. Written from docs/draw-protocol.md and
// not from the programs that draw, so that one mistake cannot hide in both.

import { linesOf } from './canonical.js';
import { Chain } from './chain.js';
import { canCompute } from './crypto.js';
import { during, Fault, must } from './faults.js';
import { goodWords, openedOff, stepsOf } from './steps.js';
import { checkTicket, readTicket } from './ticket.js';

/**
 * @import { Asked, Bytes, Game, Meant, Outline, Report, Step, TicketProof, TitledStep
 *   } from './types.js'
 */

/** Digits of the seal that are printed on a ticket. */
const SEAL_DIGITS = 32;

const NOT_SECURE =
  'Browsers compute this only on pages opened over https. Save the proof and use keno verify.';
const NO_SIGNATURES =
  'This browser cannot check signatures (Ed25519). Save the proof and use keno verify.';
const AFTER_FAULT = 'Not looked at, because an earlier step failed.';
const NOT_OVER = 'The game is not over.';

/**
 * Verify a game. The lines are a proof as the server gives it, of one game or of a whole chain; in
 * a list each line has its line feed.
 * @param {string | Bytes | ArrayBuffer | (string | Bytes)[]} lines
 * @param {Asked} [asked]
 * @returns {Promise<Report>}
 */
export async function verifyGame(lines, asked = {}) {
  const meant = meaning(asked);
  const all = linesOf(lines);
  const claims = all.map(claimOf);
  const outline = subjectOf(
    claims.flatMap((each) => each?.game ?? []),
    meant.ticket,
  );
  if (!canCompute()) {
    const steps = stepsOf(outline, meant).map((step) =>
      withState(step, 'not possible', NOT_SECURE),
    );
    return report(outline, null, steps);
  }
  const chain = new Chain({ posted: meant.genesis, part: isPart(claims) });
  const { fault, ticket } = await faultOf(all, chain, outline, meant);
  const game = chain.games.get(outline.game ?? NaN);
  const words = game ? goodWords(chain, game, ticket, meant) : {};
  const steps = stepsOf(outline, meant, fault?.step, openedOff(game?.made, meant.openedMs));
  return report(
    outline,
    chain,
    steps.map((step) => judged(step, words[step.id], chain, outline, fault)),
    fault,
  );
}

// ---------------------------------------------------------------- the work

/**
 * @param {string[]} lines
 * @param {Chain} chain
 * @param {Outline} outline
 * @param {Meant} asked
 */
async function faultOf(lines, chain, outline, asked) {
  try {
    return { fault: null, ticket: await verifyAll(lines, chain, outline, asked) };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return { fault, ticket: null };
  }
}

/**
 * @param {string[]} lines
 * @param {Chain} chain
 * @param {Outline} outline
 * @param {Meant} asked
 * @returns {Promise<TicketProof | null>}
 */
async function verifyAll(lines, chain, outline, asked) {
  for (const line of lines) await chain.take(line);
  await chain.end();
  const game = await during(2, null, () => {
    const found = chain.games.get(outline.game ?? NaN);
    must(found, 'There is no game in this file.');
    return found;
  });
  await during(4, game.number, () => checkPrinted(game, asked.commitment));
  const { ticket: line } = asked;
  if (line === undefined) return null;
  return during(9, game.number, async () => {
    const ticket = readTicket(line);
    must(ticket.game === game.number, 'The ticket’s proof is for another game.');
    must(chain.genesis, 'There is no genesis.');
    await checkTicket(ticket, game, chain.genesis, asked.state ?? 'live');
    return ticket;
  });
}

/**
 * @param {Game} game
 * @param {string} [commitment]
 */
function checkPrinted({ made }, commitment) {
  if (commitment === undefined) return;
  const digits = plain(commitment);
  const same = digits.length >= SEAL_DIGITS && made.commit_w?.digest.startsWith(digits);
  must(same, 'The seal printed on the ticket is not the one of this game.');
}

/**
 * The question in one form: fields that are null or missing become undefined.
 * @param {Asked} asked
 * @returns {Meant}
 */
function meaning(asked) {
  return {
    ticket: asked.ticket == null ? undefined : linesOf([asked.ticket])[0],
    state: asked.state ?? undefined,
    genesis: asked.genesis == null ? undefined : plain(asked.genesis),
    commitment: asked.commitment ?? undefined,
    name: asked.name ?? undefined,
    openedMs: asked.openedMs ?? undefined,
    zone: asked.zone ?? undefined,
  };
}

/** @param {string} digits */
function plain(digits) {
  return String(digits).replace(/[\s-]/g, '').toLowerCase();
}

// ---------------------------------------------------------------- what a file seems to be

/** @typedef {{first?: unknown, game?: Outline}} Claim */

/**
 * What a line claims to be, used for titles only: a genesis, a game, or null.
 * @param {string} line
 * @returns {Claim | null}
 */
function claimOf(line) {
  try {
    const value = JSON.parse(line);
    if (value.body) return { first: value.body.first_game };
    const { game } = value.commit_r.body;
    if (!Number.isSafeInteger(game)) return null;
    const suppressed = Boolean(value.void && value.countersign && (value.result || value.reveal_r));
    return {
      game: {
        game,
        state: value.void ? 'void' : value.attest ? 'drawn' : 'open',
        suppressed,
        closed: Boolean(value.close),
        countersigned: Boolean(value.countersign),
      },
    };
  } catch {
    return null; // the verification will say what is wrong with it
  }
}

/** @type {Outline} */
const UNKNOWN = {
  game: null,
  state: 'drawn',
  suppressed: false,
  closed: true,
  countersigned: true,
};

/**
 * The game that is asked about: the ticket's, else the last one that is over, else the last.
 * @param {Outline[]} games
 * @param {string} [ticket]
 */
function subjectOf(games, ticket) {
  const played = ticket === undefined ? null : gameOf(ticket);
  return (
    games.find(({ game }) => game === played) ??
    games.findLast(({ state }) => state !== 'open') ??
    games.at(-1) ??
    UNKNOWN
  );
}

/**
 * @param {string} ticket
 * @returns {unknown}
 */
function gameOf(ticket) {
  try {
    return JSON.parse(ticket).game;
  } catch {
    return null; // step 9 will say so
  }
}

/**
 * Whether the lines are the proof of one game, without the games between genesis and it.
 * @param {(Claim | null)[]} claims
 */
function isPart(claims) {
  const genesis = claims.find((each) => each?.first !== undefined);
  const game = claims.find((each) => each?.game)?.game;
  return Boolean(genesis && game && game.game !== genesis.first);
}

// ---------------------------------------------------------------- what is said

/**
 * @param {TitledStep} step
 * @param {Step['state']} state
 * @param {string} words
 * @returns {Step}
 */
function withState({ id, step, title }, state, words) {
  return { id, step, title, state, words };
}

/**
 * @param {TitledStep} step
 * @param {string | undefined} words
 * @param {Chain} chain
 * @param {Outline} outline
 * @param {Fault | null} fault
 */
function judged(step, words, chain, outline, fault) {
  if (fault && step.step > fault.step) return withState(step, 'not reached', AFTER_FAULT);
  if (fault && step.step === fault.step) {
    const where = fault.game === null || fault.game === outline.game ? '' : `Game ${fault.game}: `;
    return withState(step, 'failed', where + fault.message);
  }
  if (step.id === 'numbers' && outline.state === 'open')
    return withState(step, 'not reached', NOT_OVER);
  if (chain.unchecked.has(step.step)) return withState(step, 'not possible', NO_SIGNATURES);
  return withState(step, 'good', words ?? 'This is in order.');
}

/**
 * @param {Outline} outline
 * @param {Chain | null} chain
 * @param {Step[]} steps
 * @param {Fault | null} [fault]
 * @returns {Report}
 */
function report(outline, chain, steps, fault = null) {
  const { game: number, state } = outline;
  const game = chain?.games.get(number ?? NaN);
  const contradicted = fault?.step === 7 && fault.game === number ? chain?.numbers : null;
  const numbers = game?.numbers ?? contradicted ?? null;
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
