/*
 * The dialog when another writer's drawer is open at this station, so that no shift can be opened.
 * A supervisor and a second person count it blind and close it.
 */
import { countForm } from '../../../keno/pages/shared/count-form.js';
import { h } from '../../../keno/pages/shared/dom.js';
import { outcome } from './close-shift.js';
import { act, dialogForm, field, focusOn, formKeys, secondPerson, signOut } from './form.js';
import { timeWords } from './show.js';

/** @import { App, Close, DialogParts, OtherDrawer, Step } from '../types.js' */

const SUPERVISORS = ['supervisor', 'manager'];

/**
 * Open the dialog, which names the writer of the open drawer; a supervisor can go on to the count.
 * @param {App} app
 * @param {Close<boolean | null>} close
 * @returns {DialogParts}
 */
export function otherDrawer(app, close) {
  const other = app.state?.other_shift ?? { shift: 0, writer: '', name: '', opened_ms: 0 };
  const maySign = SUPERVISORS.includes(app.state?.writer?.role ?? '');
  const element = h('div', { class: 'steps' });
  const out = () => signOut(body, app, close);
  const leave = act('Sign out', out, { cap: 'Esc', primary: !maySign });
  const count = { sent: false };
  /** @type {Step} */
  let now;
  /** @param {Step} step */
  const show = (step) => {
    now = step;
    element.replaceChildren(step.element);
    focusOn(step.first);
  };
  const go = () => show(countOther(app, other, count, { back: () => show(question), done: close }));
  const body = dialogForm(
    `The drawer of ${other.name} is open here`,
    [
      h(
        'p',
        {},
        `It has been open since ${timeWords(other.opened_ms, app.state?.place)}. ` +
          'Until it is closed, or its writer has brought it to another station, ' +
          'no other shift opens here.',
      ),
      h(
        'p',
        { class: 'quiet' },
        maySign
          ? 'If the writer is gone, you and a second person count and close it.'
          : 'If the writer is gone, call a supervisor: two people count and close it.',
      ),
    ],
    maySign ? [act('Count and close it', go, { primary: true, cap: '↵' }), leave] : [leave],
  );
  const question = {
    element: body.element,
    first: body.firstAct,
    key: (/** @type {KeyboardEvent} */ event) =>
      formKeys(event, { enter: maySign ? go : out, escape: out }),
  };
  now = question;
  element.append(body.element);
  const label = 'Another drawer is open here';
  return {
    element,
    label,
    first: body.firstAct,
    key: (event) => now.key(event),
    // The outcome of the count is read before anything else is shown.
    stays: () => count.sent,
  };
}

/**
 * The step in which a supervisor and a second person count the drawer.
 * @param {App} app
 * @param {OtherDrawer} other
 * @param {{sent: boolean}} state whether a count is on its way, or done and not yet read
 * @param {{back: () => void, done: Close<boolean | null>}} then
 * @returns {Step}
 */
function countOther(app, other, state, { back, done }) {
  let finished = false;
  const reason = field('Why the writer does not count it');
  const count = countForm(reason.element);
  const second = secondPerson('Second person who counted with you');
  const leave = () => {
    second.wipe();
    if (finished) done(true);
    else back();
  };
  const give = () => {
    const found = count.read();
    if (!found) return;
    if (!reason.typed()) {
      reason.refuse('Say why. It is kept with the count.');
      return;
    }
    if (!second.complete()) return;
    const signed = { reason: reason.typed(), second: second.take() };
    state.sent = true;
    const send = async () => {
      const answer = await app.ask('close_other_shift', {
        shift: other.shift,
        ...found,
        ...signed,
      });
      finished = true;
      const shown = outcome(answer, leave);
      body.element.replaceChildren(...shown.children);
      shown.go.focus();
    };
    body.run('Closing the drawer…', send, app).then(() => {
      state.sent = finished;
      if (!finished && body.element.isConnected) second.password.focus();
    });
  };
  const body = dialogForm(
    `Count the drawer of ${other.name}`,
    [count.element, second.element],
    [
      act('Give the count and close', give, { primary: true, cap: 'F4' }),
      act('Leave it open', leave, { cap: 'Esc' }),
    ],
    { wide: true },
  );
  return {
    element: body.element,
    first: count.inputs[0],
    key(event) {
      if (finished) return formKeys(event, { enter: leave, escape: leave });
      if (event.key !== 'F4') return count.walk(event) || formKeys(event, { escape: leave });
      event.preventDefault();
      give();
      return true;
    },
  };
}
