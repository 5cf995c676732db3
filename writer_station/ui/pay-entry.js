/*
 * The field that takes a ticket: scanned, or keyed as its number and code. It is large while the
 * counter is empty and small beside a ticket that lies there. A letter that is also a key of the
 * view is held for a moment: a scanner types on at once, a person does not.
 */
import { kbd, el } from './dialogs/form.js';
import { exampleWords } from './pay-words.js';

const HOLD_MS = 60;

export function createEntry({ find, shortcut }) {
  const input = el('input.entry-input.code', {
    id: 'pay-entry',
    maxlength: 60000,
    autocomplete: 'off',
    autocapitalize: 'off',
    'aria-describedby': 'pay-entry-why',
  });
  input.setAttribute('spellcheck', 'false');
  const why = el('p.entry-why', { id: 'pay-entry-why', role: 'alert' });
  const label = el('label', { for: 'pay-entry' });
  const hint = el('p.entry-hint');
  const element = el('div.pay-entry', label, el('div.entry-box', input, kbd('↵')), why, hint);
  let held = '';
  let timer = 0;

  input.addEventListener('input', () => fault(''));

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
    /** A printable key pressed outside any field: part of a ticket, or a key of the view. */
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
