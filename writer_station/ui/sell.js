// The Sell view.

import { h } from '/parts/dom.js';

export function sell() {
  return { name: 'sell', element: h('section', { class: 'sell' }), keys: () => [['F2', 'pay'], ['?', 'all keys']] };
}
