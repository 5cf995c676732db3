// The right column: the price, the largest thing; the tender; the one primary button; and under it
// the station's last tickets with what became of each.

import { attribute, h, keycap, put, say } from '../../keno/pages/shared/dom.js';
import { count, money, ticketNumber } from '../../keno/pages/shared/format.js';
import { paintPresets, settleTender, tenderWords } from './sell-tender.js';

const STATES = {
  selling: ['', 'Selling…'],
  printing: ['', 'Printing…'],
  printed: ['', 'Printed ✓'],
  unprinted: ['look', 'Not printed F8'],
  unknown: ['look', 'Printed? F8'],
  void: ['', 'Void'],
  paid: ['', 'Paid out'],
  refunded: ['', 'Refunded'],
  surrendered: ['', 'Surrendered'],
};

/** What became of a ticket: [kind, words]. */
export function ticketWords(ticket) {
  return STATES[ticket.state] ?? ['', ticket.state];
}

/** What the panel says of the ticket sold last, `state` being what became of it. */
export function soldWords({ change, price, given, state }) {
  if (state === 'void') return { label: 'Void', cents: price, sum: `${money(price)} given back` };
  if (change)
    return { label: 'Change due', cents: change, sum: `${money(given)} given for ${money(price)}` };
  return { label: 'Sold', cents: price, sum: 'Exact, no change' };
}

/** Type size in px for an amount, so that it fills the room and no more. */
export function amountSize(text, room, largest) {
  return Math.max(34, Math.min(largest, Math.floor(room / (text.length * 0.515))));
}

/** @param {{print: () => void, tender: (choice: any) => void, mark: () => void, question: () => void}} does */
export function createPrice(does) {
  const label = h('span', {}, 'Price');
  const games = h('span');
  const amount = h('div', { class: 'price-amount' });
  const sum = h('p', { class: 'price-sum' });
  const presets = h('div', { class: 'price-tender', role: 'group', 'aria-label': 'Tender' });
  const words = h('span');
  const go = h(
    'button',
    { type: 'button', class: 'button button-go price-go', on: { click: does.print } },
    words,
    keycap('↵'),
  );
  go.addEventListener('mousedown', (event) => event.preventDefault());
  const marked = h(
    'button',
    {
      type: 'button',
      class: 'price-marked',
      role: 'checkbox',
      hidden: true,
      on: { click: does.mark },
    },
    h('i', { class: 'price-box', 'aria-hidden': 'true' }),
    h('span', {}, 'Patron marked the change'),
    keycap('M'),
  );
  marked.addEventListener('mousedown', (event) => event.preventDefault());
  const element = h(
    'section',
    { class: 'panel price', 'aria-label': 'Price' },
    h('div', { class: 'price-top' }, h('div', { class: 'price-head' }, label, games), amount, sum),
    h('div', { class: 'price-acts' }, marked, presets, go),
  );
  const tickets = h('section', { class: 'panel last', 'aria-label': 'Last tickets' });

  function render({ draft, answer, tender, sold, busy, game, seen, lineUp }) {
    const done = sold && !answer?.price_cents;
    const price = answer?.price_cents ?? null;
    element.classList.toggle('is-sold', Boolean(done));
    element.classList.toggle('is-ready', draft.at === 'ready' && Boolean(answer?.sellable));
    if (done) paintSold(sold);
    else {
      const settled = price === null ? null : settleTender(tender, price);
      const change = settled && tender.given !== null ? settled.change : 0;
      say(label, 'Price');
      say(games, answer?.games ? count(answer.games, 'game') : '');
      figure(price === null ? '$0.00' : money(price));
      sum.dataset.kind = settled?.fault ? 'no' : '';
      say(
        sum,
        settled?.fault ||
          (change
            ? `Change due ${money(change)}`
            : tender.parts.length
              ? tenderWords(tender)
              : answer?.sum || 'Nothing to sell yet'),
      );
    }
    amount.classList.toggle('is-none', !done && price === null);
    paintPresets(presets, { price, tender, choose: does.tender });
    paintMark(draft, answer);
    const able = Boolean(answer?.sellable) && Boolean(game) && lineUp && !busy;
    attribute(go, 'aria-disabled', able ? null : 'true');
    say(
      words,
      busy
        ? 'Selling…'
        : draft.live
          ? 'Void and rewrite'
          : seen && game && seen.game !== game.game
            ? `Sell for ${game.name}`
            : 'Print ticket',
    );
  }

  function paintSold(sold) {
    const said = soldWords(sold);
    say(label, said.label);
    say(games, `Ticket ${ticketNumber(sold.ticket)}`);
    figure(money(said.cents));
    sum.dataset.kind = '';
    say(sum, said.sum);
  }

  // The width is watched, not read: reading it would lay the page out on every key.
  let width = 288;
  new ResizeObserver(([entry]) => {
    width = entry.borderBoxSize[0].inlineSize;
    figure(amount.textContent);
  }).observe(element);

  function figure(text) {
    say(amount, text);
    const size = `${amountSize(text, width > 360 ? width * 0.5 - 26 : width - 40, 78)}px`;
    if (amount.style.fontSize !== size) amount.style.fontSize = size;
  }

  function paintMark(draft, answer) {
    const asked = Boolean(answer?.changed) && draft.origin.kind === 'previous';
    marked.hidden = !asked;
    attribute(marked, 'aria-checked', String(Boolean(draft.origin.change_confirmed)));
  }

  function renderTickets(list) {
    if (!list.length) {
      put(tickets, h('p', { class: 'last-none' }, 'No ticket sold at this station yet.'));
      return;
    }
    put(
      tickets,
      list.slice(0, 5).map((ticket) => {
        const [kind, state] = ticketWords(ticket);
        const cells = [
          h('b', {}, ticket.ticket === null ? 'New' : ticketNumber(ticket.ticket)),
          h('span', {}, money(ticket.price_cents)),
          h('span', { class: 'last-state' }, state),
        ];
        const props = { class: 'last-row', data: { kind }, title: ticket.reason ?? '' };
        if (kind !== 'look') return h('div', props, cells);
        return h(
          'button',
          {
            ...props,
            type: 'button',
            on: { click: does.question, mousedown: (event) => event.preventDefault() },
          },
          cells,
        );
      }),
    );
  }

  return { element, tickets, render, renderTickets, go };
}
