// The dialog in which a supervisor and a second person count and close the drawer of a writer who
// is gone. The count is typed by kind; over and short are shown when the drawer is closed.

import { h } from '../shared/dom.js';
import { money, parseMoney } from '../shared/format.js';
import { DRAWER_KINDS } from '../shared/words.js';
import { codeOf, words } from './ask.js';
import { personName, stationName } from './floor-words.js';
import {
  button,
  facts,
  field,
  form,
  reasonField,
  secondFields,
  sheet,
  statusLine,
} from './frame.js';

/** @import { CheckedOut, FloorShift, FloorStation } from '../shared/protocol.js' */
/** @import { FloorParts } from './types.js' */

/**
 * @param {FloorStation} station
 * @param {FloorShift} shift
 * @param {FloorParts} parts
 */
export function countDrawer(station, shift, { ask, session, watch }) {
  const writer = personName(watch.floor?.people, shift.writer);
  const count = countFields();
  const reason = reasonField('Why the writer does not count it');
  const second = secondFields('Second person');
  const status = statusLine();
  const close = async () => {
    status.clear();
    const counted = count.need();
    const why = counted && reason.need();
    const who = why && second.need();
    if (!counted || !why || !who) return;
    try {
      const done = await ask('close_other_shift', {
        shift: shift.shift,
        counted,
        reason: why,
        second: who,
      });
      body.replaceChildren(...outcome(done, writer, () => shown.close()));
      await watch.refresh();
    } catch (error) {
      second.clear();
      if (codeOf(error) === 'reason_empty') reason.refuse(words(error));
      else status.no(error);
    }
  };
  const body = form(
    {},
    close,
    h(
      'p',
      { class: 'running' },
      `${session.name} and a second person count it together; ${writer} is neither of them. ` +
        'Payouts that it asked for lapse, and unconfirmed prints stay listed at the station. ' +
        'The close is listed among the exceptions.',
    ),
    count.element,
    reason.element,
    second.element,
    status.element,
    h(
      'div',
      { class: 'acts' },
      button('Close the drawer', null, { grave: true, type: 'submit' }),
      button('Leave it open', () => shown.close()),
    ),
  );
  const shown = sheet(`Drawer of ${writer}, station ${stationName(station.station)}`, body);
  count.focus();
}

/** The fields for an amount of each kind of a drawer; an empty one is zero. */
function countFields() {
  const kinds = Object.entries(DRAWER_KINDS);
  const fields = kinds.map(([kind, label]) => ({
    kind,
    amount: field(capital(label), { inputMode: 'decimal', placeholder: '0.00' }),
  }));
  return {
    element: h(
      'fieldset',
      { class: 'count-fields' },
      h('legend', {}, 'Counted, in dollars'),
      fields.map((each) => each.amount.element),
    ),
    focus: () => fields[0].amount.focus(),
    /** The counted cents by kind; null after marking the first field that is no amount. */
    need() {
      /** @type {Record<string, number>} */
      const counted = {};
      for (const { kind, amount } of fields) {
        const cents = amount.typed() === '' ? 0 : parseMoney(amount.typed());
        if (cents === null) {
          amount.refuse('An amount in dollars, such as 500.00.');
          return null;
        }
        counted[kind] = cents;
      }
      return counted;
    },
  };
}

/** @param {string} words */
function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Draw the result of the count, and what goes to accounting.
 * @param {CheckedOut} done
 * @param {string} writer
 * @param {() => void} leave
 */
function outcome(done, writer, leave) {
  /** @param {Record<string, number>} byKind */
  const sum = (byKind) => Object.values(byKind).reduce((all, cents) => all + cents, 0);
  const over = sum(done.over_short_cents);
  const difference =
    over === 0 ? 'exact' : `${money(Math.abs(over))} ${over > 0 ? 'over' : 'short'}`;
  const back = button('Done', leave, { go: true });
  setTimeout(() => back.focus());
  return [
    h(
      'p',
      { class: 'status', role: 'status', data: { kind: 'good' } },
      `The drawer of ${writer} is closed. It is ${difference}.`,
    ),
    facts([
      ['Should hold', money(sum(done.expected_cents))],
      ['Counted', money(sum(done.counted_cents))],
      ['Difference', difference],
      done.tickets.length > 0 && ['Tickets in the drawer', done.tickets.join(', ')],
    ]),
    h('div', { class: 'acts' }, back),
  ];
}
