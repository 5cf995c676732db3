// The steps of a verification in words for a patron. Which steps there are depends on what a record
// claims to be (drawn, void, open); proof.js decides whether they hold.

import { timeExact } from '../shared/format.js';

/**
 * @import { Chain } from './chain.js'
 * @import { Game, Made, Meant, Message, Outline, StepId, TicketProof, TicketState, TitledStep
 *   } from './types.js'
 */

/** Maximum milliseconds by which two clocks may differ without being mentioned. */
const CLOCKS_MS = 5000;
const OPEN = 'The game is not over: the rest of its record is still to come.';

/**
 * The title of the last step by the ticket's state in the sealed list.
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
 * @param {boolean} [off] whether the house's clock was off when the game opened
 * @returns {TitledStep[]}
 */
export function stepsOf(outline, asked, fault, off = false) {
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
    times: timesTitle(outline, off ? undefined : asked.openedMs, name),
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
 * @param {number | undefined} openedMs
 * @param {string} name
 */
function timesTitle(outline, openedMs, name) {
  if (openedMs !== undefined) return `Sealed before ${name} opened`;
  return outline.countersigned ? `Sealed before ${name} closed` : 'The times are in order';
}

/**
 * The words under each step that holds.
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
      ticket && close
        ? `${place(ticket, close)}, sealed before the numbers existed.${saleOff(ticket, game)}`
        : undefined,
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
  const late = countersign && close ? countersign.body.time_ms - close.body.time_ms : 0;
  const opened = openedOff({ commit_w: sealed }, openedMs)
    ? ' The house’s clock was off when the game opened; the order of the record decides.'
    : '';
  return at.length ? `${at.join(', ')}.${lateWords(late)}${opened}` : 'No time was signed yet.';
}

/**
 * The words if close and countersignature are more than `CLOCKS_MS` apart; '' if not. Before the
 * close, clocks differ; after it, the witness was late.
 * @param {number} lateMs
 */
function lateWords(lateMs) {
  const seconds = Math.round(Math.abs(lateMs) / 1000);
  if (lateMs < -CLOCKS_MS)
    return ` The clocks of house and witness differ by ${seconds} seconds or more.`;
  if (lateMs > CLOCKS_MS) return ` The witness signed ${seconds} seconds after the house.`;
  return '';
}

/**
 * Whether, by the house's clock, a game opened before its secrets were sealed. This is only
 * mentioned: the seal on the ticket decides, not a clock.
 * @param {Pick<Made, 'commit_w'> | undefined} made
 * @param {number | undefined} openedMs
 */
export function openedOff(made, openedMs) {
  if (openedMs === undefined || !made?.commit_w) return false;
  return made.commit_w.body.time_ms > openedMs + CLOCKS_MS;
}

/**
 * The words on a ticket whose time of sale is not between seal and close; '' for others.
 * @param {TicketProof} ticket
 * @param {Game} game
 */
function saleOff({ leaf }, { number, made: { commit_w: sealed, countersign } }) {
  const early = leaf.first === number && sealed && leaf.sold_ms < sealed.body.time_ms - CLOCKS_MS;
  const late = countersign && leaf.sold_ms > countersign.body.time_ms + CLOCKS_MS;
  if (!early && !late) return '';
  const when = early ? 'before the secrets were sealed' : 'after the close';
  return ` It is dated ${when}: the house’s clock was off, and its place in the list decides.`;
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
