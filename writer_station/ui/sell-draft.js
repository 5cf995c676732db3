// The ticket being typed: its fields, and how it is sent to the station. Pure; what each key does
// to it is in sell-press.js.
//
// The draft's caret is in one field (`at`): g0, g1, … (groups), kings, conditioning, rate, games,
// quick (how many spots to pick) or ready (nothing more to type). `digit` is the first digit of a
// number. `mode` is what the next number does: '' adds it to the field, 'king' makes it a king,
// 'minus' removes it.

/** @import { LiveTicket, Origin, WireDraft } from './types.js' */

/**
 * @typedef {object} Draft
 * @property {number[][]} groups
 * @property {number[]} kings
 * @property {string} conditioning
 * @property {string} rate
 * @property {string} games
 * @property {string | null} quick
 * @property {Origin} origin
 * @property {LiveTicket | null} live a live ticket that this one replaces
 * @property {string} at
 * @property {string} back the field to return to after a king
 * @property {string} digit
 * @property {'' | 'king' | 'minus'} mode
 * @property {boolean} fresh typing replaces the field's text
 * @property {string} fault why the last key was refused
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

/** The index of the group that the caret is in; -1 for another field. @param {Draft} draft */
export function groupAt(draft) {
  return /^g\d+$/.test(draft.at) ? Number(draft.at.slice(1)) : -1;
}

/** The number of marked numbers, kings included. @param {Draft} draft */
export function marked(draft) {
  return draft.groups.reduce((sum, group) => sum + group.length, draft.kings.length);
}

/** Whether nothing is typed in any field. @param {Draft} draft */
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

/** The number of groups with numbers and kings together. @param {Draft} draft */
export function parts(draft) {
  return draft.groups.filter((group) => group.length).length + draft.kings.length;
}

/** The names of the draft's fields in typing order. @param {Draft} draft */
export function fields(draft) {
  const marks =
    draft.quick === null ? [...draft.groups.keys()].map((index) => `g${index}`) : ['quick'];
  if (draft.quick === null && (draft.kings.length || draft.at === 'kings')) marks.push('kings');
  return [...marks, ...(draft.quick === null ? ['conditioning'] : []), 'rate', 'games'];
}

/**
 * The draft in the form of the request to the station; `number` is the number of the draft.
 * @param {Draft} draft
 * @param {number} number
 * @returns {WireDraft}
 */
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

/**
 * The draft's field for a `where` of the station: groups[1] is the second group with numbers.
 * @param {Draft} draft
 * @param {string} where
 */
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

/**
 * The draft of a ticket or request that the station found; `live` is the ticket that it rewrites.
 * @param {Partial<WireDraft>} wire
 * @param {LiveTicket | null} [live]
 * @returns {Draft}
 */
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
 * Toggle whether the patron marked the change on the previous ticket; returns the new draft.
 * @param {Draft} draft
 * @returns {Draft}
 */
export function confirmChange(draft) {
  if (draft.origin.kind !== 'previous') return draft;
  return {
    ...draft,
    origin: { ...draft.origin, change_confirmed: !draft.origin.change_confirmed },
  };
}
