// The ticket being typed, and what each key does to it. Pure: `press` takes a draft and a key and
// gives the next draft and, sometimes, an act for the view (print, tender, replay, clear, same, …).
// What is lawful is decided by the station; here a number is only 1 to 80.
//
// A draft is in one field at a time (`at`): g0, g1, … (groups), kings, conditioning, rate, games,
// quick (how many spots to pick) or ready (nothing more to type). `digit` is the first digit of a
// number, `mode` what the next number is for: '' the field, 'king', or 'minus' (off the ticket).

/**
 * @typedef {object} Draft
 * @property {number[][]} groups @property {number[]} kings
 * @property {string} conditioning @property {string} rate @property {string} games
 * @property {string|null} quick @property {object} origin
 * @property {{ticket: number, code: string}|null} live a live ticket that this one replaces
 * @property {string} at @property {string} back @property {string} digit
 * @property {''|'king'|'minus'} mode @property {boolean} fresh typing replaces the field's text
 * @property {string} fault why the last key was refused
 *
 * @typedef {{sellable?: boolean, faultAt?: string, marks?: string[]}} Known what the station said
 *   of exactly this draft
 */

/** @type {Readonly<Draft>} */
export const EMPTY = Object.freeze({
  groups: [[]],
  kings: [],
  conditioning: '',
  rate: '',
  games: '',
  quick: null,
  origin: Object.freeze({ kind: 'paper' }),
  live: null,
  at: 'g0',
  back: '',
  digit: '',
  mode: '',
  fresh: false,
  fault: '',
});

const TEXTS = new Set(['conditioning', 'rate', 'games', 'quick']);
const LETTER_ACTS = { t: 'tender', r: 'replay', c: 'clear', s: 'same', m: 'marked' };
const GAMES_DIGITS = 4;

/** The index of the group the draft is in, or -1. */
export function groupAt(draft) {
  return /^g\d+$/.test(draft.at) ? Number(draft.at.slice(1)) : -1;
}

/** How many numbers are marked. */
export function marked(draft) {
  return draft.groups.reduce((sum, group) => sum + group.length, draft.kings.length);
}

/** Whether nothing is typed that would be missed. */
export function isEmpty(draft) {
  return (
    marked(draft) === 0 &&
    !draft.digit &&
    !draft.conditioning &&
    !draft.rate &&
    !draft.games &&
    !draft.quick
  );
}

/** How many groups and kings have to be conditioned. */
function parts(draft) {
  return draft.groups.filter((group) => group.length).length + draft.kings.length;
}

/** The fields in typing order. */
export function fields(draft) {
  const marks =
    draft.quick === null ? [...draft.groups.keys()].map((index) => `g${index}`) : ['quick'];
  if (draft.quick === null && (draft.kings.length || draft.at === 'kings')) marks.push('kings');
  return [...marks, ...(draft.quick === null ? ['conditioning'] : []), 'rate', 'games'];
}

/** The draft as the station reads it; `number` counts drafts. */
export function toWire(draft, number) {
  const spots = draft.quick === null || draft.quick === '' ? null : Number(draft.quick);
  return {
    number,
    groups: spots === null ? draft.groups.filter((group) => group.length) : [],
    kings: spots === null ? draft.kings : [],
    conditioning: spots === null ? draft.conditioning.trim() : '',
    rate: draft.rate,
    games: draft.games,
    quick_pick: spots,
    origin: draft.origin,
  };
}

/** The field a place in the station's words is in: groups[1] is the second group with numbers. */
export function fieldOf(draft, where) {
  const group = /^groups\[(\d+)\]/.exec(where);
  if (group) {
    const full = [...draft.groups.keys()].filter((index) => draft.groups[index].length);
    return `g${full[Number(group[1])] ?? 0}`;
  }
  if (where.startsWith('groups')) return 'g0';
  if (where.startsWith('kings')) return 'kings';
  if (where.startsWith('conditioning') || where.startsWith('lines')) return 'conditioning';
  if (where === 'quick_pick') return 'quick';
  return ['rate', 'games'].includes(where) ? where : '';
}

/** A ticket or request the station found, as a draft to be changed or sold. */
export function fromWire(wire, live = null) {
  const groups = wire.groups?.length ? wire.groups.map((group) => [...group]) : [[]];
  const quick =
    wire.quick_pick === null || wire.quick_pick === undefined ? null : String(wire.quick_pick);
  return {
    ...EMPTY,
    groups,
    kings: [...(wire.kings ?? [])],
    conditioning: wire.conditioning ?? '',
    rate: wire.rate ?? '',
    games: wire.games ?? '',
    quick,
    origin: wire.origin ?? EMPTY.origin,
    live,
    at: 'ready',
  };
}

/**
 * What a key does.
 * @param {Draft} draft @param {string} key as in KeyboardEvent.key @param {Known} [known]
 * @returns {{draft: Draft, act?: string}}
 */
export function press(draft, key, known = {}) {
  const clean = draft.fault ? { ...draft, fault: '' } : draft;
  const typed = TEXTS.has(clean.at) && typeText(clean, key, known);
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

function letter(draft, key) {
  if (key === 'k') return { draft: king(settle(draft)) };
  if (key === 'q') return marked(draft) ? { draft, act: 'quick' } : { draft: quickPick(draft) };
  if (LETTER_ACTS[key]) return { draft, act: LETTER_ACTS[key] };
  return { draft };
}

// ---------------------------------------------------------------- numbers

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

function takeOff(draft, number) {
  const at = draft.groups.findIndex((group) => group.includes(number));
  const without = remove({ ...draft, mode: '' }, number);
  if (without === null) return refuse({ ...draft, mode: '' }, `${number} is not on this ticket.`);
  return { draft: { ...without, at: at >= 0 ? `g${at}` : 'kings' } };
}

function remove(draft, number) {
  if (!draft.kings.includes(number) && !draft.groups.some((group) => group.includes(number)))
    return null;
  const not = (other) => other !== number;
  return {
    ...draft,
    groups: draft.groups.map((group) => group.filter(not)),
    kings: draft.kings.filter(not),
  };
}

/** Commit a digit that stands alone, and leave the modes: what every change of field does first. */
export function settle(draft) {
  const done = draft.digit && draft.digit !== '0' ? commit(draft, draft.digit).draft : draft;
  return { ...done, digit: '', mode: '' };
}

/** A number touched on the grid: off the ticket if it is on it, else into the field. */
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

function enter(draft, known) {
  if (draft.digit) return commit(draft, draft.digit);
  if (draft.mode) return { draft: { ...draft, mode: '', at: draft.back || draft.at, back: '' } };
  if (draft.at === 'ready') return { draft, act: 'print' };
  if (TEXTS.has(draft.at)) return enterText(draft, known);
  const index = groupAt(draft);
  if (index >= 0 && draft.groups[index].length) {
    if (index + 1 < draft.groups.length) return { draft: { ...draft, at: `g${index + 1}` } };
    return { draft: newGroup(draft) };
  }
  if (!marked(draft)) return refuse(draft, 'Type the numbers first.');
  if (parts(draft) > 1 && !draft.conditioning.trim()) return goTo(draft, 'conditioning');
  return { draft, act: 'print' };
}

function enterText(draft, known) {
  if (known.faultAt === draft.at) return { draft, act: 'refused' };
  if (draft.at === 'quick' && !draft.quick)
    return refuse(draft, 'How many spots? Type a number, 1 to 20.');
  if (draft.at === 'conditioning' && !draft.conditioning.trim() && parts(draft) > 1) {
    return refuse(draft, 'Which ways? For example 2/8 for both ways of eight spots.');
  }
  return { draft: { ...draft, at: 'ready', fresh: false } };
}

function goTo(draft, at) {
  if (draft.quick !== null && at === 'conditioning')
    return refuse(draft, 'A quick-pick is a straight ticket: it has no conditioning.');
  return { draft: trim({ ...settle(draft), at, back: '', fresh: at !== 'conditioning' }) };
}

/** Go to a field, as by touch or Tab. */
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

/** Empty groups are dropped once the draft is in another field; one group always stays. */
function trim(draft) {
  const index = groupAt(draft);
  if (index >= 0) return draft;
  const groups = draft.groups.filter((group) => group.length);
  return { ...draft, groups: groups.length ? groups : [[]] };
}

function move(draft, step) {
  const all = fields(draft);
  const here = draft.at === 'ready' ? all.length : all.indexOf(draft.at);
  const to = here + step;
  if (to < 0) return draft;
  if (to >= all.length)
    return isEmpty(draft) ? draft : { ...trim({ ...settle(draft), at: 'ready' }), fresh: false };
  return visit(draft, all[to]);
}

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
  if (TEXTS.has(draft.at) && draft[draft.at])
    return { ...draft, [draft.at]: draft[draft.at].slice(0, -1), fresh: false };
  return index === 0 ? draft : move(draft, -1);
}

function escape(draft) {
  if (draft.digit || draft.mode) return { draft: backspace({ ...draft, digit: '' }) };
  if (draft.at === 'quick' && !draft.quick) return { draft: { ...draft, quick: null, at: 'g0' } };
  return { draft: isEmpty(draft) ? draft : trim({ ...draft, at: 'ready', fresh: false }) };
}

function refuse(draft, fault) {
  return { draft: { ...draft, fault }, act: 'refused' };
}

// ---------------------------------------------------------------- fields of text

/** The draft after a key that is part of a field's text; null if the key means something else. */
function typeText(draft, key, known) {
  if (key.length !== 1) return null;
  const at = draft.at;
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

function text(draft, words) {
  return { ...draft, [draft.at]: words.replace(/^ +| +(?= )/g, '').slice(0, 400), fresh: false };
}

/** A mark is typed in either case. */
function mark(key, marks = []) {
  return marks.includes(key.toUpperCase()) ? key.toUpperCase() : key;
}

// ---------------------------------------------------------------- acts with a button too

/** An empty group after the last one. */
export function newGroup(draft) {
  const groups = settle(draft).groups.filter((group) => group.length);
  return { ...settle(draft), groups: [...groups, []], at: `g${groups.length}`, fault: '' };
}

/** The next number is a king. */
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

function minus(draft) {
  if (!marked(draft)) return refuse(draft, 'There is no number to take off.');
  const at = TEXTS.has(draft.at) ? 'ready' : draft.at;
  return { draft: { ...settle(draft), at, mode: 'minus' } };
}

/** A quick-pick of this many spots, or one that still asks how many. */
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

/** One game more or fewer. */
export function stepGames(draft, step) {
  return {
    ...visit(draft, 'games'),
    games: String(Math.max(1, Number(draft.games || 1) + step)),
    fresh: true,
  };
}

/** Put text into a field, as a chip does. */
export function setText(draft, at, words) {
  return { ...visit(draft, at), [at]: words, fresh: true, fault: '' };
}

/** A chip of the conditioning: in if it is not there, out if it is. */
export function toggleWays(draft, words) {
  const have = draft.conditioning.split(' ').filter(Boolean);
  const next = have.includes(words) ? have.filter((each) => each !== words) : [...have, words];
  return { ...visit(draft, 'conditioning'), conditioning: next.join(' '), fault: '' };
}

/** Say that the patron marked the change on the previous ticket, or that they did not. */
export function confirmChange(draft) {
  if (draft.origin.kind !== 'previous') return draft;
  return {
    ...draft,
    origin: { ...draft.origin, change_confirmed: !draft.origin.change_confirmed },
  };
}
