// The coupons of the tender dialog: a row for each serial, scanned or typed, with what the house
// says about it. A refused coupon blocks the tender until its serial is cleared or changed.

import { h, say } from '../../keno/pages/shared/dom.js';
import { money } from '../../keno/pages/shared/format.js';
import { refusedBy } from './link.js';

/**
 * @import { App } from './types.js'
 * @import { Tender, TenderPart } from './sell-tender.js'
 * @typedef {ReturnType<typeof couponRow>} CouponRow
 */

const ASK = 'Press Enter: the house says what it is worth.';

/**
 * Create the rows of a tender's coupons, with an empty one at the end.
 * @param {App} app
 * @param {Tender} tender
 * @param {number | null} rewrites the ticket that is rewritten: its own coupons are good again
 * @param {() => void} changed called when the house has answered
 */
export function couponRows(app, tender, rewrites, changed) {
  const element = h('div', { class: 'tender-coupons' });
  /** @type {CouponRow[]} */
  const rows = [];

  /** @param {TenderPart | null} coupon */
  function add(coupon) {
    const row = couponRow(app, coupon, { rewrites, changed, number: rows.length + 1 });
    rows.push(row);
    element.append(row.element);
    return row;
  }

  /** The empty row at the end; made if there is none. */
  function empty() {
    return rows.find((row) => !row.serial()) ?? add(null);
  }

  /** @param {CouponRow} row */
  function lookUp(row) {
    row.lookUp();
    empty().input.focus();
  }

  for (const part of tender.parts) if (part.kind === 'coupon') add(part);
  empty();
  return {
    element,
    /** Look up the coupon in the focused row; returns whether there was one to look up. */
    enter() {
      const row = rows.find((each) => each.input === document.activeElement);
      if (!row || !row.serial() || row.state() === 'good') return false;
      if (row.state() !== 'asked') lookUp(row);
      return true;
    },
    /** Look up a serial that was scanned into another field. @param {string} serial */
    scan(serial) {
      const row = empty();
      row.input.value = serial;
      lookUp(row);
    },
    /** The field of the first coupon that the house has not taken. */
    unanswered: () => rows.find((row) => row.serial() && row.state() !== 'good')?.input,
    /** Why the coupons cannot be taken yet; '' if they can. */
    open() {
      const row = rows.find((each) => each.serial() && each.state() !== 'good');
      if (!row) return '';
      if (row.state() === 'no') return 'Clear the refused coupon, or scan another.';
      return row.state() === 'asked' ? 'The house is being asked…' : ASK;
    },
    /** @returns {TenderPart[]} */
    parts: () =>
      rows
        .filter((row) => row.serial() && row.state() === 'good')
        .map((row) => ({ kind: 'coupon', cents: row.cents(), serial: row.serial() })),
  };
}

/**
 * @param {App} app
 * @param {TenderPart | null} coupon one that the house has taken already
 * @param {{rewrites: number | null, changed: () => void, number: number}} how
 */
function couponRow(app, coupon, { rewrites, changed, number }) {
  const id = `tender-coupon-${number}`;
  const input = h('input', {
    id,
    class: 'ask-input code',
    autocomplete: 'off',
    spellcheck: false,
    maxLength: 64,
    value: coupon?.serial ?? '',
    placeholder: 'scan or type its serial',
    'aria-describedby': `${id}-said`,
  });
  const said = h('p', { id: `${id}-said`, class: 'tender-said', role: 'status' });
  const element = h(
    'div',
    { class: 'tender-row' },
    h('label', { htmlFor: id }, 'Coupon'),
    input,
    said,
  );
  /** @type {{state: '' | 'asked' | 'good' | 'no', cents: number}} */
  let now = { state: coupon ? 'good' : '', cents: coupon?.cents ?? 0 };

  /** @param {typeof now} next @param {string} words */
  function show(next, words) {
    now = next;
    element.dataset.kind = next.state;
    say(said, words);
    changed();
    document.activeElement?.scrollIntoView({ block: 'nearest' }); // the list has grown
  }

  async function lookUp() {
    const serial = input.value.trim();
    show({ state: 'asked', cents: 0 }, '');
    try {
      const found = await app.ask('coupon', { serial, rewrites });
      if (input.value.trim() !== serial) return;
      input.value = found.serial;
      show({ state: 'good', cents: found.cents }, `${money(found.cents)}, good ${found.until}`);
    } catch (error) {
      if (input.value.trim() !== serial) return;
      show({ state: 'no', cents: 0 }, refusedBy(error).message);
      app.sound('refused');
      const here = document.activeElement;
      if (here instanceof HTMLInputElement && here.value) return; // the next one is being typed
      input.focus();
      input.select();
    }
  }

  input.addEventListener('input', () => show({ state: '', cents: 0 }, ''));
  element.dataset.kind = now.state;
  if (coupon) say(said, money(coupon.cents));
  return {
    element,
    input,
    lookUp,
    serial: () => input.value.trim(),
    state: () => now.state,
    cents: () => now.cents,
  };
}
