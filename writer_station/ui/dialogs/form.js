/*
 * What every dialog is made of: fields, the small form of a second person, acts, and the form
 * around them. A password is read once and wiped at once.
 */

import { h, keycap } from '../../../keno/pages/shared/dom.js';
import { field as sharedField, secondPerson as signing } from '../../../keno/pages/shared/field.js';
import { refusedBy } from '../link.js';

export { take } from '../../../keno/pages/shared/field.js';

/**
 * @import { Field } from '../../../keno/pages/shared/field.js'
 * @import { Child, Props } from '../../../keno/pages/shared/types.js'
 * @import { App } from '../types.js'
 */

/** A key as a picture of what is also written: readers skip it. @param {string} cap */
export function kbd(cap) {
  const key = keycap(cap);
  key.setAttribute('aria-hidden', 'true');
  return key;
}

/** @type {Props} */
const STATION = { instead: true, spellcheck: false, autocapitalize: 'off', maxlength: 200 };

/**
 * A labelled input; a refusal is written over its note.
 * @param {string} label
 * @param {Props & {note?: string, wrap?: string}} [props]
 */
export function field(label, props = {}) {
  return sharedField(label, { ...STATION, ...props });
}

const MISSING = { person: 'Whose name?', password: 'Their password, typed by them.' };

/**
 * The second person, the same wherever one signs: name and password, and a passphrase where a key
 * is opened.
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
 * A button that names its act; `cap` is the key that does the same.
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
 * Change what a button says, its key stays.
 * @param {Element} button
 * @param {string} words
 */
function rename(button, words) {
  if (button.firstElementChild) button.firstElementChild.textContent = words;
}

/** @typedef {ReturnType<typeof dialogForm>} DialogForm */

/**
 * A dialog's body: heading, children, a line for a refusal, and the acts below. `run(words, f)`
 * does one thing at a time: the acts are disabled while it lasts, and a refusal is read out.
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
    /** The first act, which gets the focus. */
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

/** Give the focus to an element that takes it. @param {Element | null | undefined} element */
export function focusOn(element) {
  if (element instanceof HTMLElement) element.focus();
}

/**
 * A scanner may send Enter twice: the second one must not answer the question that just came. Made
 * once, when the question appears: its time counts from there.
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
 * Enter does the primary act wherever the caret is, Escape the quiet one; for a dialog's `key`. An
 * Enter that is held down answers nothing.
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
 * Enter goes to the next empty field first, so that a form is filled by Enter alone.
 * @param {...(Field | null)} ordered
 */
export function nextEmpty(...ordered) {
  const empty = ordered.find((one) => one && !one.value);
  if (!empty || empty.input === document.activeElement) return false;
  empty.focus();
  return true;
}
