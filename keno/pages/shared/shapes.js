// The shapes that show which group a number belongs to. A shape is drawn filled (chosen), as an
// outline (played, not caught) or as a lamp (caught). Groups 7 to 12 reuse the six shapes as double
// outlines; later groups have letters only. Geometry is pure, drawing needs a document.

import { svg } from './dom.js';

/** Letters of groups in their order; K is left out because it means a king. */
export const LETTERS = 'ABCDEFGHIJLMNOPQRSTUVWXYZabcdefghijlmnopqrstuvwxyz';

/** @typedef {'filled' | 'outline' | 'lamp' | 'dim'} Mode how a shape is drawn */
/** @typedef {ReturnType<typeof look>} Look */

/** The SVG path of each shape, in a box of 100 units. */
export const PATHS = Object.freeze({
  disc: 'M50 3a47 47 0 0 1 0 94a47 47 0 0 1 0-94z',
  square:
    'M18 5h64a13 13 0 0 1 13 13v64a13 13 0 0 1-13 13H18a13 13 0 0 1-13-13V18a13 13 0 0 1 13-13z',
  hexagon:
    'M28 5h44a6 6 0 0 1 5 3l20 38a7 7 0 0 1 0 7L77 92a6 6 0 0 1-5 3H28a6 6 0 0 1-5-3' +
    'L3 53a7 7 0 0 1 0-7L23 8a6 6 0 0 1 5-3z',
  parallelogram: 'M30 6h64a5 5 0 0 1 5 6L81 90a6 6 0 0 1-6 4H6a5 5 0 0 1-5-6L24 10a6 6 0 0 1 6-4z',
  house:
    'M46 4a7 7 0 0 1 8 0l38 29a8 8 0 0 1 3 6v50a6 6 0 0 1-6 6H11a6 6 0 0 1-6-6V39a8 8 0 0 1 3-6z',
  shield:
    'M11 5h78a6 6 0 0 1 6 6v43c0 20-24 33-41 41a9 9 0 0 1-8 0C29 87 5 74 5 54V11a6 6 0 0 1 6-6z',
  crown:
    'M3 16a4 4 0 0 1 6-3l19 14L46 5a5 5 0 0 1 8 0l18 22 19-14a4 4 0 0 1 6 3l-6 74' +
    'a6 6 0 0 1-6 5H15a6 6 0 0 1-6-5z',
});

/** @type {[keyof typeof PATHS, string][]} */
const ORDER = [
  ['disc', 'a'],
  ['square', 'b'],
  ['hexagon', 'c'],
  ['parallelogram', 'd'],
  ['house', 'e'],
  ['shield', 'f'],
];
/** Height at which a shape's text is centred if it is not 50, in units of its box of 100. */
/** @type {Partial<Record<keyof typeof PATHS, number>>} */
const MIDDLE = { crown: 64, house: 58, shield: 46 };

/**
 * Shape and colour of a group by its letter; `K`, `K1`, `K2` are kings. `name` is null from the
 * thirteenth group on.
 * @param {string} letter
 * @returns {{name: keyof typeof PATHS | null, colour: string, double: boolean, letter: string}}
 */
export function look(letter) {
  if (/^K\d*$/.test(letter))
    return { name: 'crown', colour: 'var(--group-king)', double: false, letter };
  const index = LETTERS.indexOf(letter);
  if (index < 0 || index >= 12)
    return { name: null, colour: 'var(--text-1)', double: false, letter };
  const [name, colour] = ORDER[index % 6];
  return { name, colour: `var(--group-${colour})`, double: index >= 6, letter };
}

/** The letter of the group with this index, 0 is A. @param {number} index */
export function letterOf(index) {
  return LETTERS[index] ?? '?';
}

/** A group in words: "group A", "king". @param {string} letter */
export function groupName(letter) {
  if (letter === 'K') return 'king';
  return letter.startsWith('K') ? `king ${letter.slice(1)}` : `group ${letter}`;
}

/**
 * The colours of a shape in a mode: [fill, stroke, text].
 * @param {Look} shape
 * @param {Mode} mode
 * @returns {[string, string, string]}
 */
export function paint(shape, mode) {
  if (mode === 'lamp') return ['var(--lamp)', 'var(--lamp-rim, none)', 'var(--on-lamp)'];
  if (mode === 'outline') return ['none', shape.colour, 'var(--text-2)'];
  if (mode === 'dim') return ['none', 'var(--edge)', 'var(--text-3)'];
  if (shape.double) return ['none', shape.colour, 'var(--text-1)'];
  return [shape.colour, 'none', 'var(--on-group)'];
}

/**
 * Draw a group's shape as an SVG element, with a text in it.
 * @param {string} letter
 * @param {{text?: string | number, mode?: Mode, size?: number, type?: number,
 *   weight?: number}} [how] `type` is the text's size in the box of 100
 */
export function drawShape(
  letter,
  { text = '', mode = 'filled', size = 40, type = 50, weight } = {},
) {
  const shape = look(letter);
  const [fill, stroke, ink] = paint(shape, mode);
  const picture = svg('svg', {
    class: `shape shape-${mode}`,
    width: size,
    height: size,
    viewBox: '-3 -3 106 106',
    'aria-hidden': 'true',
    focusable: 'false',
  });
  const path = PATHS[shape.name ?? 'square'];
  const plain = shape.name === null && mode === 'filled';
  picture.append(
    svg('path', {
      d: path,
      fill: plain ? 'none' : fill,
      stroke: plain ? 'var(--edge)' : stroke,
      'stroke-width': stroke === 'none' && !plain ? null : shape.double ? 4 : 5,
    }),
  );
  if (shape.double) {
    const middle = centre(shape.name);
    picture.append(
      svg('path', {
        d: path,
        fill: 'none',
        stroke: mode === 'lamp' ? 'var(--on-lamp)' : stroke,
        'stroke-width': 5,
        transform: `translate(50 ${middle}) scale(.78) translate(-50 -${middle})`,
      }),
    );
  }
  if (text !== '')
    picture.append(
      label(
        shape,
        String(text),
        plain ? 'var(--text-1)' : ink,
        type,
        weight ?? (mode === 'outline' ? 500 : 700),
      ),
    );
  return picture;
}

/** @param {Look['name']} name */
function centre(name) {
  return name === 'shield' ? 47 : name === 'house' ? 52 : 50;
}

/**
 * @param {Look} shape
 * @param {string} text
 * @param {string} ink
 * @param {number} type
 * @param {number} weight
 */
function label(shape, text, ink, type, weight) {
  const size =
    (shape.name === 'crown' ? 0.92 : shape.double ? 0.86 : 1) * type * (text.length > 2 ? 0.8 : 1);
  return svg(
    'text',
    {
      x: 50,
      y: (MIDDLE[shape.name ?? 'square'] ?? 50) + size * 0.35,
      'text-anchor': 'middle',
      'font-size': size,
      'font-weight': weight,
      'letter-spacing': -1,
      fill: ink,
    },
    text,
  );
}
