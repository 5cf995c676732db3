// Decides what the page says of a ticket: a heading, an amount and a few lines. Pure.

import { deadline, listed, money } from '../shared/format.js';

/**
 * @import { TicketState } from '../verify/types.js'
 * @import { CheckedTicket, PlayedGame, WonWay } from './types.js'
 */

/**
 * @typedef {string | {strong: string}} Words
 * @typedef {object} Verdict
 * @property {'won' | 'so far' | 'paid' | 'none' | 'wait' | 'gone' | 'ask'} kind
 * @property {string} lead the heading
 * @property {number | null} cents the amount, if there is one to show
 * @property {Words[][]} lines
 * @property {boolean} waits whether looking again later may say more
 */

/**
 * A verdict on a ticket; without `cents` it has no amount, without `waits` it is final.
 * @typedef {Omit<Verdict, 'cents' | 'waits'> & Partial<Verdict>} Said
 * @typedef {(won: number, ticket: CheckedTicket) => Said} Says
 */

const BOOTH = 'Any keno booth can help you.';

/**
 * The verdict on a ticket: what it pays now, what it paid, or why it pays nothing.
 * @param {CheckedTicket} ticket
 * @returns {Verdict}
 */
export function verdict(ticket) {
  const won = ticket.games.reduce((sum, game) => sum + (game.award_cents ?? 0), 0);
  const ended = ENDED[ticket.state];
  if (ended) return { waits: false, cents: null, ...ended(won, ticket) };
  if (ticket.payable_cents !== null) return payable(ticket, ticket.payable_cents, won);
  const says = NOT_NOW[ticket.why_not_code ?? ''] ?? ask;
  return { waits: false, cents: null, ...says(won, ticket) };
}

/**
 * @param {CheckedTicket} ticket
 * @param {number} cents
 * @param {number} won
 * @returns {Verdict}
 */
function payable(ticket, cents, won) {
  /** @type {Words[][]} */
  const lines = [['Take it to any keno booth by ', { strong: until(ticket) }, '.']];
  if (cents >= ticket.signed_from_cents) {
    lines.push([`From ${money(ticket.signed_from_cents)} a supervisor signs it there.`]);
  }
  const voided = ticket.games.filter((game) => game.state === 'void').map((game) => game.name);
  if (voided.length) lines.push([`Game ${listed(voided)} was void: its price is in this amount.`]);
  const lead = won ? 'Your ticket won' : 'Your price comes back';
  return { kind: 'won', lead, cents, lines, waits: false };
}

/** @param {CheckedTicket} ticket */
const until = (ticket) => deadline(ticket.claim_until_ms ?? 0, ticket.place.zone);

/** @type {Says} */
const paid = (won) => ({
  kind: 'paid',
  lead: 'This ticket was paid',
  cents: won || null,
  lines: [['Nothing more is owed on it.']],
});

/** @type {Says} */
const voided = () => ({
  kind: 'gone',
  lead: 'This ticket is void',
  lines: [['It was voided at the booth, and its price returned.']],
});

/** @type {Says} */
const cancelled = () => ({
  kind: 'gone',
  lead: 'This ticket was cancelled',
  lines: [['Its open games were refunded.']],
});

/** Verdicts on tickets that have ended, by state. @type {Record<string, Says>} */
const ENDED = {
  payout: paid,
  refund: (won) => ({
    kind: 'gone',
    lead: 'This ticket was cancelled',
    lines: [
      [
        won
          ? `Its open games were refunded and ${money(won)} paid.`
          : 'Its open games were refunded.',
      ],
    ],
  }),
  void: voided,
  cancelled,
  surrender: () => ({
    kind: 'gone',
    lead: 'This ticket was handed back',
    lines: [['It was never issued. Nothing is owed on it.']],
  }),
  expiry: expired,
};

/** @type {Says} */
function expired(_, ticket) {
  const by = ticket.claim_until_ms
    ? `It could be claimed until ${until(ticket)}.`
    : 'Its time to claim has passed.';
  return { kind: 'gone', lead: 'Too late to claim', lines: [[by], [BOOTH]] };
}

/** @type {Says} */
function ask(_, ticket) {
  return {
    kind: 'ask',
    lead: 'Take this ticket to a booth',
    lines: [[ticket.why_not ?? BOOTH], [BOOTH]],
  };
}

/** @type {Says} */
function unfinished(won, ticket) {
  const next = ticket.games.find((game) => game.state === 'open' || game.state === 'drawing');
  const left = ticket.last_game - ticket.first_game + 1 - ticket.games.filter(over).length;
  const drawing = next?.state === 'drawing';
  const name =
    next?.name ?? `${ticket.letter}-${ticket.games.length ? ticket.last_game : ticket.first_game}`;
  const now = drawing
    ? `Game ${name} is being drawn.`
    : next
      ? `Game ${name} is still open.`
      : `Game ${name} has not opened yet.`;
  const coming = left === 1 ? 'One game is' : `${left} games are`;
  const more =
    ticket.last_game > ticket.first_game
      ? [[`${coming} still to come. It is paid after the last.`]]
      : [];
  if (won)
    return { kind: 'so far', lead: 'Won so far', cents: won, lines: [[now], ...more], waits: true };
  const lead = drawing ? 'Being drawn now' : 'Not drawn yet';
  return { kind: 'wait', lead, lines: [[now], ...more], waits: true };
}

/** @param {PlayedGame} game */
const over = (game) => game.state === 'settled' || game.state === 'void';

/** Verdicts on tickets that cannot be paid now, by reason. @type {Record<string, Says>} */
const NOT_NOW = {
  no_award: () => ({
    kind: 'none',
    lead: 'No award on this ticket',
    lines: [['All its games are drawn.']],
  }),
  expired,
  not_complete: unfinished,
  drawing: unfinished,
  still_open: unfinished,
  held_not_issued: () => ({
    kind: 'ask',
    lead: 'Ask a supervisor',
    lines: [
      ['The booth says that this ticket was not paid for.'],
      ['Take it to any keno booth and ask for the supervisor, who decides with the paper.'],
    ],
  }),
  held: () => ({
    kind: 'ask',
    lead: 'This ticket is held',
    lines: [['A supervisor is looking into it. Keep the paper.'], [BOOTH]],
  }),
  already_paid: paid,
  void: voided,
  cancelled,
};

/**
 * The game to show first: the largest award, else the one being drawn, else the last that is over.
 * @param {PlayedGame[]} games
 */
export function firstGame(games) {
  /** @type {PlayedGame | null} */
  let best = null;
  for (const game of games) if ((game.award_cents ?? 0) > (best?.award_cents ?? 0)) best = game;
  return (
    best ??
    games.find((game) => game.state === 'drawing') ??
    games.filter(over).at(-1) ??
    games[0] ??
    null
  );
}

/**
 * The state of a ticket in the sealed list of a game: 'live' unless it ended before that game.
 * @param {Pick<CheckedTicket, 'state'> & {ended_game?: number | null}} ticket
 * @param {PlayedGame | null} game
 * @returns {TicketState}
 */
export function listedAs(ticket, game) {
  const ended = ticket.ended_game ?? null;
  if (ended === null || (game && game.game < ended)) return 'live';
  return ticket.state === 'void' ? 'void' : 'cancelled';
}

/**
 * How many of a ticket's numbers were drawn in a game, and how many it has.
 * @param {Pick<CheckedTicket, 'groups'>} ticket
 * @param {PlayedGame | null} game
 */
export function caught(ticket, game) {
  const all = ticket.groups.flatMap((group) => group.numbers);
  const drawn = new Set(game?.numbers ?? []);
  return { caught: all.filter((number) => drawn.has(number)).length, of: all.length };
}

/**
 * The winning ways of a game with equal ones counted in one row: "7 of 8", twice, $3,000.
 * @param {WonWay[]} ways
 */
export function waysInRows(ways) {
  /** @type {(WonWay & {times: number})[]} */
  const rows = [];
  for (const way of ways) {
    const same = rows.find(
      (row) =>
        row.spots === way.spots && row.caught === way.caught && row.award_cents === way.award_cents,
    );
    if (same && ways.length > 8) same.times += 1;
    else rows.push({ ...way, times: 1 });
  }
  return rows;
}
