// The parts that every tab is built of. Nothing here sends requests to the server.
//   panel(title, {aside, class}, ...children)  a section with its heading
//   button(words, act, {go, grave, type})      a button; busy while `act` works
//   busy(button, act)                          the same for a button of one's own
//   form(props, act, ...children)              a form whose submit button is busy while `act` works
//   field(label, props), choice(label, options, props)   fields of shared/field.js
//   reasonField(label)                         a field whose `need()` is the reason, or null
//   secondFields(who)                          name and password of a second person
//   statusLine()                               a line with the outcome of an action
//   refused(error or words)                    a sentence of refusal that is read out
//   sheet(title, children)                     a dialog over the page
//   formSheet(title, parts, act, run, grave)   a form in such a dialog
//   confirm({title, words, act, grave})        a question before something is done
//   table(columns, rows, {caption, none})      a table that scrolls by itself
//   facts([[name, value], …])                  a list of names and values
//   every(ms, act), soon(ms, act)              timers
//   keyedList(parent, keyOf, make)             a list whose elements are kept while their keys stay

import { Refused } from '../shared/ask.js';
import { h, say } from '../shared/dom.js';
import * as shared from '../shared/field.js';
import { openSheet } from '../shared/sheet.js';
import { words as wordsOf } from './ask.js';

/** @import { Child, Props } from '../shared/types.js' */
/** @import { Around } from '../shared/field.js' */

/**
 * @typedef {() => unknown} Act may be asynchronous
 * @typedef {{element: HTMLElement, good: (words: string) => void, no: (error: unknown) => void,
 *   clear: () => void}} StatusLine
 */

/**
 * @param {string} title
 * @param {{aside?: Child, class?: string}} [how]
 * @param {...Child} children
 */
export function panel(title, { aside = null, class: kind = '' } = {}, ...children) {
  const id = shared.newId();
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

/**
 * @param {string} words
 * @param {Act | null} act
 * @param {{go?: boolean, grave?: boolean, type?: string}} [how]
 */
export function button(words, act, { go = false, grave = false, type = 'button' } = {}) {
  const made = h(
    'button',
    { type, class: `button${go ? ' button-go' : ''}${grave ? ' button-grave' : ''}` },
    words,
  );
  if (act) made.addEventListener('click', () => busy(made, act));
  return made;
}

/**
 * Run the action of a button; until it is done the button is marked as busy and does nothing.
 * @param {HTMLElement} made
 * @param {Act} act
 */
export async function busy(made, act) {
  if (made.getAttribute('aria-busy') === 'true') return;
  made.setAttribute('aria-busy', 'true');
  try {
    await act();
  } finally {
    made.removeAttribute('aria-busy');
  }
}

/**
 * @param {Props} props
 * @param {Act} act runs when the form is submitted
 * @param {...Child} children one of them is or has the submit button
 */
export function form(props, act, ...children) {
  const made = h('form', { class: 'form', ...props }, ...children);
  made.addEventListener('submit', (event) => {
    event.preventDefault();
    busy(event.submitter ?? made, act);
  });
  return made;
}

/**
 * @param {string} label
 * @param {Around & Props & {rows?: number}} [props]
 */
export function field(label, props) {
  return shared.field(label, { class: 'input', ...props });
}

/**
 * @param {string} label
 * @param {readonly (readonly [value: string, words: string])[]} options
 */
export function choice(label, options) {
  return shared.choice(label, options, { class: 'input' });
}

/**
 * @param {string} label
 * @param {{missing?: string}} [how] `missing` is said if there is no reason
 */
export function reasonField(
  label,
  { missing = 'Say why first. The reason is kept in the record.' } = {},
) {
  const made = field(label, { maxLength: 200 });
  /** The typed reason; null after marking the field if there is none. */
  const need = () => {
    const reason = made.typed();
    if (reason) return reason;
    made.refuse(missing);
    return null;
  };
  return Object.assign(made, { need });
}

/** Create the fields for name and password of a second person. @param {string} who */
export function secondFields(who) {
  const person = field(`${who}: name`, { autocapitalize: 'off', spellcheck: false });
  const password = field(`${who}: password`, { type: 'password', autocomplete: 'new-password' });
  const both = shared.secondPerson({
    person,
    password,
    missing: {
      person: 'Who is the second person?',
      password: 'The second person types a password of their own.',
    },
  });
  return {
    element: h('div', { class: 'field-pair' }, person.element, password.element),
    /** Name and password as typed; null after marking the first empty field. */
    need: () => (both.complete() ? both.read() : null),
    clear: () => both.wipe(),
  };
}

/** @returns {StatusLine} */
export function statusLine() {
  const element = h('p', { class: 'status', role: 'status', 'aria-live': 'polite' });
  /** @param {string} kind @param {string} text */
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

/** @param {unknown} error an error, or words */
export function refused(error) {
  const words = typeof error === 'string' ? error : wordsOf(error);
  return h('p', { class: 'refused', role: 'alert' }, words);
}

/**
 * @template Value
 * @param {string} title
 * @param {Child} children
 * @param {{mustAnswer?: boolean}} [how] `mustAnswer`: only `close` closes it
 * @returns {import('../shared/sheet.js').Sheet<Value>}
 */
export function sheet(title, children, { mustAnswer = false } = {}) {
  const id = shared.newId();
  const closer = h('button', { type: 'button', class: 'sheet-close', 'aria-label': 'Close' }, '×');
  return openSheet({
    class: 'sheet',
    labelledBy: id,
    children: [
      h('header', { class: 'panel-head' }, h('h2', { id }, title), !mustAnswer && closer),
      h('div', { class: 'sheet-body' }, children),
    ],
    closer,
    mustAnswer,
  });
}

/**
 * Ask the person to confirm something; returns whether they did.
 * @param {{title: string, words: string[], act: string, grave: boolean}} about
 */
export async function confirm({ title, words, act, grave }) {
  const go = button(act, null, { go: !grave, grave, type: 'submit' });
  const made = form(
    {},
    () => shown.close(true),
    words.map((each) => h('p', { class: 'running' }, each)),
    h(
      'div',
      { class: 'acts' },
      go,
      button('Leave it as it is', () => shown.close(false)),
    ),
  );
  /** @type {import('../shared/sheet.js').Sheet<boolean>} */
  const shown = sheet(title, made);
  go.focus();
  return (await shown.closed) === true;
}

/**
 * @template Row
 * @param {{head: string, right?: boolean, cell: (row: Row) => Child}[]} columns
 * @param {readonly Row[]} rows
 * @param {{caption: string, none: string}} words `none` is said if there are no rows
 */
export function table(columns, rows, { caption, none }) {
  if (!rows.length) return h('p', { class: 'nothing' }, none);
  /** @param {{right?: boolean}} column */
  const side = (column) => (column.right ? 'right' : '');
  const heads = columns.map((column) =>
    h('th', { scope: 'col', class: side(column) }, column.head),
  );
  /** @param {Row} row */
  const cells = (row) =>
    columns.map((column) => h('td', { class: side(column) }, column.cell(row)));
  return h(
    'div',
    { class: 'table', role: 'region', 'aria-label': caption, tabIndex: 0 },
    h(
      'table',
      {},
      h('caption', { class: 'for-readers' }, caption),
      h('thead', {}, h('tr', {}, heads)),
      h(
        'tbody',
        {},
        rows.map((row) => h('tr', {}, cells(row))),
      ),
    ),
  );
}

/** @typedef {[name: string, value: Child]} Fact */

/** @param {(Fact | false | null | undefined | 0 | '')[]} pairs what is false is left out */
export function facts(pairs) {
  return h(
    'dl',
    { class: 'facts' },
    pairs.map((pair) => pair && [h('dt', {}, pair[0]), h('dd', {}, pair[1])]),
  );
}

/**
 * Call `act` repeatedly, one call at a time; returns the function that stops it. Refusals are
 * ignored.
 * @param {number} ms between the end of a call and the next
 * @param {Act} act
 */
export function every(ms, act) {
  let stopped = false;
  const round = async () => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    } finally {
      if (!stopped) timer = setTimeout(round, ms);
    }
  };
  let timer = setTimeout(round, ms);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/**
 * A function that calls `act` once, `ms` after the first call.
 * @param {number} ms
 * @param {Act} act
 */
export function soon(ms, act) {
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    setTimeout(() => {
      waits = false;
      act();
    }, ms);
  };
}

/**
 * Returns the function that paints items into an element; the element of an item is kept while its
 * key stays, and with it the focus.
 * @template Item
 * @param {HTMLElement} parent
 * @param {(item: Item) => string | number} keyOf
 * @param {(item: Item) => {element: HTMLElement, paint: (item: Item) => void}} make
 * @returns {(items: readonly Item[]) => void}
 */
export function keyedList(parent, keyOf, make) {
  /** @type {Map<string | number, ReturnType<typeof make>>} */
  let old = new Map();
  return (items) => {
    /** @type {typeof old} */
    const now = new Map();
    items.forEach((item, index) => {
      const key = keyOf(item);
      const part = (now.has(key) ? null : old.get(key)) ?? make(item);
      now.set(key, part);
      if (parent.children[index] !== part.element)
        parent.insertBefore(part.element, parent.children[index] ?? null);
      part.paint(item);
    });
    while (parent.children.length > items.length) parent.lastElementChild?.remove();
    old = now;
  };
}

/**
 * Open a dialog with a form, which closes once `run` returns true.
 * @param {string} title
 * @param {HTMLElement[]} parts
 * @param {string} act the words of the button
 * @param {() => Promise<unknown>} run
 * @param {boolean} [grave] the act is marked as grave
 */
export function formSheet(title, parts, act, run, grave = false) {
  const status = statusLine();
  const go = button(act, null, { go: !grave, grave, type: 'submit' });
  const attempt = async () => {
    status.clear();
    try {
      if (await run()) shown.close();
    } catch (error) {
      status.no(error);
    }
  };
  const made = form(
    {},
    attempt,
    parts,
    status.element,
    h(
      'div',
      { class: 'acts' },
      go,
      button('Leave it as it is', () => shown.close()),
    ),
  );
  const shown = sheet(title, made);
  return go;
}
