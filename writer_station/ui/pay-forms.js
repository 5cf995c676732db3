/*
 * Reads the fields of the tax form and of the check. Each function returns what was keyed, or null
 * after marking the wrong field.
 */
import { parseMoney } from '../../keno/pages/shared/format.js';
import { leftToSplit, payment } from './pay-money.js';

/**
 * @import { Progress } from './pay-acts.js'
 * @import { PayFields } from './pay-counter.js'
 * @import { Owed } from './pay-money.js'
 */

/**
 * @param {Pick<PayFields, 'form' | 'withheld'>} fields
 * @param {Owed} due
 * @param {Progress} progress
 */
export function takenForm({ form, withheld }, due, progress) {
  const number = form.typed();
  const cents = withheld.typed() === '' ? 0 : parseMoney(withheld.typed());
  if (!number) return refuse(form, 'The number of the form.');
  if (cents === null) return refuse(withheld, 'An amount.');
  const taken = { number, withheld_cents: cents };
  const { fault } = payment(due, { ...progress, tax_form: taken });
  return fault?.where === 'withheld' ? refuse(withheld, fault.words) : taken;
}

/**
 * @param {Pick<PayFields, 'checkNumber' | 'checkAmount'>} fields
 * @param {Owed} due
 * @param {Progress} progress
 */
export function takenCheck({ checkNumber, checkAmount }, due, progress) {
  const number = checkNumber.typed();
  const typed = checkAmount.typed();
  const cents = typed === '' ? leftToSplit(due, progress) : parseMoney(typed);
  if (!number) return refuse(checkNumber, 'The number on the check.');
  if (!cents) return refuse(checkAmount, 'An amount.');
  const taken = { number, cents };
  const { fault } = payment(due, { ...progress, check: taken });
  return fault ? refuse(checkAmount, fault.words) : taken;
}

/**
 * @param {Pick<PayFields['form'], 'refuse'>} field
 * @param {string} words
 */
function refuse(field, words) {
  field.refuse(words);
  return null;
}
