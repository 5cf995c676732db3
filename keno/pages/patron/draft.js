// A request while it is built: groups, kings, totals, rate, games. Pure: every change gives a new
// draft, and what it costs or whether it is lawful, only the server says.

import { letterOf } from '../shared/shapes.js';

/** @import { Card, Choice, Example, Rate, Total } from './types.js' */

export const GROUPS_MAX = 12;
/** The place of the kings among the groups. @type {'K'} */
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
 * Put a number into the current group, take it out again, or bring it over from another.
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
 * Make another group the current one; groups left empty go.
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
 * A new group, and it is the current one; none if there is an empty one already.
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
 * Play a total or play it no more.
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
 * Keep to the totals that exist. A single group has one way to be played, so that is chosen, and
 * with a second group it is left again.
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
 * A rate for all totals, or for one of them; its wager is the rate's least.
 * @param {Draft} draft
 * @param {Pick<Rate, 'code' | 'min_cents'>} rate
 * @param {number | null} [spots]
 */
export function withRate(draft, rate, spots = null) {
  return priced(draft, { rate: rate.code, wager_cents: rate.min_cents }, spots);
}

/**
 * One step more or less a way, within the rate's limits.
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
 * All totals at one rate again, or each at its own.
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
 * What the server is asked: groups that have numbers, and the rest as it is.
 * @param {Pick<Draft, 'groups' | 'kings' | 'totals' | 'games'>} draft
 */
export function asked({ groups, kings, totals, games }) {
  return { groups: groups.filter((group) => group.length), kings, totals, games };
}

/**
 * A draft from a worked example; null if it plays sets that totals cannot say.
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
 * Different numbers by chance, in rising order, from the browser's own entropy.
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
