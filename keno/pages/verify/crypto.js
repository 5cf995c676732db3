// Calls the cryptography of the browser: SHA-256, HMAC and HKDF with SHA-512, Ed25519. What a
// browser lacks is not replaced by our own code.

/** @import { Bytes } from './types.js' */

const BYTES = new TextEncoder();
/** @type {WeakMap<SubtleCrypto, Promise<boolean>>} */
const checked = new WeakMap();

function subtle() {
  return globalThis.crypto?.subtle;
}

/** Whether the browser's cryptography is available; it is on https and on localhost only. */
export function canCompute() {
  return Boolean(subtle());
}

/**
 * The bytes of a text.
 * @param {string} text
 * @returns {Bytes}
 */
export function bytesOf(text) {
  return BYTES.encode(text);
}

/** Bytes in lower-case hex. @param {Bytes} bytes */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The bytes of an even number of hex digits.
 * @param {string} hex
 * @returns {Bytes}
 */
export function fromHex(hex) {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) =>
    Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  );
}

/**
 * Pieces of bytes joined into one array.
 * @param {...Bytes} pieces
 * @returns {Bytes}
 */
export function joined(...pieces) {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** @param {Bytes} bytes @returns {Promise<Bytes>} 32 bytes */
export async function sha256(bytes) {
  return new Uint8Array(await subtle().digest('SHA-256', bytes));
}

/**
 * @param {Bytes} key
 * @param {Bytes} bytes
 * @returns {Promise<Bytes>} 64 bytes
 */
export async function hmacSha512(key, bytes) {
  const held = await subtle().importKey('raw', key, { name: 'HMAC', hash: 'SHA-512' }, false, [
    'sign',
  ]);
  return new Uint8Array(await subtle().sign('HMAC', held, bytes));
}

/**
 * HKDF (RFC 5869) with SHA-512.
 * @param {Bytes} secret
 * @param {Bytes} salt
 * @param {Bytes} info
 * @param {number} size
 * @returns {Promise<Bytes>} `size` bytes
 */
export async function hkdfSha512(secret, salt, info, size) {
  const held = await subtle().importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  const how = { name: 'HKDF', hash: 'SHA-512', salt, info };
  return new Uint8Array(await subtle().deriveBits(how, held, 8 * size));
}

/**
 * Whether a signature of `bytes` is by this key; ask `canCheckSignatures` first.
 * @param {string} key
 * @param {string} signature
 * @param {Bytes} bytes
 */
export async function isSignature(key, signature, bytes) {
  try {
    const held = await subtle().importKey('raw', fromHex(key), { name: 'Ed25519' }, false, [
      'verify',
    ]);
    return await subtle().verify({ name: 'Ed25519' }, held, fromHex(signature), bytes);
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'DataError' || name === 'OperationError') return false; // no such point
    throw error;
  }
}

/**
 * Whether this browser can check Ed25519 signatures: it must accept the second test vector of RFC
 * 8032 and reject its signature for another message. The result is cached.
 */
export async function canCheckSignatures() {
  if (!canCompute()) return false;
  let known = checked.get(subtle());
  if (!known) checked.set(subtle(), (known = knowsEd25519()));
  return known;
}

async function knowsEd25519() {
  const key = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c';
  const signature =
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
    '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00';
  try {
    const takes = await isSignature(key, signature, Uint8Array.of(0x72));
    return takes && !(await isSignature(key, signature, Uint8Array.of(0x73)));
  } catch {
    return false; // NotSupportedError, or what an old browser says instead
  }
}
