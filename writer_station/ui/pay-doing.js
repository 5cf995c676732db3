/*
 * What the Pay view asks of the station: find and look, ask the supervisor, pay, refund. It changes
 * the counter and then draws; one question to the station at a time.
 */
import { money, ticketNumber } from '../../keno/pages/shared/format.js';
import { authorise } from './dialogs/index.js';
import { refusedBy } from './link.js';
import { allGames, openAtFirst, paysAtOnce } from './pay-acts.js';
import { clearCounter, dueOn, halfDone, layOn, newFields } from './pay-counter.js';
import { takenCheck, takenForm } from './pay-forms.js';
import { batchPayments, leftToSplit, paidWords, payment } from './pay-money.js';
import { payTickets, refundTicket } from './pay-paying.js';
import { whyWords } from './pay-words.js';

/**
 * @import { Refused } from '../../keno/pages/shared/ask.js'
 * @import { Progress } from './pay-acts.js'
 * @import { Counter } from './pay-counter.js'
 * @import { Entry } from './pay-entry.js'
 * @import { App, Look, PayAnswer, Paper, Payment, Payout, StationState } from './types.js'
 * @typedef {{entry: Entry, render: (how?: {focus?: boolean}) => void, idle: () => void}} Around
 *   `idle` is called when the station has answered
 */

/** Longest text that is left in the entry when it is refused. */
const KEPT_MAX = 60;

export class PayDoing {
  #app;
  #own;
  #entry;
  #render;
  #idle;
  /** The games when the state was last seen. */
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
   * One thing at a time; a refusal is read out in the notice line.
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
        const found = await this.#app.ask('find', { text });
        if (found.kind === 'request') {
          this.#app.show('sell', { draft: found.draft });
          return;
        }
        const { ticket, code } = found;
        this.#put(await this.#app.ask('look', { ticket, code }));
      } catch (error) {
        this.#refuse(refusedBy(error), text);
      }
    });
  }

  /**
   * @param {Paper} paper
   * @param {{refund?: boolean}} [how]
   */
  async open({ ticket, code }, { refund = false } = {}) {
    await this.#busy('Looking…', async () => {
      this.#lay(await this.#app.ask('look', { ticket, code }), refund);
    });
  }

  /** @param {Payout} payout */
  goTo({ ticket, code, refund }) {
    this.#app.notice('');
    if (code) this.open({ ticket, code }, { refund });
    else {
      this.clear();
      const words = `Scan ticket ${ticketNumber(ticket)} again: its code is not kept here.`;
      this.#app.notice(words, 'look');
    }
  }

  /**
   * A ticket that came while another one pays at once goes into one total with it.
   * @param {Look} look
   */
  #put(look) {
    const own = this.#own;
    const before = own.look;
    const another = before?.ticket !== look.ticket;
    if (own.batch.some((one) => one.ticket === look.ticket)) {
      this.#entry.clear();
      const words = `Ticket ${ticketNumber(look.ticket)} is already in the total.`;
      this.#app.notice(words, 'look');
      return;
    }
    if (before && another && halfDone(own)) {
      this.#entry.clear();
      const words = `Finish ticket ${ticketNumber(before.ticket)} first, or hand it back.`;
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

  /** Look again at the same ticket, keeping what was done for it. */
  async refresh() {
    const own = this.#own;
    if (!own.look || own.busy || own.outcome) return;
    const { ticket, code } = own.look;
    const look = await this.#app.ask('look', { ticket, code }).catch(() => null);
    if (!look || own.look?.ticket !== ticket || own.outcome) return;
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
   * A ticket with games to come is looked at again whenever a game ended.
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
      const { ticket, code } = look;
      const asked = await this.#app.ask('ask_supervisor', { ticket, code, refund });
      askedAt.set(asked.authorisation, performance.now());
    });
  }

  /** The supervisor is here and signs at this station. */
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

  /** The amount of the check is offered whole: less leaves the rest in cash. */
  offerWhole() {
    const { fields, progress } = this.#own;
    const due = dueOn(this.#own);
    if (!fields || !due) return;
    fields.checkAmount.input.placeholder = money(leftToSplit(due, progress)).slice(1);
  }

  // ------------------------------------------------------------ money over the counter

  async pay() {
    const { look, refund, progress } = this.#own;
    const due = dueOn(this.#own);
    if (!look || !due) return;
    const { payment: handed, fault } = payment(due, progress);
    if (fault) {
      this.#app.notice(fault.words, 'no');
      return;
    }
    const parts = partsOf(handed, due.coupon_cents);
    await this.#busy(refund ? 'Refunding…' : 'Paying…', async () => {
      const { ticket, code } = look;
      const answer = refund
        ? await refundTicket(this.#app, look, handed, due.total_cents)
        : await payTickets(this.#app, [look], [{ ticket, code, payment: handed }]);
      this.#done(answer, parts, refund);
    });
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
    own.outcome = { paid, refused, parts: parts.length > 1 ? parts : [], refund };
    own.since = performance.now();
    const { look } = own;
    if (look && paid.some((one) => one.ticket === look.ticket))
      own.look = { ...look, state: refund ? 'refund' : 'payout', just: true };
    const words = paidWords({ paid, refused }, money, ticketNumber);
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

  /** @param {number} ticket */
  takeOut(ticket) {
    this.#own.batch = this.#own.batch.filter((one) => one.ticket !== ticket);
    this.#render({ focus: true });
  }

  beginRefund() {
    Object.assign(this.#own, { refund: true, progress: {}, since: performance.now() });
    this.#render({ focus: true });
  }

  /**
   * Escape, step by step: out of the refund, off the counter, out of the total, back to selling.
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
    if (look) this.#app.show('sell', { again: { ticket: look.ticket, code: look.code } });
  }

  keepSelling() {
    this.#app.show('sell');
  }
}

/**
 * What was handed over, by its kind.
 * @param {Payment} handed
 * @param {number} couponCents
 */
function partsOf(handed, couponCents) {
  /** @type {[words: string, cents: number][]} */
  const parts = [
    ['In cash', handed.cash_cents],
    [`Check ${handed.check_number}`, handed.check_cents],
    ['Withheld for tax', handed.withheld_cents],
    ['Coupon', couponCents],
  ];
  return parts.filter(([, cents]) => cents > 0);
}
