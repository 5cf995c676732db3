// The dial of the board: the rim of the state the game is in, and the ball just called. Two balls
// take turns, so that the old one can fade while the new one comes; how they move is in light.css.

import { arc, around, picture } from '../shared/dial.js';
import { attribute, h, put, say, svg } from '../shared/dom.js';

/**
 * @import { Picture, Rim, Shown } from '../shared/dial.js'
 * @import { Child } from '../shared/types.js'
 * @import { Face } from './view.js'
 */

/**
 * @typedef {{d: string, width: number, cap?: string}} RimMark a path and how it is drawn
 * @typedef {{lamp: SVGElement, hot: SVGElement | null}} Lamp
 */

const BOX = 105;
const R = 100;
const STEPS = 1440;
const OFF = 'var(--ink-3)';

/**
 * The marks of a dial's rim as SVG paths, in a box of 210 units. Pure.
 * @param {Rim} rim
 * @returns {RimMark[]}
 */
export function marks(rim) {
  const all = Array.from({ length: rim.count }, (_, index) => index);
  switch (rim.kind) {
    case 'ring':
      return [{ d: arc(R, 0, 1), width: 5 }];
    case 'arcs':
      return all.map((i) => ({
        d: arc(R, i / rim.count + 0.006, (i + 1) / rim.count - 0.006),
        width: 5,
      }));
    case 'broken':
      return all.map((i) => ({
        d: arc(R, i / rim.count + 0.045, (i + 1) / rim.count - 0.045),
        width: 6,
      }));
    case 'dots':
      return all.map((i) => ({
        d: `M${around(R, i / rim.count)}l0 .01`,
        width: 3.4,
        cap: 'round',
      }));
    default: {
      const few = rim.count < 30;
      return all.map((i) => {
        const part = (i + (few ? 0 : 0.5)) / rim.count;
        return {
          d: `M${around(R - (few ? 6 : 7), part)}L${around(R, part)}`,
          width: few ? 3.6 : 3.2,
        };
      });
    }
  }
}

export class Stage {
  #rim = svg('svg', {
    viewBox: `${-BOX} ${-BOX} ${2 * BOX} ${2 * BOX}`,
    'aria-hidden': 'true',
    class: 'rim',
  });
  #sign = svg('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true', class: 'sign' });
  #over = h('span', { class: 'over' });
  #main = h('span', { class: 'main' });
  #under = h('span', { class: 'under' });
  #balls = [ball(), ball()];
  #front = 0;
  #drawn = '';
  /** The lamp of each mark and, for arcs, the lamp of the newest ball. @type {Lamp[]} */
  #lamps = [];
  element = h(
    'section',
    { class: 'stage', role: 'img' },
    h('i', { class: 'glow' }),
    this.#rim,
    this.#balls,
    this.#sign,
    h('p', { class: 'face', 'aria-hidden': 'true' }, this.#over, this.#main, this.#under),
  );

  /**
   * Paint the dial; the style sheet decides whether it moves.
   * @param {Shown} dial
   * @param {Face} face
   */
  show(dial, face) {
    const seen = picture(dial);
    attribute(
      this.element,
      'aria-label',
      face.under && seen.state === 'locked' ? seen.label : spoken(seen, face),
    );
    this.element.dataset.state = seen.state;
    this.#paintRim(seen.rim);
    this.#paintSign(seen.middle.kind);
    this.#paintBall(seen.middle.kind === 'ball' ? seen.middle.text : '');
    say(this.#over, face.over);
    say(this.#main, face.main);
    say(this.#under, face.under);
    this.#main.dataset.length = /[a-z]/.test(face.main)
      ? 'word'
      : face.main.length > 4
        ? 'long'
        : '';
  }

  /** @param {Rim} rim */
  #paintRim(rim) {
    const kind = `${rim.kind} ${rim.count} ${rim.colour}`;
    if (kind !== this.#drawn) {
      this.#drawn = kind;
      const all = marks(rim);
      put(
        this.#rim,
        all.map((mark) => stroke(mark, OFF)),
      );
      this.#lamps = all.map((mark) => ({
        lamp: stroke(mark, rim.colour, 'mark'),
        hot: rim.kind === 'arcs' ? stroke(mark, 'var(--hot)', 'mark hot') : null,
      }));
      this.#rim.append(...this.#lamps.map(({ lamp }) => lamp));
      this.#rim.append(...this.#lamps.flatMap(({ hot }) => hot ?? []));
    }
    if (rim.kind === 'ring') {
      const part = Math.round((rim.part ?? 1) * STEPS) / STEPS;
      attribute(this.#lamps[0].lamp, 'd', arc(R, 0, Math.max(part, 0.0005)));
      attribute(this.#lamps[0].lamp, 'stroke-linecap', 'round');
    }
    this.#lamps.forEach(({ lamp, hot }, index) => {
      attribute(lamp, 'data-on', index < rim.lit ? 'yes' : 'no');
      if (hot) attribute(hot, 'data-on', index === rim.lit - 1 ? 'yes' : 'no');
    });
  }

  /** @param {string} kind */
  #paintSign(kind) {
    if (this.#sign.dataset.kind === kind) return;
    this.#sign.dataset.kind = kind;
    put(this.#sign, SIGNS[kind]?.() ?? []);
  }

  /** Bring the ball with this number to the front, unless it is there. @param {string} number */
  #paintBall(number) {
    const front = this.#balls[this.#front];
    if (front.dataset.on === (number ? 'yes' : 'no') && front.textContent === number) return;
    front.dataset.on = 'no';
    if (!number) return;
    this.#front = 1 - this.#front;
    const next = this.#balls[this.#front];
    say(next.children[0], number);
    next.dataset.on = 'yes';
  }
}

function ball() {
  return h('div', { class: 'ball', data: { on: 'no' }, 'aria-hidden': 'true' }, h('b'));
}

/**
 * @param {RimMark} mark
 * @param {string} colour
 * @param {string} [name]
 */
function stroke({ d, width, cap = 'butt' }, colour, name) {
  return svg('path', {
    d,
    fill: 'none',
    stroke: colour,
    'stroke-width': width,
    'stroke-linecap': cap,
    class: name,
  });
}

/**
 * @param {Picture} seen
 * @param {Face} face
 */
function spoken(seen, face) {
  if (seen.state === 'drawing' || seen.state === 'irregular' || seen.state === 'held')
    return seen.label;
  return [face.over, face.main, face.under].filter(Boolean).join(' ') || seen.label;
}

const line = {
  fill: 'none',
  stroke: 'var(--text-1)',
  'stroke-width': 1.7,
  'stroke-linecap': 'round',
};
/** @type {Record<string, () => Child>} */
const SIGNS = {
  padlock: () => [
    svg('rect', { x: 4, y: 10.5, width: 16, height: 11, rx: 2.5, ...line }),
    svg('path', { d: 'M8 10V7a4 4 0 0 1 8 0v3', ...line }),
  ],
  bars: () =>
    [4.5, 14].map((x) =>
      svg('rect', { x, y: 3, width: 5.5, height: 18, rx: 1.4, fill: 'var(--sky)' }),
    ),
  mark: () => [
    svg('rect', { x: 10.5, y: 1, width: 3, height: 14.5, rx: 1.1, fill: 'var(--stop)' }),
    svg('circle', { cx: 12, cy: 20.6, r: 2.1, fill: 'var(--stop)' }),
  ],
};
