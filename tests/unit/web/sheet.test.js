// A dialog over the page: it opens, closes once, and gives the focus back.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { h } from '../../../keno/pages/shared/dom.js';
import { openSheet } from '../../../keno/pages/shared/sheet.js';
import { freshDocument } from './fake-document.js';

beforeEach(freshDocument);

/** A button in the page that has the focus. */
function focused() {
  const button = h('button', {}, 'Open');
  document.body.append(button);
  button.focus();
  return button;
}

const settled = () => new Promise((done) => setImmediate(done));

test('it is modal, named, and takes its class and children', () => {
  const { element } = openSheet({ label: 'Where to go', class: 'frame', children: ['a', 'b'] });
  assert.deepEqual(
    [element.open, element.isConnected, element.className, element.textContent],
    [true, true, 'frame', 'ab'],
  );
  assert.equal(element.getAttribute('aria-label'), 'Where to go');
  assert.equal(element.hasAttribute('aria-labelledby'), false);
});

test('closing gives the value and the focus back, at once and once', async () => {
  const button = focused();
  const { element, closed, close } = openSheet({ label: 'x', children: h('input') });
  element.children[0].focus();
  close('yes');
  assert.deepEqual([element.open, element.isConnected], [false, false]);
  assert.equal(document.activeElement, button);
  element.focus();
  close('no');
  await settled();
  assert.equal(document.activeElement, element, 'the focus is given back once');
  assert.equal(await closed, 'yes');
});

test('if the element that had the focus is gone, the page says where it goes', () => {
  const button = focused();
  let asked = 0;
  const { close } = openSheet({ label: 'x', children: null, focusAfter: () => (asked += 1) });
  button.remove();
  close();
  assert.equal(asked, 1);
});

test('its own button closes it with nothing', async () => {
  const closer = h('button', {}, 'Close');
  const { closed } = openSheet({ label: 'x', closer, children: closer });
  closer.click();
  assert.equal(await closed, undefined);
});

test('a click beside it closes a light one only', () => {
  for (const light of [true, false]) {
    const { element } = openSheet({ label: 'x', light, children: h('p') });
    element.children[0].click();
    assert.equal(element.open, true);
    element.click();
    assert.equal(element.open, !light);
  }
});

test('Escape closes it', async () => {
  const { element, closed } = openSheet({ label: 'x', children: null });
  const cancel = new Event('cancel', { cancelable: true });
  element.dispatchEvent(cancel);
  assert.equal(cancel.defaultPrevented, false);
  element.close(); // as the browser does then
  assert.equal(await closed, undefined);
  assert.equal(element.isConnected, false);
});

test('Escape does not close one that must be answered, however often it is pressed', async () => {
  const { element, closed, close } = openSheet({ label: 'x', mustAnswer: true, children: null });
  const cancel = new Event('cancel', { cancelable: true });
  element.dispatchEvent(cancel);
  assert.equal(cancel.defaultPrevented, true);
  element.close();
  await settled();
  assert.deepEqual([element.open, element.isConnected], [true, true]);
  close(1);
  await settled();
  assert.deepEqual([element.open, await closed], [false, 1]);
});
