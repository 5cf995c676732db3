// The small parts of the browser's verifier: canonical lines, shapes, the tree, keys of
// small order.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { decodeLine, encode, linesOf } from '../../../keno/pages/verify/canonical.js';
import { bytesOf, fromHex, toHex } from '../../../keno/pages/verify/crypto.js';
import { Bad } from '../../../keno/pages/verify/faults.js';
import { isSmallOrder } from '../../../keno/pages/verify/genesis.js';
import {
  either,
  hex,
  list,
  mapOf,
  mustBe,
  object,
  text,
  whole,
  word,
} from '../../../keno/pages/verify/shape.js';
import { leafHash, nodeHash, rootFrom } from '../../../keno/pages/verify/tree.js';

test('what is canonical is read', () => {
  for (const line of [
    '{}',
    '[]',
    '0',
    '""',
    '{"a":[1,{"b":"c d"}],"b":9007199254740991}',
    '{"__proto__":1}',
  ]) {
    assert.equal(encode(decodeLine(`${line}\n`)), line);
  }
});

const NOT_CANONICAL = [
  '{"b":1,"a":2}', '{"a":1,"a":1}', '{ "a":1}', '{"a":1} ', ' {}', '[1,]', '{"a":01}', '{"a":1.0}',
  '{"a":1e2}', '{"a":-1}', '{"a":-0}', '{"a":1.5}', '{"a":9007199254740992}',
  '{"a":9007199254740993}', '{"a":null}', 'true', '{"a":"\\u0041"}', '{"a":"\\""}', '{"a":"\\/"}',
  '{"a":"\u00e9"}', '{"\u00e9":1}',
  '{"a":"\t"}', '\ufeff{}', '{"a":"\x7f"}',
  '', '{', 'NaN', `${'['.repeat(17)}${']'.repeat(17)}`, `${'['.repeat(30000)}${']'.repeat(30000)}`,
]; // prettier-ignore

for (const line of NOT_CANONICAL) {
  test(`not canonical: ${line.slice(0, 30)}`, () =>
    assert.throws(() => decodeLine(`${line}\n`), Bad));
}

test('a line ends with its only line feed and is not too long', () => {
  for (const line of ['{}', '{}\r\n', '{}\n\n', '\n{}\n', '{"a":\n1}\n'])
    assert.throws(() => decodeLine(line), Bad);
  const long = (size) => `"${'a'.repeat(size - 3)}"\n`;
  assert.equal(decodeLine(long(65536)).length, 65533);
  assert.throws(() => decodeLine(long(65537)), Bad);
});

test('what is no JSON cannot be written', () => {
  for (const value of [
    undefined,
    null,
    true,
    1n,
    Symbol('a'),
    () => 1,
    NaN,
    Infinity,
    -1,
    [undefined],
  ]) {
    assert.throws(() => encode(value), Bad);
  }
});

test('a file is taken apart into lines, however it is given', () => {
  const lines = ['{"a":1}\n', '\n', '{"b":2}'];
  const bytes = bytesOf(lines.join(''));
  for (const given of [lines, lines.join(''), bytes, bytes.buffer, lines.map(bytesOf)]) {
    assert.deepEqual(linesOf(given), lines);
  }
  assert.deepEqual(linesOf(''), []);
  assert.deepEqual(linesOf(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b])).join('').length, 4);
});

test('shapes name the place that is wrong', () => {
  const shape = object({
    a: whole(1, 3),
    b: list(hex(1), 1, 2),
    c: mapOf(text(2), word('x')),
    d: either(word(''), hex(1)),
  });
  const right = { a: 3, b: ['00', 'ff'], c: { ab: 'x' }, d: '' };
  assert.equal(shape(right), null);
  assert.equal(shape({ ...right, d: '0a' }), null);
  const wrong = [
    [{ a: 4 }, 'a'], [{ a: '1' }, 'a'], [{ a: 1.5 }, 'a'], [{ b: [] }, 'b'],
    [{ b: ['00', 'FF'] }, 'b.1'],
    [{ b: ['0'] }, 'b.0'], [{ b: { length: 1 } }, 'b'], [{ c: { a: 'x' } }, 'c.a'],
    [{ c: { ab: 'y' } }, 'c.ab'],
    [{ c: [] }, 'c'], [{ d: 'x' }, 'd'], [{ e: 1 }, 'e'], [{ toString: 1 }, 'toString'],
  ]; // prettier-ignore
  for (const [change, where] of wrong) assert.equal(shape({ ...right, ...change }), where);
  const { a: _, ...less } = right;
  assert.equal(shape(less), 'a');
  for (const value of [null, [], 'a', 1, undefined]) assert.equal(shape(value), '');
  assert.throws(
    () => mustBe(shape, { ...right, a: 0 }, 'It'),
    new Bad('It is not as it must be: a.'),
  );
});

test('keys of small order are known with and without their sign bit', () => {
  for (const key of [
    '00'.repeat(32),
    `01${'00'.repeat(31)}`,
    `ed${'ff'.repeat(30)}7f`,
    `ec${'ff'.repeat(31)}`,
  ]) {
    assert.equal(isSmallOrder(key), true);
  }
  assert.equal(
    isSmallOrder('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa'),
    true,
  );
  assert.equal(
    isSmallOrder('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85'),
    true,
  );
  assert.equal(isSmallOrder(`ef${'ff'.repeat(30)}7f`), false);
  assert.equal(
    isSmallOrder('8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c'),
    false,
  );
});

/** Root and way as RFC 6962 says: split at the largest power of two below the size. */
async function wayTo(hashes, index) {
  if (hashes.length === 1) return { root: hashes[0], way: [] };
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  const [left, right] = [hashes.slice(0, split), hashes.slice(split)];
  const isLeft = index < split;
  const inside = isLeft ? await wayTo(left, index) : await wayTo(right, index - split);
  const beside = await wayTo(isLeft ? right : left, 0);
  const pair = isLeft ? [inside.root, beside.root] : [beside.root, inside.root];
  return { root: await nodeHash(...pair), way: [...inside.way, beside.root] };
}

test('every leaf of trees of 1 to 12 leaves leads to the root only from its place', async () => {
  for (let size = 1; size <= 12; size += 1) {
    const hashes = await Promise.all(
      Array.from({ length: size }, (_, at) => leafHash(bytesOf(`leaf ${at}`))),
    );
    for (const index of hashes.keys()) {
      const { root, way } = await wayTo(hashes, index);
      const found = async (at, leaves, path) => {
        const reached = await rootFrom(hashes[index], at, leaves, path);
        return reached !== null && toHex(reached) === toHex(root);
      };
      assert.equal(await found(index, size, way), true);
      for (let other = 0; other <= size; other += 1)
        assert.equal(await found(other, size, way), other === index);
      if (size > 1) assert.equal(await found(index, size, way.slice(1)), false);
      assert.equal(await found(index, size, [...way, root]), false);
    }
  }
});

test('a tree with more leaves than 32 bits can count is walked right', async () => {
  const hash = fromHex('11'.repeat(32));
  const path = new Array(40).fill(hash);
  assert.notEqual(await rootFrom(hash, 2 ** 39 + 5, 2 ** 40, path), null);
  assert.equal(await rootFrom(hash, 2 ** 39 + 5, 2 ** 40, path.slice(1)), null);
  assert.equal(await rootFrom(hash, 0, 0, []), null);
});
