// What every tab is made of.
//   panel(title, {aside, class}, ...children)   a section with its heading
//   button(words, act, {go, grave, type})       a button; while `act` works it is busy and cannot be pressed twice
//   busy(button, act)                           the same for a button of one's own
//   field(label, {type, hint, rows, ...props})  {element, input, value, refuse(words), clear(), focus()}
//   choice(label, [[value, words], …])          the same with a list to choose from
//   reasonField(label)                          a field whose `need()` gives the reason, or null and says what is missing
//   secondFields(who)                           name and password of a second person: `need()` gives {person, password} or null
//   statusLine()                                {element, good(words), no(error or words), clear()}: what came of an act
//   refused(words)                              a sentence of refusal that is read out
//   sheet(title, ...children)                   {element, closed, close(value)}: a dialog over the page; `closed` is a promise
//   confirm({title, words, act, grave, reason}) asks first; the reason (or true), or null if nothing shall be done
//   table([{head, right, cell(row)}, …], rows, {caption, none})   a table that scrolls by itself
//   facts([[name, value], …])                   a list of names and values
//   every(ms, act)                              calls `act` again and again, one at a time; gives back what stops it
//   soon(ms, act)                               a function that calls `act` once, ms after the first call
//   keyed(parent, items, keyOf, make)           a list of elements that are kept while their keys stay
// Nothing here asks the server.

import { attribute, h, put, say } from '../shared/dom.js';
import { No, words as wordsOf } from './ask.js';

let named = 0;

function newId() {
  return `field-${(named += 1)}`;
}

export function panel(title, { aside = null, class: kind = '' } = {}, ...children) {
  const id = newId();
  return h(
    'section',
    { class: `panel ${kind}`.trim(), 'aria-labelledby': id },
    h(
      'header',
      { class: 'panel-head' },
      h('h2', { id }, title),
      aside instanceof Node ? aside : aside && h('span', { class: 'quiet' }, aside),
    ),
    ...children,
  );
}

export function button(words, act, { go = false, grave = false, type = 'button' } = {}) {
  const made = h(
    'button',
    { type, class: `button${go ? ' button-go' : ''}${grave ? ' button-grave' : ''}` },
    words,
  );
  if (act) made.addEventListener('click', () => busy(made, act));
  return made;
}

/** Run an act of a button; until it is done the button does nothing and says that it works. */
export async function busy(made, act) {
  if (made.getAttribute('aria-busy') === 'true') return;
  made.setAttribute('aria-busy', 'true');
  try {
    await act();
  } finally {
    made.removeAttribute('aria-busy');
  }
}

export function field(label, { hint = '', rows = 0, spellcheck = true, ...props } = {}) {
  const id = newId();
  const input = h(rows ? 'textarea' : 'input', {
    id,
    class: 'input',
    ...(rows ? { rows } : { type: 'text' }),
    autocomplete: 'off',
    ...props,
  });
  if (!spellcheck) input.setAttribute('spellcheck', 'false');
  return labelled(label, hint, input, id);
}

export function choice(label, options, { hint = '', ...props } = {}) {
  const id = newId();
  const input = h(
    'select',
    { id, class: 'input', ...props },
    options.map(([value, words]) => h('option', { value }, words)),
  );
  return labelled(label, hint, input, id);
}

function labelled(label, hint, input, id) {
  const under = h('p', { id: `${id}-note`, class: 'field-note' }, hint);
  const no = h('p', { id: `${id}-no`, class: 'field-no', role: 'alert' });
  const element = h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    input,
    hint ? under : null,
    no,
  );
  attribute(input, 'aria-describedby', hint ? `${id}-no ${id}-note` : `${id}-no`);
  const clear = () => {
    say(no, '');
    attribute(input, 'aria-invalid', null);
  };
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
    refuse(words) {
      say(no, words);
      attribute(input, 'aria-invalid', 'true');
      input.focus();
    },
    clear,
    focus: () => input.focus(),
  };
}

export function reasonField(
  label = 'Reason',
  { missing = 'Say why first. The reason is kept in the record.', ...props } = {},
) {
  const made = field(label, { maxLength: 200, ...props });
  const need = () => {
    const reason = made.input.value.trim();
    if (reason) return reason;
    made.refuse(missing);
    return null;
  };
  return Object.assign(made, { need });
}

export function secondFields(who = 'Second person') {
  const person = field(`${who}: name`, { autocapitalize: 'off', spellcheck: false });
  const password = field(`${who}: password`, { type: 'password', autocomplete: 'new-password' });
  return {
    element: h('div', { class: 'field-pair' }, person.element, password.element),
    person,
    password,
    need() {
      if (!person.input.value.trim()) return person.refuse('Who is the second person?') ?? null;
      if (!password.input.value)
        return password.refuse('The second person types a password of their own.') ?? null;
      return { person: person.input.value.trim(), password: password.input.value };
    },
    clear() {
      password.value = '';
    },
  };
}

export function statusLine() {
  const element = h('p', { class: 'status', role: 'status', 'aria-live': 'polite' });
  const show = (kind, text) => {
    element.dataset.kind = kind;
    say(element, text);
  };
  return {
    element,
    good: (text) => show('good', text),
    no: (error) => show('no', typeof error === 'string' ? error : wordsOf(error)),
    clear: () => show('', ''),
  };
}

export function refused(text) {
  return h('p', { class: 'refused', role: 'alert' }, text instanceof Error ? wordsOf(text) : text);
}

export function sheet(title, ...children) {
  const id = newId();
  const body = h('div', { class: 'sheet-body' }, ...children);
  const shut = h('button', { type: 'button', class: 'sheet-close', 'aria-label': 'Close' }, '×');
  const element = h(
    'dialog',
    { class: 'sheet', 'aria-labelledby': id },
    h('header', { class: 'panel-head' }, h('h2', { id }, title), shut),
    body,
  );
  const before = document.activeElement;
  let value = null;
  const closed = new Promise((done) => {
    element.addEventListener('close', () => {
      element.remove();
      if (before?.isConnected) before.focus();
      done(value);
    });
  });
  const close = (given = null) => {
    value = given;
    element.close();
  };
  shut.addEventListener('click', () => close());
  document.body.append(element);
  element.showModal();
  return { element, body, closed, close };
}

/** @returns {Promise<string|true|null>} */
export function confirm({ title, words, act, grave = false, reason = false }) {
  const why = reason ? reasonField(reason === true ? 'Reason' : reason) : null;
  const go = button(act, null, { go: !grave, grave, type: 'submit' });
  const form = h(
    'form',
    { class: 'form', on: { submit: (event) => event.preventDefault() } },
    [words].flat().map((each) => h('p', { class: 'running' }, each)),
    why?.element,
    h(
      'div',
      { class: 'acts' },
      go,
      button('Leave it as it is', () => shown.close()),
    ),
  );
  const shown = sheet(title, form);
  form.addEventListener('submit', () => {
    const given = why ? why.need() : true;
    if (given) shown.close(given);
  });
  (why ?? { focus: () => go.focus() }).focus();
  return shown.closed;
}

export function table(columns, rows, { caption = '', none = 'Nothing here.' } = {}) {
  if (!rows.length) return h('p', { class: 'nothing' }, none);
  const side = (column) => (column.right ? 'right' : '');
  return h(
    'div',
    { class: 'table', role: 'region', 'aria-label': caption || 'Table', tabIndex: 0 },
    h(
      'table',
      {},
      caption && h('caption', { class: 'for-readers' }, caption),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          columns.map((column) => h('th', { scope: 'col', class: side(column) }, column.head)),
        ),
      ),
      h(
        'tbody',
        {},
        rows.map((row) =>
          h(
            'tr',
            {},
            columns.map((column) => h('td', { class: side(column) }, column.cell(row))),
          ),
        ),
      ),
    ),
  );
}

export function facts(pairs) {
  return h(
    'dl',
    { class: 'facts' },
    pairs.filter(Boolean).map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
  );
}

export function every(ms, act) {
  let timer = null;
  let stopped = false;
  const round = async () => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof No)) throw error;
    } finally {
      if (!stopped) timer = setTimeout(round, ms);
    }
  };
  timer = setTimeout(round, ms);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

export function soon(ms, act) {
  let timer = null;
  return () => {
    timer ??= setTimeout(() => {
      timer = null;
      act();
    }, ms);
  };
}

export function keyed(parent, items, keyOf, make) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  items.forEach((item, index) => {
    const key = String(keyOf(item));
    const child = old.get(key) ?? make(item);
    old.delete(key);
    child.dataset.key = key;
    if (parent.children[index] !== child)
      parent.insertBefore(child, parent.children[index] ?? null);
  });
  for (const child of old.values()) child.remove();
}

export { h, put, say, attribute };
