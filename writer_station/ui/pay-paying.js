/*
 * The requests that hand money over: pay one ticket, refund one, pay several. An answer that was
 * lost on the way says nothing, so the tickets themselves are looked at.
 */
import { refusedBy } from './link.js';

/** @import { App, Look, PayAnswer, PaidTicket, Paper, Payment } from './types.js' */

const UNDECIDED = new Set(['link_lost', 'broken', 'unavailable']);
/** Maximum looks at a ticket before it is given up. */
const LOOKS_MAX = 20;
/** Milliseconds between two looks. */
const LOOK_MS = 500;

/**
 * @param {App} app
 * @param {readonly Look[]} tickets
 * @param {(Paper & {payment: Payment})[]} payments
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
  const { ticket, code } = look;
  const request = app.ask('refund', { ticket, code, payment });
  await request.catch((error) => lookAgain(app, error, [look]));
  return { paid: [{ ticket, total_cents: total }], refused: [] };
}

/**
 * Find out from the tickets whether they were paid. If none was, the refusal holds, and nothing was
 * handed over.
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
  for (const { ticket, code, total_cents } of tickets) {
    const look = await lookUntilAnswered(app, { ticket, code });
    if (look?.state === 'payout' || look?.state === 'refund') paid.push({ ticket, total_cents });
    else {
      const message = look ? 'This one is not paid yet.' : no.message;
      refused.push({ ticket, code: no.code, message });
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
