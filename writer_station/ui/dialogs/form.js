/*
 * The parts of every dialog: fields, the form of a second person, buttons, and the form around
 * them. A password is cleared from its field as soon as it is read.
 */

import { h, keycap } from '../../../keno/pages/shared/dom.js';
import { field as sharedField, secondPerson as signing } from '../../../keno/pages/shared/field.js';
import { refusedBy } from '../link.js';

export { take } from '../../../keno/pages/shared/field.js';

/**
 * @import { Field } from '../../../keno/pages/shared/field.js'
 * @import { Child, Props } from '../../../keno/pages/shared/types.js'
 * @import { App, Close } from '../types.js'
 */

/** Draw a keycap that screen readers skip. @param {string} cap */
export function kbd(cap) {
  const key = keycap(cap);
  key.setAttribute('aria-hidden', 'true');
  return key;
}

/** @type {Props} */
const STATION = { instead: true, spellcheck: false, autocapitalize: 'off', maxlength: 200 };

/**
 * Create a labelled input with a note; a refusal of the input is written in place of the note.
 * @param {string} label
 * @param {Props & {note?: string, wrap?: string}} [props]
 */
export function field(label, props = {}) {
  return sharedField(label, { ...STATION, ...props });
}

const MISSING = { person: 'Whose name?', password: 'Their password, typed by them.' };

/**
 * The form of a second person: name, password and, if needed, the passphrase of the signing key.
 * @param {string} title
 * @param {{passphrase?: boolean}} [how]
 */
export function secondPerson(title, { passphrase = false } = {}) {
  const person = field('Name', { maxlength: 64 });
  const password = field('Password', { type: 'password' });
  const phrase = passphrase ? field('Passphrase of the signing key', { type: 'password' }) : null;
  const element = h(
    'fieldset',
    { class: 'second' },
    h('legend', {}, title),
    h('div', { class: 'pair' }, person.element, password.element),
    phrase?.element,
  );
  return { element, ...signing({ person, password, phrase, missing: MISSING }) };
}

/**
 * A button that does an action; `cap` is the keycap of the key that does the same.
 * @param {string} words
 * @param {(event: MouseEvent) => unknown} does
 * @param {{primary?: boolean, cap?: string, kind?: string}} [how]
 */
export function act(words, does, { primary = false, cap = '', kind = '' } = {}) {
  const classes = ['button', 'act', primary && 'button-go', kind].filter(Boolean).join(' ');
  return h(
    'button',
    { type: 'button', class: classes, on: { click: does } },
    h('span', {}, words),
    cap && kbd(cap),
  );
}

/**
 * Change the words on a button; its keycap stays.
 * @param {Element} button
 * @param {string} words
 */
function rename(button, words) {
  if (button.firstElementChild) button.firstElementChild.textContent = words;
}

/** @typedef {ReturnType<typeof dialogForm>} DialogForm */

/**
 * Create a dialog's body: heading, children, a line for a refusal, and buttons. Its `run(words, f)`
 * runs the request `f` and shows `words` and then any refusal; meanwhile the buttons are disabled.
 * @param {string} heading
 * @param {Child} children
 * @param {Child} [acts]
 * @param {{wide?: boolean}} [how]
 */
export function dialogForm(heading, children, acts = [], { wide = false } = {}) {
  const refusal = h('p', { class: 'refusal', role: 'alert' });
  const row = h('div', { class: 'acts' }, acts);
  const element = h(
    'form',
    {
      class: wide ? 'sheet wide' : 'sheet',
      novalidate: true,
      on: { submit: (event) => event.preventDefault() },
    },
    h('h2', {}, heading),
    children,
    refusal,
    row,
  );
  let busy = false;
  /** @param {boolean} on */
  const disable = (on) => {
    busy = on;
    element.setAttribute('aria-busy', String(on));
    for (const button of element.querySelectorAll('button')) button.disabled = on;
  };
  return {
    element,
    row,
    /** The first button, which gets the focus. */
    get firstAct() {
      return row.firstElementChild;
    },
    /**
     * @param {string} words what the primary act says meanwhile
     * @param {() => Promise<unknown>} f
     * @param {App} app
     */
    async run(words, f, app) {
      if (busy) return;
      refusal.textContent = '';
      const button = row.querySelector('.button-go');
      const before = button?.firstElementChild?.textContent ?? '';
      if (button) rename(button, words);
      disable(true);
      const focused = document.activeElement;
      try {
        await f();
      } catch (error) {
        refusal.textContent = refusedBy(error).message;
        app.sound('refused');
      } finally {
        disable(false);
        if (button?.isConnected) rename(button, before);
        if (element.isConnected && document.activeElement === document.body) focusOn(focused);
      }
    },
  };
}

/**
 * Sign the writer out and close the dialog.
 * @param {DialogForm} body
 * @param {App} app
 * @param {Close<boolean | null>} close
 */
export function signOut(body, app, close) {
  const leave = async () => {
    await app.ask('sign_out', {});
    close(false);
  };
  return body.run('Signing out…', leave, app);
}

/** Focus an element if it is an HTML element. @param {Element | null | undefined} element */
export function focusOn(element) {
  if (element instanceof HTMLElement) element.focus();
}

/**
 * Return a function that calls `f` unless less than `waitMs` milliseconds have passed since its
 * creation. Created when a question opens, it ignores the second Enter of a scanner.
 * @param {() => void} f
 * @param {number} [waitMs]
 */
export function settled(f, waitMs = 400) {
  const since = performance.now();
  return () => {
    if (performance.now() - since > waitMs) f();
  };
}

/**
 * Handle Enter and Escape in a dialog's `key`: Enter calls `enter`, unless another button has the
 * focus or the key is held down, Escape calls `escape`. Returns whether the key was taken.
 * @param {KeyboardEvent} event
 * @param {{enter?: () => unknown, escape?: () => unknown}} does
 */
export function formKeys(event, { enter, escape }) {
  if (event.key === 'Enter' && event.repeat) return true;
  const onButton = document.activeElement?.matches('button:not(.button-go)');
  if (event.key === 'Enter' && enter && !onButton) {
    event.preventDefault();
    enter();
    return true;
  }
  if (event.key === 'Escape' && escape) {
    event.preventDefault();
    escape();
    return true;
  }
  return false;
}

/**
 * Focus the first empty field of `ordered`; returns false if there is none or it has the focus.
 * @param {...(Field | null)} ordered
 */
export function nextEmpty(...ordered) {
  const empty = ordered.find((one) => one && !one.value);
  if (!empty || empty.input === document.activeElement) return false;
  empty.focus();
  return true;
}
