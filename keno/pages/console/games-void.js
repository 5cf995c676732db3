// Declaring a game void: the games to choose from, what a void returns, the current step, and the
// check of an order before it is sent. Pure; the server decides.

import { count, money } from '../shared/format.js';
import { readOrderFile } from './order-file.js';

/** @typedef {'done' | 'now' | 'later'} NeedState */
/** @import { DrawRecord, VoidQuote } from '../shared/protocol.js' */

const ORDER = /^keno-draw\/\d+\/void$/;
const STARTS = ['supervisor', 'manager'];

/** Whether a role may begin to void a game; an inspector signs too. @param {string} role */
export function mayStart(role) {
  return STARTS.includes(role);
}

/** The games to choose from, those that wait for a result first. @param {DrawRecord[]} draws */
export function choices(draws) {
  const waiting = draws.filter((each) => each.state === 'drawing' && !each.numbers);
  const rest = draws.filter((each) => !waiting.includes(each));
  return [...waiting, ...rest].map((each) => ({
    game: each.game,
    words: `${each.name}, ${gameState(each)}`,
  }));
}

/** @param {DrawRecord} draw */
function gameState(draw) {
  if (draw.state === 'void') return 'void';
  if (draw.state !== 'drawing') return 'drawn';
  return draw.drawn_ms ? 'being shown' : 'closed, no result';
}

/**
 * What a void would return, as pairs of name and value.
 * @param {VoidQuote} quote
 * @returns {[string, string][]}
 */
export function quoteLines(quote) {
  return [
    ['Tickets in this game', count(quote.tickets, 'ticket')],
    ['Returned in all', money(quote.returned_cents)],
    ['Of it as coupons', money(quote.coupon_cents)],
    ['Tickets for several games', count(quote.multi_race, 'ticket')],
  ];
}

/** Sentences on how a void treats the tickets. @param {VoidQuote} quote */
export function quoteWords(quote) {
  const words = [
    `Every wager on ${quote.name} alone goes back. What was paid by coupon comes back as a coupon.`,
  ];
  if (quote.multi_race > 0) {
    words.push(
      'A ticket for several games gets this game’s share with its payment or refund at the end; ' +
        'its other games are played as sold, and none is added.',
    );
  }
  const next = quote.next_game
    ? ` ${nameOf(quote, quote.next_game)} is another game with its own tickets.`
    : '';
  words.push(
    `No ticket moves to the next game.${next}`,
    'The sealed secrets of the game are opened, so that everybody sees what was given up.',
  );
  return words;
}

/**
 * @param {VoidQuote} quote
 * @param {number} game
 */
function nameOf(quote, game) {
  return `${String(quote.name).split('-')[0]}-${game}`;
}

/**
 * The states of the three steps: 'done', 'now' (the current one) or 'later'.
 * @param {{taken: boolean, order: object|null}} so
 * @returns {NeedState[]}
 */
export function needs({ taken, order }) {
  if (order) return ['done', 'done', 'now'];
  return taken ? ['done', 'now', 'later'] : ['now', 'later', 'later'];
}

/**
 * Read the signed order from the generator's console; returns the order or its fault.
 * @param {string} text
 * @param {{game: number, name: string}} quote
 */
export function readOrder(text, quote) {
  return readOrderFile(text, ORDER, {
    request: 'The order is the file that `keno-rng void` wrote.',
    record: 'an order to void',
    forOther: ({ game }) =>
      game === quote.game ? '' : `This order is for game ${game}, not for ${quote.name}.`,
  });
}
