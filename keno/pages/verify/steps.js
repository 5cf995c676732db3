// The steps of a verification in the words of a patron. Which steps there are follows from what a
// record claims to be (drawn, void, open); whether they hold, proof.js says.

import { timeExact } from '../shared/format.js';

const CLOCKS_MS = 5000; // two clocks may differ by so much before it is worth a word
const OPEN = 'The game is not over: the rest of its record is still to come.';

/** What the last step shows of a ticket: that it plays, or that it was ended before the draw. */
const TICKET = {
  live: 'Your ticket is in the sealed list',
  void: 'Void before the draw, and the sealed list says so',
  cancelled: 'Cancelled before the draw, and the sealed list says so',
};

/** The protocol's number of each step of its section 8. */
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
 * @param {object} outline what the record seems to be, see `outlineOf` in proof.js
 * @param {{name?: string, genesis?: string, openedMs?: number, ticket?: unknown, state?: string}} asked
 * @param {number} [fault] the step that failed: it has its place even if only another game has it
 * @returns {{id: string, step: number, title: string}[]}
 */
export function stepsOf(outline, asked, fault) {
  const name = nameOf(outline, asked);
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
  return Object.entries(titles).map(([id, title]) => ({ id, step: NUMBERED[id], title }));
}

function nameOf(outline, asked) {
  if (asked.name !== undefined) return `game ${asked.name}`;
  return outline.game === null ? 'this game' : `game ${outline.game}`;
}

function timesTitle(outline, asked, name) {
  if (asked.openedMs !== undefined) return `Sealed before ${name} opened`;
  return outline.countersigned ? `Sealed before ${name} closed` : 'The times are in order';
}

/**
 * What is said of each step that is good.
 * @param {import('./chain.js').Chain} chain after its last line
 * @param {object} game the game that was asked for
 * @param {object|null} ticket the holder's proof, if there is one
 */
export function goodWords(chain, game, ticket, asked) {
  const { made } = game;
  const { close } = made;
  return {
    genesis: `${chain.first.body.mode === 'test' ? 'TEST: NO VALUE. ' : ''}${keys(chain, asked)}`,
    form: game.state === 'open' ? OPEN : 'Every line is written in the one way that is allowed.',
    signed: `Unlocked by an inspector and a supervisor, for the ${ordinal(game.boot)} time.`,
    links: links(chain, game, asked),
    secrets: secrets(made),
    times: times(made, asked),
    numbers: numbers(game),
    void: `Their reason: ${made.void?.body.reason}.`,
    ticket: ticket && `${place(ticket, close)}, sealed before the numbers existed.`,
  };
}

function keys(chain, asked) {
  if (asked.genesis !== undefined)
    return 'All who may sign for this house are those whose digest is posted.';
  return `Compare with the digest that is posted at the booth: ${chain.first.digest}.`;
}

function links(chain, game, asked) {
  const seal =
    asked.commitment === undefined ? '' : 'The seal printed on the ticket is this game’s. ';
  const [first] = chain.games.keys();
  if (first === chain.first.body.first_game)
    return `${seal}No game is missing since the first one.`;
  return `${seal}What came before game ${first} is not in this file.`;
}

function secrets(made) {
  const known = {
    generator: made.result ?? made.reveal_r,
    witness: made.countersign ?? made.reveal_w,
  };
  const silent = Object.keys(known).filter((who) => !known[who]);
  if (!silent.length) return 'And neither is used twice in this file.';
  return `Still sealed: the secret of the ${silent.join(' and that of the ')}.`;
}

function times({ commit_w: sealed, close, countersign }, { zone, openedMs }) {
  const at = [];
  if (sealed) at.push(`Sealed ${timeExact(sealed.body.time_ms, zone)}`);
  if (openedMs !== undefined) at.push(`opened ${timeExact(openedMs, zone)}`);
  if (countersign) at.push(`closed ${timeExact(countersign.body.time_ms, zone)}`);
  const apart = countersign ? Math.abs(countersign.body.time_ms - close.body.time_ms) : 0;
  const clocks = ` The clocks of house and witness differ by ${Math.round(apart / 1000)} seconds.`;
  return at.length
    ? `${at.join(', ')}.${apart > CLOCKS_MS ? clocks : ''}`
    : 'No time was signed yet.';
}

function numbers(game) {
  if (game.state === 'void') return `They would have been ${game.numbers?.join(' ')}.`;
  return 'Computed again here: 20 of 20 agree, in their order.';
}

function place({ index }, close) {
  return `Number ${grouped(index + 1)} of ${grouped(close.body.leaves)}`;
}

function ordinal(number) {
  const tail = number % 100;
  const ends = tail > 10 && tail < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ends}`;
}

function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}
