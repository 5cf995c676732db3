// The grid of 80: what each number looks like, what it is called, where the arrow keys lead.

import assert from 'node:assert/strict';
import test from 'node:test';

import { neighbour, tile } from '../../../keno/pages/shared/grid.js';

test('a number says its group and whether it is caught', () => {
  const marks = new Map([
    [18, 'A'],
    [55, 'K'],
  ]);
  assert.equal(tile(18, { marks }).name, '18, group A');
  assert.equal(tile(18, { marks, lit: new Set([18]) }).name, '18, group A, caught');
  assert.equal(tile(55, { marks }).name, '55, king');
  assert.equal(tile(7, { lit: new Set([7]) }).name, '7, called');
  assert.equal(tile(7, { was: new Set([7]) }).name, '7, called last game');
  assert.equal(tile(7).name, '7');
});

test('spots are filled while they sell, outlines or lamps once balls are called', () => {
  const marks = new Map([[18, 'A']]);
  assert.equal(tile(18, { marks }).mode, 'filled');
  assert.equal(tile(18, { marks, lit: new Set() }).mode, 'outline');
  assert.equal(tile(18, { marks, lit: new Set([18]) }).mode, 'lamp');
  assert.equal(tile(19, { lit: new Set([19]), hot: 19 }).ground, 'hot');
});

test('arrows stay on the grid', () => {
  assert.equal(neighbour(1, 'ArrowLeft'), 1);
  assert.equal(neighbour(10, 'ArrowRight'), 10);
  assert.equal(neighbour(35, 'ArrowDown'), 45);
  assert.equal(neighbour(75, 'ArrowDown'), 75);
  assert.equal(neighbour(5, 'ArrowUp'), 5);
  assert.equal(neighbour(37, 'Home'), 31);
  assert.equal(neighbour(37, 'End'), 40);
});
