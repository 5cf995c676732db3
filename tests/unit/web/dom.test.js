// Making elements: what `h` takes becomes attributes, properties, listeners and text, never markup.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { attribute, h, keycap, put, say, svg } from '../../../keno/pages/shared/dom.js';
import { find, freshDocument } from './fake-document.js';

beforeEach(freshDocument);

test('an element has its class, attributes, properties and data', () => {
  const made = h('button', {
    class: 'button go',
    type: 'submit',
    'aria-label': 'Sell',
    data: { spots: 8 },
    disabled: true,
  });
  assert.deepEqual([made.tag, made.className, made.type], ['button', 'button go', 'submit']);
  assert.equal(made.getAttribute('aria-label'), 'Sell');
  assert.deepEqual([made.dataset.spots, made.disabled], [8, true]);
});

test('what is false, null or undefined is not set; true is an empty attribute', () => {
  const made = h('input', { 'aria-busy': false, role: null, for: undefined, novalidate: true });
  assert.deepEqual([...made.attributes], [['novalidate', '']]);
});

test('listeners are heard', () => {
  let clicks = 0;
  h('button', { on: { click: () => (clicks += 1) } }).click();
  assert.equal(clicks, 1);
});

test('children may be nested; nothing is made of false, null, undefined and the empty text', () => {
  const made = h('p', {}, 'a', [1, [h('b', {}, '<i>')]], false, null, undefined, '', 0);
  assert.equal(made.textContent, 'a1<i>0');
  assert.deepEqual([made.childNodes.length, find(made, 'b').textContent], [4, '<i>']);
});

test('put replaces what was there', () => {
  const made = h('p', {}, 'old');
  assert.equal(put(made, 'new', h('b', {}, '!')), made);
  assert.equal(made.textContent, 'new!');
});

test('a text that does not differ is not touched', () => {
  const made = h('p', {}, 'same');
  const [before] = made.childNodes;
  say(made, 'same');
  assert.equal(made.childNodes[0], before);
  say(made, 7);
  assert.equal(made.textContent, '7');
  say(made, null);
  assert.equal(made.textContent, '');
});

test('an attribute is set, or taken away', () => {
  const made = h('p');
  for (const gone of [null, undefined, false]) {
    attribute(made, 'data-on', 5);
    assert.equal(made.getAttribute('data-on'), '5');
    attribute(made, 'data-on', gone);
    assert.equal(made.hasAttribute('data-on'), false);
  }
});

test('a picture has attributes only; a key is drawn in its own element', () => {
  const made = svg('path', { d: 'M0 0', class: null, 'stroke-width': 2 });
  assert.deepEqual(Object.fromEntries(made.attributes), { d: 'M0 0', 'stroke-width': '2' });
  const key = keycap('F5');
  assert.deepEqual([key.tag, key.className, key.textContent], ['kbd', 'keycap', 'F5']);
});
