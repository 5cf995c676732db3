// The tender, which the patron gives for a ticket: its kinds, coupons with serials, the change. The
// arithmetic is pure; the dialog is in sell-tender-dialog.js.

import { h, keycap, put } from '../../keno/pages/shared/dom.js';
import { money, shortMoney } from '../../keno/pages/shared/format.js';
import { TENDER_KINDS } from '../../keno/pages/shared/words.js';

/**
 * @import { TenderKind, Tendered } from '../../keno/pages/shared/protocol.js'
 * @typedef {{kind: TenderKind, cents: number, serial: string}} TenderPart
 * @typedef {{readonly given: number | null, readonly parts: readonly TenderPart[]}} Tender `parts`
 *   are coin, chips, tokens and coupons towards the price, `given` is the currency handed over
 *   (null: exact)
 */

/** @type {Tender} */
export const EXACT = Object.freeze({ given: null, parts: Object.freeze([]) });

const NOTES = [500, 1000, 2000, 5000, 10000];

/** Three likely amounts of cash for a price, in cents. @param {number | null} price */
export function presets(price) {
  if (!price) return [];
  const rounded = NOTES.map((note) => Math.ceil(price / note) * note);
  const beyond = [2000, 5000, 10000].map((note) => (Math.floor(price / note) + 1) * note);
  const more = [...rounded, ...beyond, beyond[2] + 10000, beyond[2] + 20000];
  const first = rounded.filter((cents) => cents > price);
  const pool = new Set(first);
  for (const cents of more) if (pool.size < 3 && cents > price) pool.add(cents);
  return [...pool].sort((a, b) => a - b).slice(0, 3);
}

/**
 * Compare a tender with a price, in cents: what is sent to the server, the cash part, the change,
 * and the fault if it does not cover the price.
 * @param {Tender} tender
 * @param {number} price
 * @returns {{wire: Tendered[], cash: number, change: number, fault: string}}
 */
export function settleTender(tender, price) {
  const parts = tender.parts.filter((part) => part.cents > 0);
  const other = parts.reduce((sum, part) => sum + part.cents, 0);
  const cash = price - other;
  /** @type {Tendered[]} */
  const wire = parts.map((part) => ({
    kind: part.kind,
    cents: part.cents,
    serial: part.serial || null,
  }));
  if (cash > 0) wire.unshift({ kind: 'currency', cents: cash, serial: null });
  const change = tender.given === null ? 0 : tender.given - Math.max(0, cash);
  return { wire, cash: Math.max(0, cash), change, fault: faultOf(parts, cash, tender.given) };
}

/**
 * @param {readonly TenderPart[]} parts
 * @param {number} cash
 * @param {number | null} given
 */
function faultOf(parts, cash, given) {
  if (cash < 0)
    return `That is ${money(-cash)} more than the price. Only currency is given change for.`;
  const coupons = parts.filter((part) => part.kind === 'coupon');
  if (coupons.some((part) => !part.serial)) return 'Each coupon needs its serial number.';
  if (new Set(coupons.map((part) => part.serial)).size < coupons.length)
    return 'Two coupons have the same serial number.';
  if (given !== null && given < cash) return `${money(cash - given)} is still to be paid.`;
  return '';
}

/**
 * A tender in words for the price panel: "Exact", "$40.00 given", "$5.00 coupon, rest exact".
 * @param {Tender} tender
 */
export function tenderWords(tender) {
  const parts = tender.parts
    .filter((part) => part.cents > 0)
    .map((part) => `${money(part.cents)} ${TENDER_KINDS[part.kind]}`);
  const cash =
    tender.given === null
      ? parts.length
        ? 'the rest in currency'
        : 'Exact'
      : `${money(tender.given)} currency`;
  return [...parts, cash].join(', ');
}

/** @typedef {number | null | 'more'} TenderChoice currency given, null for exact, more for kinds */

/**
 * Draw the row of preset amounts.
 * @param {HTMLElement} element
 * @param {{price: number | null, tender: Tender, choose: (choice: TenderChoice) => void}} how
 */
export function paintPresets(element, { price, tender, choose }) {
  const key = JSON.stringify([price, tender]);
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  const special = tender.parts.length > 0;
  const amounts = presets(price);
  const other = special || (tender.given !== null && !amounts.includes(tender.given));
  /**
   * @param {number | null} cents
   * @param {string} words
   */
  const chip = (cents, words) =>
    h(
      'button',
      {
        type: 'button',
        class: 'button tender-chip',
        'aria-pressed': String(!other && tender.given === cents),
        disabled: !price,
        on: { click: () => choose(cents), mousedown: (event) => event.preventDefault() },
      },
      words,
    );
  const more = h(
    'button',
    {
      type: 'button',
      class: 'button tender-chip',
      'aria-pressed': String(other),
      disabled: !price,
      title: 'Other amounts and kinds',
      'aria-label': other ? `Tender: ${tenderWords(tender)}` : 'Other tender',
      on: { click: () => choose('more'), mousedown: (event) => event.preventDefault() },
    },
    other ? '✓' : '',
    keycap('T'),
  );
  put(
    element,
    chip(null, 'Exact'),
    amounts.map((cents) => chip(cents, shortMoney(cents))),
    more,
  );
}
