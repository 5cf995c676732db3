/*
 * Decides what the right column of the Pay view shows and which actions it offers. Pure.
 */
import { count, money } from '../../keno/pages/shared/format.js';
import {
  askedFor,
  canReplay,
  isOwed,
  nextAct,
  numbered,
  owedChips,
  paysAtOnce,
} from './pay-acts.js';
import { dueOn } from './pay-counter.js';
import { handedCents } from './hand-over.js';
import { batchTotal, payWords, payment } from './pay-money.js';
import { lapsedWords } from './pay-words.js';

/**
 * @import { NeedStep, NextAct, Progress } from './pay-acts.js'
 * @import { Counter } from './pay-counter.js'
 * @import { Due, FootKey, Payment, Payout, RefundDue } from './types.js'
 * @typedef {{kind: 'due', due: Due | RefundDue, steps: NeedStep[], next: NextAct,
 *   payment: Payment | undefined, joined: boolean}} DuePanel `joined`: it is paid in one total with
 *   the batch
 * @typedef {{kind: 'paid' | 'idle' | 'not paid'} | DuePanel} Panel
 * @typedef {'clear' | 'payBatch' | 'handBack' | 'beginRefund' | 'replay' | 'askSupervisor' |
 *   'authoriseHere' | 'keepSelling' | 'signed' | 'takeForm' | 'takeCheck' | 'noCheck' | 'choose' |
 *   'add' | 'pay'} ActName
 * @typedef {{words: string, cap: string, name: ActName, quiet?: boolean}} PayAct `quiet`: it is not
 *   the primary act although it is the first
 */

/**
 * The authorisation that was requested for the ticket on the counter; undefined without one.
 * @param {Pick<Counter, 'look' | 'refund'>} counter
 * @param {readonly Payout[]} waiting
 */
export function askedOn({ look, refund }, waiting) {
  return look ? askedFor(waiting, look, refund) : undefined;
}

/**
 * @param {Counter} counter
 * @param {readonly Payout[]} waiting
 * @returns {Panel}
 */
export function panelOf(counter, waiting) {
  const { look, refund, progress, batch } = counter;
  const due = dueOn(counter);
  if (counter.outcome) return { kind: 'paid' };
  if (!look || !due) return { kind: counter.refusal ? 'not paid' : 'idle' };
  if (look.why_not && !refund) return { kind: 'not paid' };
  const steps = numbered(due, progress, askedOn(counter, waiting), isOwed(look));
  return {
    kind: 'due',
    due,
    steps,
    next: nextAct(steps),
    payment: payment(due, progress).payment,
    joined: batch.length > 0 && !refund && paysAtOnce(look),
  };
}

/** @type {(words: string, cap: string, name: ActName) => PayAct} */
const act = (words, cap, name) => ({ words, cap, name });

const HERE = act('Authorise here', 'F9', 'authoriseHere');
const KEEP_SELLING = act('Wait and keep selling', 'F1', 'keepSelling');
const ADD = act('Add to one total', '+', 'add');

/**
 * The actions of a panel, the primary one first.
 * @param {Panel} panel
 * @param {Counter} counter
 * @returns {PayAct[]}
 */
export function actsOf(panel, counter) {
  const { look, batch } = counter;
  const payBatch = act(totalWords(batchTotal(batch), batch.length), '↵', 'payBatch');
  if (panel.kind === 'paid') return [act('Next ticket', '↵', 'clear')];
  if (panel.kind === 'idle')
    return batch.length ? [payBatch, act('Hand them back', 'Esc', 'handBack')] : [];
  if (panel.kind === 'due') return dueActs(panel, counter);
  const acts = batch.length ? [payBatch] : [];
  if (look?.refund) acts.push(act(`Refund ${money(look.refund.total_cents)}`, 'U', 'beginRefund'));
  if (look && canReplay(look)) acts.push(act('Write it again', 'R', 'replay'));
  acts.push(handBack(counter));
  return batch.length ? acts : acts.map((one) => ({ ...one, quiet: true }));
}

/** @param {Counter} counter */
function handBack({ look }) {
  const words = look?.why_not?.code === 'held' ? 'Keep it here, go on' : 'Hand it back';
  return act(words, 'Esc', 'handBack');
}

/**
 * @param {number} cents
 * @param {number} tickets
 */
function totalWords(cents, tickets) {
  return `Pay ${money(cents)} for ${count(tickets, 'ticket')}`;
}

/**
 * @param {DuePanel} panel
 * @param {Counter} counter
 * @returns {PayAct[]}
 */
function dueActs({ due, next, joined, payment: paid }, counter) {
  const { batch, look, refund, progress } = counter;
  const sum = batchTotal(batch);
  const total =
    batch.length && !joined ? [act(totalWords(sum, batch.length), 'T', 'payBatch')] : [];
  const needed = actsOfNeed(next, handBack(counter), isOwed(look));
  if (needed) return [...needed, ...total];
  const check = act('The check is made out', '↵', 'takeCheck');
  if (counter.choosing) return [check, act('Pay all in cash', 'Esc', 'noCheck')];
  if (joined) {
    const words = totalWords(sum + due.total_cents, batch.length + 1);
    return [act(words, '↵', 'payBatch'), ADD, handBack(counter)];
  }
  const verb = refund ? 'Refund' : 'Pay';
  const acts = [
    act(handWords(counter, due.total_cents, paid && payWords(paid, money, verb)), '↵', 'pay'),
  ];
  const inKind = handedCents(owedChips(look)); // of these no part can be a check
  if (!progress.check && inKind < due.total_cents - due.coupon_cents)
    acts.push(act('Part by check', 'C', 'choose'));
  if (!refund && look && paysAtOnce(look)) acts.push(ADD);
  return [...acts, ...total];
}

/**
 * The words on the button that pays: of owed chips or tokens, that they are handed over, or cash.
 * @param {Pick<Counter, 'look' | 'refund' | 'inCash'>} counter
 * @param {number} cents
 * @param {string} [words] those of a payment in cash or by check
 */
function handWords({ look, refund, inCash }, cents, words) {
  if (inCash) return 'Give cash instead';
  if (owedChips(look).length) return `Pay ${money(cents)} in kind`;
  return words ?? (refund ? 'Refund' : 'Pay');
}

/**
 * The actions of the current step; null if only the payment is left.
 * @param {NextAct} next
 * @param {PayAct} hand
 * @param {boolean} onSlip
 * @returns {PayAct[] | null}
 */
function actsOfNeed(next, hand, onSlip) {
  const again = act('Ask again', '↵', 'askSupervisor');
  if (next === 'ask') return [act('Ask the supervisor', '↵', 'askSupervisor'), HERE];
  if (next === 'wait') return [HERE, KEEP_SELLING];
  if (next === 'denied') return [again, hand];
  if (next === 'lapsed') return [again, HERE];
  if (next === 'differs')
    return [act('Take the approval back', 'F9', 'authoriseHere'), KEEP_SELLING];
  const signed = onSlip ? 'The slip is signed' : 'The back is signed';
  if (next === 'signature') return [act(signed, '↵', 'signed'), hand];
  if (next === 'tax_form') return [act('The form is filled in', '↵', 'takeForm'), hand];
  if (next === 'check') return [act('The check is made out', '↵', 'takeCheck'), hand];
  return null;
}

/**
 * The words under a step: what is to be done, or what was done.
 * @param {NeedStep} step
 * @param {Progress} progress
 * @param {Payout | undefined} payout
 */
export function needWords(step, { tax_form: form, check }, payout) {
  if (step.kind === 'supervisor') return supervisorWords(step, payout);
  if (step.at !== 'done') return step.text;
  if (step.kind === 'tax_form' && form)
    return `${form.number}, ${money(form.withheld_cents)} withheld`;
  if (step.kind === 'check' && check) return `${check.number}, ${money(check.cents)}`;
  return step.kind === 'signature' ? 'Signed.' : step.text;
}

/**
 * @param {NeedStep} step
 * @param {Payout | undefined} payout
 */
function supervisorWords({ approval, text }, payout) {
  const by = payout?.answered_by;
  if (approval === 'yes') return by ? `${by} approved it.` : text;
  if (approval === 'denied') return `${by ?? 'The supervisor'} said no: ${payout?.reason}`;
  if (approval === 'lapsed') return lapsedWords(payout);
  if (approval === 'differs') {
    const amount = money(payout?.amount_cents ?? 0);
    return `The yes was for ${amount}. It has to be taken back, then asked again.`;
  }
  return approval === 'wait' ? 'Asked. Sales go on meanwhile.' : text;
}

/**
 * The keys for the footer, without those that an action of the panel shows.
 * @param {Counter} counter
 * @param {readonly PayAct[]} acts
 * @returns {FootKey[]}
 */
export function footKeys({ look, refund, outcome }, acts) {
  /** @type {FootKey[]} */
  const all = look
    ? [[['↑', '↓'], 'games', 'ArrowDown']]
    : [
        ['↵', 'find the ticket'],
        ['F6', 'void'],
        ['F7', 'refund, reprint, not issued'],
      ];
  if (look && canReplay(look)) all.push(['R', 'replay this ticket']);
  if (look) all.push(['F7', 'more']);
  all.push(['F1', 'sell']);
  if (look && !outcome) all.push(['Esc', refund ? 'no refund' : 'hand it back']);
  all.push(['?', 'all keys']);
  return all.filter(([cap]) => !acts.some((one) => one.cap === cap));
}
