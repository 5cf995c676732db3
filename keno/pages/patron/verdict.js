// What a ticket is worth, in one heading, one amount and a few lines. Pure; the page only shows it.

import { day, listed, money } from '../shared/format.js';

/**
 * @typedef {object} Verdict
 * @property {'won'|'so far'|'paid'|'none'|'wait'|'gone'|'ask'} kind
 * @property {string} lead the heading
 * @property {number|null} cents the amount, if there is one to show
 * @property {(string|{strong: string})[][]} lines
 * @property {boolean} waits whether looking again later may say more
 */

const BOOTH = 'Any keno booth can help you.';

/** @param {object} ticket as /api/tickets/check gives it @returns {Verdict} */
export function verdict(ticket) {
  const won = ticket.games.reduce((sum, game) => sum + (game.award_cents ?? 0), 0);
  const ended = ENDED[ticket.state];
  if (ended) return { waits: false, cents: null, ...ended(won, ticket) };
  if (ticket.payable_cents !== null) return payable(ticket, won);
  const told = NOT_NOW[ticket.why_not_code] ?? ask;
  return { waits: false, cents: null, ...told(won, ticket) };
}

function payable(ticket, won) {
  const lines = [['Take it to any keno booth by ', { strong: until(ticket) }, '.']];
  if (ticket.payable_cents >= ticket.signed_from_cents) {
    lines.push([`From ${money(ticket.signed_from_cents)} a supervisor signs it there.`]);
  }
  const voided = ticket.games.filter((game) => game.state === 'void').map((game) => game.name);
  if (voided.length) lines.push([`Game ${listed(voided)} was void: its price is in this amount.`]);
  const lead = won ? 'Your ticket won' : 'Your price comes back';
  return { kind: 'won', lead, cents: ticket.payable_cents, lines, waits: false };
}

const until = (ticket) => day(ticket.claim_until_ms, ticket.place.zone);

const ENDED = {
  payout: (won) => ({
    kind: 'paid',
    lead: 'This ticket was paid',
    cents: won || null,
    lines: [['Nothing more is owed on it.']],
  }),
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
  void: () => ({
    kind: 'gone',
    lead: 'This ticket is void',
    lines: [['It was voided at the booth, and its price returned.']],
  }),
  cancelled: () => ({
    kind: 'gone',
    lead: 'This ticket was cancelled',
    lines: [['Its open games were refunded.']],
  }),
  surrender: () => ({
    kind: 'gone',
    lead: 'This ticket was handed back',
    lines: [['It was never issued. Nothing is owed on it.']],
  }),
  expiry: (won, ticket) => expired(won, ticket),
};

function expired(_, ticket) {
  const by = ticket.claim_until_ms
    ? `It could be claimed until ${until(ticket)}.`
    : 'Its time to claim has passed.';
  return { kind: 'gone', lead: 'Too late to claim', lines: [[by], [BOOTH]] };
}

function ask(_, ticket) {
  return {
    kind: 'ask',
    lead: 'Take this ticket to a booth',
    lines: [[ticket.why_not ?? BOOTH], [BOOTH]],
  };
}

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
  const more =
    ticket.last_game > ticket.first_game
      ? [
          [
            `${left === 1 ? 'One game is' : `${left} games are`} still to come. It is paid after the last.`,
          ],
        ]
      : [];
  if (won)
    return { kind: 'so far', lead: 'Won so far', cents: won, lines: [[now], ...more], waits: true };
  const lead = drawing ? 'Being drawn now' : 'Not drawn yet';
  return { kind: 'wait', lead, lines: [[now], ...more], waits: true };
}

const over = (game) => game.state === 'settled' || game.state === 'void';

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
  held: () => ({
    kind: 'ask',
    lead: 'This ticket is held',
    lines: [['A supervisor is looking into it. Keep the paper.'], [BOOTH]],
  }),
  already_paid: (won) => ENDED.payout(won),
  void: () => ENDED.void(),
  cancelled: () => ENDED.cancelled(),
};

/** The game to open first: the largest award, else the one being drawn, else the last that is over. */
export function firstGame(games) {
  const best = games.reduce(
    (top, game) => ((game.award_cents ?? 0) > (top?.award_cents ?? 0) ? game : top),
    null,
  );
  return (
    best ??
    games.find((game) => game.state === 'drawing') ??
    games.filter(over).at(-1) ??
    games[0] ??
    null
  );
}

/** How a ticket stands in the sealed list of a game: it plays unless it was ended before. */
export function standing(ticket, game) {
  const ended = ticket.ended_game ?? null;
  if (ended === null || (game && game.game < ended)) return 'live';
  return ticket.state === 'void' ? 'void' : 'cancelled';
}

/** How many of a ticket's numbers a game caught, and of how many. */
export function caught(ticket, game) {
  const all = ticket.groups.flatMap((group) => group.numbers);
  const drawn = new Set(game?.numbers ?? []);
  return { caught: all.filter((number) => drawn.has(number)).length, of: all.length };
}

/** The winning ways of a game, alike ones told once: "7 of 8", twice, $3,000. */
export function waysTold(ways) {
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
