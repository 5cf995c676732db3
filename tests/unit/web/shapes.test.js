// Shapes say which group a number is in; the geometry stays inside its box.

import assert from 'node:assert/strict';
import test from 'node:test';

import {
  LETTERS,
  PATHS,
  groupName,
  letterOf,
  look,
  paint,
} from '../../../keno/pages/shared/shapes.js';

/** Corner points of a path: enough of SVG for our own shapes (M L H V A C Z, either case). */
function points(path) {
  const found = [];
  let [x, y, fromX, fromY] = [0, 0, 0, 0];
  for (const [, letter, rest] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const n = (rest.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    const near = letter === letter.toLowerCase();
    const step = { m: 2, l: 2, h: 1, v: 1, a: 7, c: 6, z: 0 }[letter.toLowerCase()];
    assert.notEqual(step, undefined, letter);
    for (let i = 0; i + step <= n.length && step; i += step) {
      const [endX, endY] = n.slice(i + step - 2, i + step);
      if (letter.toLowerCase() === 'h') x = near ? x + n[i] : n[i];
      else if (letter.toLowerCase() === 'v') y = near ? y + n[i] : n[i];
      else [x, y] = near ? [x + endX, y + endY] : [endX, endY];
      if (letter === 'M') [fromX, fromY] = [x, y];
      found.push([x, y]);
    }
    if (letter.toLowerCase() === 'z') [x, y] = [fromX, fromY];
  }
  return found;
}

for (const [name, path] of Object.entries(PATHS)) {
  test(`the ${name} fills its box and stays in it`, () => {
    const all = points(path);
    const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
    for (const value of [...xs, ...ys]) assert.ok(value >= -1 && value <= 101, `${value}`);
    assert.ok(Math.max(...ys) - Math.min(...ys) >= 84, 'high enough');
    if (name !== 'disc') assert.ok(Math.max(...xs) - Math.min(...xs) >= 84, 'wide enough');
  });

  test(`the ${name} is one closed outline`, () => assert.match(path, /^M[^M]*z$/));
}

test('twelve groups look different from each other, and later ones have letters only', () => {
  const looks = [...LETTERS].slice(0, 12).map((letter) => look(letter));
  assert.equal(new Set(looks.map(({ name, double }) => `${name} ${double}`)).size, 12);
  assert.deepEqual(
    looks.map(({ double }) => double),
    [...Array(6).fill(false), ...Array(6).fill(true)],
  );
  assert.equal(look('N').name, null);
});

test('K is the king and no group', () => {
  assert.equal(look('K').name, 'crown');
  assert.equal(look('K12').name, 'crown');
  assert.ok(!LETTERS.includes('K'));
  assert.equal(letterOf(0), 'A');
  assert.equal(letterOf(10), 'L');
  assert.equal(groupName('A'), 'group A');
  assert.equal(groupName('K'), 'king');
  assert.equal(groupName('K2'), 'king 2');
});

test('light means caught: only the lamp mode is filled with the lamp', () => {
  for (const letter of ['A', 'F', 'G', 'K']) {
    assert.equal(paint(look(letter), 'lamp')[0], 'var(--lamp)');
    assert.equal(paint(look(letter), 'outline')[0], 'none');
    assert.notEqual(paint(look(letter), 'filled')[0], 'var(--lamp)');
  }
});
