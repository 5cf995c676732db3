// The band over every tab while the time must be confirmed, and the dialog that confirms it.

import { h, put, say } from '../shared/dom.js';
import { codeOf, words } from './ask.js';
import {
  behindWords,
  bothTimes,
  confirmedWords,
  headOf,
  timesOf,
  waitsFor,
} from './clock-words.js';
import { button, choice, facts, field, form, sheet, statusLine } from './frame.js';
import { ACTORS } from './floor-words.js';

/** @import { FloorWatch } from './floor-data.js' */
/** @import { Ask, Session } from './types.js' */

/**
 * @typedef {{session: Session, ask: Ask, watch: FloorWatch}} ClockParts
 */

/**
 * Create the band, which is hidden while the time is trusted.
 * @param {ClockParts} parts
 */
export function createClockBand(parts) {
  const { session, watch } = parts;
  const zone = session.locations[0]?.zone;
  const head = h('b', { role: 'alert' });
  const times = h('span', { class: 'clock-times' });
  const act = button('Confirm the time', () => openConfirm(parts), { go: true });
  const element = h('div', { class: 'clock-band', hidden: true }, head, times);
  if (ACTORS.includes(session.role)) element.append(act);
  else element.append(h('span', {}, 'A supervisor confirms the time.'));
  const paint = () => {
    const doubt = watch.floor?.clock ?? null;
    element.hidden = !doubt;
    if (!doubt) return;
    say(head, headOf(doubt));
    say(times, bothTimes(doubt, zone));
  };
  watch.addEventListener('change', paint);
  paint();
  return { element };
}

/**
 * Open the dialog: both running times, the choice of the right one, and the password.
 * @param {ClockParts} parts
 */
function openConfirm({ session, ask, watch }) {
  const zone = session.locations[0]?.zone;
  const found = watch.floor?.clock;
  if (!found) return;
  const about = h('div');
  const behind = h('p', { class: 'running' });
  const which = choice('Which time is right?', [
    ['', 'Choose'],
    ['machine', 'Machine time'],
    ['ledger', 'Ledger time'],
  ]);
  const password = field('Your password again', {
    type: 'password',
    autocomplete: 'current-password',
  });
  const status = statusLine();
  let shown = found;
  const draw = () => {
    shown = watch.floor?.clock ?? shown;
    put(about, facts(timesOf(shown, zone)));
    say(behind, behindWords(shown));
  };
  const confirm = async () => {
    status.clear();
    if (!which.value) return which.refuse('Say which time is right; compare with another clock.');
    if (!password.value) return password.refuse('Type your password.');
    try {
      const { step, machine_ms } = shown;
      const asked = { step, machine_ms, choice: which.value, password: password.value };
      const done = await ask('confirm_clock', asked);
      await watch.refresh();
      return put(
        body,
        h(
          'p',
          { class: 'status', role: 'status', data: { kind: 'good' } },
          confirmedWords(done.choice),
        ),
        button('Done', () => made.close()),
      );
    } catch (error) {
      password.value = '';
      if (codeOf(error) === 'sign_in_failed') return password.refuse('That is not your password.');
      return status.no(words(error));
    }
  };
  const body = form(
    {},
    confirm,
    h('p', { class: 'running' }, waitsFor(found)),
    about,
    behind,
    h('p', { class: 'running' }, 'Compare both with a clock that the house trusts.'),
    which.element,
    password.element,
    status.element,
    h('div', { class: 'acts' }, button('Confirm this time', null, { go: true, type: 'submit' })),
  );
  watch.addEventListener('change', draw);
  draw();
  const made = sheet(headOf(found), body);
  made.closed.then(() => watch.removeEventListener('change', draw));
  which.focus();
}
