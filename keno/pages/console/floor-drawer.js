// The dialog in which a supervisor and a second person count and close the drawer of a writer who
// is gone. Over and short are shown by kind when the drawer is closed.

import { overShort, total } from '../shared/count.js';
import { checkoutTable, countForm } from '../shared/count-form.js';
import { h } from '../shared/dom.js';
import { codeOf, words } from './ask.js';
import { personName, stationName } from './floor-words.js';
import { button, facts, form, reasonField, secondFields, sheet, statusLine } from './frame.js';

/** @import { CheckedOut, FloorShift, FloorStation } from '../shared/protocol.js' */
/** @import { FloorParts } from './types.js' */

/**
 * @param {FloorStation} station
 * @param {FloorShift} shift
 * @param {FloorParts} parts
 */
export function countDrawer(station, shift, { ask, session, watch }) {
  const writer = personName(watch.floor?.people, shift.writer);
  const count = countForm();
  const reason = reasonField('Why the writer does not count it');
  const second = secondFields('Second person');
  const status = statusLine();
  const close = async () => {
    status.clear();
    const found = count.read();
    const why = found && reason.need();
    const who = why && second.need();
    if (!found || !why || !who) return;
    try {
      const done = await ask('close_other_shift', {
        shift: shift.shift,
        ...found,
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
  shown.element.classList.add('sheet-wide');
  count.element.addEventListener('keydown', count.walk);
  count.inputs[0].focus();
}

/**
 * Draw the result of the count, and what goes to accounting.
 * @param {CheckedOut} done
 * @param {string} writer
 * @param {() => void} leave
 */
function outcome(done, writer, leave) {
  const difference = overShort(total(done.over_short_cents));
  const back = button('Done', leave, { go: true });
  setTimeout(() => back.focus());
  return [
    h(
      'p',
      { class: 'status', role: 'status', data: { kind: 'good' } },
      `The drawer of ${writer} is closed. It is ${difference}.`,
    ),
    checkoutTable(done),
    facts([done.tickets.length > 0 && ['Tickets in the drawer', done.tickets.join(', ')]]),
    h('div', { class: 'acts' }, back),
  ];
}
