// The texts of the line, which shows a draft's fields: fields, faults, labels of groups. Pure.

import { count, money, ticketNumber } from '../../keno/pages/shared/format.js';
import { fieldOf, groupAt } from './sell-draft.js';

/**
 * @import { Draft } from './sell-draft.js'
 * @import { Card, Fault, Rate } from './types.js'
 * @typedef {Pick<Card, 'default_rate'> &
 *   {rates: Pick<Rate, 'code' | 'shown_cents'>[]}} ShownCard
 */

/** The origin of a draft in words, such as "Paper request". @param {Draft} draft */
export function originWords(draft) {
  if (draft.live) return `Rewrites ${ticketNumber(draft.live.ticket)}`;
  const { origin } = draft;
  if (origin.kind === 'previous') {
    return `Ticket ${origin.letter ? `${origin.letter}-` : ''}${ticketNumber(origin.ticket)}`;
  }
  if (origin.kind === 'digital') return 'Patron’s phone';
  return draft.quick === null ? 'Paper request' : 'Quick-pick';
}

/**
 * The text shown in a field; amounts are formatted unless the caret is in the field.
 * @param {Draft} draft
 * @param {string} field
 * @param {ShownCard | null | undefined} card
 */
export function shownText(draft, field, card) {
  const here = draft.at === field;
  if (field === 'rate') {
    if (here && (draft.rate || !draft.fresh)) return draft.rate;
    if (!draft.rate && card) return defaultRate(card);
    return /^\d+$/.test(draft.rate)
      ? money(Number(draft.rate) * 100)
      : /^\d*\.\d\d/.test(draft.rate)
        ? `$${draft.rate}`
        : draft.rate;
  }
  if (field === 'games') return draft.games || (here && !draft.fresh ? '' : '1');
  if (field === 'quick')
    return draft.quick ? `${draft.quick} ${draft.quick === '1' ? 'spot' : 'spots'}` : '';
  return field === 'conditioning' ? draft.conditioning : '';
}

/** @param {ShownCard} card */
function defaultRate(card) {
  const rate = card.rates.find((each) => each.code === card.default_rate);
  return rate ? money(rate.shown_cents) : '';
}

/**
 * The fault of each field of a draft; one found by the page comes before the station's.
 * @param {Draft} draft
 * @param {{faults: Pick<Fault, 'where' | 'message'>[]} | null} answer
 */
export function faultsByField(draft, answer) {
  const found = new Map();
  if (draft.fault) found.set(draft.at, draft.fault);
  for (const fault of answer?.faults ?? []) {
    const field = fieldOf(draft, fault.where) || lastTyped(draft);
    if (!found.has(field)) found.set(field, fault.message);
  }
  return found;
}

/** @param {Draft} draft */
function lastTyped(draft) {
  return draft.at === 'ready' ? (draft.conditioning ? 'conditioning' : 'g0') : draft.at;
}

/**
 * @param {Draft} draft
 * @param {string} name
 * @param {number[]} numbers
 */
export function numberLabel(draft, name, numbers) {
  if (name === 'kings') return numbers.length > 1 ? 'Kings' : 'King';
  if (numbers.length) return count(numbers.length, 'spot');
  return groupAt(draft) === Number(name.slice(1)) && draft.groups.length > 1 ? 'or ↵' : 'Numbers';
}

/** @param {Draft} draft */
export function seenTwice(draft) {
  const all = [...draft.groups.flat(), ...draft.kings];
  return new Set(all.filter((number, index) => all.indexOf(number) !== index));
}

/**
 * Whether a draft surely fits the line at full size, so that it need not be measured.
 * @param {Draft} draft
 * @param {number} width
 */
export function roomy(draft, width) {
  const figures = draft.groups.flat().length + draft.kings.length + 1;
  const fieldsWide = draft.groups.length * 100 + (draft.kings.length ? 100 : 0);
  return (
    figures * 52 + fieldsWide + draft.conditioning.length * 22 + draft.rate.length * 22 + 520 <
    width
  );
}
