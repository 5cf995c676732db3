/*
 * The first step of whatever is done to one ticket: scan it or key it, and see it as sold.
 */
import { h } from '../../../keno/pages/shared/dom.js';
import { field } from './form.js';
import { refusedBy } from '../link.js';
import { gamesWords, money, ticketNumber } from './show.js';

/** @import { App, Look, Paper } from '../types.js' */

/**
 * A field that takes a scan or keys and finds the ticket. `found` is called with the ticket as the
 * station shows it; a refusal is written under the field. `go()` is what Enter does.
 * @param {App} app
 * @param {(look: Look) => void} found
 */
export function ticketField(app, found) {
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
      const what = await app.ask('find', { text });
      if (what.kind !== 'ticket') {
        entry.refuse('That is a request for a new ticket, not a ticket.');
        return;
      }
      found(await app.ask('look', { ticket: what.ticket, code: what.code }));
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
      entry.value = `${paper.ticket} ${paper.code}`;
    },
  };
}

/**
 * A ticket in one quiet line: number, price, games.
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
 * Whether a ticket's first game still sells: then it is voided, else surrendered or refunded.
 * @param {Pick<Look, 'games' | 'first_game' | 'state'>} look
 */
export function firstGameOpen(look) {
  const first = look.games.find((game) => game.game === look.first_game);
  return look.state === 'live' && (!first || first.state === 'open' || first.state === 'to come');
}
