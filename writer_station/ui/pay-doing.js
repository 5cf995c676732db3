/*
 * What the Pay view asks of the station: find and look, ask the supervisor, pay, refund. It changes
 * `own` (what the writer is doing) and then draws; one question to the station at a time.
 */
import { money, parseMoney, ticketNumber } from '../../keno/pages/shared/format.js';
import { authorise } from './dialogs/index.js';
import { field } from './dialogs/form.js';
import { allGames, openAtFirst, paysAtOnce } from './pay-acts.js';
import { whyWords } from './pay-words.js';
import { batchPayments, leftToSplit, paidWords, payment } from './pay-money.js';

export function createDoing(app, own, { entry, render, idle }) {
  const due = () => (own.refund ? own.look.refund : own.look);
  const paper = () => ({ ticket: own.look.ticket, code: own.look.code });

  /** One thing at a time; a refusal is read out in the notice line. */
  async function busy(words, f) {
    if (own.busy) return;
    own.busy = words;
    render();
    let no = null;
    try {
      await f();
    } catch (refused) {
      no = refused;
    }
    own.busy = '';
    render({ focus: true });
    if (no) {
      app.notice(no.message, 'no');
      app.sound('refused');
    }
    idle();
  }

  function lay(look, refund = false) {
    Object.assign(own, {
      look,
      refund: refund && Boolean(look.refund),
      progress: {},
      refusal: null,
      outcome: null,
      choosing: false,
      left: false,
      open: openAtFirst(allGames(look)),
      since: performance.now(),
      fields: makeFields(),
    });
    entry.clear();
    if (!look.why_not && look.total_cents > 0) app.sound('award');
  }

  function clear() {
    Object.assign(own, {
      look: null,
      refund: false,
      progress: {},
      refusal: null,
      outcome: null,
      choosing: false,
      fields: null,
      open: -1,
      since: 0,
    });
    entry.clear();
    render({ focus: true });
  }

  async function find(text) {
    await busy('Looking…', async () => {
      try {
        const found = await app.ask('find', { text });
        if (found.kind !== 'ticket') {
          app.show('sell', { draft: found.draft });
          return;
        }
        put(await app.ask('look', { ticket: found.ticket, code: found.code }));
      } catch (no) {
        refuse(no, text);
      }
    });
  }

  /** A ticket that came while another one pays at once goes into one total with it. */
  function put(look) {
    const before = own.look;
    const known = own.batch.find((one) => one.ticket === look.ticket);
    if (known) {
      entry.clear();
      app.notice(`Ticket ${ticketNumber(look.ticket)} is already in the total.`, 'look');
      return;
    }
    if (before?.ticket !== look.ticket && halfDone()) {
      entry.clear();
      app.notice(`Finish ticket ${ticketNumber(before.ticket)} first, or hand it back.`, 'look');
      return;
    }
    const joins =
      before &&
      !own.left &&
      before.ticket !== look.ticket &&
      !own.outcome &&
      !own.refund &&
      !own.progress.check &&
      paysAtOnce(before);
    if (joins) own.batch.push(before);
    lay(look);
  }

  /** A ticket whose needs are being dealt with is not pushed off the counter by another one. */
  function halfDone() {
    return Boolean(own.look) && !own.outcome && Object.keys(own.progress).length > 0;
  }

  function refuse(no, text) {
    if (halfDone()) {
      entry.clear();
      throw no;
    }
    if (own.look && !own.left && !own.outcome && paysAtOnce(own.look)) own.batch.push(own.look);
    Object.assign(own, {
      look: null,
      refund: false,
      outcome: null,
      progress: {},
      choosing: false,
      refusal: { code: no.code, message: no.message },
      since: performance.now(),
    });
    entry.input.value = text.length < 60 ? text : '';
    entry.fault(no.code === 'no_code' ? no.message : whyWords(no.code).next);
    entry.input.select();
    app.sound('refused');
  }

  async function open(ticket, code, { refund = false } = {}) {
    await busy('Looking…', async () => {
      lay(await app.ask('look', { ticket, code }), refund);
    });
  }

  function goTo(payout) {
    app.notice('');
    if (payout.code) open(payout.ticket, payout.code, { refund: payout.refund });
    else {
      clear();
      app.notice(
        `Scan ticket ${ticketNumber(payout.ticket)} again: its code is not kept here.`,
        'look',
      );
    }
  }

  /** Look again at the same ticket, keeping what was done for it. */
  async function refresh() {
    if (!own.look || own.busy || own.outcome) return;
    const { ticket, code } = own.look;
    const look = await app.ask('look', { ticket, code }).catch(() => null);
    if (!look || own.look?.ticket !== ticket || own.outcome) return;
    const settled = look.done !== own.look.done;
    own.look = look;
    if (own.refund && !look.refund) own.refund = false;
    if (settled) {
      own.open = openAtFirst(allGames(look));
      own.since = performance.now();
      if (!look.why_not && look.total_cents > 0) app.sound('award');
    }
    render();
  }

  let followed = '';
  /** A ticket with games to come is looked at again whenever a game ended. */
  function follow(state) {
    const now = `${state?.last?.game} ${state?.drawing?.game} ${state?.game?.game}`;
    const changed = followed && now !== followed;
    followed = now;
    if (changed && own.look && own.look.done < own.look.last_game - own.look.first_game + 1)
      refresh();
  }

  function did(kind, what) {
    own.progress = { ...own.progress, [kind]: what };
    render({ focus: true });
  }

  // ------------------------------------------------------------ the supervisor

  async function askSupervisor() {
    await busy('Asking…', async () => {
      const asked = await app.ask('ask_supervisor', { ...paper(), refund: own.refund });
      own.askedAt.set(asked.authorisation, performance.now());
    });
  }

  /** The supervisor is here and signs at this station. */
  async function authoriseHere() {
    await app.dialog(authorise);
    await refresh();
    render({ focus: true });
  }

  // ------------------------------------------------------------ form and check

  function makeFields() {
    return {
      form: field('W-2G number', { max: 40 }),
      withheld: field('Withheld', { inputmode: 'decimal', placeholder: '0.00' }),
      checkNumber: field('Check number', { max: 40, inputmode: 'numeric' }),
      checkAmount: field('Amount', { inputmode: 'decimal' }),
    };
  }

  function takeForm() {
    const { form, withheld } = own.fields;
    const cents = withheld.value() === '' ? 0 : parseMoney(withheld.value());
    if (!form.value()) {
      form.fault('The number of the form.');
      return;
    }
    if (cents === null) {
      withheld.fault('An amount.');
      return;
    }
    const taken = { number: form.value(), withheld_cents: cents };
    const { fault } = payment(due(), { ...own.progress, tax_form: taken });
    if (fault?.where === 'withheld') {
      withheld.fault(fault.words);
      return;
    }
    own.fields.checkAmount.input.value = '';
    did('tax_form', taken);
  }

  function takeCheck() {
    const { checkNumber, checkAmount } = own.fields;
    const whole = leftToSplit(due(), own.progress);
    const cents = checkAmount.value() === '' ? whole : parseMoney(checkAmount.value());
    if (!checkNumber.value()) {
      checkNumber.fault('The number on the check.');
      return;
    }
    if (!cents) {
      checkAmount.fault('An amount.');
      return;
    }
    const taken = { number: checkNumber.value(), cents };
    const { fault } = payment(due(), { ...own.progress, check: taken });
    if (fault) {
      checkAmount.fault(fault.words);
      return;
    }
    own.choosing = false;
    did('check', taken);
  }

  function choose() {
    own.choosing = true;
    render({ focus: true });
  }

  function noCheck() {
    own.choosing = false;
    render({ focus: true });
  }

  /** The amount of the check is offered whole: less leaves the rest in cash. */
  function offerWhole() {
    const { input } = own.fields.checkAmount;
    input.placeholder = money(leftToSplit(due(), own.progress)).slice(1);
  }

  // ------------------------------------------------------------ money over the counter

  async function pay() {
    if (own.refund) {
      await payRefund();
      return;
    }
    const { payment: handed, fault } = payment(due(), own.progress);
    if (fault) {
      app.notice(fault.words, 'no');
      return;
    }
    const { look } = own;
    await busy('Paying…', async () => {
      const answer = await app
        .ask('pay', { payments: [{ ...paper(), payment: handed }] })
        .catch((no) => looked(app, no, [look]));
      done(answer, partsOf(handed, own.look.coupon_cents), false);
    });
  }

  async function payRefund() {
    const { payment: handed, fault } = payment(due(), own.progress);
    if (fault) {
      app.notice(fault.words, 'no');
      return;
    }
    const total = due().total_cents;
    await busy('Refunding…', async () => {
      await app
        .ask('refund', { ...paper(), payment: handed })
        .catch((no) => looked(app, no, [own.look]));
      done(
        { paid: [{ ticket: own.look.ticket, total_cents: total }], refused: [] },
        partsOf(handed, due().coupon_cents),
        true,
      );
    });
  }

  async function payBatch() {
    const together = [...own.batch];
    if (own.look && !own.refund && !own.outcome && paysAtOnce(own.look)) together.push(own.look);
    await busy('Paying…', async () => {
      const answer = await app
        .ask('pay', { payments: batchPayments(together) })
        .catch((no) => looked(app, no, together));
      own.batch = [];
      done(answer, [], false);
    });
  }

  function partsOf(handed, couponCents) {
    return [
      ['In cash', handed.cash_cents],
      [`Check ${handed.check_number}`, handed.check_cents],
      ['Withheld for tax', handed.withheld_cents],
      ['Coupon', couponCents],
    ].filter(([, cents]) => cents > 0);
  }

  function done(answer, parts, refund) {
    own.outcome = {
      paid: answer.paid,
      refused: answer.refused,
      parts: parts.length > 1 ? parts : [],
      refund,
    };
    own.since = performance.now();
    if (own.look && answer.paid.some((one) => one.ticket === own.look.ticket)) {
      own.look = { ...own.look, state: refund ? 'refund' : 'payout', just: true };
    }
    const words = paidWords(answer, money, ticketNumber);
    app.notice(words, answer.refused.length ? 'no' : 'good');
    app.sound(answer.refused.length ? 'refused' : 'printed');
  }

  // ------------------------------------------------------------ the counter

  function add() {
    if (!own.look || !paysAtOnce(own.look)) return;
    own.batch.push(own.look);
    clear();
    entry.input.focus();
  }

  function takeOut(ticket) {
    own.batch = own.batch.filter((one) => one.ticket !== ticket);
    render({ focus: true });
  }

  function beginRefund() {
    own.refund = true;
    own.progress = {};
    own.since = performance.now();
    render({ focus: true });
  }

  /** Escape, step by step: out of the refund, off the counter, out of the total, back to selling. */
  function handBack() {
    if (own.busy) return;
    if (own.refund && own.look?.why_not) {
      own.refund = false;
      own.progress = {};
      render({ focus: true });
    } else if (own.look || own.refusal || own.outcome) clear();
    else if (own.batch.length) {
      app.notice(
        `Nothing was paid. Hand back ${own.batch.length === 1 ? 'the ticket' : 'all tickets'}.`,
        'look',
      );
      own.batch = [];
      render({ focus: true });
    } else app.show('sell');
  }

  function replay() {
    app.show('sell', { again: paper() });
  }

  return {
    find,
    open,
    goTo,
    refresh,
    follow,
    did,
    askSupervisor,
    authoriseHere,
    takeForm,
    takeCheck,
    choose,
    noCheck,
    offerWhole,
    pay,
    payBatch,
    add,
    takeOut,
    beginRefund,
    handBack,
    replay,
    clear,
  };
}

const UNDECIDED = new Set(['link_lost', 'broken', 'unavailable']);
const LOOKS = 20;
const LOOK_MS = 500;

/**
 * An answer that was lost on the way says nothing: the tickets themselves tell whether they were
 * paid. If none was, the refusal stands, and nothing was handed over.
 */
async function looked(app, no, tickets) {
  if (!UNDECIDED.has(no.code)) throw no;
  const paid = [];
  const refused = [];
  for (const { ticket, code, total_cents: total } of tickets) {
    const look = await insistently(() => app.ask('look', { ticket, code }));
    if (look?.state === 'payout' || look?.state === 'refund')
      paid.push({ ticket, total_cents: total });
    else
      refused.push({
        ticket,
        code: no.code,
        message: look ? 'This one is not paid yet.' : no.message,
      });
  }
  if (!paid.length) throw no;
  return { paid, refused };
}

async function insistently(f) {
  for (let tries = 0; tries < LOOKS; tries += 1) {
    try {
      return await f();
    } catch {
      await new Promise((go) => setTimeout(go, LOOK_MS));
    }
  }
  return null;
}
