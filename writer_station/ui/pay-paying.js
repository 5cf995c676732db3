/*
 * Sends the requests that pay one ticket, refund one, or pay several. If the response is lost, the
 * tickets are looked up to find out whether they were paid.
 */
import { refusedBy } from './link.js';
import { paperOf } from './pay-acts.js';

/** @import { App, Look, PayAnswer, PaidTicket, Paper, Payment } from './types.js' */

const UNDECIDED = new Set(['link_lost', 'broken', 'unavailable']);
/** Maximum lookups of a ticket before giving up. */
const LOOKS_MAX = 20;
/** Milliseconds between two lookups. */
const LOOK_MS = 500;

/**
 * @param {App} app
 * @param {readonly Look[]} tickets
 * @param {(Paper & {payment: Payment, in_cash?: boolean})[]} payments
 * @returns {Promise<PayAnswer>}
 */
export async function payTickets(app, tickets, payments) {
  return app.ask('pay', { payments }).catch((error) => lookAgain(app, error, tickets));
}

/**
 * @param {App} app
 * @param {Look} look
 * @param {Payment} payment
 * @param {number} total
 * @returns {Promise<PayAnswer>}
 */
export async function refundTicket(app, look, payment, total) {
  const { ticket, code, letter } = look;
  const paid = { ticket, letter, total_cents: total };
  try {
    const { owed_cents } = await app.ask('refund', { ticket, code, payment });
    return { paid: [owed_cents ? { ...paid, owed_cents } : paid], refused: [] };
  } catch (error) {
    await lookAgain(app, error, [look]);
    return { paid: [paid], refused: [] };
  }
}

/**
 * Look tickets up whose response was lost, to find out which were paid; throws the refusal if none
 * is known to be paid.
 * @param {App} app
 * @param {unknown} error
 * @param {readonly Look[]} tickets
 * @returns {Promise<PayAnswer>}
 */
async function lookAgain(app, error, tickets) {
  const no = refusedBy(error);
  if (!UNDECIDED.has(no.code)) throw no;
  /** @type {PaidTicket[]} */
  const paid = [];
  /** @type {PayAnswer['refused']} */
  const refused = [];
  for (const one of tickets) {
    const { ticket, letter, total_cents } = one;
    const look = await lookUntilAnswered(app, paperOf(one));
    if (look?.state === 'payout' || look?.state === 'refund')
      paid.push({ ticket, letter, total_cents });
    else {
      const message = look ? 'This one is not paid yet.' : no.message;
      refused.push({ ticket, letter, code: no.code, message });
    }
  }
  if (!paid.length) throw no;
  return { paid, refused };
}

/**
 * @param {App} app
 * @param {Paper} paper
 */
async function lookUntilAnswered(app, paper) {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    try {
      return await app.ask('look', paper);
    } catch {
      await new Promise((go) => setTimeout(go, LOOK_MS));
    }
  }
  return null;
}
