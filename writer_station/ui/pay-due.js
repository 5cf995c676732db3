/*
 * The right of the Pay view: what is handed over as the largest thing, then the needs in the order
 * they must happen, then the one act that is next. It shows; pay.js decides.
 */
import { count, listed, money, ticketNumber as spaced } from '../../keno/pages/shared/format.js';
import { el } from './dialogs/form.js';
import { wonSoFar } from './pay-acts.js';
import { batchTotal } from './pay-money.js';
import { waitingWords, whyWords } from './pay-words.js';

/** A ticket's number, never broken over two lines. */
const ticketNumber = (number) => spaced(number).replace(/ /g, '\u00a0');

/** The frame every state of the panel shares. */
function panel({ label, flag, amount, body, batch, acts, tone = '' }) {
  return [
    el(
      'div.due-head',
      el('span', label),
      flag ? el('b', { class: `flag ${flag[1]}` }, flag[0]) : null,
    ),
    amount
      ? el('p', { class: `due-amount ${tone}${amount.length > 9 ? ' long' : ''}` }, amount)
      : null,
    el('div.due-body', body, batch),
    el('div.due-acts', acts),
  ];
}

/** Needs and payment of a ticket that pays. `picture` is made by pay.js. */
export function dueOf(picture) {
  const { due, steps, next, refund, fields, paying, batch, joined } = picture;
  const label = joined
    ? `Total of ${count(batch.length + 1, 'ticket')}`
    : refund
      ? 'Refund'
      : 'Award';
  const shown = joined ? batchTotal(batch) + due.total_cents : due.total_cents;
  return panel({
    label,
    flag: flagOf(next, steps),
    amount: money(shown),
    tone: next === 'paid' ? '' : 'won',
    body: [
      refund ? refundWords(due) : null,
      steps.length
        ? el(
            'ol',
            { class: `needs${next === 'pay' || fieldsOf(next, fields).length ? ' tight' : ''}` },
            steps.map((step, index) => needRow(step, index, picture)),
          )
        : null,
      next === 'pay' && !joined ? splitOf(due, paying, fields) : null,
    ],
    batch: batchList(picture),
    acts: picture.acts,
  });
}

function flagOf(next, steps) {
  if (next === 'ask') return ['Supervisor needed', 'ember'];
  if (next === 'wait') return ['Supervisor asked', 'ember'];
  if (next === 'denied') return ['Denied', 'stop'];
  if (next === 'lapsed') return ['No answer', 'ember'];
  if (next === 'differs') return ['Another amount', 'ember'];
  if (next === 'pay') return ['Ready to pay', 'jade'];
  return steps.some((step) => step.kind === 'supervisor') ? ['Approved', 'jade'] : null;
}

function needRow(step, index, picture) {
  const now = step.at === 'now';
  const said = { done: ', done', now: ', now', later: '' }[step.at];
  const text = picture.needText(step);
  return el(
    'li',
    { class: `need ${step.at}`, 'aria-current': now ? 'step' : null },
    el('span.need-mark', { 'aria-hidden': 'true' }, step.at === 'done' ? '✓' : String(index + 1)),
    el(
      'div',
      el('b', step.title, el('span.for-readers', said)),
      el('span.need-text', unbroken(text)),
      now
        ? el(
            'div.need-fields',
            fieldsOf(step.kind, picture.fields).map((one) => one.element),
          )
        : null,
    ),
  );
}

/** Words in which a game's name (A-1182) is never broken over two lines. */
export function unbroken(words) {
  if (typeof words !== 'string') return words;
  return words
    .split(/([A-Z]-\d+)/)
    .map((part, index) => (index % 2 ? el('span.unbroken', part) : part));
}

/** What the writer keys for a need. */
export function fieldsOf(kind, fields) {
  if (kind === 'tax_form') return [fields.form, fields.withheld];
  if (kind === 'check') return [fields.checkNumber, fields.checkAmount];
  return [];
}

function splitOf(due, paying, fields) {
  const rows = [];
  const { payment } = paying;
  if (paying.choosing) {
    return el(
      'div.split-choose',
      el('h3', 'Part by check'),
      el(
        'div.need-fields',
        fieldsOf('check', fields).map((one) => one.element),
      ),
    );
  }
  if (!payment) return null;
  if (payment.withheld_cents) rows.push(['Withheld for tax', payment.withheld_cents]);
  if (due.coupon_cents) rows.push(['Back as a coupon', due.coupon_cents]);
  if (payment.check_cents) rows.push([`Check ${payment.check_number}`, payment.check_cents]);
  rows.push(['In cash', payment.cash_cents]);
  return el(
    'dl.split',
    rows.map(([name, cents]) => [el('dt', name), el('dd', money(cents))]),
  );
}

function refundWords(due) {
  const games = typeof due.games === 'number' ? due.games : (due.games?.length ?? 0);
  return el(
    'p.due-say',
    `${count(games, 'undrawn game')} cancelled and paid back, with what was won ` +
      'so far. The ticket ends here.',
  );
}

/** Several tickets in one total. */
function batchList({ batch, look, joined, takeOut }) {
  if (!batch.length) return null;
  const rows = batch.map((one) =>
    el(
      'li',
      el('span', ticketNumber(one.ticket)),
      el('b', money(one.total_cents)),
      el(
        'button.batch-out',
        {
          type: 'button',
          on: { click: () => takeOut(one.ticket) },
          'aria-label': `Take ticket ${ticketNumber(one.ticket)} out of the total`,
        },
        '×',
      ),
    ),
  );
  if (joined && look) {
    rows.push(
      el(
        'li.batch-now',
        el('span', ticketNumber(look.ticket)),
        el('b', money(look.total_cents)),
        el('span', 'now'),
      ),
    );
  }
  const sum = batchTotal(batch);
  return el(
    'section.batch',
    { 'aria-label': 'Tickets in one total' },
    joined ? null : el('h3', `In the total: ${count(batch.length, 'ticket')}`, el('b', money(sum))),
    el('ul', rows),
  );
}

/** A ticket that is not paid now: why, the sentence to read out, what to do with the paper. */
export function notPaid(picture) {
  const { look, batch, refusal } = picture;
  const why = look?.why_not ?? refusal;
  const { heading, next, tone } = whyWords(why.code);
  const won = look && ['drawing', 'not_complete'].includes(why.code) ? wonSoFar(look) : 0;
  return panel({
    label: 'Award',
    flag: null,
    body: [
      el('h2', { class: `why ${tone}` }, heading),
      why.code === 'no_code'
        ? el('p.due-say', why.message)
        : el('div.read-out', el('span', 'Read out'), el('p', unbroken(`“${why.message}”`))),
      won ? el('p.due-say', `Won so far: ${money(won)}.`) : null,
      look ? el('p.due-say', next) : null,
      look?.refund
        ? el(
            'p.due-say',
            `The undrawn games can be paid back: ` + `${money(look.refund.total_cents)} in all.`,
          )
        : null,
    ],
    batch: batchList(picture),
    acts: picture.acts,
    tone: batch.length ? '' : 'calm',
  });
}

/** Nothing on the counter: what waits, or that nothing does. */
export function idle(picture) {
  const { waiting, batch } = picture;
  if (batch.length) {
    return panel({
      label: `Total of ${count(batch.length, 'ticket')}`,
      flag: ['Ready to pay', 'jade'],
      amount: money(batchTotal(batch)),
      tone: 'won',
      body: [],
      batch: batchList({ ...picture, joined: true, look: null }),
      acts: picture.acts,
    });
  }
  return panel({
    label: 'Waiting for a supervisor',
    flag: null,
    body: waiting.length
      ? el(
          'ul.waiting-list',
          waiting.map((one) =>
            el(
              'li',
              el(
                'button',
                { type: 'button', on: { click: () => picture.goTo(one) } },
                el('b', ticketNumber(one.ticket)),
                el('span', waitingWords(one)),
                el('b', money(one.amount_cents)),
              ),
            ),
          ),
        )
      : el('p.due-say', 'Nothing is waiting.'),
    acts: picture.acts,
  });
}

/** What was handed over: calm, and what to do with the paper. */
export function paidPanel({ outcome, acts }) {
  const { paid, refused, parts } = outcome;
  const sum = paid.reduce((total, one) => total + one.total_cents, 0);
  return panel({
    label: outcome.refund ? 'Refunded' : 'Paid',
    flag: paid.length ? ['Done', 'jade'] : null,
    amount: paid.length ? money(sum) : '',
    body: [
      parts?.length
        ? el(
            'dl.split',
            parts.map(([name, cents]) => [el('dt', name), el('dd', money(cents))]),
          )
        : null,
      paid.length
        ? el(
            'p.due-say',
            paid.length === 1
              ? `Ticket ${ticketNumber(paid[0].ticket)} stays in the drawer.`
              : `${count(paid.length, 'ticket')} stay in the drawer: ` +
                  `${listed(paid.map((one) => ticketNumber(one.ticket)))}.`,
          )
        : null,
      paid.length
        ? el(
            'p.due-say',
            paid.length === 1
              ? 'The slip is printing. The writer signs it.'
              : 'The slips are printing. The writer signs each of them.',
          )
        : null,
      refused.map((one) =>
        el(
          'div.read-out.stop',
          el('span', `Not paid: ${ticketNumber(one.ticket)}`),
          el('p', `“${one.message}”`),
        ),
      ),
    ],
    acts,
  });
}
