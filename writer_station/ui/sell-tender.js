// The tender, which the patron lays on the counter for a ticket: its kinds, coupons with serials,
// the change. The arithmetic is pure; the dialog is in sell-tender-dialog.js.

import { h, keycap, put } from '../../keno/pages/shared/dom.js';
import { money, shortMoney } from '../../keno/pages/shared/format.js';
import { TENDER_KINDS } from '../../keno/pages/shared/words.js';

/**
 * @import { KindCents, TenderKind, Tendered } from '../../keno/pages/shared/protocol.js'
 * @import { LiveTicket } from './types.js'
 * @typedef {{kind: TenderKind, cents: number, serial: string}} TenderPart
 * @typedef {{readonly given: number | null, readonly parts: readonly TenderPart[],
 *   readonly refused?: string, readonly inCash?: boolean}} Tender `given` is the cash received
 *   (null: exact), `parts` are chips, tokens and coupons received, `refused` is why the house did
 *   not take this tender; `inCash`: a rewrite hands back cash in place of chips and tokens
 * @typedef {{wire: Tendered[], due: number, cash: number, received: number, change: number,
 *   back: KindCents[], fault: string}} Settled amounts in cents: `due` is what cash has to cover,
 *   `back` what is handed back of the ticket that this one replaces
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
 * Compare a tender with a price, in cents. What came in for the ticket that this one replaces
 * (`paid`) counts first; its coupons are parts of the tender, by their serials.
 * @param {Tender} tender
 * @param {number} price
 * @param {readonly KindCents[]} [paid]
 * @returns {Settled}
 */
export function settleTender(tender, price, paid = []) {
  const parts = tender.parts.filter((part) => part.cents > 0);
  const coupons = sum(parts.filter((part) => part.kind === 'coupon'));
  const counted = countPaid(paid, Math.max(0, price - coupons));
  const open = price - coupons - sum(counted.used);
  const chips = sum(parts) - coupons;
  const due = Math.max(0, open - chips);
  const cash = tender.given ?? due;
  const change = Math.max(0, cash + chips - Math.max(0, open));
  return {
    wire: wireOf(parts, counted.used, cash),
    due,
    cash,
    received: cash + sum(parts),
    change,
    back: tender.inCash ? asCash(counted.back) : counted.back,
    fault: tender.refused || faultOf(parts, { coupons, price, missing: due - cash }),
  };
}

/**
 * The tender that a draft begins with: nothing, or the coupons that paid the ticket it rewrites.
 * @param {Pick<LiveTicket, 'coupons'> | null} live
 * @returns {Tender}
 */
export function startTender(live) {
  if (!live?.coupons.length) return EXACT;
  return { given: null, parts: live.coupons.map((each) => ({ kind: 'coupon', ...each })) };
}

/** Amounts as cash. @param {readonly KindCents[]} amounts @returns {KindCents[]} */
function asCash(amounts) {
  return amounts.length ? [{ kind: 'cash', cents: sum(amounts) }] : [];
}

/** @param {readonly {cents: number}[]} amounts */
function sum(amounts) {
  return amounts.reduce((total, { cents }) => total + cents, 0);
}

/**
 * What is used towards `open` cents of what came in before, and what of it is handed back. Chips
 * and tokens are used first, so that as little as possible of them is handed back.
 * @param {readonly KindCents[]} paid
 * @param {number} open
 */
function countPaid(paid, open) {
  /** @type {KindCents[]} */
  const used = [];
  /** @type {KindCents[]} */
  const back = [];
  const inOrder = [
    ...paid.filter(({ kind }) => kind === 'gaming_chips' || kind === 'slot_tokens'),
    ...paid.filter(({ kind }) => kind === 'cash'),
  ];
  let left = open;
  for (const { kind, cents } of inOrder) {
    const some = Math.min(cents, left);
    left -= some;
    if (some) used.push({ kind, cents: some });
    if (cents > some) back.push({ kind, cents: cents - some });
  }
  return { used, back };
}

/**
 * All that pays the ticket as the server takes it: one part of each kind, and each coupon.
 * @param {readonly TenderPart[]} parts
 * @param {readonly KindCents[]} used
 * @param {number} cash
 * @returns {Tendered[]}
 */
function wireOf(parts, used, cash) {
  /** @type {Map<TenderKind, number>} */
  const kinds = new Map();
  /** @type {(kind: TenderKind, cents: number) => void} */
  const add = (kind, cents) => void kinds.set(kind, (kinds.get(kind) ?? 0) + cents);
  add('currency', cash);
  for (const { kind, cents } of used) add(kind === 'cash' ? 'currency' : kind, cents);
  for (const { kind, cents } of parts) if (kind !== 'coupon') add(kind, cents);
  const coupons = parts.filter((part) => part.kind === 'coupon');
  return [
    ...[...kinds].map(([kind, cents]) => ({ kind, cents, serial: null })),
    ...coupons.map(({ kind, cents, serial }) => ({ kind, cents, serial: serial || null })),
  ].filter(({ cents }) => cents > 0);
}

/**
 * @param {readonly TenderPart[]} parts
 * @param {{coupons: number, price: number, missing: number}} amounts
 */
function faultOf(parts, { coupons, price, missing }) {
  const serials = parts.filter((part) => part.kind === 'coupon').map((part) => part.serial);
  if (serials.some((serial) => !serial)) return 'Each coupon needs its serial number.';
  if (new Set(serials.map((serial) => serial.toUpperCase())).size < serials.length)
    return 'Two coupons have the same serial number.';
  if (coupons > price)
    return (
      `${serials.length > 1 ? 'Coupons' : 'A coupon'} of ${money(coupons)} for a ticket of ` +
      `${money(price)}: no change is given for a coupon.`
    );
  return missing > 0 ? `${money(missing)} is still to be paid.` : '';
}

/**
 * A tender in words: "Exact", "$40.00 cash", "$5.00 coupon, the rest in cash".
 * @param {Tender} tender
 */
export function tenderWords({ given, parts }) {
  const coupons = parts.filter((part) => part.kind === 'coupon');
  const words = parts
    .filter((part) => part.cents > 0 && (coupons.length === 1 || part.kind !== 'coupon'))
    .map((part) => `${money(part.cents)} ${TENDER_KINDS[part.kind]}`);
  if (coupons.length > 1) words.push(`${money(sum(coupons))} in ${coupons.length} coupons`);
  if (given !== null) return [...words, `${money(given)} cash`].join(', ');
  return words.length ? [...words, 'the rest in cash'].join(', ') : 'Exact';
}

/** @typedef {number | null | 'more'} TenderChoice cash given, null for exact, more for kinds */

/**
 * Draw the row of preset amounts; `due` is what cash has to cover.
 * @param {HTMLElement} element
 * @param {{due: number | null, tender: Tender, choose: (choice: TenderChoice) => void}} how
 */
export function paintPresets(element, { due, tender, choose }) {
  const key = JSON.stringify([due, tender]);
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  const amounts = presets(due);
  const usual = tender.given === null || amounts.includes(tender.given);
  const other = tender.parts.length > 0 || !usual;
  const disabled = due === null;
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
        'aria-pressed': String(tender.given === cents),
        disabled,
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
      disabled,
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
