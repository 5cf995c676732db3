// The dialogs of the register of coupons: issue one, register a batch, declare one void. What was
// typed stays until the server has accepted it.

import { h } from '../shared/dom.js';
import { money, parseMoney } from '../shared/format.js';
import { Refused } from '../shared/ask.js';
import { codeOf, words } from './ask.js';
import { entered, readList } from './coupons-words.js';
import { choice, field, formSheet, reasonField, secondFields } from './frame.js';

/** @import { Ask, Session } from './types.js' */
/**
 * What the dialogs need; `done` is called with the words for what was done.
 * @typedef {{ask: Ask, session: Session, location: string, done: (words: string) => unknown}} How
 */
/** @typedef {ReturnType<typeof field>} Field */

/** The field that a refusal is about; '' for any other error. @param {unknown} error */
function whereOf(error) {
  return error instanceof Refused ? error.where : '';
}

/** Who may be the second person. */
const APPROVERS = 'a supervisor, a manager or accounting';

/**
 * The reason, and in a live house the second person. `need()` returns them, or null after marking
 * what is missing; `refused(error)` clears the password and shows a refusal of the reason there.
 * @param {Session} session
 * @param {boolean} always whether a reason is needed in a house without value too
 */
function approvedBy(session, always) {
  const must = always || session.value;
  const reason = reasonField(must ? 'Reason' : 'Reason, if there is one', {
    missing: 'Say why. It is kept with the coupon.',
  });
  const second = session.value ? secondFields('Second person') : null;
  const note =
    second &&
    h(
      'p',
      { class: 'field-note' },
      `In a live house two people do this. The second is ${APPROVERS}.`,
    );
  return {
    elements: [reason.element, second?.element, note].filter((each) => !!each),
    need() {
      const why = must ? reason.need() : reason.typed();
      if (why === null) return null;
      if (!second) return { reason: why };
      const person = second.need();
      return person && { reason: why, second: person };
    },
    /** @param {unknown} error */
    refused(error) {
      second?.clear();
      if (codeOf(error) !== 'reason_empty') return false;
      reason.refuse(words(error));
      return true;
    },
  };
}

/** The fields for value and last day of new coupons. @param {string} each */
function terms(each) {
  const value = field(each, {
    inputMode: 'decimal',
    placeholder: '5.00',
    note: 'All of it, or nothing: no change is given.',
  });
  const day = field('Last gaming day', { type: 'date', class: 'input day-input' });
  return {
    value,
    element: h('div', { class: 'field-pair' }, value.element, day.element),
    /** Value and day as typed; null after marking the first that is missing. */
    need() {
      const cents = parseMoney(value.typed());
      if (!cents) value.refuse('What is a coupon worth, in dollars?');
      else if (!day.value) day.refuse('Until which gaming day is it good?');
      else return { cents, ends_day: day.value };
      return null;
    },
    /** Show a refusal at the field that it is about. @param {unknown} error */
    refused(error) {
      const at = { cents: value, ends_day: day, day }[whereOf(error)];
      at?.refuse(words(error));
      return !!at;
    },
  };
}

/** @param {How} how */
export function issueCoupon({ ask, session, location, done }) {
  const about = terms('Value');
  const approved = approvedBy(session, false);
  const run = async () => {
    const given = about.need();
    const by = given && approved.need();
    if (!given || !by) return false;
    try {
      await done(entered(await ask('issue_coupon', { location, ...given, ...by })));
      return true;
    } catch (error) {
      if (approved.refused(error) || about.refused(error)) return false;
      throw error;
    }
  };
  const parts = [
    h(
      'p',
      { class: 'running' },
      'The house numbers it. It is good at every booth of the house, once.',
    ),
    about.element,
    ...approved.elements,
  ];
  formSheet('Issue a coupon', parts, 'Issue coupon', run);
  about.value.focus();
}

/** @param {How} how */
export function registerCoupons({ ask, session, location, done }) {
  const how = choice('Serials', [
    ['range', 'A range'],
    ['list', 'A list, or a CSV file'],
  ]);
  const code = { class: 'input code', spellcheck: false, autocapitalize: 'characters' };
  const first = field('First serial', { ...code, placeholder: 'PROMO-0001' });
  const last = field('Last serial', { ...code, placeholder: 'PROMO-0500' });
  const list = field('Serials, one on each line', { ...code, rows: 5 });
  const file = field('Or a CSV file, whose first column has them', {
    type: 'file',
    accept: '.csv,.txt,text/csv,text/plain',
    class: 'input file-input',
  });
  const range = h('div', { class: 'field-pair' }, first.element, last.element);
  const listed = h('div', { class: 'form' }, list.element, file.element);
  const about = terms('Value of each');
  const approved = approvedBy(session, false);
  const turn = () => {
    range.hidden = how.value !== 'range';
    listed.hidden = how.value === 'range';
  };
  how.input.addEventListener('change', turn);
  file.input.addEventListener('change', async () => {
    const [chosen] = /** @type {HTMLInputElement} */ (file.input).files ?? [];
    if (chosen) list.value = await chosen.text();
  });

  /** The serials of the command; null after marking the field that has none. */
  const which = () => {
    if (how.value === 'range') {
      if (!first.typed()) first.refuse('With which serial does the batch begin?');
      else if (!last.typed()) last.refuse('With which serial does it end?');
      else return { first: first.typed(), last: last.typed() };
      return null;
    }
    const read = readList(list.value);
    if ('serials' in read) return read;
    list.refuse(read.fault);
    return null;
  };
  const run = async () => {
    const serials = which();
    const given = serials && about.need();
    const by = given && approved.need();
    if (!serials || !given || !by) return false;
    try {
      await done(entered(await ask('register_coupons', { location, ...serials, ...given, ...by })));
      return true;
    } catch (error) {
      if (approved.refused(error) || about.refused(error)) return false;
      if (['serial', 'serials', 'last'].includes(whereOf(error)))
        return (how.value === 'range' ? last : list).refuse(words(error));
      throw error;
    }
  };
  const parts = [
    h(
      'p',
      { class: 'running' },
      'A printed batch of one value, 10,000 coupons at most: all are registered, or none.',
    ),
    how.element,
    range,
    listed,
    about.element,
    ...approved.elements,
  ];
  formSheet('Register a batch', parts, 'Register batch', run);
  turn();
  first.focus();
}

/**
 * @param {How} how
 * @param {string} serial as it was looked up; '' if none was
 */
export function voidCoupon({ ask, session, done }, serial) {
  const which = field('Serial', { class: 'input code', spellcheck: false, value: serial });
  const approved = approvedBy(session, true);
  const run = async () => {
    if (!which.typed()) return which.refuse('Which coupon?');
    const by = approved.need();
    if (!by) return false;
    try {
      const gone = await ask('void_coupon', { serial: which.typed(), ...by });
      await done(`Coupon ${gone.serial} of ${money(gone.cents)} is void.`);
      return true;
    } catch (error) {
      if (approved.refused(error)) return false;
      if (codeOf(error).startsWith('coupon_') || codeOf(error) === 'malformed')
        return which.refuse(words(error));
      throw error;
    }
  };
  const parts = [
    h('p', { class: 'running' }, 'No booth takes a void coupon, and it stays void.'),
    which.element,
    ...approved.elements,
  ];
  formSheet('Declare a coupon void', parts, 'Declare void', run, true);
  which.focus();
}
