// Draws the right column of the Sell view: price, tender, the primary button, and the station's
// last tickets with their states.

import { attribute, h, keycap, put, say } from '../../keno/pages/shared/dom.js';
import { count, money, ticketNumber } from '../../keno/pages/shared/format.js';
import { bothWays, handedCents, handedWords, mustWait } from './hand-over.js';
import { paintPresets, settleTender, tenderWords } from './sell-tender.js';

/**
 * @import { KindCents } from '../../keno/pages/shared/protocol.js'
 * @import { Draft } from './sell-draft.js'
 * @import { Tender, TenderChoice } from './sell-tender.js'
 * @import { DraftAnswer, LastTicket, OpenGame } from './types.js'
 * @typedef {Pick<OpenGame, 'game' | 'name'>} SeenGame
 * @typedef {{ticket: number, price: number, change: number, received: number,
 *   net?: KindCents[] | null, state?: string}} Sold the ticket sold last; `net` is what changed
 *   hands in all for a rewrite, `state` what became of the ticket
 * @typedef {{draft: Draft, answer: DraftAnswer | null, tender: Tender, sold: Sold | null,
 *   busy: boolean, game: SeenGame | null, seen: SeenGame | null, lineUp: boolean}} PriceShown
 * @typedef {{print: () => void, tender: (choice: TenderChoice) => void, mark: () => void,
 *   question: () => void}} PriceActs
 */

/** @type {Record<string, [kind: string, words: string]>} */
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

/** The state of a sold ticket: [kind, words]. @param {Pick<LastTicket, 'state'>} ticket */
export function ticketWords(ticket) {
  return STATES[ticket.state] ?? ['', ticket.state];
}

/** Label, amount and note on the ticket sold last. @param {Omit<Sold, 'ticket'>} sold */
export function soldWords({ change, price, received, net, state }) {
  if (state === 'void') {
    const sum = mustWait(price) ? 'Paid back later, on the slip' : `${money(price)} given back`;
    return { label: 'Void', cents: price, sum };
  }
  if (net) return rewrittenWords(net);
  if (change) {
    const sum = `${money(received)} received for ${money(price)}`;
    return { label: 'Change', cents: change, sum };
  }
  return { label: 'Sold', cents: price, sum: 'Exact, no change' };
}

/** What changed hands for a rewritten ticket. @param {KindCents[]} net */
function rewrittenWords(net) {
  const { handed, received } = bothWays(net);
  const came = received.length ? `${handedWords(received)} received` : '';
  if (!handed.length)
    return {
      label: 'Rewritten',
      cents: handedCents(received),
      sum: came || 'Nothing to hand over',
    };
  const sum = [handedWords(handed), came].filter(Boolean).join('; ');
  return { label: 'Hand over', cents: handedCents(handed), sum };
}

/**
 * The words under the price: the fault of the tender, the change, what a rewrite hands back or
 * still costs, or how the price is made up.
 * @param {DraftAnswer | null} answer
 * @param {Tender} tender
 * @param {Draft['live']} [live] the ticket that is rewritten
 * @returns {{kind: '' | 'no', words: string}}
 */
export function sumWords(answer, tender, live = null) {
  const price = answer?.price_cents ?? null;
  if (price === null) return { kind: '', words: answer?.sum || 'Nothing to sell yet' };
  const settled = settleTender(tender, price, live?.paid);
  if (settled.fault) return { kind: 'no', words: settled.fault };
  const change = settled.change ? `Change ${money(settled.change)}` : '';
  if (live) {
    const back = handedWords(settled.back);
    const more = settled.due ? `${money(settled.due)} more to pay` : '';
    const words = [back && `Give back ${back}`, change || more].filter(Boolean);
    return { kind: '', words: words.join('. ') || 'Paid by the old ticket' };
  }
  if (change) return { kind: '', words: change };
  return { kind: '', words: tender.parts.length ? tenderWords(tender) : (answer?.sum ?? '') };
}

/**
 * The words on the primary button.
 * @param {Pick<PriceShown, 'busy' | 'draft' | 'seen' | 'game'>} of
 */
export function goWords({ busy, draft, seen, game }) {
  if (busy) return 'Selling…';
  if (draft.live) return 'Void and rewrite';
  return seen && game && seen.game !== game.game ? `Sell for ${game.name}` : 'Print ticket';
}

/**
 * Type size in px at which an amount fits into `room` px; from 34 to `largest`.
 * @param {string} text
 * @param {number} room
 * @param {number} largest
 */
export function amountSize(text, room, largest) {
  return Math.max(34, Math.min(largest, Math.floor(room / (text.length * 0.515))));
}

/** @param {PriceActs} does */
export function createPrice(does) {
  const { element, label, games, amount, sum, presets, go, words, marked } = panel(does);
  const tickets = h('section', { class: 'panel last', 'aria-label': 'Last tickets' });

  /** @param {PriceShown} shown */
  function render(shown) {
    const { draft, answer, tender, sold, busy, game, lineUp } = shown;
    const price = answer?.price_cents ?? null;
    const done = price ? null : sold;
    element.classList.toggle('is-sold', Boolean(done));
    element.classList.toggle('is-ready', draft.at === 'ready' && Boolean(answer?.sellable));
    if (done) paintSold(done);
    else paintPrice(answer, tender, draft.live);
    amount.classList.toggle('is-none', !done && price === null);
    const due = price ? settleTender(tender, price, draft.live?.paid).due : null;
    paintPresets(presets, { due, tender, choose: does.tender });
    const previous = draft.origin.kind === 'previous' ? draft.origin : null;
    marked.hidden = !answer?.changed || !previous;
    attribute(marked, 'aria-checked', String(Boolean(previous?.change_confirmed)));
    const able = Boolean(answer?.sellable) && Boolean(game) && lineUp && !busy;
    attribute(go, 'aria-disabled', able ? null : 'true');
    say(words, goWords(shown));
  }

  /**
   * @param {DraftAnswer | null} answer
   * @param {Tender} tender
   * @param {Draft['live']} live
   */
  function paintPrice(answer, tender, live) {
    const price = answer?.price_cents ?? null;
    const said = sumWords(answer, tender, live);
    say(label, 'Price');
    say(games, answer?.games ? count(answer.games, 'game') : '');
    figure(price === null ? '$0.00' : money(price));
    sum.dataset.kind = said.kind;
    say(sum, said.words);
  }

  /** @param {Sold} sold */
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
    figure(amount.textContent ?? '');
  }).observe(element);

  /** @param {string} text */
  function figure(text) {
    say(amount, text);
    const size = `${amountSize(text, width > 360 ? width * 0.5 - 26 : width - 40, 78)}px`;
    if (amount.style.fontSize !== size) amount.style.fontSize = size;
  }

  /** @param {readonly LastTicket[]} list */
  const renderTickets = (list) => paintTickets(tickets, list, does.question);

  return { element, tickets, render, renderTickets, go };
}

/** @param {PriceActs} does */
function panel(does) {
  const label = h('span', {}, 'Price');
  const games = h('span');
  const amount = h('div', { class: 'price-amount' });
  const sum = h('p', { class: 'price-sum' });
  const presets = h('div', { class: 'price-tender', role: 'group', 'aria-label': 'Tender' });
  const words = h('span');
  const go = h(
    'button',
    {
      type: 'button',
      class: 'button button-go price-go',
      on: { click: does.print, mousedown: keepFocus },
    },
    words,
    keycap('↵'),
  );
  const marked = h(
    'button',
    {
      type: 'button',
      class: 'price-marked',
      role: 'checkbox',
      hidden: true,
      on: { click: does.mark, mousedown: keepFocus },
    },
    h('i', { class: 'price-box', 'aria-hidden': 'true' }),
    h('span', {}, 'Patron marked the change'),
    keycap('M'),
  );
  const element = h(
    'section',
    { class: 'panel price', 'aria-label': 'Price' },
    h('div', { class: 'price-top' }, h('div', { class: 'price-head' }, label, games), amount, sum),
    h('div', { class: 'price-acts' }, marked, presets, go),
  );
  return { element, label, games, amount, sum, presets, go, words, marked };
}

/** Keep a touch from moving the focus. @param {Event} event */
function keepFocus(event) {
  event.preventDefault();
}

/**
 * @param {HTMLElement} element
 * @param {readonly LastTicket[]} list
 * @param {() => void} question
 */
function paintTickets(element, list, question) {
  if (!list.length) {
    put(element, h('p', { class: 'last-none' }, 'No ticket sold at this station yet.'));
    return;
  }
  put(
    element,
    list.slice(0, 5).map((ticket) => {
      const [kind, state] = ticketWords(ticket);
      const cells = [
        h('b', {}, ticket.ticket === null ? 'New' : ticketNumber(ticket.ticket)),
        h('span', {}, money(ticket.price_cents)),
        h('span', { class: 'last-state' }, state),
      ];
      const props = { class: 'last-row', data: { kind }, title: ticket.reason ?? '' };
      if (kind !== 'look') return h('div', props, cells);
      const on = { click: question, mousedown: keepFocus };
      return h('button', { ...props, type: 'button', on }, cells);
    }),
  );
}
