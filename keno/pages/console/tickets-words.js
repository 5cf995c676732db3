// A ticket's record in words: how it stands, who did what to it, how it was paid. Pure.

import { money } from '../shared/format.js';

/** @import { Paid, PlayedGame, TicketRecord, Toned } from './types.js' */

/** @type {Record<string, [string, string]>} */
const STATES = {
  live: ['Live', 'jade'],
  void: ['Void', 'quiet'],
  cancelled: ['Cancelled', 'quiet'],
  payout: ['Paid', 'lamp'],
  refund: ['Refunded', 'quiet'],
  surrender: ['Surrendered', 'quiet'],
  expiry: ['Expired', 'quiet'],
};

/**
 * How a ticket stands: a word and its colour.
 * @param {TicketRecord} record
 * @returns {Toned}
 */
export function stateWords(record) {
  if (record.held) return { word: 'Held in dispute', tone: 'sky' };
  const [word, tone] = STATES[record.state] ?? [said(record.state), 'quiet'];
  if (record.state !== 'live') return { word, tone };
  if (!record.printed) return { word: 'Print not confirmed', tone: 'ember' };
  if (record.games.some((each) => each.award_cents === null && each.state !== 'void'))
    return { word, tone };
  return awards(record) > 0
    ? { word: 'Waits to be paid', tone: 'ember' }
    : { word: 'No award', tone: 'quiet' };
}

/** What its games have brought so far, in cents. @param {TicketRecord} record */
export function awards(record) {
  return record.games.reduce((all, each) => all + (each.award_cents ?? 0), 0);
}

/** @type {Record<string, string>} */
const GAMES = {
  open: 'Selling',
  locked: 'Closed',
  drawing: 'Drawing',
  drawn: 'Drawing',
  void: 'Void, price goes back',
  cancelled: 'Not played',
  'to come': 'To come',
};

/** What a game brought the ticket: an amount if it won, else a word. @param {PlayedGame} game */
export function gameWords(game) {
  if (game.award_cents) return { words: money(game.award_cents), won: true };
  if (game.award_cents === 0 || game.numbers) return { words: 'No award', won: false };
  return { words: GAMES[game.state] ?? said(game.state), won: false };
}

/** @type {Record<string, string>} */
const ACTS = {
  sold: 'Sold',
  reprint: 'Printed again',
  lock_out: 'Game closed',
  void: 'Voided',
  hold: 'Held in dispute',
  release: 'Released',
  surrender: 'Surrendered',
  expiry: 'Expired',
  payout: 'Paid',
  refund: 'Refunded',
  asked: 'Authorisation asked',
  approved: 'Authorised',
  denied: 'Authorisation denied',
  lapsed: 'Authorisation lapsed',
};

/** An act of the record: "Held in dispute". @param {string} kind */
export function actWords(kind) {
  return ACTS[kind] ?? said(kind);
}

/**
 * The lines of a payment: [what, amount], the parts that are not nothing, the sum last.
 * @param {Paid} paid
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

/** "way" → "Way". @param {string | null} word */
export function said(word) {
  const text = String(word ?? '').replaceAll('_', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
