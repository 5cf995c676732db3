// HMAC_DRBG of NIST SP 800-90A (10.1.2) with SHA-512, as the draw uses it: instantiated once, no
// additional input, never reseeded.

import { hmacSha512, joined } from './crypto.js';

/** @import { Bytes } from './types.js' */

const SIZE = 64;
const NOTHING = new Uint8Array(0);

export class HmacDrbg {
  /** K of the standard. @type {Bytes} */
  key = new Uint8Array(SIZE);
  /** V of the standard. @type {Bytes} */
  value = new Uint8Array(SIZE).fill(1);

  /**
   * @param {Bytes} entropy
   * @param {Bytes} nonce
   * @param {Bytes} personalization
   */
  static async instantiate(entropy, nonce, personalization) {
    const made = new HmacDrbg();
    await made.#update(joined(entropy, nonce, personalization));
    return made;
  }

  /** Generate the next `size` bytes. @param {number} size */
  async generate(size) {
    const blocks = [];
    for (let made = 0; made < size; made += SIZE) {
      this.value = await hmacSha512(this.key, this.value);
      blocks.push(this.value);
    }
    await this.#update(NOTHING);
    return joined(...blocks).slice(0, size);
  }

  /** @param {Bytes} provided */
  async #update(provided) {
    const rounds = provided.length ? [0, 1] : [0];
    for (const round of rounds) {
      this.key = await hmacSha512(this.key, joined(this.value, Uint8Array.of(round), provided));
      this.value = await hmacSha512(this.key, this.value);
    }
  }
}
