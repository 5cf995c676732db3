// The steps of a verification in the words of a patron. Which steps there are follows from what a
// record claims to be (drawn, void, open); whether they hold, proof.js says.

import { timeExact } from '../shared/format.js';

/**
 * @import { Chain } from './chain.js'
 * @import { Game, Made, Meant, Message, Outline, StepId, TicketProof, TicketState, TitledStep
 *   } from './types.js'
 */

/** Milliseconds by which two clocks may differ before it is worth a word. */
const CLOCKS_MS = 5000;
const OPEN = 'The game is not over: the rest of its record is still to come.';

/**
 * What the last step shows of a ticket: that it plays, or that it was ended before the draw.
 * @type {Record<TicketState, string>}
 */
const TICKET = {
  live: 'Your ticket is in the sealed list',
  void: 'Void before the draw, and the sealed list says so',
  cancelled: 'Cancelled before the draw, and the sealed list says so',
};

/** The protocol's number of each step of its section 8. @type {Record<StepId, number>} */
const NUMBERED = {
  genesis: 1,
  form: 2,
  signed: 3,
  links: 4,
  secrets: 5,
  times: 6,
  numbers: 7,
  void: 8,
  ticket: 9,
};

/**
 * The steps in their order, each with its title.
 * @param {Outline} outline what the record seems to be
 * @param {Meant} asked
 * @param {number} [fault] the step that failed: it has its place even if only another game has it
 * @returns {TitledStep[]}
 */
export function stepsOf(outline, asked, fault) {
  const name = nameOf(outline, asked);
  /** @type {Partial<Record<StepId, string>>} */
  const titles = {
    genesis:
      asked.genesis === undefined ? 'The keys are in order' : 'The keys are those that are posted',
    form: `The record of ${name} is ${outline.state === 'open' ? 'in order so far' : 'complete'}`,
    signed: outline.closed
      ? 'Signed by generator, witness and house'
      : 'Signed by generator and witness',
    links: 'Nothing was exchanged: each record seals the one before it',
    secrets: 'Both secrets are the ones that were sealed',
    times: timesTitle(outline, asked, name),
  };
  const isVoid = outline.state === 'void';
  if (outline.suppressed) titles.numbers = 'The numbers that were never used are known';
  else if (!isVoid || fault === 7)
    titles.numbers = 'The twenty numbers follow from the sealed secrets';
  if (isVoid || fault === 8) titles.void = 'Voided by an inspector and a supervisor together';
  if (asked.ticket !== undefined) titles.ticket = TICKET[asked.state ?? 'live'];
  const ids = /** @type {StepId[]} */ (Object.keys(titles));
  return ids.map((id) => ({ id, step: NUMBERED[id], title: titles[id] ?? '' }));
}

/**
 * @param {Outline} outline
 * @param {Meant} asked
 */
function nameOf(outline, asked) {
  if (asked.name !== undefined) return `game ${asked.name}`;
  return outline.game === null ? 'this game' : `game ${outline.game}`;
}

/**
 * @param {Outline} outline
 * @param {Meant} asked
 * @param {string} name
 */
function timesTitle(outline, asked, name) {
  if (asked.openedMs !== undefined) return `Sealed before ${name} opened`;
  return outline.countersigned ? `Sealed before ${name} closed` : 'The times are in order';
}

/**
 * What is said of each step that is good.
 * @param {Chain} chain after its last line
 * @param {Game} game the game that was asked for
 * @param {TicketProof | null} ticket the holder's proof, if there is one
 * @param {Meant} asked
 * @returns {Partial<Record<StepId, string>>}
 */
export function goodWords(chain, game, ticket, asked) {
  const { made } = game;
  const { close } = made;
  return {
    genesis: `${chain.first?.body.mode === 'test' ? 'TEST: NO VALUE. ' : ''}${keys(chain, asked)}`,
    form: game.state === 'open' ? OPEN : 'Every line is written in the one way that is allowed.',
    signed: `Unlocked by an inspector and a supervisor, for the ${ordinal(game.boot)} time.`,
    links: links(chain, asked),
    secrets: secrets(made),
    times: times(made, asked),
    numbers: numbers(game),
    void: `Their reason: ${made.void?.body.reason}.`,
    ticket:
      ticket && close ? `${place(ticket, close)}, sealed before the numbers existed.` : undefined,
  };
}

/**
 * @param {Chain} chain
 * @param {Meant} asked
 */
function keys(chain, asked) {
  if (asked.genesis !== undefined)
    return 'All who may sign for this house are those whose digest is posted.';
  return `Compare with the digest that is posted at the booth: ${chain.first?.digest}.`;
}

/**
 * @param {Chain} chain
 * @param {Meant} asked
 */
function links(chain, asked) {
  const seal =
    asked.commitment === undefined ? '' : 'The seal printed on the ticket is this game’s. ';
  const [first] = chain.games.keys();
  if (first === chain.first?.body.first_game)
    return `${seal}No game is missing since the first one.`;
  return `${seal}What came before game ${first} is not in this file.`;
}

/** @param {Made} made */
function secrets(made) {
  const silent = [];
  if (!(made.result ?? made.reveal_r)) silent.push('generator');
  if (!(made.countersign ?? made.reveal_w)) silent.push('witness');
  if (!silent.length) return 'And neither is used twice in this file.';
  return `Still sealed: the secret of the ${silent.join(' and that of the ')}.`;
}

/**
 * @param {Made} made
 * @param {Meant} asked
 */
function times({ commit_w: sealed, close, countersign }, { zone, openedMs }) {
  const at = [];
  if (sealed) at.push(`Sealed ${timeExact(sealed.body.time_ms, zone)}`);
  if (openedMs !== undefined) at.push(`opened ${timeExact(openedMs, zone)}`);
  if (countersign) at.push(`closed ${timeExact(countersign.body.time_ms, zone)}`);
  const apart = countersign && close ? Math.abs(countersign.body.time_ms - close.body.time_ms) : 0;
  const clocks = ` The clocks of house and witness differ by ${Math.round(apart / 1000)} seconds.`;
  return at.length
    ? `${at.join(', ')}.${apart > CLOCKS_MS ? clocks : ''}`
    : 'No time was signed yet.';
}

/** @param {Game} game */
function numbers(game) {
  if (game.state === 'void') return `They would have been ${game.numbers?.join(' ')}.`;
  return 'Computed again here: 20 of 20 agree, in their order.';
}

/**
 * @param {TicketProof} ticket
 * @param {Message<'close'>} close
 */
function place({ index }, close) {
  return `Number ${grouped(index + 1)} of ${grouped(close.body.leaves)}`;
}

/** @param {number} number */
function ordinal(number) {
  const tail = number % 100;
  const ends = tail > 10 && tail < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ends}`;
}

/** @param {number} number */
function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}
