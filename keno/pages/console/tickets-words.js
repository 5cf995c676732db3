// The texts of a ticket's record: its state, its history, how it was paid. Pure.

import { deadline, money, sentence } from '../shared/format.js';
import { SHOWN_GAME_STATES, TICKET_CONDITIONS, TICKET_STATES } from '../shared/words.js';

/** @import { HandedOver, RecordedGame, TicketRecord } from '../shared/protocol.js' */
/** @import { Toned } from './types.js' */

/** Tones of the states that are not quiet. @type {Record<string, string>} */
const TONES = { live: 'jade', payout: 'lamp' };

/**
 * The state of a ticket: a word and its colour.
 * @param {TicketRecord} record
 * @returns {Toned}
 */
export function stateWords(record) {
  if (isHeldNotIssued(record))
    return { word: sentence(TICKET_CONDITIONS.not_issued), tone: 'ember' };
  if (record.held) return { word: sentence(TICKET_CONDITIONS.held), tone: 'sky' };
  const word = sentence(TICKET_STATES[record.state]);
  const tone = TONES[record.state] ?? 'quiet';
  if (record.state !== 'live') return { word, tone };
  if (!record.printed) return { word: 'Print not confirmed', tone: 'ember' };
  if (record.games.some((each) => each.award_cents === null && each.state !== 'void'))
    return { word, tone };
  return awards(record) > 0
    ? { word: 'Waits to be paid', tone: 'ember' }
    : { word: 'No award', tone: 'quiet' };
}

/**
 * The words after a ticket's name when it was just held in dispute.
 * @param {Pick<TicketRecord, 'held_until_ms'>} record
 * @param {string} [zone]
 */
export function heldWords(record, zone) {
  const until = deadline(record.held_until_ms ?? 0, zone);
  return `is held until ${until}. It is paid nowhere until it is released.`;
}

/** Whether a ticket was declared not issued and is undecided. @param {TicketRecord} record */
export function isHeldNotIssued(record) {
  return record.state === 'live' && record.not_issued?.decision === null;
}

/**
 * Who declared a ticket not issued and what was decided, in words; '' for any other ticket.
 * @param {TicketRecord} record
 */
export function notIssuedWords({ not_issued: found }) {
  if (!found) return '';
  const how =
    found.kind === 'declared'
      ? `${found.actor} declared it not issued before its draw: it has no share of the maximum.`
      : `${found.actor} took its paper after its draw: its award is never paid to its writer.`;
  if (found.decision === 'confirmed') return `${how} ${found.decided_by} confirmed it.`;
  if (found.decision === 'issued')
    return `${how} It was issued after all, says ${found.decided_by}: paid by another writer.`;
  return found.kind === 'declared'
    ? `${how} No supervisor has decided yet.`
    : `${how} It is held until its claim ends.`;
}

/** The sum of a ticket's awards so far, in cents. @param {TicketRecord} record */
export function awards(record) {
  return record.games.reduce((all, each) => all + (each.award_cents ?? 0), 0);
}

/** Words for states of a game that differ from the general ones. @type {Record<string, string>} */
const GAMES = { open: 'Selling', void: 'Void, price goes back' };

/** A game's award as text, or a word if it has none. @param {RecordedGame} game */
export function gameWords(game) {
  if (game.award_cents) return { words: money(game.award_cents), won: true };
  if (game.award_cents === 0 || game.numbers) return { words: 'No award', won: false };
  return { words: GAMES[game.state] ?? sentence(SHOWN_GAME_STATES[game.state]), won: false };
}

/** @type {Record<string, string>} */
const ACTS = {
  sold: 'Sold',
  reprint: 'Printed again',
  lock_out: 'Game closed',
  change: 'Large change approved',
  void: 'Voided',
  hold: 'Held in dispute',
  release: 'Released',
  not_issued: 'Declared not issued',
  found_not_issued: 'Found not issued, paper taken',
  issued_after_all: 'Issued after all',
  surrender: 'Ended as not issued',
  expiry: 'Expired',
  payout: 'Paid',
  refund: 'Refunded',
  asked: 'Authorisation asked',
  approved: 'Authorised',
  denied: 'Authorisation denied',
  lapsed: 'Authorisation lapsed',
};

/** An act of the history in words: "Held in dispute". @param {string} kind */
export function actWords(kind) {
  return ACTS[kind] ?? said(kind);
}

/**
 * The parts of a payment that are not zero, as pairs of name and amount, the sum last.
 * @param {HandedOver} paid
 * @returns {[string, string][]}
 */
export function paidLines(paid) {
  /** @type {[string, number][]} */
  const parts = [
    ['Awards', paid.awards_cents],
    ['Returned for void games', paid.returns_cents],
    ['Refund', paid.refund_cents],
    ['Withheld', -paid.withheld_cents],
    ['In cash', paid.cash_cents],
    [paid.check_number ? `By check ${paid.check_number}` : 'By check', paid.check_cents],
  ];
  return parts.filter(([, cents]) => cents).map(([what, cents]) => [what, money(cents)]);
}

/**
 * Games of a ticket: "A-1180 to A-1184".
 * @param {Pick<TicketRecord, 'letter' | 'first_game' | 'last_game'>} record
 */
export function spanWords(record) {
  const first = `${record.letter}-${record.first_game}`;
  return record.first_game === record.last_game
    ? first
    : `${first} to ${record.letter}-${record.last_game}`;
}

/** A word with a capital, underscores as spaces. @param {string | null} word */
export function said(word) {
  return sentence(String(word ?? '').replaceAll('_', ' '));
}
