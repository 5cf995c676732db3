/*
 * The steps in which a ticket is voided: what is handed back is said before, kind for kind, and
 * what to hand over after. If the drawer lacks the chips or tokens, one key gives cash instead.
 */
import { h } from '../../../keno/pages/shared/dom.js';
import { refusedBy } from '../link.js';
import { handedCents, handedWords, hasChips, mustWait, owedWords } from '../hand-over.js';
import { act, dialogForm, formKeys, settled } from './form.js';
import { firstGameOpen, ticketLine } from './find.js';
import { money, ticketNumber } from './show.js';

/**
 * @import { KindCents } from '../../../keno/pages/shared/protocol.js'
 * @import { App, Close, Look, Returned, Step } from '../types.js'
 * @typedef {{close: Close, show: (step: Step) => void}} Flow
 */

/**
 * @param {App} app
 * @param {Flow} flow
 * @param {Look} ticket
 * @returns {Step}
 */
export function askVoid(app, flow, ticket) {
  if (!firstGameOpen(ticket)) return tooLate(flow, ticket);
  const waits = mustWait(ticket.price_cents);
  return step(flow, {
    heading: `Void ticket ${ticketNumber(ticket.ticket)}?`,
    parts: [
      ticketLine(ticket),
      toHandOver(waits ? 'Owed' : 'To give back', ticket.gives_back, ticket.price_cents),
      h('p', {}, 'The whole ticket is taken back and plays in no game.'),
      waits && h('p', {}, 'Hand over no money yet: a supervisor first. The patron gets a slip.'),
    ],
    words: 'Void this ticket',
    busy: 'Voiding…',
    does: () => voidTicket(app, flow, ticket),
    instead:
      hasChips(ticket.gives_back) && !waits ? () => voidTicket(app, flow, ticket, true) : null,
    app,
  });
}

/**
 * Void a ticket and say what to hand over. If the drawer lacks chips or tokens, ask whether cash is
 * given.
 * @param {App} app
 * @param {Flow} flow
 * @param {{ticket: number, code: string | null}} ticket
 * @param {boolean} [inCash]
 */
export async function voidTicket(app, { close, show }, { ticket, code }, inCash = false) {
  try {
    const back = await app.ask('void', { ticket, code, in_cash: inCash });
    app.notice(`Ticket ${ticketNumber(ticket)} is void. ${returned(back)}`, 'good');
    if (back.given_back.every(({ kind }) => kind === 'cash')) close(back);
    else show(handOver({ close, show }, ticket, back));
  } catch (error) {
    const { code: why, message } = refusedBy(error);
    if (why !== 'not_in_drawer' || inCash) throw error;
    app.sound('refused');
    show(askCash(app, { close, show }, { ticket, code }, message));
  }
}

/**
 * @param {App} app
 * @param {Flow} flow
 * @param {{ticket: number, code: string | null}} ticket
 * @param {string} message
 */
function askCash(app, flow, ticket, message) {
  return step(flow, {
    heading: 'Give cash instead?',
    parts: [
      h('p', {}, message),
      h('p', { class: 'quiet' }, 'It is recorded. Or have the drawer filled, and void it then.'),
    ],
    words: 'Void it and give cash',
    busy: 'Voiding…',
    does: () => voidTicket(app, flow, ticket, true),
    app,
  });
}

/**
 * The step after a void that gives back more than cash.
 * @param {Flow} flow
 * @param {number} ticket
 * @param {Returned} back
 * @returns {Step}
 */
function handOver(flow, ticket, back) {
  const body = dialogForm(
    `Ticket ${ticketNumber(ticket)} is void`,
    [
      toHandOver('Hand over', back.given_back),
      back.coupon && h('p', {}, `The coupon ${back.coupon} is on the void slip.`),
    ],
    [act('It is handed over', () => flow.close(back), { primary: true, cap: '↵' })],
  );
  const done = settled(() => flow.close(back));
  return {
    element: body.element,
    label: 'Hand over',
    first: body.firstAct,
    key: (event) => formKeys(event, { enter: done, escape: done }),
  };
}

/**
 * @param {Flow} flow
 * @param {Look} ticket
 * @returns {Step}
 */
function tooLate({ close }, ticket) {
  const body = dialogForm(
    'Too late to void',
    [
      ticketLine(ticket),
      h(
        'p',
        {},
        'Its first game is closed, so it can no longer be voided. F7 shows what can still be done.',
      ),
    ],
    [act('Back', () => close(null), { cap: 'Esc' })],
  );
  const back = () => close(null);
  return {
    element: body.element,
    label: 'Void a ticket',
    first: body.firstAct,
    key: (event) => formKeys(event, { enter: back, escape: back }),
  };
}

/**
 * A question about a void, with one act and a way back.
 * @param {Flow} flow
 * @param {{heading: string, parts: Parameters<typeof dialogForm>[1], words: string, busy: string,
 *   does: () => Promise<unknown>, instead?: (() => Promise<unknown>) | null, app: App}} how
 *   `instead` voids and gives cash for chips that the drawer cannot make up
 * @returns {Step}
 */
function step({ close }, { heading, parts, words, busy, does, instead = null, app }) {
  const go = () => body.run(busy, does, app);
  const cash = instead && (() => body.run(busy, instead, app));
  const enter = settled(go);
  const back = () => close(null);
  const body = dialogForm(heading, parts, [
    act(words, go, { primary: true, cap: '↵' }),
    cash && act('Give cash', cash, { cap: 'C' }),
    act('Leave it', back, { cap: 'Esc' }),
  ]);
  return {
    element: body.element,
    label: 'Void a ticket',
    first: body.firstAct,
    key(event) {
      if (event.key.toLowerCase() !== 'c' || !cash) return formKeys(event, { enter, escape: back });
      if (!event.repeat) cash();
      return true;
    },
  };
}

/**
 * Amounts by kind, and their sum large.
 * @param {string} label
 * @param {readonly KindCents[]} amounts
 * @param {number} [cents] the sum, if the amounts are not known
 */
export function toHandOver(label, amounts, cents = handedCents(amounts)) {
  return [
    h('p', { class: 'returned' }, h('span', {}, label), h('b', {}, money(cents))),
    amounts.length ? h('p', { class: 'returned-kinds' }, handedWords(amounts)) : null,
  ];
}

/** @param {Returned} back */
function returned({ given_back: amounts, coupon, owed_cents: owed = 0 }) {
  if (owed) return owedWords(owed);
  if (!amounts.length) return 'Nothing is to be given back.';
  return `Give back ${handedWords(amounts)}${coupon ? `, ${coupon}` : ''}.`;
}
