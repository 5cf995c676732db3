/*
 * The Pay view's requests to the station: find, look, ask the supervisor, pay, refund. Each changes
 * the counter and draws it; only one request runs at a time.
 */
import { money } from '../../keno/pages/shared/format.js';
import { authorise } from './dialogs/index.js';
import { chipParts, handedCents } from './hand-over.js';
import { refusedBy } from './link.js';
import {
  allGames,
  isOwed,
  openAtFirst,
  owedChips,
  paperOf,
  paysAtOnce,
  same,
  ticketWords,
} from './pay-acts.js';
import { clearCounter, dueOn, halfDone, layOn, newFields } from './pay-counter.js';
import { takenCheck, takenForm } from './pay-forms.js';
import { batchPayments, leftToSplit, paidWords, payment } from './pay-money.js';
import { payTickets, refundTicket } from './pay-paying.js';
import { whyWords } from './pay-words.js';

/**
 * @import { KindCents } from '../../keno/pages/shared/protocol.js'
 * @import { Refused } from '../../keno/pages/shared/ask.js'
 * @import { Progress } from './pay-acts.js'
 * @import { Counter } from './pay-counter.js'
 * @import { Entry } from './pay-entry.js'
 * @import { App, Look, PayAnswer, Paper, Payment, Payout, StationState } from './types.js'
 * @typedef {{entry: Entry, render: (how?: {focus?: boolean}) => void, idle: () => void}} Around
 *   `idle` is called when a request has ended
 */

/** Maximum characters of a refused text that stay in the entry. */
const KEPT_MAX = 60;

export class PayDoing {
  #app;
  #own;
  #entry;
  #render;
  #idle;
  /** Last, drawing and open game of the last state, as text. */
  #followed = '';

  /**
   * @param {App} app
   * @param {Counter} counter
   * @param {Around} around
   */
  constructor(app, counter, { entry, render, idle }) {
    this.#app = app;
    this.#own = counter;
    this.#entry = entry;
    this.#render = render;
    this.#idle = idle;
  }

  /**
   * Run one request and show `words` meanwhile; ignored while another runs. A refusal is shown in
   * the notice line.
   * @param {string} words
   * @param {() => Promise<void>} f
   */
  async #busy(words, f) {
    if (this.#own.busy) return;
    this.#own.busy = words;
    this.#render();
    /** @type {Refused | null} */
    let refused = null;
    try {
      await f();
    } catch (error) {
      refused = refusedBy(error);
    }
    this.#own.busy = '';
    this.#render({ focus: true });
    if (refused) {
      this.#app.notice(refused.message, 'no');
      this.#app.sound('refused');
    }
    this.#idle();
  }

  // ------------------------------------------------------------ finding a ticket

  /** @param {string} text scanned or keyed */
  async find(text) {
    await this.#busy('Looking…', async () => {
      try {
        const found = await this.#app.ask('find', { text, pay: true });
        if (found.kind === 'request') {
          this.#app.show('sell', { draft: found.draft });
          return;
        }
        this.#put(await this.#app.ask('look', paperOf(found)));
      } catch (error) {
        this.#refuse(refusedBy(error), text);
      }
    });
  }

  /**
   * @param {Paper} paper
   * @param {{refund?: boolean}} [how]
   */
  async open(paper, { refund = false } = {}) {
    await this.#busy('Looking…', async () => {
      this.#lay(await this.#app.ask('look', paperOf(paper)), refund);
    });
  }

  /** @param {Payout} payout */
  goTo(payout) {
    const { ticket, letter, code, refund } = payout;
    this.#app.notice('');
    if (code) this.open({ ticket, code, letter }, { refund });
    else {
      this.clear();
      const words = `Scan ticket ${ticketWords(payout)} again: its code is not kept here.`;
      this.#app.notice(words, 'look');
    }
  }

  /**
   * Put a ticket that was found on the counter. If the ticket before it can be paid at once, that
   * one moves to the batch that is paid together. One with steps begun must be finished first.
   * @param {Look} look
   */
  #put(look) {
    const own = this.#own;
    const before = own.look;
    const another = !same(before, look);
    if (own.batch.some((one) => same(one, look))) {
      this.#entry.clear();
      const words = `Ticket ${ticketWords(look)} is already in the total.`;
      this.#app.notice(words, 'look');
      return;
    }
    if (before && another && halfDone(own)) {
      this.#entry.clear();
      const words = `Finish ticket ${ticketWords(before)} first, or hand it back.`;
      this.#app.notice(words, 'look');
      return;
    }
    const joins = another && !own.refund && !own.progress.check;
    if (before && joins && !own.left && !own.outcome && paysAtOnce(before)) own.batch.push(before);
    this.#lay(look);
  }

  /**
   * @param {Look} look
   * @param {boolean} [refund]
   */
  #lay(look, refund = false) {
    layOn(this.#own, {
      look,
      refund: refund && Boolean(look.refund),
      left: false,
      open: openAtFirst(allGames(look)),
      since: performance.now(),
      fields: newFields(),
    });
    this.#entry.clear();
    this.#soundAward(look);
  }

  /** @param {Look} look */
  #soundAward(look) {
    if (!look.why_not && look.total_cents > 0) this.#app.sound('award');
  }

  /**
   * @param {Refused} refused
   * @param {string} text
   */
  #refuse(refused, text) {
    const own = this.#own;
    if (halfDone(own)) {
      this.#entry.clear();
      throw refused;
    }
    if (own.look && !own.left && !own.outcome && paysAtOnce(own.look)) own.batch.push(own.look);
    const { code, message } = refused;
    layOn(own, { look: null, refusal: { code, message }, since: performance.now() });
    this.#entry.input.value = text.length < KEPT_MAX ? text : '';
    this.#entry.fault(code === 'no_code' ? message : whyWords(code).next);
    this.#entry.input.select();
    this.#app.sound('refused');
  }

  /** Look the ticket on the counter up again; the writer's progress is kept. */
  async refresh() {
    const own = this.#own;
    if (!own.look || own.busy || own.outcome) return;
    const look = await this.#app.ask('look', paperOf(own.look)).catch(() => null);
    if (!look || !same(own.look, look) || own.outcome) return;
    const settled = look.done !== own.look.done;
    own.look = look;
    if (own.refund && !look.refund) own.refund = false;
    if (settled) {
      own.open = openAtFirst(allGames(look));
      own.since = performance.now();
      this.#soundAward(look);
    }
    this.#render();
  }

  /**
   * Look the ticket on the counter up again when a game changed and some of its games are not over.
   * @param {StationState | null} state
   */
  follow(state) {
    const now = `${state?.last?.game} ${state?.drawing?.game} ${state?.game?.game}`;
    const changed = this.#followed && now !== this.#followed;
    this.#followed = now;
    const { look } = this.#own;
    if (changed && look && look.done < look.last_game - look.first_game + 1) this.refresh();
  }

  // ------------------------------------------------------------ needs

  /** @param {Progress} done */
  #did(done) {
    this.#own.progress = { ...this.#own.progress, ...done };
    this.#render({ focus: true });
  }

  signed() {
    this.#did({ signature: true });
  }

  async askSupervisor() {
    const { look, refund, askedAt } = this.#own;
    if (!look) return;
    await this.#busy('Asking…', async () => {
      const asked = await this.#app.ask('ask_supervisor', { ...paperOf(look), refund });
      askedAt.set(asked.authorisation, performance.now());
    });
  }

  /** Open the dialog in which a supervisor authorises at this station, then look again. */
  async authoriseHere() {
    await this.#app.dialog(authorise);
    await this.refresh();
    this.#render({ focus: true });
  }

  takeForm() {
    const { fields, progress } = this.#own;
    const due = dueOn(this.#own);
    const taken = fields && due && takenForm(fields, due, progress);
    if (!taken) return;
    fields.checkAmount.value = '';
    this.#did({ tax_form: taken });
  }

  takeCheck() {
    const { fields, progress } = this.#own;
    const due = dueOn(this.#own);
    const taken = fields && due && takenCheck(fields, due, progress);
    if (!taken) return;
    this.#own.choosing = false;
    this.#did({ check: taken });
  }

  choose() {
    this.#own.choosing = true;
    this.#render({ focus: true });
  }

  noCheck() {
    this.#own.choosing = false;
    this.#render({ focus: true });
  }

  /** Suggest the whole amount due for the check; with a smaller one the rest is paid in cash. */
  offerWhole() {
    const { fields, progress } = this.#own;
    const due = dueOn(this.#own);
    if (!fields || !due) return;
    fields.checkAmount.input.placeholder = money(leftToSplit(due, progress)).slice(1);
  }

  // ------------------------------------------------------------ money over the counter

  async pay() {
    const { look, refund, progress, inCash } = this.#own;
    const due = dueOn(this.#own);
    if (!look || !due) return;
    const { payment: handed, fault } = payment(due, progress);
    if (fault) {
      this.#app.notice(fault.words, 'no');
      return;
    }
    const parts = partsOf(handed, due.coupon_cents, inCash ? [] : owedChips(look));
    await this.#busy(refund ? 'Refunding…' : 'Paying…', async () => {
      const answer = refund
        ? await refundTicket(this.#app, look, handed, due.total_cents)
        : await payTickets(
            this.#app,
            [look],
            [{ ...paperOf(look), payment: handed, ...(inCash && { in_cash: inCash }) }],
          );
      if (!inCash && answer.refused[0]?.code === 'not_in_drawer') this.#offerCash(answer);
      else this.#done(answer, parts, refund);
    });
  }

  /** The drawer lacks owed chips or tokens: the next act gives cash. @param {PayAnswer} answer */
  #offerCash({ refused }) {
    const own = this.#own;
    own.inCash = true;
    own.since = performance.now();
    this.#app.notice(`Ticket ${ticketWords(refused[0])}: ${refused[0].message}`, 'no');
    this.#app.sound('refused');
    this.#render({ focus: true });
  }

  async payBatch() {
    const own = this.#own;
    const together = [...own.batch];
    if (own.look && !own.refund && !own.outcome && paysAtOnce(own.look)) together.push(own.look);
    await this.#busy('Paying…', async () => {
      const answer = await payTickets(this.#app, together, batchPayments(together));
      own.batch = [];
      this.#done(answer, [], false);
    });
  }

  /**
   * @param {PayAnswer} answer
   * @param {[words: string, cents: number][]} parts
   * @param {boolean} refund
   */
  #done({ paid, refused }, parts, refund) {
    const own = this.#own;
    const shown = parts.length > 1 && !paid.some((one) => one.owed_cents);
    own.outcome = { paid, refused, parts: shown ? parts : [], refund, onSlip: isOwed(own.look) };
    own.since = performance.now();
    const { look } = own;
    if (look && paid.some((one) => same(one, look)))
      own.look = { ...look, state: refund ? 'refund' : 'payout', just: true };
    const words = paidWords({ paid, refused }, money, ticketWords);
    this.#app.notice(words, refused.length ? 'no' : 'good');
    this.#app.sound(refused.length ? 'refused' : 'printed');
  }

  // ------------------------------------------------------------ the counter

  clear() {
    clearCounter(this.#own);
    this.#entry.clear();
    this.#render({ focus: true });
  }

  add() {
    const { look, batch } = this.#own;
    if (!look || !paysAtOnce(look)) return;
    batch.push(look);
    this.clear();
    this.#entry.input.focus();
  }

  /** @param {Look} look */
  takeOut(look) {
    this.#own.batch = this.#own.batch.filter((one) => !same(one, look));
    this.#render({ focus: true });
  }

  beginRefund() {
    Object.assign(this.#own, { refund: true, progress: {}, since: performance.now() });
    this.#render({ focus: true });
  }

  /**
   * Do what Escape does: leave the refund, else clear the counter, else the batch, else go to Sell.
   */
  handBack() {
    const own = this.#own;
    if (own.busy) return;
    if (own.refund && own.look?.why_not) {
      Object.assign(own, { refund: false, progress: {} });
      this.#render({ focus: true });
    } else if (own.look || own.refusal || own.outcome) this.clear();
    else if (own.batch.length) {
      const which = own.batch.length === 1 ? 'the ticket' : 'all tickets';
      this.#app.notice(`Nothing was paid. Hand back ${which}.`, 'look');
      own.batch = [];
      this.#render({ focus: true });
    } else this.#app.show('sell');
  }

  replay() {
    const { look } = this.#own;
    if (!look) return;
    const { ticket, code, letter } = look;
    this.#app.show('sell', { again: { ticket, code, letter } });
  }

  keepSelling() {
    this.#app.show('sell');
  }
}

/**
 * The parts of a payment by kind, each with its words and cents.
 * @param {Payment} handed
 * @param {number} couponCents
 * @param {readonly KindCents[]} chips
 */
function partsOf(handed, couponCents, chips) {
  /** @type {[words: string, cents: number][]} */
  const parts = [
    ...chipParts(chips),
    ['In cash', handed.cash_cents - handedCents(chips)],
    [`Check ${handed.check_number}`, handed.check_cents],
    ['Withheld for tax', handed.withheld_cents],
    ['Coupon', couponCents],
  ];
  return parts.filter(([, cents]) => cents > 0);
}
