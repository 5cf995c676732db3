// Declaring a game void: which games there are, what it would return, which need is the current
// one, and what an order must be before it is sent. Pure; the server decides.

import { count, money } from '../shared/format.js';

/**
 * @typedef {'done' | 'now' | 'later'} NeedState
 * @typedef {{order: object, reason: string, signers: number}} ReadOrder
 */
/** @import { Draw, VoidQuote } from './types.js' */

const ORDER = /^keno-draw\/\d+\/void$/;
const STARTS = ['supervisor', 'manager'];

/** Who may begin a void; the inspector joins. @param {string} role */
export function mayStart(role) {
  return STARTS.includes(role);
}

/** The games to choose from, those that wait for a result first. @param {Draw[]} draws */
export function choices(draws) {
  const waiting = draws.filter((each) => each.state === 'drawing' && !each.numbers);
  const rest = draws.filter((each) => !waiting.includes(each));
  return [...waiting, ...rest].map((each) => ({
    game: each.game,
    words: `${each.name}, ${gameState(each)}`,
  }));
}

/** @param {Draw} draw */
function gameState(draw) {
  if (draw.state === 'void') return 'void';
  if (draw.state !== 'drawing') return 'drawn';
  return draw.drawn_ms ? 'being shown' : 'closed, no result';
}

/**
 * What a void returns, line by line, before anybody does anything: [name, value].
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

/** How tickets are treated, in sentences. @param {VoidQuote} quote */
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
 * The needs in their order; one is current, those before it are done.
 * @param {{taken: boolean, order: object|null}} so
 * @returns {NeedState[]}
 */
export function needs({ taken, order }) {
  if (order) return ['done', 'done', 'now'];
  return taken ? ['done', 'now', 'later'] : ['now', 'later', 'later'];
}

/**
 * Read the file that came back from the generator's console.
 * @param {string} text
 * @param {{game: number, name: string}} quote
 * @returns {ReadOrder | {fault: string}}
 */
export function readOrder(text, quote) {
  let order;
  try {
    order = JSON.parse(text);
  } catch {
    return { fault: 'This file is no order: it cannot be read.' };
  }
  const body = order?.body;
  if (!body || typeof body !== 'object') {
    if (order?.genesis)
      return {
        fault:
          'This is the request, not the order. The order is the file that `keno-rng void` wrote.',
      };
    return { fault: 'This file is no order of the generator’s console.' };
  }
  if (!ORDER.test(String(body.type)))
    return { fault: 'This file is a record of another kind, not an order to void.' };
  if (body.game !== quote.game)
    return { fault: `This order is for game ${body.game}, not for ${quote.name}.` };
  return {
    order,
    reason: String(body.reason ?? ''),
    signers: Object.keys(order.sigs ?? {}).length,
  };
}
