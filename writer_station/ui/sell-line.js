// Draws the line: the fields of a draft in typing order, with the caret in one of them. Typed text
// appears at once, and the faults found by the station when its response arrives.

import { attribute, h, put, say } from '../../keno/pages/shared/dom.js';
import { drawShape, letterOf } from '../../keno/pages/shared/shapes.js';
import { fields } from './sell-draft.js';
import {
  faultsByField,
  numberLabel,
  originWords,
  roomy,
  seenTwice,
  shownText,
} from './sell-line-words.js';

/**
 * @import { Draft } from './sell-draft.js'
 * @import { Card, DraftAnswer } from './types.js'
 * @typedef {{box: HTMLElement, label: HTMLElement, value: HTMLElement, shape: string}} Slot
 * @typedef {Map<string, string>} Faults words by field
 */

/** @type {Record<string, string>} */
const LABELS = { conditioning: 'Conditioning', rate: 'Rate', games: 'Games', quick: 'Quick-pick' };

/** Names of the fields that are at the left of the line. */
const MARKS = /^(g\d|kings|quick|minus)/;

/** Minimum left padding, in px, of the reason under the line. */
const INDENT = 26;

/** @param {(field: string) => void} visit called when a field is touched or tabbed to */
export function createLine(visit) {
  /** @type {Map<string, Slot>} */
  const slots = new Map();
  const parts = lineParts();
  const { element, marks, rest, origin, why } = parts;
  let width = 0;
  new ResizeObserver(([entry]) => (width = entry.borderBoxSize[0].inlineSize)).observe(element);

  /** @param {string} name */
  function slotOf(name) {
    const known = slots.get(name);
    if (known) return known;
    const made = newSlot(name);
    made.box.addEventListener('focus', () => visit(name));
    slots.set(name, made);
    return made;
  }

  /**
   * @param {Draft} draft
   * @param {DraftAnswer | null} answer
   * @param {{card: Card | null | undefined, note: string}} context
   */
  function render(draft, answer, { card, note }) {
    const faults = faultsByField(draft, answer);
    /** @type {[string, HTMLElement][]} */
    const boxes = fields(draft).map((name) => {
      const slot = slotOf(name);
      paintSlot(slot, name, draft, faults, card);
      return [name, slot.box];
    });
    if (draft.mode === 'minus') boxes.unshift(['minus', minusBox(draft)]);
    const boxesOf = (/** @type {boolean} */ left) =>
      boxes.filter(([name]) => MARKS.test(name) === left).map(([, box]) => box);
    place(marks, boxesOf(true));
    place(rest, boxesOf(false));
    say(origin, originWords(draft));
    const at = faults.has(draft.at) ? draft.at : [...faults.keys()][0];
    element.classList.toggle('has-why', Boolean(at || note));
    why.dataset.kind = at ? 'no' : 'look';
    if (!at) why.style.paddingLeft = `${INDENT}px`;
    say(why, at ? faults.get(at) : note);
    fit(parts, roomy(draft, width));
    if (at) align(parts, slots.get(at)?.box);
    const here = slots.get(draft.at)?.box;
    if (element.dataset.fit === 'dense' && here && marks.contains(here))
      here.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  return {
    element,
    render,
    /** @param {string} name */
    focus(name) {
      const box = slots.get(name)?.box;
      if (box?.isConnected && document.activeElement !== box) box.focus({ preventScroll: true });
    },
  };
}

/** @typedef {ReturnType<typeof lineParts>} LineParts */

function lineParts() {
  const marks = h('div', { class: 'line-marks' });
  const rest = h('div', { class: 'line-rest' });
  const origin = h('div', { class: 'value' });
  const from = h('div', { class: 'slot slot-from' }, h('div', { class: 'label' }, 'From'), origin);
  const why = h('p', { class: 'line-why', id: 'line-why', role: 'status' });
  const element = h(
    'section',
    { class: 'panel line', 'aria-label': 'The ticket being typed' },
    h('div', { class: 'line-fields' }, marks, rest, from),
    why,
  );
  return { element, marks, rest, origin, why };
}

/**
 * Reduce the line until it fits: first smaller type, then two rows; then it scrolls.
 * @param {LineParts} parts
 * @param {boolean} fits whether it surely fits at its full size
 */
function fit({ element, marks }, fits) {
  if (fits) {
    if (element.dataset.fit !== '') element.dataset.fit = '';
    return;
  }
  for (const step of ['', 'tight', 'tighter', 'dense']) {
    element.dataset.fit = step;
    if (marks.scrollWidth <= marks.clientWidth + 1) return;
  }
}

/**
 * Move the reason under the field that it is about.
 * @param {LineParts} parts
 * @param {HTMLElement | undefined} box
 */
function align({ element, why }, box) {
  if (!box) return;
  const left = box.getBoundingClientRect().left - element.getBoundingClientRect().left + 16;
  const room = element.clientWidth - (why.textContent ?? '').length * 7.4 - 24;
  why.style.paddingLeft = `${Math.max(INDENT, Math.min(left, room))}px`;
}

/**
 * @param {string} name
 * @returns {Slot}
 */
function newSlot(name) {
  const label = h('div', { class: 'label' });
  const value = h('div', { class: 'value' });
  const props = { class: 'slot', role: 'textbox', tabIndex: 0, data: { field: name } };
  return { box: h('div', props, label, value), label, value, shape: '' };
}

/**
 * @param {Slot} slot
 * @param {string} name
 * @param {Draft} draft
 * @param {Faults} faults
 * @param {Card | null | undefined} card
 */
function paintSlot(slot, name, draft, faults, card) {
  const { box } = slot;
  box.classList.toggle('is-here', draft.at === name);
  box.classList.toggle('is-wrong', faults.has(name));
  attribute(box, 'aria-invalid', faults.has(name) ? 'true' : null);
  attribute(box, 'aria-describedby', faults.has(name) ? 'line-why' : null);
  if (/^(g\d+|kings)$/.test(name)) paintNumbers(slot, name, draft, faults.has(name));
  else paintText(slot, name, draft, shownText(draft, name, card));
}

/**
 * @param {Slot} slot
 * @param {string} name a group (g0, g1, …) or kings
 * @param {Draft} draft
 * @param {boolean} wrong
 */
function paintNumbers(slot, name, draft, wrong) {
  const kings = name === 'kings';
  const index = Number(name.slice(1));
  const here = draft.at === name;
  const numbers = kings ? draft.kings : draft.groups[index];
  const letter = kings ? 'K' : letterOf(index);
  const words = numberLabel(draft, name, numbers);
  if (slot.shape !== letter + words) {
    slot.shape = letter + words;
    const shape = drawShape(letter, { text: kings ? '' : letter, size: 20, type: 64 });
    put(slot.label, shape, h('span', {}, words));
  }
  const twice = seenTwice(draft);
  const typing = here && draft.mode !== 'minus';
  put(
    slot.value,
    numbers.map((number) => {
      const bad = wrong && (twice.has(number) || number < 1 || number > 80);
      return h('span', { class: bad ? 'number-bad' : '' }, number);
    }),
    typing && draft.digit && h('span', { class: 'number-begun' }, draft.digit),
    typing && caret(),
  );
  const begun = here && draft.digit ? `, ${draft.digit} begun` : '';
  const said = `${words}: ${numbers.join(' ') || 'empty'}${begun}`;
  attribute(slot.box, 'aria-label', `${kings ? 'Kings' : `Group ${letter}`}, ${said}`);
}

/**
 * @param {Slot} slot
 * @param {string} name
 * @param {Draft} draft
 * @param {string} text
 */
function paintText({ box, label, value }, name, draft, text) {
  const here = draft.at === name;
  const { conditioning, rate, games, quick } = draft;
  const typed = new Map(Object.entries({ conditioning, rate, games, quick })).get(name);
  say(label, LABELS[name]);
  value.classList.toggle('is-default', !typed && !here);
  value.classList.toggle('is-fresh', here && draft.fresh && text !== '');
  put(value, h('span', { class: 'value-text' }, text), here && caret());
  attribute(box, 'aria-label', `${LABELS[name]}: ${text || 'empty'}`);
}

/** @param {Draft} draft */
function minusBox(draft) {
  return h(
    'div',
    { class: 'slot is-here slot-minus' },
    h('div', { class: 'label' }, 'Take off'),
    h('div', { class: 'value' }, '−', draft.digit, caret()),
  );
}

function caret() {
  return h('i', { class: 'caret', 'aria-hidden': 'true' });
}

/**
 * Make `children` the children of an element without moving those in place, so that focus stays.
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} children
 */
function place(parent, children) {
  for (const child of [...parent.children])
    if (!children.some((one) => one === child)) child.remove();
  children.forEach((child, index) => {
    if (parent.children[index] !== child)
      parent.insertBefore(child, parent.children[index] ?? null);
  });
}
