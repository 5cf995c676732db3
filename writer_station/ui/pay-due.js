/*
 * Draws the right column of the Pay view: the amount due in large type, what the payout needs in
 * order, and the next action. pay-panel.js decides what is shown.
 */
import { count, listed, money } from '../../keno/pages/shared/format.js';
import { h } from '../../keno/pages/shared/dom.js';

import { chipParts, handedCents, owedWords } from './hand-over.js';
import { isOwed, owedChips, ticketWords, wonSoFar } from './pay-acts.js';
import { batchTotal } from './pay-money.js';
import { waitingWords, whyWords } from './pay-words.js';

/**
 * @import { Child } from '../../keno/pages/shared/types.js'
 * @import { NeedStep, NextAct } from './pay-acts.js'
 * @import { Counter, PayFields } from './pay-counter.js'
 * @import { DuePanel, Panel } from './pay-panel.js'
 * @import { Look, Payout, RefundDue } from './types.js'
 * @typedef {{counter: Counter, waiting: readonly Payout[], acts: Child,
 *   needText: (step: NeedStep) => Child, takeOut: (look: Look) => void,
 *   goTo: (payout: Payout) => void}} Around what a panel shows beside itself, and what it does
 */

/**
 * A ticket's number, never broken over two lines.
 * @param {{ticket: number, letter?: string}} one
 */
const numberOf = (one) => ticketWords(one).replace(/ /g, '\u00a0');

/**
 * Draw the right column of the Pay view for a panel; returns its elements.
 * @param {Panel} panel
 * @param {Around} around
 */
export function drawPanel(panel, around) {
  if (panel.kind === 'due') return duePanel(panel, around);
  if (panel.kind === 'paid') return paidPanel(around);
  return panel.kind === 'idle' ? idle(around) : notPaid(around);
}

/**
 * Draw the parts that all panels share: label, flag, amount, body, batch and actions.
 * @param {{label: string, flag?: [words: string, colour: string] | null, amount?: string,
 *   body: Child, batch?: Child, acts: Child, tone?: string}} parts
 */
function frame({ label, flag, amount, body, batch, acts, tone = '' }) {
  return [
    h(
      'div',
      { class: 'due-head' },
      h('span', {}, label),
      flag ? h('b', { class: `flag ${flag[1]}` }, flag[0]) : null,
    ),
    amount
      ? h('p', { class: `due-amount ${tone}${amount.length > 9 ? ' long' : ''}` }, amount)
      : null,
    h('div', { class: 'due-body' }, body, batch),
    h('div', { class: 'due-acts' }, acts),
  ];
}

/**
 * Draw the panel of a ticket that pays: what it needs, and its payment.
 * @param {DuePanel} panel
 * @param {Around} around
 */
function duePanel(panel, around) {
  const { due, steps, next, joined } = panel;
  const { look, refund, fields, batch } = around.counter;
  const label = joined ? `Total of ${count(batch.length + 1, 'ticket')}` : labelOf(look, refund);
  const shown = joined ? batchTotal(batch) + due.total_cents : due.total_cents;
  return frame({
    label,
    flag: flagOf(next, steps),
    amount: money(shown),
    tone: 'won',
    body: [
      'games' in due && refund ? refundWords(due) : null,
      steps.length
        ? h(
            'ol',
            { class: `needs${next === 'pay' || fieldsOf(next, fields).length ? ' tight' : ''}` },
            steps.map((step, index) => needRow(step, index, around)),
          )
        : null,
      next === 'pay' && !joined ? splitOf(panel, around.counter) : null,
    ],
    batch: batchList(around, joined ? around.counter.look : null),
    acts: around.acts,
  });
}

/**
 * What the amount due is for.
 * @param {Look | null} look
 * @param {boolean} refund
 */
function labelOf(look, refund) {
  if (isOwed(look)) return look?.state === 'void' ? 'Owed, void' : 'Owed, refund';
  return refund ? 'Refund' : 'Award';
}

/**
 * @param {NextAct} next
 * @param {NeedStep[]} steps
 * @returns {[words: string, colour: string] | null}
 */
function flagOf(next, steps) {
  if (next === 'ask') return ['Supervisor needed', 'ember'];
  if (next === 'wait') return ['Supervisor asked', 'ember'];
  if (next === 'denied') return ['Denied', 'stop'];
  if (next === 'lapsed') return ['Ask again', 'ember'];
  if (next === 'differs') return ['Another amount', 'ember'];
  if (next === 'pay') return ['Ready to pay', 'jade'];
  return steps.some((step) => step.kind === 'supervisor') ? ['Approved', 'jade'] : null;
}

/**
 * @param {NeedStep} step
 * @param {number} index
 * @param {Around} around
 */
function needRow(step, index, around) {
  const now = step.at === 'now';
  const said = { done: ', done', now: ', now', later: '' }[step.at];
  const text = around.needText(step);
  return h(
    'li',
    { class: `need ${step.at}`, 'aria-current': now ? 'step' : null },
    h(
      'span',
      { class: 'need-mark', 'aria-hidden': 'true' },
      step.at === 'done' ? '✓' : String(index + 1),
    ),
    h(
      'div',
      {},
      h('b', {}, step.title, h('span', { class: 'for-readers' }, said)),
      h('span', { class: 'need-text' }, unbroken(text)),
      now
        ? h(
            'div',
            { class: 'need-fields' },
            fieldsOf(step.kind, around.counter.fields).map((one) => one.element),
          )
        : null,
    ),
  );
}

/**
 * Return a text in which names of games, such as A-1182, are not broken over two lines.
 * @param {Child} words
 * @returns {Child}
 */
function unbroken(words) {
  if (typeof words !== 'string') return words;
  return words
    .split(/([A-Z]-\d+)/)
    .map((part, index) => (index % 2 ? h('span', { class: 'unbroken' }, part) : part));
}

/**
 * The inputs for a need of the payout (tax form or check); none for other needs.
 * @param {string} kind
 * @param {PayFields | null} fields
 */
export function fieldsOf(kind, fields) {
  if (!fields) return [];
  if (kind === 'tax_form') return [fields.form, fields.withheld];
  if (kind === 'check') return [fields.checkNumber, fields.checkAmount];
  return [];
}

/**
 * @param {DuePanel} panel
 * @param {Counter} counter
 */
function splitOf({ due, payment }, { look, inCash, choosing, fields }) {
  /** @type {[string, number][]} */
  const rows = [];
  if (choosing) {
    return h(
      'div',
      { class: 'split-choose' },
      h('h3', {}, 'Part by check'),
      h(
        'div',
        { class: 'need-fields' },
        fieldsOf('check', fields).map((one) => one.element),
      ),
    );
  }
  if (!payment) return null;
  if (payment.withheld_cents) rows.push(['Withheld for tax', payment.withheld_cents]);
  if (due.coupon_cents) rows.push(['Back as a coupon', due.coupon_cents]);
  if (payment.check_cents) rows.push([`Check ${payment.check_number}`, payment.check_cents]);
  const chips = inCash ? [] : owedChips(look);
  const cash = payment.cash_cents - handedCents(chips);
  rows.push(...chipParts(chips));
  if (cash || !chips.length) rows.push(['In cash', cash]);
  return h(
    'dl',
    { class: 'split' },
    rows.map(([name, cents]) => [h('dt', {}, name), h('dd', {}, money(cents))]),
  );
}

/** @param {RefundDue} due */
function refundWords(due) {
  const games = typeof due.games === 'number' ? due.games : due.games.length;
  return h(
    'p',
    { class: 'due-say' },
    `${count(games, 'undrawn game')} cancelled and paid back, with what was won ` +
      'so far. The ticket ends here.',
  );
}

/**
 * Draw the list of tickets that are paid together; null if there are none.
 * @param {Pick<Around, 'counter' | 'takeOut'>} around
 * @param {Look | null} now the ticket on the counter if it is in the total
 * @param {boolean} [headed]
 */
function batchList({ counter: { batch }, takeOut }, now, headed = !now) {
  if (!batch.length) return null;
  const rows = batch.map((one) =>
    h(
      'li',
      {},
      h('span', {}, numberOf(one)),
      h('b', {}, money(one.total_cents)),
      h(
        'button',
        {
          class: 'batch-out',
          type: 'button',
          on: { click: () => takeOut(one) },
          'aria-label': `Take ticket ${numberOf(one)} out of the total`,
        },
        '×',
      ),
    ),
  );
  if (now) {
    rows.push(
      h(
        'li',
        { class: 'batch-now' },
        h('span', {}, numberOf(now)),
        h('b', {}, money(now.total_cents)),
        h('span', {}, 'now'),
      ),
    );
  }
  const sum = batchTotal(batch);
  return h(
    'section',
    { class: 'batch', 'aria-label': 'Tickets in one total' },
    !headed
      ? null
      : h('h3', {}, `In the total: ${count(batch.length, 'ticket')}`, h('b', {}, money(sum))),
    h('ul', {}, rows),
  );
}

/**
 * Draw the panel of a ticket that is not paid: why, the sentence for the patron, what to do next.
 * @param {Around} around
 */
function notPaid(around) {
  const { look, batch, refusal } = around.counter;
  const why = look?.why_not ?? refusal ?? { code: '', message: '' };
  const { heading, next, tone } = whyWords(why.code);
  const won = look && ['drawing', 'not_complete'].includes(why.code) ? wonSoFar(look) : 0;
  return frame({
    label: 'Award',
    flag: null,
    body: [
      h('h2', { class: `why ${tone}` }, heading),
      why.code === 'no_code'
        ? h('p', { class: 'due-say' }, why.message)
        : h(
            'div',
            { class: 'read-out' },
            h('span', {}, 'Read out'),
            h('p', {}, unbroken(`“${why.message}”`)),
          ),
      won ? h('p', { class: 'due-say' }, `Won so far: ${money(won)}.`) : null,
      look ? h('p', { class: 'due-say' }, next) : null,
      look?.refund
        ? h(
            'p',
            { class: 'due-say' },
            `The undrawn games can be paid back: ` + `${money(look.refund.total_cents)} in all.`,
          )
        : null,
    ],
    batch: batchList(around, null),
    acts: around.acts,
    tone: batch.length ? '' : 'calm',
  });
}

/**
 * Draw the panel without a ticket: the batch to pay, or what waits for a supervisor.
 * @param {Around} around
 */
function idle(around) {
  const { waiting, acts } = around;
  const { batch } = around.counter;
  if (batch.length) {
    return frame({
      label: `Total of ${count(batch.length, 'ticket')}`,
      flag: ['Ready to pay', 'jade'],
      amount: money(batchTotal(batch)),
      tone: 'won',
      body: [],
      batch: batchList(around, null, false),
      acts,
    });
  }
  return frame({
    label: 'Waiting for a supervisor',
    flag: null,
    body: waiting.length
      ? h(
          'ul',
          { class: 'waiting-list' },
          waiting.map((one) =>
            h(
              'li',
              {},
              h(
                'button',
                { type: 'button', on: { click: () => around.goTo(one) } },
                h('b', {}, numberOf(one)),
                h('span', {}, waitingWords(one)),
                h('b', {}, money(one.amount_cents)),
              ),
            ),
          ),
        )
      : h('p', { class: 'due-say' }, 'Nothing is waiting.'),
    acts,
  });
}

/** @type {NonNullable<Counter['outcome']>} */
const NOTHING = { paid: [], refused: [], parts: [], refund: false, onSlip: false };

/**
 * Draw the panel after a payment: what was paid or refused, and what to do with the paper.
 * @param {Around} around
 */
function paidPanel({ counter: { outcome }, acts }) {
  const { paid, refused, parts, refund, onSlip } = outcome ?? NOTHING;
  const sum = paid.reduce((total, one) => total + one.total_cents, 0);
  const owed = paid[0]?.owed_cents ?? 0;
  const paper = onSlip ? 'The slip of ticket' : 'Ticket';
  return frame({
    label: refund ? 'Refunded' : 'Paid',
    flag: paid.length && !owed ? ['Done', 'jade'] : null,
    amount: paid.length ? money(sum) : '',
    body: [
      owed ? h('p', { class: 'due-say' }, owedWords(owed)) : null,
      parts.length
        ? h(
            'dl',
            { class: 'split' },
            parts.map(([name, cents]) => [h('dt', {}, name), h('dd', {}, money(cents))]),
          )
        : null,
      paid.length
        ? h(
            'p',
            { class: 'due-say' },
            paid.length === 1
              ? `${paper} ${numberOf(paid[0])} stays in the drawer.`
              : `${count(paid.length, 'ticket')} stay in the drawer: ` +
                  `${listed(paid.map((one) => numberOf(one)))}.`,
          )
        : null,
      paid.length
        ? h(
            'p',
            { class: 'due-say' },
            paid.length === 1
              ? 'The slip is printing. The writer signs it.'
              : 'The slips are printing. The writer signs each of them.',
          )
        : null,
      refused.map((one) =>
        h(
          'div',
          { class: 'read-out stop' },
          h('span', {}, `Not paid: ${numberOf(one)}`),
          h('p', {}, `“${one.message}”`),
        ),
      ),
    ],
    acts,
  });
}
