// Draws the 80 numbers in two blocks, and the twenty balls in order. A tile has ready-made layers
// of light that only fade; painting changes only what differs.

import { tile } from '../shared/grid.js';
import { attribute, h, say } from '../shared/dom.js';

/** @import { Slot } from './view.js' */

const NUMBERS = 80;

export class Tiles {
  #tiles = Array.from({ length: NUMBERS }, (_, index) => lamp('n', index + 1));
  /** @type {string[]} */
  #drawn = [];
  blocks = [
    h(
      'div',
      { class: 'block first', role: 'group', 'aria-label': 'Numbers 1 to 40' },
      this.#tiles.slice(0, 40),
    ),
    h(
      'div',
      { class: 'block second', role: 'group', 'aria-label': 'Numbers 41 to 80' },
      this.#tiles.slice(40),
    ),
  ];

  constructor() {
    this.#tiles.forEach((each) => attribute(each, 'role', 'img'));
  }

  /** @param {string[]} grounds of each number: '', lit, hot, was or out */
  show(grounds) {
    grounds.forEach((ground, index) => {
      if (this.#drawn[index] === ground) return;
      this.#drawn[index] = ground;
      const element = this.#tiles[index];
      element.dataset.ground = ground;
      attribute(element, 'aria-label', named(index + 1, ground));
    });
  }
}

export class Strip {
  #slots = Array.from({ length: 20 }, () => lamp('o', ''));
  /** @type {string[]} */
  #drawn = [];
  element = h(
    'ol',
    { class: 'strip', 'aria-label': 'The order of the balls' },
    this.#slots.map((each) => h('li', {}, each)),
  );

  /** @param {Slot[]} slots */
  show(slots) {
    slots.forEach(({ number, ground }, index) => {
      const key = `${number} ${ground}`;
      if (this.#drawn[index] === key) return;
      this.#drawn[index] = key;
      const element = this.#slots[index];
      element.dataset.ground = number === null ? '' : ground;
      mark(element, number ?? '');
    });
  }
}

/**
 * @param {number} number
 * @param {string} ground
 */
function named(number, ground) {
  if (ground === 'out') return `${number}, not confirmed`;
  const one = new Set([number]);
  return tile(number, {
    lit: ground === 'lit' || ground === 'hot' ? one : undefined,
    was: ground === 'was' ? one : undefined,
  }).name;
}

/**
 * @param {string} name
 * @param {string | number} text
 */
function lamp(name, text) {
  /** @param {string} light */
  const layer = (light) => h('i', { class: light, 'aria-hidden': 'true' });
  const made = h(
    'div',
    { class: name, data: { ground: '' } },
    h('span'),
    layer('lit'),
    layer('hot'),
  );
  mark(made, text);
  return made;
}

/**
 * Write a number into every layer of a tile, each of which has a colour of its own.
 * @param {Element} element
 * @param {string | number} text
 */
function mark(element, text) {
  const [plain, ...layers] = element.children;
  say(plain, text);
  for (const each of layers) attribute(each, 'data-number', text);
}
