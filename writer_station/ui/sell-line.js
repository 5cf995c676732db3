// The line: the fields of a ticket in typing order, with the caret in one of them. It shows what was
// typed at once; what the station says of it (faults) is added when it comes.

import { attribute, h, put, say } from '../../keno/pages/shared/dom.js';
import { count, money, ticketNumber } from '../../keno/pages/shared/format.js';
import { drawShape, letterOf } from '../../keno/pages/shared/shapes.js';
import { fieldOf, fields, groupAt } from './sell-draft.js';

const LABELS = { conditioning: 'Conditioning', rate: 'Rate', games: 'Games', quick: 'Quick-pick' };

/** Where a ticket comes from, in words. */
export function originWords(draft) {
  if (draft.live) return `Rewrites ${ticketNumber(draft.live.ticket)}`;
  const { kind, ticket } = draft.origin;
  if (kind === 'previous') return `Ticket ${ticketNumber(ticket)}`;
  if (kind === 'digital') return 'Patron’s phone';
  return draft.quick === null ? 'Paper request' : 'Quick-pick';
}

/** The text of a field as it is shown; amounts are written out once the caret is elsewhere. */
export function shownText(draft, field, answer, card) {
  const here = draft.at === field;
  if (field === 'rate') {
    if (here && (draft.rate || !draft.fresh)) return draft.rate;
    if (!draft.rate && card) return defaultRate(card);
    return /^\d+$/.test(draft.rate)
      ? money(Number(draft.rate) * 100)
      : /^\d*\.\d\d/.test(draft.rate)
        ? `$${draft.rate}`
        : draft.rate;
  }
  if (field === 'games') return draft.games || (here && !draft.fresh ? '' : '1');
  if (field === 'quick')
    return draft.quick ? `${draft.quick} ${draft.quick === '1' ? 'spot' : 'spots'}` : '';
  return draft[field];
}

function defaultRate(card) {
  const rate = card.rates.find((each) => each.code === card.default_rate);
  return rate ? money(rate.shown_cents) : '';
}

/** Every fault of a draft by field: the page's own first. */
export function faultsByField(draft, answer) {
  const found = new Map();
  if (draft.fault) found.set(draft.at, draft.fault);
  for (const fault of answer?.faults ?? []) {
    const field = fieldOf(draft, fault.where) || lastTyped(draft);
    if (!found.has(field)) found.set(field, fault.message);
  }
  return found;
}

function lastTyped(draft) {
  return draft.at === 'ready' ? (draft.conditioning ? 'conditioning' : 'g0') : draft.at;
}

/** @param {(field: string) => void} visit called when a field is touched or tabbed to */
export function createLine(visit) {
  const made = new Map();
  const marks = h('div', { class: 'line-marks' });
  const rest = h('div', { class: 'line-rest' });
  const from = h(
    'div',
    { class: 'slot slot-from' },
    h('div', { class: 'label' }, 'From'),
    h('div', { class: 'value' }),
  );
  const why = h('p', { class: 'line-why', id: 'line-why', role: 'status' });
  const element = h(
    'section',
    { class: 'panel line', 'aria-label': 'The ticket being typed' },
    h('div', { class: 'line-fields' }, marks, rest, from),
    why,
  );

  let width = 0;
  new ResizeObserver(([entry]) => (width = entry.borderBoxSize[0].inlineSize)).observe(element);

  function fieldElement(name) {
    if (made.has(name)) return made.get(name);
    const label = h('div', { class: 'label' });
    const value = h('div', { class: 'value' });
    const box = h(
      'div',
      { class: 'slot', role: 'textbox', tabIndex: 0, data: { field: name } },
      label,
      value,
    );
    box.addEventListener('focus', () => visit(name));
    const entry = { box, label, value, shape: '' };
    made.set(name, entry);
    return entry;
  }

  function paintNumbers(entry, draft, numbers, here, bad) {
    const text = numbers.map((number) =>
      h('span', { class: bad(number) ? 'number-bad' : '' }, number),
    );
    const begun = here && draft.mode !== 'minus' ? draft.digit : '';
    put(
      entry.value,
      text,
      begun && h('span', { class: 'number-begun' }, begun),
      here && draft.mode !== 'minus' && caret(),
    );
  }

  function paintField(name, draft, answer, card, faults) {
    const entry = fieldElement(name);
    const here = draft.at === name;
    const index = /^g/.test(name) ? Number(name.slice(1)) : -1;
    const { box, label, value } = entry;
    box.classList.toggle('is-here', here);
    box.classList.toggle('is-wrong', faults.has(name));
    attribute(box, 'aria-invalid', faults.has(name) ? 'true' : null);
    attribute(box, 'aria-describedby', faults.has(name) ? 'line-why' : null);
    const seen = seenTwice(draft);
    if (index >= 0 || name === 'kings') {
      const numbers = index >= 0 ? draft.groups[index] : draft.kings;
      const letter = index >= 0 ? letterOf(index) : 'K';
      const words = numberLabel(draft, name, numbers);
      if (entry.shape !== letter + words) {
        entry.shape = letter + words;
        put(
          label,
          drawShape(letter, { text: index >= 0 ? letter : '', size: 20, type: 64 }),
          h('span', {}, words),
        );
      }
      paintNumbers(
        entry,
        draft,
        numbers,
        here,
        (number) => faults.has(name) && (seen.has(number) || number < 1 || number > 80),
      );
      attribute(
        box,
        'aria-label',
        `${index >= 0 ? `Group ${letter}` : 'Kings'}, ${words}: ${numbers.join(' ') || 'empty'}${here && draft.digit ? `, ${draft.digit} begun` : ''}`,
      );
      return box;
    }
    say(label, LABELS[name]);
    const text = shownText(draft, name, answer, card);
    const typed = Boolean(draft[name]);
    value.classList.toggle('is-default', !typed && !here);
    value.classList.toggle('is-fresh', here && draft.fresh && text !== '');
    put(value, h('span', { class: 'value-text' }, text), here && caret());
    attribute(box, 'aria-label', `${LABELS[name]}: ${text || 'empty'}`);
    return box;
  }

  function render(draft, answer, { card, note = '' } = {}) {
    const faults = faultsByField(draft, answer);
    const boxes = fields(draft).map((name) => [
      name,
      paintField(name, draft, answer, card, faults),
    ]);
    if (draft.mode === 'minus') boxes.unshift(['minus', minusBox(draft)]);
    place(
      marks,
      boxes.filter(([name]) => /^(g\d|kings|quick|minus)/.test(name)).map(([, box]) => box),
    );
    place(
      rest,
      boxes.filter(([name]) => !/^(g\d|kings|quick|minus)/.test(name)).map(([, box]) => box),
    );
    say(from.lastChild, originWords(draft));
    const at = faults.has(draft.at) ? draft.at : [...faults.keys()][0];
    element.classList.toggle('has-why', Boolean(at || note));
    why.dataset.kind = at ? 'no' : 'look';
    if (!at) why.style.paddingLeft = '26px';
    say(why, at ? faults.get(at) : note);
    fit(draft);
    if (at) align(made.get(at)?.box);
    const here = made.get(draft.at)?.box;
    if (element.dataset.fit === 'dense' && marks.contains(here))
      here.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  // Smaller steps until everything fits: first the type, then two rows, then it scrolls.
  function fit(draft) {
    if (roomy(draft, width)) {
      if (element.dataset.fit !== '') element.dataset.fit = '';
      return;
    }
    for (const step of ['', 'tight', 'tighter', 'dense']) {
      element.dataset.fit = step;
      if (marks.scrollWidth <= marks.clientWidth + 1) return;
    }
  }

  function align(box) {
    if (!box) return;
    const left = box.getBoundingClientRect().left - element.getBoundingClientRect().left + 16;
    const room = element.clientWidth - why.firstChild?.length * 7.4 - 24;
    why.style.paddingLeft = `${Math.max(26, Math.min(left, room))}px`;
  }

  return {
    element,
    render,
    focus(name) {
      const box = made.get(name)?.box;
      if (box?.isConnected && document.activeElement !== box) box.focus({ preventScroll: true });
    },
  };
}

/** Whether the line surely fits at its full size, so that nothing has to be measured. */
export function roomy(draft, width) {
  const figures = draft.groups.flat().length + draft.kings.length + 1;
  const fieldsWide = draft.groups.length * 100 + (draft.kings.length ? 100 : 0);
  return (
    figures * 52 + fieldsWide + draft.conditioning.length * 22 + draft.rate.length * 22 + 520 <
    width
  );
}

function minusBox(draft) {
  return h(
    'div',
    { class: 'slot is-here slot-minus' },
    h('div', { class: 'label' }, 'Take off'),
    h('div', { class: 'value' }, '−', draft.digit, caret()),
  );
}

function numberLabel(draft, name, numbers) {
  if (name === 'kings') return numbers.length > 1 ? 'Kings' : 'King';
  if (numbers.length) return count(numbers.length, 'spot');
  return groupAt(draft) === Number(name.slice(1)) && draft.groups.length > 1 ? 'or ↵' : 'Numbers';
}

function seenTwice(draft) {
  const all = [...draft.groups.flat(), ...draft.kings];
  return new Set(all.filter((number, index) => all.indexOf(number) !== index));
}

function caret() {
  return h('i', { class: 'caret', 'aria-hidden': 'true' });
}

/** Put children in order without touching those that are in place, so that focus stays. */
function place(parent, children) {
  for (const child of [...parent.children]) if (!children.includes(child)) child.remove();
  children.forEach((child, index) => {
    if (parent.children[index] !== child)
      parent.insertBefore(child, parent.children[index] ?? null);
  });
}
