// <keno-grid>: the 80 numbers as two blocks of 40. Spots show their group's shape, called numbers
// are lit, last game's numbers are `was`. With the attribute `touch` each number is a button and
// picking one sends a `pick` event with {number}; the arrow keys move inside the grid.

import { attribute, h } from './dom.js';
import { drawShape, groupName, look } from './shapes.js';

export const NUMBERS = 80;
const ACROSS = 10;

/**
 * What a grid shows: groups by number, called numbers, those of the last game, the newest one.
 * @typedef {{marks?: Map<number, string>, lit?: Set<number>, was?: Set<number>,
 *   hot?: number | null}} Marked
 * @typedef {{letter: string, mode: Mode | '', ground: string, name: string}} Tile
 * @import { Mode } from './shapes.js'
 */

/**
 * How one number looks (group, mode, ground) and its name for screen readers.
 * @param {number} number
 * @param {Marked} of
 * @returns {Tile}
 */
export function tile(number, { marks, lit, was, hot = null } = {}) {
  const letter = marks?.get(number) ?? '';
  const called = lit?.has(number) ?? false;
  const words = [String(number)];
  if (letter) words.push(groupName(letter));
  if (called) words.push(letter ? 'caught' : 'called');
  else if (was?.has(number)) words.push('called last game');
  let ground = '';
  if (!letter) ground = number === hot ? 'hot' : called ? 'lit' : was?.has(number) ? 'was' : '';
  const mode = !letter ? '' : called ? 'lamp' : lit ? 'outline' : 'filled';
  return { letter, mode, ground, name: words.join(', ') };
}

/**
 * The number that an arrow key moves to from a number; the number itself at an edge.
 * @param {number} number
 * @param {string} key
 */
export function neighbour(number, key) {
  const column = (number - 1) % ACROSS;
  /** @type {Record<string, number>} */
  const steps = {
    ArrowLeft: column > 0 ? number - 1 : number,
    ArrowRight: column < ACROSS - 1 ? number + 1 : number,
    ArrowUp: number - ACROSS,
    ArrowDown: number + ACROSS,
    Home: number - column,
    End: number - column + ACROSS - 1,
  };
  const to = steps[key];
  return to >= 1 && to <= NUMBERS ? to : number;
}

const STEPS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']);

if (globalThis.customElements) {
  customElements.define(
    'keno-grid',
    class extends HTMLElement {
      /** @type {HTMLElement[]} */
      #tiles = [];
      /** @type {string[]} */
      #drawn = [];
      #here = 1;

      connectedCallback() {
        if (this.#tiles.length) return;
        const touch = this.hasAttribute('touch');
        for (let number = 1; number <= NUMBERS; number += 1)
          this.#tiles.push(this.#tile(number, touch));
        this.replaceChildren(
          h('div', { class: 'grid-block' }, this.#tiles.slice(0, 40)),
          h('div', { class: 'grid-block' }, this.#tiles.slice(40)),
        );
        attribute(this, 'role', 'group');
        if (!this.hasAttribute('aria-label')) attribute(this, 'aria-label', 'Numbers 1 to 80');
        if (touch) this.addEventListener('keydown', (event) => this.#step(event));
        this.show({});
      }

      /**
       * @param {number} number
       * @param {boolean} touch
       */
      #tile(number, touch) {
        if (!touch) return h('span', { class: 'grid-tile', role: 'img', data: { number } });
        return h('button', {
          class: 'grid-tile',
          type: 'button',
          tabIndex: number === 1 ? 0 : -1,
          data: { number },
          on: {
            click: () => this.#pick(number),
            focus: () => this.#rove(number),
          },
        });
      }

      /** @param {number} number */
      #pick(number) {
        this.dispatchEvent(new CustomEvent('pick', { detail: { number }, bubbles: true }));
      }

      /** @param {KeyboardEvent} event */
      #step(event) {
        if (!STEPS.has(event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        this.#tiles[neighbour(this.#here, event.key) - 1].focus();
      }

      /** @param {number} number */
      #rove(number) {
        this.#tiles[this.#here - 1].tabIndex = -1;
        this.#here = number;
        this.#tiles[number - 1].tabIndex = 0;
      }

      /** Paint a state; only numbers that changed are touched. @param {Marked} of */
      show(of) {
        this.#tiles.forEach((element, index) => {
          const seen = tile(index + 1, of);
          const key = `${seen.letter} ${seen.mode} ${seen.ground} ${seen.name}`;
          if (this.#drawn[index] === key) return;
          this.#drawn[index] = key;
          this.#paint(element, index + 1, seen);
        });
      }

      /**
       * @param {HTMLElement} element
       * @param {number} number
       * @param {Tile} tile
       */
      #paint(element, number, { letter, mode, ground, name }) {
        element.dataset.ground = letter ? 'spot' : ground;
        attribute(element, 'aria-label', name);
        if (element instanceof HTMLButtonElement)
          attribute(element, 'aria-pressed', letter ? 'true' : 'false');
        if (!letter || !mode) {
          element.replaceChildren(String(number));
          return;
        }
        const { double, name: shape } = look(letter);
        element.dataset.letter = double || shape === null ? letter : '';
        element.replaceChildren(drawShape(letter, { text: number, mode, size: 53, type: 47 }));
      }
    },
  );
}
