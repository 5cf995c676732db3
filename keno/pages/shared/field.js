// A labelled input, text area or choice with a note and a place for the refusal of what was typed.

/** @import { Props } from './types.js' */

import { attribute, h, say } from './dom.js';

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Input */

/**
 * What belongs to an input. `wrap` is a class of the element around it. `instead`: a refusal is
 * written over the note, in one element; otherwise it has an element of its own, which is read out.
 * @typedef {{note?: string, wrap?: string, instead?: boolean}} Around
 */

/**
 * @template {Input} [Kind=Input]
 * @typedef {{element: HTMLElement, input: Kind, value: string, typed: () => string,
 *   refuse: (words: string) => void, clear: () => void, focus: () => void}} Field
 *   `typed` is the value without spaces around it
 */

let made = 0;

/** An id that no other element of the page has. */
export function newId() {
  return `field-${(made += 1)}`;
}

/**
 * An input with its label, note and place for a refusal.
 * @template {Input} Kind
 * @param {string} label
 * @param {Kind} input
 * @param {Around} [around]
 * @returns {Field<Kind>}
 */
export function labelled(label, input, { note = '', wrap = '', instead = false } = {}) {
  if (!input.id) input.id = newId();
  const under = instead ? oneLine(input.id, note) : twoLines(input.id, note);
  const element = h(
    'div',
    { class: `field ${wrap}`.trim() },
    h('label', { for: input.id }, label),
    input,
    under.elements,
  );
  attribute(input, 'aria-describedby', under.described);
  /** @param {string} words */
  const show = (words) => {
    under.show(words);
    element.classList.toggle('wrong', words !== '');
    attribute(input, 'aria-invalid', words ? 'true' : null);
  };
  const clear = () => show('');
  input.addEventListener('input', clear);
  return {
    element,
    input,
    get value() {
      return input.value;
    },
    set value(text) {
      input.value = text;
      clear();
    },
    typed: () => input.value.trim(),
    refuse(words) {
      show(words);
      input.focus();
    },
    clear,
    focus: () => input.focus(),
  };
}

/**
 * @param {string} id
 * @param {string} note
 */
function oneLine(id, note) {
  const line = h('span', { id: `${id}-why`, class: 'field-why' }, note);
  /** @param {string} words */
  const show = (words) => say(line, words || note);
  return { elements: [line], described: line.id, show };
}

/**
 * @param {string} id
 * @param {string} note
 */
function twoLines(id, note) {
  const refusal = h('p', { id: `${id}-no`, class: 'field-no', role: 'alert' });
  /** @param {string} words */
  const show = (words) => say(refusal, words);
  if (!note) return { elements: [refusal], described: refusal.id, show };
  const under = h('p', { id: `${id}-note`, class: 'field-note' }, note);
  return { elements: [under, refusal], described: `${refusal.id} ${under.id}`, show };
}

/**
 * An input to type in, with `rows` a text area; the other properties are the input's.
 * @param {string} label
 * @param {Around & Props & {rows?: number}} [props]
 * @returns {Field<HTMLInputElement | HTMLTextAreaElement>}
 */
export function field(label, { note, wrap, instead, rows = 0, spellcheck = true, ...props } = {}) {
  const input = rows
    ? h('textarea', { rows, autocomplete: 'off', ...props })
    : h('input', { type: 'text', autocomplete: 'off', ...props });
  if (!spellcheck) attribute(input, 'spellcheck', 'false');
  return labelled(label, input, { note, wrap, instead });
}

/**
 * A labelled list to choose from; `options` are pairs of value and words.
 * @param {string} label
 * @param {readonly (readonly [value: string, words: string])[]} options
 * @param {Around & Props} [props]
 */
export function choice(label, options, { note, wrap, instead, ...props } = {}) {
  const input = h(
    'select',
    props,
    options.map(([value, words]) => h('option', { value }, words)),
  );
  return labelled(label, input, { note, wrap, instead });
}

/** Return the text of a secret's field and clear the field. @param {Field} secret */
export function take(secret) {
  const text = secret.value;
  secret.input.value = '';
  return text;
}

/**
 * The fields in which a second person signs: a name, a password and, where a key is opened, its
 * passphrase. `missing` has the refusals for the first two; an empty passphrase is the server's to
 * refuse.
 * @param {{person: Field, password: Field, phrase?: Field | null,
 *   missing: {person: string, password: string}}} parts
 */
export function secondPerson({ person, password, phrase = null, missing }) {
  return {
    person,
    password,
    phrase,
    /** Whether name and password are typed; marks the first that is missing. */
    complete() {
      if (!person.typed()) person.refuse(missing.person);
      else if (!password.value) password.refuse(missing.password);
      else return true;
      return false;
    },
    read: () => ({ person: person.typed(), password: password.value }),
    /** Name and password as typed; clears the password. */
    take: () => ({ person: person.typed(), password: take(password) }),
    takePhrase: () => (phrase ? take(phrase) : ''),
    wipe() {
      password.value = '';
      if (phrase) phrase.value = '';
    },
  };
}
