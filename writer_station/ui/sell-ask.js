// Small dialogs of the Sell view: a question with yes and no, and one that takes a scanned ticket.

import { h, keycap, say } from '../../keno/pages/shared/dom.js';
import { refusedBy } from './link.js';
import { onOtherButton } from './sell-tender-dialog.js';

/**
 * @import { App, Close, DialogParts } from './types.js'
 * @typedef {{title: string, text: string, yes: string, no: string}} ConfirmWords
 */

/** Milliseconds after a question appeared in which Enter is ignored, as meant for the draft. */
const ARM_MS = 250;

/**
 * A question with two answers; closes with true or false. `follow` is called at each change of
 * state and returns the words of the question; with new words it counts as just opened.
 * @param {App} app
 * @param {Close<boolean>} close
 * @param {ConfirmWords & {follow?: () => ConfirmWords}} words
 * @returns {DialogParts}
 */
export function confirmDialog(app, close, { title, text, yes, no, follow }) {
  let shown = performance.now();
  const fresh = () => performance.now() - shown < ARM_MS;
  const heading = h('h2', {}, title);
  const consent = h('span', {}, yes);
  const stop = app.on(ask);
  /** @param {boolean} answer */
  const end = (answer) => {
    stop();
    close(answer);
  };
  const go = h(
    'button',
    { type: 'button', class: 'button button-go', on: { click: () => fresh() || end(true) } },
    consent,
    keycap('↵'),
  );
  const stay = h(
    'button',
    { type: 'button', class: 'button', on: { click: () => end(false) } },
    no,
    keycap('Esc'),
  );

  function ask() {
    const now = follow?.();
    if (!now) return;
    if (heading.textContent === now.title && consent.textContent === now.yes) return;
    say(heading, now.title);
    say(consent, now.yes);
    shown = performance.now();
  }

  const element = h(
    'div',
    { class: 'ask' },
    heading,
    text && h('p', {}, text),
    h('div', { class: 'ask-acts' }, go, stay),
  );
  return {
    element,
    label: title,
    first: go,
    key(event) {
      if (event.key === 'Enter' && (event.repeat || fresh())) return true;
      if (event.key === 'Enter' && document.activeElement !== stay) {
        end(true);
        return true;
      }
      if (event.key === 'Escape') {
        end(false);
        return true;
      }
      return false;
    },
  };
}

/**
 * Ask for a ticket or a request, scanned or keyed; closes with the result of `found(text)`.
 * @template Value
 * @param {App} app
 * @param {Close<Value>} close
 * @param {{title: string, text: string, found: (text: string) => Promise<Value>}} how
 * @returns {DialogParts}
 */
export function scanDialog(app, close, { title, text, found }) {
  const input = h('input', {
    class: 'ask-input code',
    autocomplete: 'off',
    spellcheck: false,
    'aria-label': 'Ticket number and code',
    'aria-describedby': 'scan-fault',
    placeholder: '418 2276 and its code',
  });
  const fault = h('p', { class: 'ask-fault', id: 'scan-fault', role: 'alert' });
  let busy = false;
  async function go() {
    const typed = input.value.trim();
    if (busy || !typed) return;
    busy = true;
    say(fault, '');
    try {
      close(await found(typed));
    } catch (error) {
      say(fault, refusedBy(error).message);
      app.sound('refused');
      input.select();
    } finally {
      busy = false;
    }
  }
  const element = h(
    'div',
    { class: 'ask' },
    h('h2', {}, title),
    h('p', {}, text),
    input,
    fault,
    h(
      'div',
      { class: 'ask-acts' },
      h(
        'button',
        { type: 'button', class: 'button button-go', on: { click: go } },
        'Look it up',
        keycap('↵'),
      ),
      h(
        'button',
        { type: 'button', class: 'button', on: { click: () => close() } },
        'Back',
        keycap('Esc'),
      ),
    ),
  );
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    if (event.key !== 'Enter' || onOtherButton(event)) return false;
    go();
    return true;
  };
  return { element, label: title, first: input, key };
}
