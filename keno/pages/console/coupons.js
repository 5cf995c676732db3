// The tab of coupons: look one up, issue one, register a printed batch, declare one void; and the
// register of the gaming day at the right.

import { h, put } from '../shared/dom.js';
import { count, money } from '../shared/format.js';
import { words } from './ask.js';
import { issueCoupon, registerCoupons, voidCoupon } from './coupons-sheets.js';
import { came, open as openWords, serials, state, worth } from './coupons-words.js';
import { button, field, form, panel, refused, statusLine, table } from './frame.js';
import { isoDay } from './reports-cells.js';
import { pickPlace, placeOf, toned } from './room-parts.js';

/** @import { How } from './coupons-sheets.js' */
/** @import { StatusLine } from './frame.js' */
/** @import { CouponRow, Tab, View } from './types.js' */

/** @type {Tab} */
export const tab = { id: 'coupons', name: 'Coupons', roles: ['supervisor', 'manager'], open };

/** Rows that are drawn at most; the reports have all. */
const ROWS_MAX = 200;

/** @param {View} view */
function open(view) {
  const { page, session, ask, stay } = view;
  const place = () => placeOf(session, stay);
  const day = () => place().gaming_day ?? isoDay(Date.now(), place().zone);
  const right = h('div', { class: 'report-page' });
  const status = statusLine();
  /** @type {object | null} the load that was begun last */
  let waits = null;

  async function load() {
    const now = (waits = {});
    try {
      const asked = { location: place().location, listing: 'coupons', day: day() };
      const rows = /** @type {CouponRow[]} */ (await ask('listing', asked));
      if (waits === now) put(right, register(rows, place().location, asked.day));
    } catch (error) {
      if (waits === now) put(right, panel('The register', {}, refused(error)));
    }
  }
  const how = () => ({
    ask,
    session,
    location: place().location,
    done: async (/** @type {string} */ said) => {
      await load();
      find.clear();
      status.good(said);
    },
  });

  const find = finder(view, how, status);
  const left = h(
    'div',
    { class: 'coupon-side' },
    panel(
      'Coupons',
      {},
      pickPlace(session, place().location, (location) => {
        stay.location = location;
        load();
      }),
      ...find.elements,
    ),
    panel(
      'New and void',
      {},
      h(
        'div',
        { class: 'coupon-acts' },
        button('Issue a coupon', () => issueCoupon(how())),
        button('Register a batch', () => registerCoupons(how())),
        button('Declare one void', () => voidCoupon(how(), '')),
      ),
      status.element,
    ),
  );
  page.append(h('div', { class: 'side-by-side' }, left, right));
  load();
  find.focus();
  return () => {
    waits = null;
  };
}

/**
 * The form that looks a coupon up, and what came of it.
 * @param {View} view
 * @param {() => How} how
 * @param {StatusLine} status
 */
function finder({ ask, session, stay }, how, status) {
  const answer = h('div', { class: 'coupon-found', role: 'status', 'aria-live': 'polite' });
  const serial = field('Serial', {
    class: 'input code ticket-input',
    spellcheck: false,
    autocapitalize: 'characters',
    note: 'As printed or scanned, in either case.',
  });
  const lookUp = async () => {
    status.clear();
    put(answer);
    if (!serial.typed()) return serial.refuse('Type or scan the serial of a coupon.');
    try {
      const found = await ask('find_coupon', {
        serial: serial.typed(),
        location: placeOf(session, stay).location,
      });
      put(
        answer,
        h('p', { class: 'running good' }, worth(found)),
        button('Declare it void', () => voidCoupon(how(), found.serial)),
      );
      serial.value = '';
      return true;
    } catch (error) {
      return serial.refuse(words(error));
    }
  };
  const find = form(
    { class: 'form', noValidate: true },
    lookUp,
    serial.element,
    button('Look it up', null, { go: true, type: 'submit' }),
  );
  return {
    elements: [find, answer],
    focus: () => serial.focus(),
    clear: () => put(answer),
  };
}

/**
 * @param {CouponRow[]} rows
 * @param {string} location
 * @param {string} day
 */
function register(rows, location, day) {
  const path = `/api/listings/${encodeURIComponent(location)}/coupons`;
  const links = h(
    'span',
    { class: 'report-links' },
    h('a', { class: 'file', href: `${path}.pdf?day=${day}`, target: '_blank' }, 'PDF'),
    h('a', { class: 'file', href: `${path}.csv?day=${day}`, download: '' }, 'CSV'),
  );
  const shown = rows.toReversed().slice(0, ROWS_MAX);
  return panel(
    'The register today',
    { class: 'report coupon-register', aside: links },
    h(
      'p',
      { class: 'report-what' },
      h('b', {}, openWords(rows)),
      h('span', { class: 'quiet' }, 'The newest first; those used or void today are listed too.'),
    ),
    table(COLUMNS, shown, {
      caption: 'Coupons of the register, the newest first',
      none: 'The register has no coupon yet. Issue one, or register a printed batch.',
    }),
    rows.length > ROWS_MAX &&
      h('p', { class: 'quiet' }, `${count(rows.length - ROWS_MAX, 'older row')} in Reports.`),
  );
}

/** @type {{head: string, right?: boolean, cell: (row: CouponRow) => HTMLElement | string}[]} */
const COLUMNS = [
  { head: 'Serial', cell: (row) => h('span', { class: 'code' }, serials(row)) },
  { head: 'Coupons', right: true, cell: (row) => String(row.coupons) },
  { head: 'Value', right: true, cell: (row) => money(row.cents) },
  { head: 'Last day', cell: (row) => row.until ?? 'No end' },
  { head: 'State', cell: (row) => h('span', { title: row.void_reason ?? '' }, toned(state(row))) },
  { head: 'How it came', cell: came },
];
