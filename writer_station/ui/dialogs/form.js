/*
 * What every dialog is made of: an element builder, a field with its reason under it, the small form
 * of a second person, and the row of acts. A password is read once and wiped in the same breath.
 */

import { h, keycap } from '../../../keno/pages/shared/dom.js';

/** el('p.quiet', {id: 'x'}, 'words', child): `h` with its classes behind dots, props if wanted. */
export function el(what, ...rest) {
  const [tag, ...classes] = what.split('.');
  const first = rest[0];
  const props =
    first !== null && typeof first === 'object' && !Array.isArray(first) && !(first instanceof Node)
      ? rest.shift()
      : {};
  return h(tag, { class: classes.join(' ') || null, ...props }, ...rest);
}

/** A key as a picture of what is also written: readers skip it. */
export function kbd(cap) {
  const key = keycap(cap);
  key.setAttribute('aria-hidden', 'true');
  return key;
}

let fields = 0;

/** A labelled input: {element, input, value(), fault(words), clear()}. */
export function field(label, options = {}) {
  const id = `field-${(fields += 1)}`;
  const input = el('input', {
    id,
    type: options.type ?? 'text',
    inputmode: options.inputmode,
    value: options.value,
    autocomplete: options.type === 'password' ? 'off' : (options.autocomplete ?? 'off'),
    autocapitalize: 'off',
    maxlength: options.max ?? 200,
    placeholder: options.placeholder,
    'aria-describedby': `${id}-why`,
  });
  input.setAttribute('spellcheck', 'false');
  const why = el('span.field-why', { id: `${id}-why` }, options.note ?? '');
  const element = el('div.field', el('label', { for: id }, label), input, why);
  if (options.class) element.classList.add(options.class);
  const fault = (words) => {
    element.classList.toggle('wrong', Boolean(words));
    input.toggleAttribute('aria-invalid', Boolean(words));
    why.textContent = words || options.note || '';
    if (words) input.focus();
  };
  input.addEventListener('input', () => fault(''));
  return { element, input, value: () => input.value.trim(), fault, why };
}

/** Read a secret and wipe its field at once: nothing of it stays in the page. */
export function take(secret) {
  const { value } = secret.input;
  secret.input.value = '';
  return value;
}

/**
 * The second person, the same wherever one signs: name and password, and a passphrase where a key
 * is opened. `missing()` puts the words where something is not typed; `take()` wipes the secrets.
 */
export function secondPerson(title, { passphrase = false } = {}) {
  const person = field('Name', { max: 64 });
  const password = field('Password', { type: 'password' });
  const phrase = passphrase ? field('Passphrase of the signing key', { type: 'password' }) : null;
  const element = el(
    'fieldset.second',
    el('legend', title),
    el('div.pair', person.element, password.element),
    phrase?.element,
  );
  return {
    element,
    person,
    password,
    phrase,
    missing() {
      if (!person.value()) person.fault('Whose name?');
      else if (!password.input.value) password.fault('Their password, typed by them.');
      else return false;
      return true;
    },
    take: () => ({ person: person.value(), password: take(password) }),
    takePhrase: () => (phrase ? take(phrase) : ''),
    wipe() {
      password.input.value = '';
      if (phrase) phrase.input.value = '';
    },
  };
}

/** A button that names its act; `cap` is the key that does the same. */
export function act(words, f, { primary = false, cap = '', kind = '' } = {}) {
  const button = el(
    'button.button.act',
    { type: 'button', on: { click: f } },
    el('span', words),
    cap && kbd(cap),
  );
  if (primary) button.classList.add('button-go');
  if (kind) button.classList.add(kind);
  return button;
}

/** Change what a button says, its key stays. */
export function rename(button, words) {
  button.firstElementChild.textContent = words;
}

/**
 * A dialog's body: heading, children, a line for a refusal, and the acts below. `run(words, f)`
 * does one thing at a time: the acts are still while it lasts, and a refusal is read out.
 */
export function sheet(heading, children, acts = [], { wide = false } = {}) {
  const refusal = el('p.refusal', { role: 'alert' });
  const row = el('div.acts', acts);
  const element = el(
    wide ? 'form.sheet.wide' : 'form.sheet',
    {
      novalidate: true,
      on: {
        submit: (event) => event.preventDefault(),
      },
    },
    el('h2', heading),
    children,
    refusal,
    row,
  );
  let busy = false;
  const still = (on) => {
    busy = on;
    element.setAttribute('aria-busy', String(on));
    for (const button of element.querySelectorAll('button')) button.disabled = on;
  };
  return {
    element,
    row,
    refuse: (words) => {
      refusal.textContent = words;
    },
    async run(words, f, app) {
      if (busy) return;
      refusal.textContent = '';
      const button = row.querySelector('.button-go');
      const before = button?.firstElementChild.textContent;
      if (button) rename(button, words);
      still(true);
      const focused = document.activeElement;
      try {
        await f();
      } catch (no) {
        refusal.textContent = no.message ?? 'That did not work. Try it once more.';
        app?.sound('refused');
      } finally {
        still(false);
        if (button?.isConnected) rename(button, before);
        if (element.isConnected && document.activeElement === document.body) focused?.focus();
      }
    },
  };
}

/**
 * A scanner may send Enter twice: the second one must not answer the question that just came. Made
 * once, when the question appears: its time counts from there.
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
 */
export function formKeys(event, { enter, escape }) {
  if (event.key === 'Enter' && event.repeat) return true;
  const onButton = document.activeElement?.matches?.('button:not(.button-go)');
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

/** Enter goes to the next empty field first, so that a form is filled by Enter alone. */
export function nextEmpty(...ordered) {
  const empty = ordered.find((one) => one && !one.input.value);
  if (!empty || empty.input === document.activeElement) return false;
  empty.input.focus();
  return true;
}
