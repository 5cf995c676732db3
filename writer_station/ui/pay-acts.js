/*
 * What has to happen before a ticket is paid, in its order, and which act is the writer's next.
 * Pure. A need is done when the station says so or when the writer did it on this screen.
 */

/**
 * @import { Due, Look, Need, Payout, PlayedGame } from './types.js'
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

/** Whether a payout was denied, or not answered in time. @param {Pick<Payout, 'state'>} one */
export function notGiven(one) {
  return one.state === 'denied' || one.state === 'lapsed';
}

/**
 * The payout of this ticket (or its refund) that waits for a supervisor, or undefined.
 * @param {readonly Payout[]} waiting
 * @param {number} ticket
 * @param {boolean} refund
 */
export function askedFor(waiting, ticket, refund) {
  const own = waiting.filter((one) => one.ticket === ticket && Boolean(one.refund) === refund);
  return own.find((one) => !notGiven(one)) ?? own.at(-1);
}

/**
 * Whether a supervisor has approved a payout, or what has to happen first.
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
 * The needs in their order, and whether each is done, the current one, or later.
 * @param {Pick<Due, 'needs' | 'total_cents'>} due
 * @param {Progress} progress
 * @param {Payout | null | undefined} asked
 * @returns {NeedStep[]}
 */
export function numbered(due, progress, asked) {
  let current = true;
  return due.needs.map((need) => {
    const approval = need.kind === 'supervisor' ? approvalOf(need, asked, due.total_cents) : null;
    const done = need.done || approval === 'yes' || Boolean(progress[need.kind]);
    /** @type {NeedStep} */
    const step = {
      kind: need.kind,
      title: TITLES[need.kind] ?? need.kind,
      text: need.text,
      approval,
      at: done ? 'done' : current ? 'now' : 'later',
    };
    if (!done) current = false;
    return step;
  });
}

/**
 * What the primary button does now.
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
 * Whether a ticket can go into one total with others: it pays, and needs nothing but the cash.
 * @param {Pick<Look, 'why_not' | 'total_cents' | 'needs'>} look
 */
export function paysAtOnce(look) {
  return !look.why_not && look.total_cents > 0 && look.needs.every((need) => need.done);
}

/**
 * All games the ticket was sold for; the station lists only those that have begun.
 * @param {Pick<Look, 'name' | 'games' | 'first_game' | 'last_game'>} look
 */
export function allGames(look) {
  const letter = look.name.includes('-') ? look.name.split('-')[0] : '';
  const begun = new Map(look.games.map((game) => [game.game, game]));
  /** @type {PlayedGame[]} */
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
 * The game that is open at first: the highest award, the only one, the one being drawn, or none.
 * @param {readonly Pick<PlayedGame, 'award_cents' | 'state'>[]} games
 */
export function openAtFirst(games) {
  const best = Math.max(0, ...games.map((game) => game.award_cents ?? 0));
  if (best > 0) return games.findIndex((game) => game.award_cents === best);
  if (games.length === 1) return 0;
  return games.findIndex((game) => game.state === 'drawing');
}

/**
 * What became of a game, in words; empty when its award says it.
 * @param {Pick<PlayedGame, 'state' | 'award_cents'>} game
 */
export function gameWords(game) {
  /** @type {Record<string, string>} */
  const words = {
    'to come': 'To come',
    open: 'Open',
    drawing: 'Drawing',
    locked: 'Drawing',
    drawn: 'Drawing',
    void: 'Void',
  };
  return words[game.state] ?? (game.award_cents ? '' : '–');
}

/**
 * "5 of 5 games drawn and settled".
 * @param {Pick<Look, 'first_game' | 'last_game' | 'done'>} look
 */
export function doneWords(look) {
  const games = look.last_game - look.first_game + 1;
  if (games === 1) return look.done ? 'Game drawn and settled' : 'Game not drawn yet';
  return `${look.done} of ${games} games drawn and settled`;
}

/**
 * What the games that are settled have won together.
 * @param {{games: Pick<PlayedGame, 'award_cents'>[]}} look
 */
export function wonSoFar(look) {
  return look.games.reduce((sum, game) => sum + (game.award_cents ?? 0), 0);
}

/**
 * 15.3(b): a drawn ticket can be the next request; a live one is changed, a void one neither.
 * @param {Pick<Look, 'state' | 'done' | 'first_game' | 'last_game'>} look
 */
export function canReplay(look) {
  return (
    !['void', 'surrender'].includes(look.state) &&
    look.done === look.last_game - look.first_game + 1
  );
}

/**
 * The one that F2 goes to: approved first, then denied or lapsed, then the oldest asked.
 * @param {readonly Payout[]} waiting
 * @returns {Payout | undefined}
 */
export function mostUrgent(waiting) {
  return waiting.find((one) => one.state === 'approved') ?? waiting.find(notGiven) ?? waiting[0];
}

/**
 * What changed since: each answered payout with its kind of notice.
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

/** What a ticket's QR code holds: its name and its code. */
const SCANNED = /[A-Z]-\d+-[0-9A-Z]{16}$/i;

/**
 * A ticket that was scanned while the caret was in another field, a check's number for instance.
 * @param {string} text
 */
export function scannedInto(text) {
  return SCANNED.exec(text.trim())?.[0] ?? '';
}
