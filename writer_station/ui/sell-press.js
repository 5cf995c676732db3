// Applies keys and touches to the draft. Pure: `press` takes a draft and a key and returns the next
// draft and, for some keys, an act for the view (print, tender, replay, …). The station decides
// whether a draft can be sold; here a number need only be 1 to 80.

import { EMPTY, fields, groupAt, isEmpty, marked, parts } from './sell-draft.js';

/**
 * @import { Draft } from './sell-draft.js'
 * @typedef {'print' | 'refused' | 'quick' | 'tender' | 'replay' | 'clear' | 'same' | 'marked'} Act
 * @typedef {{draft: Draft, act?: Act}} Pressed
 * @typedef {{sellable?: boolean, faultAt?: string, marks?: string[]}} Known the station's response
 *   about exactly this draft
 * @typedef {'conditioning' | 'rate' | 'games' | 'quick'} TextField
 */

/** @type {readonly TextField[]} */
const TEXTS = ['conditioning', 'rate', 'games', 'quick'];
/** @type {Record<string, Act>} */
const LETTER_ACTS = { t: 'tender', r: 'replay', c: 'clear', s: 'same', m: 'marked' };
const GAMES_DIGITS = 4;

/** The draft's current field if it is a text field, else undefined. @param {Draft} draft */
function textAt(draft) {
  return TEXTS.find((name) => name === draft.at);
}

/**
 * The draft after a key, and the act of the view that the key asks for, if any.
 * @param {Draft} draft
 * @param {string} key as in KeyboardEvent.key
 * @param {Known} [known]
 * @returns {Pressed}
 */
export function press(draft, key, known = {}) {
  const clean = draft.fault ? { ...draft, fault: '' } : draft;
  const typed = typeText(clean, key, known);
  if (typed) return { draft: typed };
  if (/^\d$/.test(key)) return digit(clean, key);
  switch (key) {
    case 'Enter':
      return enter(clean, known);
    case ' ':
    case '.':
    case ',':
    case 'Decimal':
      return clean.digit ? commit(clean, clean.digit) : { draft: clean };
    case 'Backspace':
    case 'Delete':
      return { draft: backspace(clean) };
    case '/':
      return goTo(clean, 'conditioning');
    case '*':
      return goTo(clean, 'rate');
    case '+':
      return clean.at === 'games' ? { draft: stepGames(clean, 1) } : goTo(clean, 'games');
    case '-':
      return clean.at === 'games' ? { draft: stepGames(clean, -1) } : minus(clean);
    case 'ArrowLeft':
    case 'ArrowUp':
      return { draft: move(clean, -1) };
    case 'ArrowRight':
    case 'ArrowDown':
      return { draft: move(clean, 1) };
    case 'Escape':
      return escape(clean);
    default:
      return letter(clean, key.toLowerCase());
  }
}

/**
 * @param {Draft} draft
 * @param {string} key
 * @returns {Pressed}
 */
function letter(draft, key) {
  if (key === 'k') return { draft: king(settle(draft)) };
  if (key === 'q') return marked(draft) ? { draft, act: 'quick' } : { draft: quickPick(draft) };
  if (LETTER_ACTS[key]) return { draft, act: LETTER_ACTS[key] };
  return { draft };
}

// ---------------------------------------------------------------- numbers

/**
 * @param {Draft} draft
 * @param {string} key
 * @returns {Pressed}
 */
function digit(draft, key) {
  if (draft.quick !== null)
    return refuse(draft, 'A quick-pick has no numbers of its own. Press C to clear it.');
  const here =
    draft.at === 'ready' || groupAt(draft) >= 0 || draft.at === 'kings' ? draft : settle(draft);
  const place = here.at === 'ready' && here.mode !== 'minus' ? newGroup(here) : here;
  const text = place.digit + key;
  if (text === '9') return commit(place, '9');
  if (text.length === 1) return { draft: { ...place, digit: text } };
  const number = Number(text);
  if (number < 1 || number > 80)
    return refuse(place, `There is no ${text}: the numbers are 1 to 80.`);
  return commit(place, text);
}

/**
 * @param {Draft} draft
 * @param {string} text
 * @returns {Pressed}
 */
function commit(draft, text) {
  const number = Number(text);
  const next = { ...draft, digit: '' };
  if (number < 1) return { draft: next };
  if (next.mode === 'minus') return takeOff(next, number);
  if (next.mode === 'king' || next.at === 'kings') {
    const after = next.mode === 'king' && /^g/.test(next.back) ? next.back : 'kings';
    return { draft: { ...next, kings: [...next.kings, number], mode: '', at: after, back: '' } };
  }
  const index = Math.max(0, groupAt(next));
  return {
    draft: {
      ...next,
      groups: next.groups.map((group, i) => (i === index ? [...group, number] : group)),
    },
  };
}

/**
 * @param {Draft} draft
 * @param {number} number
 * @returns {Pressed}
 */
function takeOff(draft, number) {
  const at = draft.groups.findIndex((group) => group.includes(number));
  const without = remove({ ...draft, mode: '' }, number);
  if (without === null) return refuse({ ...draft, mode: '' }, `${number} is not on this ticket.`);
  return { draft: { ...without, at: at >= 0 ? `g${at}` : 'kings' } };
}

/**
 * @param {Draft} draft
 * @param {number} number
 * @returns {Draft | null}
 */
function remove(draft, number) {
  if (!draft.kings.includes(number) && !draft.groups.some((group) => group.includes(number)))
    return null;
  /** @param {number} other */
  const not = (other) => other !== number;
  return {
    ...draft,
    groups: draft.groups.map((group) => group.filter(not)),
    kings: draft.kings.filter(not),
  };
}

/**
 * The draft with a single pending digit added as number, and without a mode; done before every
 * change of field.
 * @param {Draft} draft
 * @returns {Draft}
 */
export function settle(draft) {
  const done = draft.digit && draft.digit !== '0' ? commit(draft, draft.digit).draft : draft;
  return { ...done, digit: '', mode: '' };
}

/**
 * The draft after a number was touched on the grid: removed if it is marked, else added.
 * @param {Draft} draft
 * @param {number} number
 * @returns {Draft}
 */
export function toggle(draft, number) {
  const base = { ...settle({ ...draft, digit: '' }), mode: draft.mode, fault: '' };
  if (base.quick !== null)
    return refuse(base, 'A quick-pick has no numbers of its own. Press C to clear it.').draft;
  const without = remove(base, number);
  if (without && base.mode !== 'king') return { ...without, mode: '' };
  const from = without ?? base;
  if (from.mode === 'king' || from.at === 'kings')
    return commit({ ...from, mode: 'king' }, String(number)).draft;
  if (groupAt(from) >= 0) return commit({ ...from, mode: '' }, String(number)).draft;
  const last = from.groups.length - 1;
  return commit({ ...from, at: `g${last}`, mode: '' }, String(number)).draft;
}

// ---------------------------------------------------------------- fields

/**
 * @param {Draft} draft
 * @param {Known} known
 * @returns {Pressed}
 */
function enter(draft, known) {
  if (draft.digit) return commit(draft, draft.digit);
  if (draft.mode) return { draft: { ...draft, mode: '', at: draft.back || draft.at, back: '' } };
  if (draft.at === 'ready') return { draft, act: 'print' };
  if (textAt(draft)) return enterText(draft, known);
  const index = groupAt(draft);
  if (index >= 0 && draft.groups[index].length) {
    if (index + 1 < draft.groups.length) return { draft: { ...draft, at: `g${index + 1}` } };
    return { draft: newGroup(draft) };
  }
  if (!marked(draft)) return refuse(draft, 'Type the numbers first.');
  if (parts(draft) > 1 && !draft.conditioning.trim()) return goTo(draft, 'conditioning');
  return { draft, act: 'print' };
}

/**
 * @param {Draft} draft
 * @param {Known} known
 * @returns {Pressed}
 */
function enterText(draft, known) {
  if (known.faultAt === draft.at) return { draft, act: 'refused' };
  if (draft.at === 'quick' && !draft.quick)
    return refuse(draft, 'How many spots? Type a number, 1 to 20.');
  if (draft.at === 'conditioning' && !draft.conditioning.trim() && parts(draft) > 1) {
    return refuse(draft, 'Which ways? For example 2/8 for both ways of eight spots.');
  }
  return { draft: { ...draft, at: 'ready', fresh: false } };
}

/**
 * @param {Draft} draft
 * @param {string} at
 * @returns {Pressed}
 */
function goTo(draft, at) {
  if (draft.quick !== null && at === 'conditioning')
    return refuse(draft, 'A quick-pick is a straight ticket: it has no conditioning.');
  return { draft: trim({ ...settle(draft), at, back: '', fresh: at !== 'conditioning' }) };
}

/**
 * The draft after moving to the field `at`, as by touch or Tab.
 * @param {Draft} draft
 * @param {string} at
 * @returns {Draft}
 */
export function visit(draft, at) {
  if (at === draft.at) return draft;
  const next = {
    ...settle(draft),
    at,
    back: '',
    fault: '',
    fresh: at === 'rate' || at === 'games' || at === 'quick',
  };
  return /^g/.test(at) ? next : trim(next);
}

/**
 * The draft without empty groups, unless the caret is in a group; at least one group stays.
 * @param {Draft} draft
 * @returns {Draft}
 */
function trim(draft) {
  const index = groupAt(draft);
  if (index >= 0) return draft;
  const groups = draft.groups.filter((group) => group.length);
  return { ...draft, groups: groups.length ? groups : [[]] };
}

/**
 * @param {Draft} draft
 * @param {number} step
 * @returns {Draft}
 */
function move(draft, step) {
  const all = fields(draft);
  const here = draft.at === 'ready' ? all.length : all.indexOf(draft.at);
  const to = here + step;
  if (to < 0) return draft;
  if (to >= all.length)
    return isEmpty(draft) ? draft : { ...trim({ ...settle(draft), at: 'ready' }), fresh: false };
  return visit(draft, all[to]);
}

/**
 * @param {Draft} draft
 * @returns {Draft}
 */
function backspace(draft) {
  if (draft.digit) return { ...draft, digit: '' };
  if (draft.mode) return { ...draft, mode: '', at: draft.back || draft.at, back: '' };
  const index = groupAt(draft);
  if (index >= 0 && draft.groups[index].length) {
    return {
      ...draft,
      groups: draft.groups.map((group, i) => (i === index ? group.slice(0, -1) : group)),
    };
  }
  if (index > 0)
    return { ...draft, groups: draft.groups.filter((_, i) => i !== index), at: `g${index - 1}` };
  if (draft.at === 'kings' && draft.kings.length)
    return { ...draft, kings: draft.kings.slice(0, -1) };
  if (draft.at === 'quick')
    return draft.quick
      ? { ...draft, quick: draft.quick.slice(0, -1) }
      : { ...draft, quick: null, at: 'g0' };
  const at = textAt(draft);
  const text = at && draft[at];
  if (at && text) return { ...draft, [at]: text.slice(0, -1), fresh: false };
  return index === 0 ? draft : move(draft, -1);
}

/**
 * @param {Draft} draft
 * @returns {Pressed}
 */
function escape(draft) {
  if (draft.digit || draft.mode) return { draft: backspace({ ...draft, digit: '' }) };
  if (draft.at === 'quick' && !draft.quick) return { draft: { ...draft, quick: null, at: 'g0' } };
  return { draft: isEmpty(draft) ? draft : trim({ ...draft, at: 'ready', fresh: false }) };
}

/**
 * @param {Draft} draft
 * @param {string} fault
 * @returns {Pressed}
 */
function refuse(draft, fault) {
  return { draft: { ...draft, fault }, act: 'refused' };
}

// ---------------------------------------------------------------- fields of text

/**
 * The draft after a key that is part of a field's text; null if the key means something else.
 * @param {Draft} draft
 * @param {string} key
 * @param {Known} known
 * @returns {Draft | null}
 */
function typeText(draft, key, known) {
  const at = textAt(draft);
  if (!at || key.length !== 1) return null;
  const was = draft.fresh ? '' : (draft[at] ?? '');
  if (at === 'games')
    return /\d/.test(key) && was.length < GAMES_DIGITS
      ? text(draft, (was + key).replace(/^0+(?=\d)/, ''))
      : null;
  if (at === 'quick')
    return /\d/.test(key) && was.length < 2 ? text(draft, (was + key).replace(/^0/, '')) : null;
  if (at === 'rate') {
    if (/[\d.]/.test(key)) return text(draft, was + key);
    return /[a-z]/i.test(key) ? text(draft, was + mark(key, known.marks)) : null;
  }
  if (/[\d/@,A-Za-z]/.test(key))
    return text(draft, was + (draft.groups.length <= 25 ? key.toUpperCase() : key));
  if (key === '.') return text(draft, was + (/@\d*$/.test(was) ? '.' : ' '));
  return key === ' ' ? text(draft, `${was} `) : null;
}

/**
 * @param {Draft} draft
 * @param {string} words
 * @returns {Draft}
 */
function text(draft, words) {
  return { ...draft, [draft.at]: words.replace(/^ +| +(?= )/g, '').slice(0, 400), fresh: false };
}

/**
 * The key as a rate's mark: a capital if that is one of the marks.
 * @param {string} key
 * @param {string[]} marks
 */
function mark(key, marks = []) {
  return marks.includes(key.toUpperCase()) ? key.toUpperCase() : key;
}

// ---------------------------------------------------------------- acts with a button too

/**
 * The draft with a new empty group after the last one, and moved into it.
 * @param {Draft} draft
 * @returns {Draft}
 */
export function newGroup(draft) {
  const groups = settle(draft).groups.filter((group) => group.length);
  return { ...settle(draft), groups: [...groups, []], at: `g${groups.length}`, fault: '' };
}

/**
 * The draft in the mode in which the next number becomes a king.
 * @param {Draft} draft
 * @returns {Draft}
 */
export function king(draft) {
  if (draft.quick !== null) return refuse(draft, 'A quick-pick has no king.').draft;
  return {
    ...draft,
    mode: 'king',
    back: draft.at === 'kings' ? draft.back : draft.at,
    at: 'kings',
    fault: '',
  };
}

/**
 * @param {Draft} draft
 * @returns {Pressed}
 */
function minus(draft) {
  if (!marked(draft)) return refuse(draft, 'There is no number to take off.');
  const at = textAt(draft) ? 'ready' : draft.at;
  return { draft: { ...settle(draft), at, mode: 'minus' } };
}

/**
 * A quick-pick draft of this many spots; without `spots` the number is typed next.
 * @param {Draft} draft
 * @param {number | ''} [spots]
 * @returns {Draft}
 */
export function quickPick(draft, spots = '') {
  return {
    ...EMPTY,
    rate: draft.rate,
    games: draft.games,
    quick: String(spots),
    at: spots ? 'ready' : 'quick',
    fresh: true,
  };
}

/**
 * The draft with `step` games added, at least one, in the field of games.
 * @param {Draft} draft
 * @param {number} step
 * @returns {Draft}
 */
export function stepGames(draft, step) {
  return {
    ...visit(draft, 'games'),
    games: String(Math.max(1, Number(draft.games || 1) + step)),
    fresh: true,
  };
}

/**
 * The draft with the text `words` in the field `at`, as a button of the tray sets it.
 * @param {Draft} draft
 * @param {TextField} at
 * @param {string} words
 * @returns {Draft}
 */
export function setText(draft, at, words) {
  return { ...visit(draft, at), [at]: words, fresh: true, fault: '' };
}

/**
 * The draft with one part of the conditioning added, or removed if it is there.
 * @param {Draft} draft
 * @param {string} words
 * @returns {Draft}
 */
export function toggleWays(draft, words) {
  const have = draft.conditioning.split(' ').filter(Boolean);
  const next = have.includes(words) ? have.filter((each) => each !== words) : [...have, words];
  return { ...visit(draft, 'conditioning'), conditioning: next.join(' '), fault: '' };
}
