// Derives the twenty numbers of a game from two secrets and the digest of the closed list.

import { encode } from './canonical.js';
import { bytesOf, fromHex, hkdfSha512, joined } from './crypto.js';
import { HmacDrbg } from './drbg.js';
import { typeOf } from './records.js';

/** @import { Bytes, Genesis } from './types.js' */

/**
 * The context of a draw: canonical bytes of chain, game, jurisdiction, site and location.
 * @param {Genesis} genesis
 * @param {number} game
 */
export function drawInfo(genesis, game) {
  const { jurisdiction, site, location } = genesis.body;
  return bytesOf(
    encode({ type: typeOf('draw'), chain: genesis.digest, game, jurisdiction, site, location }),
  );
}

/**
 * Derive the seed of a draw: 64 bytes of entropy input and 32 of nonce.
 * @param {string} r
 * @param {string} w
 * @param {string} closeDigest
 * @param {Bytes} info
 */
export function drawKeys(r, w, closeDigest, info) {
  return hkdfSha512(joined(fromHex(r), fromHex(w)), fromHex(closeDigest), info, 96);
}

/** Yield a generator's bytes one by one, 64 generated at a time. @param {HmacDrbg} generator */
export async function* byteStream(generator) {
  for (;;) yield* await generator.generate(64);
}

/**
 * Choose twenty of eighty numbers, each remaining one equally likely: bytes that would favour some
 * are skipped.
 * @param {AsyncIterator<number> | Iterator<number>} stream bytes
 * @returns {Promise<number[]>} in the order of the balls
 */
export async function sample(stream) {
  const row = Array.from({ length: 80 }, (_, at) => at + 1);
  for (let ball = 0; ball < 20; ball += 1) {
    const left = 80 - ball;
    const limit = 256 - (256 % left);
    let byte;
    do byte = (await stream.next()).value;
    while (byte >= limit);
    const chosen = ball + (byte % left);
    [row[ball], row[chosen]] = [row[chosen], row[ball]];
  }
  return row.slice(0, 20);
}

/**
 * Compute the numbers of a game.
 * @param {Genesis} genesis of its chain
 * @param {number} game
 * @param {string} r the generator's secret, in hex
 * @param {string} w the witness's
 * @param {string} closeDigest of the closing that fixed the tickets
 */
export async function drawNumbers(genesis, game, r, w, closeDigest) {
  const info = drawInfo(genesis, game);
  const keys = await drawKeys(r, w, closeDigest, info);
  const generator = await HmacDrbg.instantiate(keys.slice(0, 64), keys.slice(64), info);
  return sample(byteStream(generator));
}
