// The sealed list is a tree of hashes (RFC 6962, SHA-256). Its root is signed; the path from a leaf
// up to the root shows that the leaf is in the list, at its place, without showing the others.

import { joined, sha256 } from './crypto.js';

/** @import { Bytes } from './types.js' */

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** @param {Bytes} leaf its canonical bytes */
export function leafHash(leaf) {
  return sha256(joined(LEAF, leaf));
}

/**
 * @param {Bytes} left
 * @param {Bytes} right
 */
export function nodeHash(left, right) {
  return sha256(joined(NODE, left, right));
}

/**
 * The root to which a leaf hash and its neighbours lead, as RFC 9162 walks there (2.1.3.2); null if
 * there are too many or too few neighbours for this place in a tree of this size.
 * @param {Bytes} hash
 * @param {number} index
 * @param {number} leaves
 * @param {Bytes[]} path from the leaf upwards
 */
export async function rootFrom(hash, index, leaves, path) {
  if (index >= leaves) return null;
  let at = index;
  let last = leaves - 1; // both are places on the level that has been reached
  let found = hash;
  for (const neighbour of path) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      found = await nodeHash(neighbour, found);
      // The last one of a level may have had no neighbour there: it rose until it had one.
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      found = await nodeHash(found, neighbour);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 ? found : null;
}

/** @param {number} number */
function half(number) {
  return Math.floor(number / 2); // shifting would cut numbers to 32 bits
}
