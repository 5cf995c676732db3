// Stores what survives a reload of the page: the draft, its game, and the ticket sold last.

import { EMPTY } from './sell-draft.js';

/**
 * @import { Draft } from './sell-draft.js'
 * @import { SeenGame } from './sell-price.js'
 * @typedef {{draft: Draft, seen: SeenGame | null, again: Draft | null, who: string}} Kept
 */

const KEY = 'keno.sell';

/** @param {Kept} kept */
export function keep(kept) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A full or forbidden storage loses only the comfort of surviving a reload.
  }
}

/** @returns {Kept} */
export function restore() {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    return {
      draft: { ...EMPTY, ...found.draft, digit: '', mode: '', fault: '' },
      seen: found.seen ?? null,
      again: found.again ?? null,
      who: found.who ?? '',
    };
  } catch {
    return { draft: EMPTY, seen: null, again: null, who: '' };
  }
}
