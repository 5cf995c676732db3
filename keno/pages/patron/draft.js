// The draft of a request while it is built: groups, kings, totals, rate, games. Pure: every change
// returns a new draft. Only the server decides its price and whether it can be played.

import { letterOf } from '../shared/shapes.js';

/** @import { Card, Choice, Example, Rate, Total } from './types.js' */

export const GROUPS_MAX = 12;
/** The value of `at` when the kings are the current group. @type {'K'} */
export const KINGS = 'K';

/**
 * @typedef {object} Draft
 * @property {number[][]} groups
 * @property {number[]} kings
 * @property {number | 'K'} at the group that numbers go to
 * @property {Total[]} totals
 * @property {string} rate
 * @property {number} wager_cents
 * @property {number} games
 * @property {boolean} apart whether each total has a rate of its own
 * @property {boolean} alone whether its total was chosen because it was the only one
 */

/**
 * An empty draft at the card's default rate.
 * @param {Pick<Card, 'rates' | 'default_rate'>} card
 * @returns {Draft}
 */
export function begin(card) {
  const rate = rateOf(card, card.default_rate);
  return {
    groups: [[]],
    kings: [],
    at: 0,
    totals: [],
    rate: rate.code,
    wager_cents: rate.min_cents,
    games: 1,
    apart: false,
    alone: false,
  };
}

/**
 * The rate of a card with this code.
 * @param {Pick<Card, 'rates'>} card
 * @param {string} code
 */
export function rateOf(card, code) {
  const found = card.rates.find((each) => each.code === code);
  if (!found) throw new Error(`the card has no rate ${code}`);
  return found;
}

/**
 * Add a number to the current group, remove it if it is there, or move it from another group.
 * @param {Draft} draft
 * @param {number} number
 * @returns {Draft}
 */
export function toggle(draft, number) {
  const { at } = draft;
  const here = at === KINGS ? draft.kings : draft.groups[at];
  /** @param {number[]} list */
  const without = (list) => list.filter((each) => each !== number);
  /** @param {number[]} list */
  const into = (list) =>
    here.includes(number) ? without(list) : [...without(list), number].sort((a, b) => a - b);
  return {
    ...draft,
    groups: draft.groups.map((group, index) => (index === at ? into(group) : without(group))),
    kings: at === KINGS ? into(draft.kings) : without(draft.kings),
  };
}

/**
 * Make another group the current one; other empty groups are dropped.
 * @param {Draft} draft
 * @param {number | 'K'} at
 * @returns {Draft}
 */
export function go(draft, at) {
  const target = at === KINGS ? [] : draft.groups[at];
  const groups = draft.groups.filter((group) => group.length || group === target);
  if (!groups.length) groups.push([]);
  return { ...draft, groups, at: at === KINGS ? KINGS : Math.max(0, groups.indexOf(target)) };
}

/**
 * Add a group and make it the current one; an empty group is used first.
 * @param {Draft} draft
 */
export function newGroup(draft) {
  const empty = draft.groups.findIndex((group) => !group.length);
  if (empty >= 0) return go(draft, empty);
  if (draft.groups.length >= GROUPS_MAX) return draft;
  return go({ ...draft, groups: [...draft.groups, []] }, draft.groups.length);
}

/**
 * Which group each number is in, by letter.
 * @param {Pick<Draft, 'groups' | 'kings'>} draft
 */
export function marks({ groups, kings }) {
  /** @type {Map<number, string>} */
  const found = new Map(kings.map((king) => [king, KINGS]));
  groups.forEach((group, index) => group.forEach((number) => found.set(number, letterOf(index))));
  return found;
}

/** @param {Pick<Draft, 'groups' | 'kings'>} draft */
export function spotsMarked({ groups, kings }) {
  return kings.length + groups.reduce((sum, group) => sum + group.length, 0);
}

/**
 * Add a total (all ways of this number of spots) to the draft, or remove it.
 * @param {Draft} draft
 * @param {number} spots
 * @returns {Draft}
 */
export function toggleTotal(draft, spots) {
  const has = draft.totals.some((total) => total.spots === spots);
  const added = { spots, rate: draft.rate, wager_cents: draft.wager_cents };
  const totals = has
    ? draft.totals.filter((total) => total.spots !== spots)
    : [...draft.totals, added];
  return { ...draft, alone: false, totals: totals.sort((a, b) => a.spots - b.spots) };
}

/**
 * Drop totals that are not among the choices. A single choice is selected by itself; it is dropped
 * again when there are several.
 * @param {Draft} draft
 * @param {Choice[]} choices
 * @returns {Draft}
 */
export function fitted(draft, choices) {
  const exist = new Set(choices.map((choice) => choice.spots));
  const meant = draft.alone && choices.length > 1 ? [] : draft.totals;
  const totals = meant.filter((total) => exist.has(total.spots));
  if (choices.length === 1 && !totals.length)
    return { ...toggleTotal({ ...draft, totals }, choices[0].spots), alone: true };
  return totals.length === draft.totals.length ? draft : { ...draft, totals, alone: false };
}

/**
 * Set the rate of all totals, or of one; the wager becomes the rate's minimum.
 * @param {Draft} draft
 * @param {Pick<Rate, 'code' | 'min_cents'>} rate
 * @param {number | null} [spots]
 */
export function withRate(draft, rate, spots = null) {
  return priced(draft, { rate: rate.code, wager_cents: rate.min_cents }, spots);
}

/**
 * Change the wager a way of all totals, or of one, by a step within the rate's limits.
 * @param {Draft} draft
 * @param {number} by
 * @param {Pick<Rate, 'min_cents' | 'max_cents' | 'step_cents'>} limits
 * @param {number | null} [spots]
 */
export function stepped(draft, by, limits, spots = null) {
  const now =
    spots === null
      ? draft.wager_cents
      : (draft.totals.find((total) => total.spots === spots)?.wager_cents ?? 0);
  const next = Math.min(limits.max_cents, Math.max(limits.min_cents, now + by * limits.step_cents));
  return priced(draft, { wager_cents: next }, spots);
}

/**
 * @param {Draft} draft
 * @param {Partial<Total>} change
 * @param {number | null} spots
 * @returns {Draft}
 */
function priced(draft, change, spots) {
  if (spots === null)
    return { ...draft, ...change, totals: draft.totals.map((total) => ({ ...total, ...change })) };
  return {
    ...draft,
    totals: draft.totals.map((total) => (total.spots === spots ? { ...total, ...change } : total)),
  };
}

/**
 * Set whether each total has a rate of its own (`apart`) or all have the same.
 * @param {Draft} draft
 * @param {boolean} apart
 * @returns {Draft}
 */
export function withApart(draft, apart) {
  const all = { rate: draft.rate, wager_cents: draft.wager_cents };
  return {
    ...draft,
    apart,
    totals: apart ? draft.totals : draft.totals.map((total) => ({ ...total, ...all })),
  };
}

/**
 * @param {Draft} draft
 * @param {number} games
 * @param {number} most
 * @returns {Draft}
 */
export function withGames(draft, games, most) {
  return { ...draft, games: Math.min(most, Math.max(1, Math.trunc(games) || 1)) };
}

/**
 * The draft as sent to the server, without empty groups.
 * @param {Pick<Draft, 'groups' | 'kings' | 'totals' | 'games'>} draft
 */
export function asked({ groups, kings, totals, games }) {
  return { groups: groups.filter((group) => group.length), kings, totals, games };
}

/**
 * The draft of a worked example; null if its ways cannot be written as totals.
 * @param {Pick<Example, 'totals' | 'request'>} example
 * @param {Draft} draft
 * @returns {Draft | null}
 */
export function fromExample(example, draft) {
  if (!example.totals) return null;
  const { groups, kings, games } = example.request;
  const [first] = example.totals;
  const apart = example.totals.some(
    (total) => total.rate !== first.rate || total.wager_cents !== first.wager_cents,
  );
  return {
    ...draft,
    groups: groups.length ? groups : [[]],
    kings,
    games,
    at: Math.max(0, groups.length - 1),
    totals: example.totals,
    rate: first.rate,
    wager_cents: first.wager_cents,
    apart,
    alone: false,
  };
}

/**
 * Choose `spots` distinct random numbers, in rising order.
 * @param {number} spots
 * @param {(below: number) => number} [random]
 */
export function picked(
  spots,
  random = (below) => crypto.getRandomValues(new Uint32Array(1))[0] % below,
) {
  const left = Array.from({ length: 80 }, (_, index) => index + 1);
  return Array.from({ length: spots }, () => left.splice(random(left.length), 1)[0]).sort(
    (a, b) => a - b,
  );
}
