// Words and sounds of a sale: why a draft cannot be sold, the question when its game closed, the
// sound of its print. Pure.

import { money, ticketNumber } from '../../keno/pages/shared/format.js';
import { bothWays, handedWords } from './hand-over.js';
import { fieldOf, isEmpty } from './sell-draft.js';
import { press } from './sell-press.js';
import { settleTender } from './sell-tender.js';

/**
 * @import { KindCents } from '../../keno/pages/shared/protocol.js'
 * @import { ConfirmWords } from './sell-ask.js'
 * @import { Draft } from './sell-draft.js'
 * @import { Tender } from './sell-tender.js'
 * @import { DraftAnswer, NoticeKind, OpenGame, StationState } from './types.js'
 * @typedef {{words: string, kind: NoticeKind, field?: string}} Obstacle why a draft is not sold;
 *   `field` is where it has to be put right
 */

export const NO_STATION =
  'This page has no station. The ticket is kept; print it when the station is back.';
export const NO_GAME = 'No game is open. The ticket is kept; print it when the next game opens.';

/**
 * Whether another game is open than the one the writer saw.
 * @param {Pick<OpenGame, 'game'> | null | undefined} seen
 * @param {Pick<OpenGame, 'game'> | null | undefined} game
 */
export function hasMoved(seen, game) {
  return Boolean(seen && game && seen.game !== game.game);
}

/**
 * What prevents the sale of a draft; null if nothing does.
 * @param {Draft} draft
 * @param {DraftAnswer | null} answer
 * @param {Tender} tender
 * @param {Pick<StationState, 'line' | 'game'> | null} state
 * @returns {Obstacle | null}
 */
export function obstacle(draft, answer, tender, state) {
  if (isEmpty(draft)) return { words: 'Type the numbers first.', kind: 'look' };
  if (!state?.line.up) {
    const words = 'No line to the server. The ticket is kept; print it when the line is back.';
    return { words, kind: 'no' };
  }
  if (!answer)
    return { words: 'The station has not answered yet. Press Enter once more.', kind: 'look' };
  const [fault] = answer.faults;
  if (fault) return { words: fault.message, kind: 'no', field: fieldOf(draft, fault.where) };
  if (!answer.sellable || answer.price_cents === null)
    return { words: answer.missing || 'This ticket cannot be sold as it stands.', kind: 'look' };
  if (answer.changed && draft.origin.kind === 'previous' && !draft.origin.change_confirmed) {
    const words = 'The patron has to mark the change on the old ticket. Press M when they have.';
    return { words, kind: 'look' };
  }
  const settled = settleTender(tender, answer.price_cents, draft.live?.paid);
  if (settled.fault) return { words: settled.fault, kind: 'no' };
  return state.game ? null : { words: NO_GAME, kind: 'look' };
}

/**
 * The notice of a sale: the ticket, and what is handed over.
 * @param {{ticket: number, price: number, change: number, net: KindCents[] | null}} sold
 */
export function soldNotice({ ticket, price, change, net }) {
  const number = `Ticket ${ticketNumber(ticket)}`;
  if (!net)
    return `${number} is sold for ${money(price)}.${change ? ` Change ${money(change)}.` : ''}`;
  const { handed, received } = bothWays(net);
  const words = [
    handed.length && ` Hand over ${handedWords(handed)}.`,
    received.length && ` ${handedWords(received)} received.`,
  ].filter(Boolean);
  return `${number} replaces it.${words.join('') || ' Nothing is handed over.'}`;
}

/**
 * The words of the question when the game closed; `printing` if Print was pressed.
 * @param {string} closed
 * @param {string} game
 * @param {boolean} printing
 * @returns {ConfirmWords}
 */
export function moveWords(closed, game, printing) {
  const text = 'The ticket was begun for the game that closed. Ask the patron.';
  if (printing) {
    return {
      title: `Game ${closed} has closed. Sell this ticket for ${game}?`,
      yes: `Sell for ${game}`,
      no: 'Keep it on the line',
      text,
    };
  }
  return {
    title: `Game ${closed} has closed. Keep this ticket for ${game}?`,
    yes: `Keep it for ${game}`,
    no: 'Decide later',
    text: `${text} Nothing is printed yet.`,
  };
}

/**
 * The notice when a draft was kept for another game, and whether Enter prints it.
 * @param {Draft} draft
 * @param {string} game
 */
export function keptWords(draft, game) {
  return press(draft, 'Enter').act === 'print'
    ? `Not printed yet. Enter prints it for ${game}.`
    : `Not printed yet. It is kept for ${game}.`;
}

/**
 * The sound for a ticket's change of print state; '' for none.
 * @param {string} before
 * @param {string} after
 * @returns {'' | 'printed' | 'refused'}
 */
export function soundOf(before, after) {
  if (before === after) return '';
  if (after === 'printed') return 'printed';
  return after === 'unknown' || after === 'unprinted' ? 'refused' : '';
}
