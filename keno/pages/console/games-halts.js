// Halts (15.7): what was found, and the steps that end one: the request, the order that two people
// signed at the generator's console, and both people here. The server refuses one person alone.

import { h, put } from '../shared/dom.js';
import { timeExact } from '../shared/format.js';
import { button, facts, field, form, panel, refused, secondFields, statusLine } from './frame.js';
import { haltLines, haltTitle, mayResume, readResume } from './games-halt-words.js';

/** @import { HaltView, Second } from '../shared/protocol.js' */
/** @import { Ask, Session, View } from './types.js' */
/** @typedef {Pick<View, 'session' | 'ask'>} Asking */

const NONE = 'Keno has not been halted here.';

/**
 * Draw the halts into `target`; returns the function to call when they are left.
 * @param {HTMLElement} target
 * @param {Asking} view
 */
export function halts(target, { session, ask }) {
  let isLeft = false;

  /** @param {string} [words] what was just done */
  async function load(words = '') {
    try {
      const found = await ask('halts', {});
      if (isLeft) return;
      const status = statusLine();
      put(
        target,
        status.element,
        found.halts.length
          ? found.halts.map((each) => onePanel(each, { session, ask, done: load }))
          : panel('Halts', {}, h('p', { class: 'nothing' }, NONE)),
      );
      if (words) status.good(words);
    } catch (error) {
      put(target, refused(error));
    }
  }
  load();
  return () => {
    isLeft = true;
  };
}

/**
 * @param {HaltView} halt
 * @param {{session: Session, ask: Ask, done: (words: string) => Promise<void>}} how
 */
function onePanel(halt, how) {
  const zone = how.session.locations.find((each) => each.location === halt.location)?.zone;
  const at = timeExact(halt.halted_ms, zone ?? 'UTC');
  return panel(
    haltTitle(halt),
    { class: halt.in_force ? 'halt halt-now' : 'halt', aside: `Since ${at}` },
    halt.in_force && h('p', { class: 'void-no', role: 'alert' }, halt.words),
    h('p', { class: 'guide-rule' }, halt.found),
    facts(haltLines(halt, (ms) => timeExact(ms, zone ?? 'UTC'))),
    halt.in_force && steps(halt, how),
  );
}

/**
 * @param {HaltView} halt
 * @param {{session: Session, ask: Ask, done: (words: string) => Promise<void>}} how
 */
function steps(halt, { session, ask, done }) {
  const status = statusLine();
  const href = `/api/halts/${halt.halt}/resume-request`;
  const download = h(
    'a',
    { class: 'button button-go', href, download: `resume-${halt.halt.slice(0, 8)}.request` },
    'Download request',
  );
  const taken = h(
    'p',
    { class: 'running' },
    'You and the inspector carry the request to the generator’s own console. Both sign there ',
    'with their keys: ',
    h('span', { class: 'code command' }, 'keno-rng resume FOLDER REQUEST ORDER'),
  );
  if (!mayResume(session.role)) {
    const joins = 'A supervisor signs in and gives the order; you join with your own password.';
    return h('div', {}, taken, h('div', { class: 'acts' }, download), h('p', {}, joins));
  }
  return h(
    'div',
    { class: 'halt-steps' },
    taken,
    h('div', { class: 'acts' }, download),
    orderForm(halt, status, async (order, second) => {
      await ask('resume_halt', { halt: halt.halt, order, second });
      await done('Keno goes on. The halt stays in the record, and in every audit.');
    }),
    status.element,
  );
}

/**
 * Create the form for the signed order and the inspector's password.
 * @param {HaltView} halt
 * @param {ReturnType<typeof statusLine>} status
 * @param {(order: Record<string, unknown>, second: Second) => Promise<void>} send
 */
function orderForm(halt, status, send) {
  const file = field('Signed order', {
    type: 'file',
    accept: '.json,.order,application/json,text/plain,*/*',
    class: 'input file-input',
  });
  const second = secondFields('Inspector');
  const read = h('p', { class: 'quiet' });
  /** @type {Record<string, unknown> | null} */
  let order = null;
  file.input.addEventListener('change', async () => {
    const chosen = 'files' in file.input ? file.input.files?.[0] : null;
    if (!chosen) return;
    const found = readResume(await chosen.text(), halt);
    order = 'fault' in found ? null : found.order;
    if ('fault' in found) file.refuse(found.fault);
    else put(read, `Signed by ${found.signers} keys: “${found.reason}”`);
  });
  const give = async () => {
    status.clear();
    if (!order) {
      file.refuse('Choose the file that the generator’s console wrote.');
      return;
    }
    const who = second.need();
    if (!who) return;
    try {
      await send(order, who);
    } catch (error) {
      second.clear();
      status.no(error);
    }
  };
  const go = button('Go on', null, { go: true, type: 'submit' });
  return form({}, give, file.element, read, second.element, h('div', { class: 'acts' }, go));
}
