// Draws the numbers of a request in a row, in the shapes of their groups.

import { attribute, h } from '../shared/dom.js';
import { drawShape, groupName, letterOf } from '../shared/shapes.js';

/** @param {{groups: number[][], kings: number[]}} request */
export function spotRows({ groups, kings }, size = 30) {
  /** @type {[letter: string, numbers: number[]][]} */
  const all = [];
  groups.forEach((numbers, index) => all.push([letterOf(index), numbers]));
  for (const king of kings) all.push(['K', [king]]);
  return h(
    'div',
    { class: 'spot-rows' },
    all.map(([letter, numbers]) => {
      const row = h(
        'span',
        { class: 'group', role: 'img' },
        numbers.map((text) => drawShape(letter, { text, size, type: 49, weight: 600 })),
      );
      attribute(row, 'aria-label', `${groupName(letter)}: ${numbers.join(' ')}`);
      return row;
    }),
  );
}
