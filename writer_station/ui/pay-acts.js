/*
 * Derives the steps before a ticket is paid, in order, and the writer's next action. Pure. A step
 * is done when the station says so or when the writer did it on this screen.
 */

import { sentence, ticketNumber } from '../../keno/pages/shared/format.js';
import { SHOWN_GAME_STATES } from '../../keno/pages/shared/words.js';
import { hasChips } from './hand-over.js';

/**
 * @import { Due, ListedGame, Look, Need, Paper, Payout } from './types.js'
 * @typedef {{supervisor?: boolean, signature?: boolean,
 *   tax_form?: {number: string, withheld_cents: number},
 *   check?: {number: string, cents: number}}} Progress what the writer did for a ticket
 * @typedef {'ask' | 'wait' | 'denied' | 'lapsed' | 'differs' | 'yes'} Approval `differs`: it was
 *   for another amount
 * @typedef {{kind: Need['kind'], title: string, text: string, approval: Approval | null,
 *   at: 'done' | 'now' | 'later'}} NeedStep
 * @typedef {Exclude<Approval, 'yes'> | Need['kind'] | 'pay'} NextAct
 */

/** @type {Record<Need['kind'], string>} */
const TITLES = {
  supervisor: 'Supervisor',
  signature: 'Signature on the back',
  tax_form: 'Identification, W-2G',
  check: 'Casino check',
};

const ON_SLIP = 'Signature on the slip';

/**
 * Whether two tickets are the same: their numbers and location letters are equal.
 * @param {{ticket: number, letter?: string} | null | undefined} one
 * @param {{ticket: number, letter?: string} | null | undefined} other
 */
export function same(one, other) {
  if (!one || !other) return false;
  return one.ticket === other.ticket && (one.letter ?? '') === (other.letter ?? '');
}

/**
 * The fields that name a ticket in a request; `letter` is only there if another location sold it.
 * @param {Paper} of
 * @returns {Paper}
 */
export function paperOf({ ticket, code, letter }) {
  return letter ? { ticket, code, letter } : { ticket, code };
}

/**
 * A ticket's number, with its letter if another location sold it.
 * @param {{ticket: number, letter?: string}} one
 */
export function ticketWords({ ticket, letter }) {
  return letter ? `${letter}-${ticketNumber(ticket)}` : ticketNumber(ticket);
}

/** Whether an authorisation was denied or has lapsed. @param {Pick<Payout, 'state'>} one */
export function notGiven(one) {
  return one.state === 'denied' || one.state === 'lapsed';
}

/**
 * The authorisation asked for this ticket's payout or refund, pending or approved before denied or
 * lapsed; undefined without one.
 * @param {readonly Payout[]} waiting
 * @param {{ticket: number, letter?: string}} ticket
 * @param {boolean} refund
 */
export function askedFor(waiting, ticket, refund) {
  const own = waiting.filter((one) => same(one, ticket) && Boolean(one.refund) === refund);
  return own.find((one) => !notGiven(one)) ?? own.at(-1);
}

/**
 * The state of a payout's authorisation: 'yes' if it is approved for this amount, else why the
 * payout is not authorised yet.
 * @param {Pick<Need, 'done'>} need
 * @param {Pick<Payout, 'state' | 'amount_cents'> | null | undefined} asked
 * @param {number} totalCents
 * @returns {Approval}
 */
export function approvalOf(need, asked, totalCents) {
  if (need.done) return 'yes';
  if (!asked) return 'ask';
  if (asked.state === 'denied' || asked.state === 'lapsed') return asked.state;
  if (asked.amount_cents !== totalCents) return 'differs';
  return asked.state === 'approved' ? 'yes' : 'wait';
}

/**
 * Whether a ticket has ended and what it is owed waited for a supervisor (15.6(b)): it is paid on
 * the slip of its end.
 * @param {Pick<Look, 'state' | 'total_cents'> | null | undefined} look
 */
export function isOwed(look) {
  return look?.state === 'void' || look?.state === 'refund' ? look.total_cents > 0 : false;
}

/** The chips and tokens that an ended ticket is owed. @param {Look | null} look */
export function owedChips(look) {
  if (!look || !isOwed(look)) return [];
  return look.gives_back.filter(({ kind, cents }) => cents > 0 && hasChips([{ kind, cents }]));
}

/**
 * What a payout needs as steps in order, each done, the current one ('now') or later.
 * @param {Pick<Due, 'needs' | 'total_cents'>} due
 * @param {Progress} progress
 * @param {Payout | null | undefined} asked
 * @param {boolean} [onSlip] whether the supervisor signs a slip in place of the ticket
 * @returns {NeedStep[]}
 */
export function numbered(due, progress, asked, onSlip = false) {
  let current = true;
  return due.needs.map((need) => {
    const approval = need.kind === 'supervisor' ? approvalOf(need, asked, due.total_cents) : null;
    const done = need.done || approval === 'yes' || Boolean(progress[need.kind]);
    /** @type {NeedStep} */
    const step = {
      kind: need.kind,
      title: onSlip && need.kind === 'signature' ? ON_SLIP : (TITLES[need.kind] ?? need.kind),
      text: need.text,
      approval,
      at: done ? 'done' : current ? 'now' : 'later',
    };
    if (!done) current = false;
    return step;
  });
}

/**
 * The action of the primary button: that of the current step, or 'pay' if all are done.
 * @param {readonly NeedStep[]} steps
 * @returns {NextAct}
 */
export function nextAct(steps) {
  const now = steps.find((step) => step.at === 'now');
  if (!now) return 'pay';
  if (!now.approval || now.approval === 'yes') return now.kind;
  return now.approval;
}

/**
 * Whether a ticket can be paid together with others: something is due and no step is left.
 * @param {Pick<Look, 'why_not' | 'total_cents' | 'needs'>} look
 */
export function paysAtOnce(look) {
  return !look.why_not && look.total_cents > 0 && look.needs.every((need) => need.done);
}

/**
 * All games of a ticket; those that the station does not list yet are 'to come'.
 * @param {Pick<Look, 'name' | 'games' | 'first_game' | 'last_game'>} look
 */
export function allGames(look) {
  const letter = look.name.includes('-') ? look.name.split('-')[0] : '';
  const begun = new Map(look.games.map((game) => [game.game, game]));
  /** @type {ListedGame[]} */
  const games = [];
  for (let game = look.first_game; game <= look.last_game; game += 1) {
    games.push(
      begun.get(game) ?? {
        game,
        name: letter ? `${letter}-${game}` : String(game),
        state: 'to come',
        numbers: null,
        award_cents: null,
        ways: [],
      },
    );
  }
  return games;
}

/**
 * Index of the game to expand at first: the highest award, the only game, the one being drawn;
 * -1 for none.
 * @param {readonly Pick<ListedGame, 'award_cents' | 'state'>[]} games
 */
export function openAtFirst(games) {
  const best = Math.max(0, ...games.map((game) => game.award_cents ?? 0));
  if (best > 0) return games.findIndex((game) => game.award_cents === best);
  if (games.length === 1) return 0;
  return games.findIndex((game) => game.state === 'drawing');
}

/**
 * The state of a game in words; empty if it has an award, which is shown instead.
 * @param {Pick<ListedGame, 'state' | 'award_cents'>} game
 */
export function gameWords(game) {
  if (game.state === 'settled') return game.award_cents ? '' : '–';
  return sentence(game.state === 'to come' ? game.state : SHOWN_GAME_STATES[game.state]);
}

/**
 * How many games of a ticket are over, in words: "5 of 5 games drawn and settled".
 * @param {Pick<Look, 'first_game' | 'last_game' | 'done'>} look
 */
export function doneWords(look) {
  const games = look.last_game - look.first_game + 1;
  if (games === 1) return look.done ? 'Game drawn and settled' : 'Game not drawn yet';
  return `${look.done} of ${games} games drawn and settled`;
}

/**
 * The sum of a ticket's awards so far, in cents.
 * @param {{games: Pick<ListedGame, 'award_cents'>[]}} look
 */
export function wonSoFar(look) {
  return look.games.reduce((sum, game) => sum + (game.award_cents ?? 0), 0);
}

/**
 * Whether a ticket can be played again as a new request (15.3(b)): all its games are over, and it
 * is neither void nor refunded nor surrendered.
 * @param {Pick<Look, 'state' | 'done' | 'first_game' | 'last_game'>} look
 */
export function canReplay(look) {
  return (
    !['void', 'refund', 'surrender'].includes(look.state) &&
    look.done === look.last_game - look.first_game + 1
  );
}

/**
 * The authorisation that F2 goes to: an approved one, else one denied or lapsed, else the oldest.
 * @param {readonly Payout[]} waiting
 * @returns {Payout | undefined}
 */
export function mostUrgent(waiting) {
  return waiting.find((one) => one.state === 'approved') ?? waiting.find(notGiven) ?? waiting[0];
}

/**
 * The authorisations that were pending before and are answered now, each with its kind of notice.
 * @param {readonly Payout[]} before
 * @param {readonly Payout[]} now
 * @returns {[Payout, 'good' | 'no'][]}
 */
export function answered(before, now) {
  const known = new Map(before.map((one) => [one.authorisation, one.state]));
  return now
    .filter((one) => known.get(one.authorisation) === 'pending' && one.state !== 'pending')
    .map((one) => [one, one.state === 'approved' ? 'good' : 'no']);
}

/** The end of a ticket's QR code: letter, number and code. */
const SCANNED = /[A-Z]-\d+-[0-9A-Z]{16}$/i;

/**
 * The ticket that was scanned into another field, such as a check's number; '' if there is none.
 * @param {string} text
 */
export function scannedInto(text) {
  return SCANNED.exec(text.trim())?.[0] ?? '';
}
