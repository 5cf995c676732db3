/*
 * The first step of whatever is done to one ticket: scan it or key it, and see it as sold.
 */
import { el, field } from './form.js';
import { gamesWords, money, ticketNumber } from './show.js';

/**
 * A field that takes a scan or keys and finds the ticket. `found(look)` is called with the ticket as
 * the station tells it; a refusal stands under the field. `go()` is what Enter does.
 */
export function ticketField(app, found) {
  const entry = field('Scan the ticket, or key its number and code', { max: 600, class: 'big' });
  let asking = false;
  async function go() {
    const text = entry.value();
    if (asking) return;
    if (!text) {
      entry.fault('The number and the code stand under the QR code.');
      return;
    }
    asking = true;
    entry.element.setAttribute('aria-busy', 'true');
    try {
      const what = await app.ask('find', { text });
      if (what.kind !== 'ticket') {
        entry.fault('That is a request for a new ticket, not a ticket.');
        return;
      }
      found(await app.ask('look', { ticket: what.ticket, code: what.code }));
    } catch (no) {
      entry.fault(no.message);
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
    set(text) {
      entry.input.value = text;
    },
  };
}

/** A ticket in one quiet line: number, price, games. */
export function ticketLine(ticket) {
  return el(
    'p.ticket-line',
    el('b', ticketNumber(ticket.ticket)),
    el('span', money(ticket.price_cents)),
    el('span', gamesWords(ticket)),
  );
}

/** Whether a ticket's first game still sells: then it is voided, else surrendered or refunded. */
export function firstGameOpen(look) {
  const first = look.games.find((game) => game.game === look.first_game);
  return look.state === 'live' && (!first || first.state === 'open' || first.state === 'to come');
}
