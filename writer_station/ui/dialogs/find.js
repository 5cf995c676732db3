/*
 * The field that finds a ticket for a dialog by scan or keys, and the ticket in one line.
 */
import { h } from '../../../keno/pages/shared/dom.js';
import { field } from './form.js';
import { refusedBy } from '../link.js';
import { gamesWords, money, ticketNumber } from './show.js';

/** @import { App, Look, Paper } from '../types.js' */

/**
 * Create a field that looks up the ticket scanned or keyed into it. `found` is called with the
 * station's view of the ticket; a refusal is written under the field. Its `go()` does the lookup.
 * @param {App} app
 * @param {(look: Look) => void} found
 * @param {boolean} anywhere whether a ticket of another location is taken too
 */
export function ticketField(app, found, anywhere) {
  const entry = field('Scan the ticket, or key its number and code', {
    maxlength: 600,
    wrap: 'big',
  });
  let asking = false;
  async function go() {
    const text = entry.typed();
    if (asking) return;
    if (!text) {
      entry.refuse('The number and the code stand under the QR code.');
      return;
    }
    asking = true;
    entry.element.setAttribute('aria-busy', 'true');
    try {
      const what = await app.ask('find', { text, pay: anywhere });
      if (what.kind !== 'ticket') {
        entry.refuse('That is a request for a new ticket, not a ticket.');
        return;
      }
      const { ticket, code, letter = '' } = what;
      found(await app.ask('look', { ticket, code, letter }));
    } catch (error) {
      entry.refuse(refusedBy(error).message);
      entry.input.select();
      app.sound('refused');
    } finally {
      asking = false;
      entry.element.removeAttribute('aria-busy');
    }
  }
  return {
    element: entry.element,
    input: entry.input,
    go,
    /** @param {Paper} paper */
    set(paper) {
      entry.value = `${paper.letter ? `${paper.letter}-` : ''}${paper.ticket} ${paper.code}`;
    },
  };
}

/**
 * Draw a ticket in one line: number, price, games.
 * @param {Pick<Look, 'ticket' | 'price_cents' | 'first_game'> &
 *   {last_game?: number, name?: string}} ticket
 */
export function ticketLine(ticket) {
  return h(
    'p',
    { class: 'ticket-line' },
    h('b', {}, ticketNumber(ticket.ticket)),
    h('span', {}, money(ticket.price_cents)),
    h('span', {}, gamesWords(ticket)),
  );
}

/**
 * Whether a ticket is live and its first game is open, so that it can still be voided.
 * @param {Pick<Look, 'games' | 'first_game' | 'state'>} look
 */
export function firstGameOpen(look) {
  const first = look.games.find((game) => game.game === look.first_game);
  return look.state === 'live' && (!first || first.state === 'open');
}
