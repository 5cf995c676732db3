/*
 * The entry: the field in which a ticket is scanned or keyed as number and code. It is large while
 * the counter is empty, else small. A letter that is also a key of the view is held back for a
 * moment, because the next character of a scan follows at once.
 */
import { h } from '../../keno/pages/shared/dom.js';
import { kbd } from './dialogs/form.js';
import { exampleWords } from './pay-words.js';

/** @import { Place } from './types.js' */

/** Milliseconds for which a letter that is also a key of the view is held back. */
const HOLD_MS = 60;

/** @typedef {ReturnType<typeof createEntry>} Entry */

/** @param {{find: (text: string) => void, shortcut: (key: string) => void}} does */
export function createEntry({ find, shortcut }) {
  const { element, input, why, label, hint } = entryParts();
  let held = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  input.addEventListener('input', () => fault(''));

  /** @param {string} words */
  function fault(words) {
    element.classList.toggle('wrong', Boolean(words));
    input.toggleAttribute('aria-invalid', Boolean(words));
    why.textContent = words;
  }

  function release() {
    clearTimeout(timer);
    const text = held;
    held = '';
    return text;
  }

  return {
    element,
    input,
    fault,
    /**
     * @param {string} words
     * @param {Place | null | undefined} place
     */
    say(words, place) {
      label.textContent = words;
      hint.textContent = exampleWords(place);
    },
    get text() {
      return input.value.trim();
    },
    get holding() {
      return held !== '';
    },
    clear() {
      input.value = '';
      fault('');
    },
    /**
     * Take a printable key: it becomes text of the entry, or a key of the view if no other follows
     * soon.
     * @param {string} key
     * @param {boolean} isShortcut
     */
    typed(key, isShortcut) {
      if (!held && isShortcut && input.value === '') {
        held = key;
        timer = setTimeout(() => shortcut(release()), HOLD_MS);
        return;
      }
      input.value += release() + key;
      fault('');
      input.focus();
    },
    submit() {
      const text = input.value.trim();
      if (text) find(text);
    },
  };
}

function entryParts() {
  const input = h('input', {
    class: 'entry-input code',
    id: 'pay-entry',
    maxlength: 60000,
    autocomplete: 'off',
    autocapitalize: 'off',
    'aria-describedby': 'pay-entry-why',
  });
  input.setAttribute('spellcheck', 'false');
  const why = h('p', { class: 'entry-why', id: 'pay-entry-why', role: 'alert' });
  const label = h('label', { for: 'pay-entry' });
  const hint = h('p', { class: 'entry-hint' });
  const element = h(
    'div',
    { class: 'pay-entry' },
    label,
    h('div', { class: 'entry-box' }, input, kbd('↵')),
    why,
    hint,
  );
  return { element, input, why, label, hint };
}
