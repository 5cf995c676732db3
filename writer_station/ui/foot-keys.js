// Draws the keys of the footer as buttons; touching a button presses its key.

import { h, keycap } from '../../keno/pages/shared/dom.js';

/** @import { FootKey } from './types.js' */

/** @type {Record<string, string>} */
const KEYS = { '↵': 'Enter', '⏎': 'Enter', '⌫': 'Backspace', Esc: 'Escape' };

/** The name in `KeyboardEvent.key` of the key with this cap. @param {string} cap */
export function keyOfCap(cap) {
  return KEYS[cap] ?? cap;
}

/**
 * @param {FootKey} shown
 * @param {(key: string) => void} press
 */
export function footKey([caps, words, key], press) {
  const all = [caps].flat();
  const button = h(
    'button',
    { type: 'button', class: 'foot-key', tabIndex: -1 },
    all.map(keycap),
    h('span', {}, words),
  );
  button.addEventListener('mousedown', (event) => event.preventDefault());
  button.addEventListener('click', () => {
    if (document.activeElement === button) button.blur();
    press(key ?? keyOfCap(all[0]));
  });
  return button;
}
