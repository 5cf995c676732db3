// The protocol's test vector, byte for byte, through the browser's verifier.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { digest, encode } from '../../../keno/pages/verify/canonical.js';
import {
  bytesOf,
  fromHex,
  hkdfSha512,
  hmacSha512,
  joined,
  toHex,
} from '../../../keno/pages/verify/crypto.js';
import { HmacDrbg } from '../../../keno/pages/verify/drbg.js';
import {
  byteStream,
  drawInfo,
  drawKeys,
  drawNumbers,
  sample,
} from '../../../keno/pages/verify/numbers.js';
import { checkSigned, readMessage, secretDigest } from '../../../keno/pages/verify/records.js';
import { sealOf } from '../../../keno/pages/verify/ticket.js';
import { leafHash, nodeHash, rootFrom } from '../../../keno/pages/verify/tree.js';
import {
  CODES,
  DERIVED,
  KEYS,
  LEAF_HASHES,
  LEAVES,
  NUMBERS,
  RECORDS,
  THIRD_PATH,
} from './verify-vector.js';

const bodyOf = (name) => JSON.parse(RECORDS[name].body);
const genesis = { digest: RECORDS.genesis.digest, body: bodyOf('genesis') };
const closeDigest = RECORDS.close.digest;

for (const [name, { body, digest: expected, sigs }] of Object.entries(RECORDS)) {
  test(`the text, the digest and the signatures of ${name}`, async () => {
    assert.equal(encode(JSON.parse(body)), body);
    assert.equal(await digest(JSON.parse(body)), expected);
    const signed = Object.fromEntries(Object.entries(sigs).map(([who, each]) => [KEYS[who], each]));
    const message = await readMessage({ body: JSON.parse(body), sigs: signed }, name);
    assert.equal(message.digest, expected);
    const signers = Object.fromEntries(Object.keys(sigs).map((who) => [KEYS[who], who]));
    assert.equal(await checkSigned(message, signers), true);
    const [[first]] = Object.entries(signed);
    await assert.rejects(
      checkSigned(message, { ...signers, [KEYS.S.replace('e', 'd')]: 'S' }),
      /exactly those/,
    );
    message.sigs[first] = message.sigs[first].replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    await assert.rejects(checkSigned(message, signers), /is wrong/);
  });
}

test('both secrets open their seals', async () => {
  assert.equal(await secretDigest('R', bodyOf('commit-r'), DERIVED.r), bodyOf('commit-r').hash);
  assert.equal(await secretDigest('W', bodyOf('commit-w'), DERIVED.w), bodyOf('commit-w').hash);
});

test('leaf hashes, seals, and every way to the root', async () => {
  const hashes = await Promise.all(LEAVES.map((leaf) => leafHash(bytesOf(leaf))));
  assert.deepEqual(hashes.map(toHex), LEAF_HASHES);
  for (const [at, code] of CODES.entries())
    assert.equal(await sealOf(code), JSON.parse(LEAVES[at]).seal);
  const [one, two, three] = hashes;
  assert.deepEqual(THIRD_PATH, [toHex(await nodeHash(one, two))]);
  const ways = [[two, three], [one, three], THIRD_PATH.map(fromHex)];
  for (const [at, way] of ways.entries()) {
    assert.equal(toHex(await rootFrom(hashes[at], at, 3, way)), bodyOf('close').root);
  }
});

test('from the secrets to the generator, value by value', async () => {
  const info = drawInfo(genesis, 1);
  assert.equal(toHex(info), DERIVED.info);
  const secrets = joined(fromHex(DERIVED.r), fromHex(DERIVED.w));
  assert.equal(toHex(await hmacSha512(fromHex(closeDigest), secrets)), DERIVED.prk);
  assert.equal(toHex(await hkdfSha512(secrets, fromHex(closeDigest), info, 96)), DERIVED.okm);
  const keys = await drawKeys(DERIVED.r, DERIVED.w, closeDigest, info);
  assert.equal(toHex(keys), DERIVED.okm);
  const generator = await HmacDrbg.instantiate(keys.slice(0, 64), keys.slice(64), info);
  assert.deepEqual([generator.key, generator.value].map(toHex), DERIVED.instantiated);
  assert.equal(toHex(await generator.generate(64)), DERIVED.generated);
  assert.deepEqual([generator.key, generator.value].map(toHex), DERIVED.after);
});

test('the numbers, and how many bytes they take', async () => {
  const numbers = await drawNumbers(genesis, 1, DERIVED.r, DERIVED.w, closeDigest);
  assert.deepEqual(numbers, NUMBERS);
  assert.equal(toHex(numbers), DERIVED.numbersHex);
  const bytes = counting(fromHex(DERIVED.generated));
  assert.deepEqual(await sample(bytes), NUMBERS);
  assert.equal(bytes.used, 26);
});

test('the stream goes on in steps of 64 bytes', async () => {
  const make = () =>
    HmacDrbg.instantiate(new Uint8Array(64), new Uint8Array(32), new Uint8Array(0));
  const [one, other] = [await make(), byteStream(await make())];
  for (const expected of joined(await one.generate(64), await one.generate(64))) {
    assert.equal((await other.next()).value, expected);
  }
});

test('NIST, CAVS 14.3: the generator with SHA-512, no reseed, with personalization', async () => {
  const generator = await HmacDrbg.instantiate(
    fromHex('73529bba71a3d4b4fcf9a7edeed269dbdc3748b90df68c0d00e245de54698c77'),
    fromHex('22e2d6e24501212b6f058e7c54138007'),
    fromHex('e2cc19e31595d0e4de9e8bd3b236dec2d4b032c3dd5bf9891c284cd1bac67bdb'),
  );
  await generator.generate(256);
  const answer = toHex(await generator.generate(256));
  assert.equal(
    answer.slice(0, 64),
    '1a73d58b7342c3c933e3ba15eedd8270988691c3794b45aa358570391571881c',
  );
  assert.equal(
    answer.slice(-64),
    'd72b3b9fae12b4eb65d5c2bacb3ce46c7c48464c9c29142fb35e7bc267ce852296ac042f9'.slice(-64),
  );
});

const repeated = (byte, times) => new Array(times).fill(byte);
const from = (first, step = 1) => Array.from({ length: 20 }, (_, at) => first + at * step);
const SAMPLES = [
  [repeated(0, 20), 20, from(1)],
  [[0xf0, 0xff, 0xef, ...repeated(0, 19)], 22, [80, ...from(2).slice(0, 19)]],
  [from(0), 20, from(1, 2)],
  [
    [...repeated(0xff, 64), ...repeated(0x4f, 4), ...repeated(0xff, 12), ...repeated(0x3c, 17)],
    96,
    [80, 2, 4, 6, ...from(65).slice(0, 15), 1],
  ],
];

for (const [bytes, used, numbers] of SAMPLES) {
  test(`sampling alone: ${used} bytes are used`, async () => {
    const stream = counting(bytes);
    assert.deepEqual(await sample(stream), numbers);
    assert.equal(stream.used, used);
  });
}

/** Bytes one by one, counted. */
function counting(bytes) {
  const stream = bytes[Symbol.iterator]();
  return {
    used: 0,
    next() {
      this.used += 1;
      return stream.next();
    },
  };
}
