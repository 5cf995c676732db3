// A page that shows all shared parts, for developers: /keno/pages/shared/kit.html, with ?light for
// the light theme.

import './dial.js';
import './grid.js';
import { dialWord } from './dial.js';
import { h, keycap } from './dom.js';
import { drawShape, LETTERS } from './shapes.js';
import { Sounds, TONES } from './sounds.js';

/**
 * @import { Shown } from './dial.js'
 * @import { Marked } from './grid.js'
 * @import { Mode } from './shapes.js'
 * @import { SoundName } from './sounds.js'
 * @import { Child } from './types.js'
 */

const STATES = [
  { state: 'open', left_ms: 278_000, span_ms: 360_000 },
  { state: 'closing', left_ms: 58_000 },
  { state: 'locked' },
  { state: 'drawing', balls: [5, 44, 3, 17, 29, 80, 61, 2, 33, 12, 26, 70, 58] },
  { state: 'held' },
  { state: 'irregular' },
  { state: 'offline', at: '9:06' },
];
/** @type {Record<string, number>} */
const EXAMPLES = { A: 7, B: 26, C: 38, D: 41, E: 62, F: 80, K: 55 };
const sounds = new Sounds();
const soundNames = /** @type {SoundName[]} */ (Object.keys(TONES));

if (location.search.includes('light')) document.documentElement.dataset.theme = 'light';

/** @param {...Child} cells */
function row(...cells) {
  return h('div', { class: 'kit-row' }, cells);
}

/**
 * @param {Shown} of
 * @param {boolean} bare
 */
function dial(of, bare) {
  const element = h('keno-dial', bare ? { bare: '' } : {});
  queueMicrotask(() => element.show(of));
  return h('div', {}, element, bare ? '' : dialWord(of.state));
}

/**
 * @param {Marked} of
 * @param {boolean} touch
 */
function grid(of, touch) {
  const element = h('keno-grid', touch ? { touch: '' } : {});
  queueMicrotask(() => element.show(of));
  return element;
}

/**
 * @param {string} letter
 * @param {Mode[]} modes
 * @param {number} number
 */
function shapes(letter, modes, number) {
  return h(
    'div',
    {},
    modes.map((mode) => drawShape(letter, { text: number, mode, size: 46, type: 46 })),
    h('p', {}, letter),
  );
}

const marks = new Map([
  [4, 'C'],
  [7, 'A'],
  [12, 'B'],
  [18, 'A'],
  [26, 'B'],
  [41, 'D'],
  [55, 'K'],
  [62, 'E'],
  [80, 'F'],
  [66, 'G'],
  [73, 'M'],
]);
document.body.append(
  h('h2', {}, 'One dial tells every state'),
  row(STATES.map((of) => dial(of, false))),
  row(STATES.map((of) => dial(of, true))),
  h('h2', {}, 'A group is a shape first, a colour second; light means caught'),
  row(
    [...'ABCDEFK'].map((letter) => shapes(letter, ['filled', 'outline', 'lamp'], EXAMPLES[letter])),
  ),
  row([...LETTERS].slice(6, 13).map((letter) => shapes(letter, ['filled', 'outline', 'lamp'], 18))),
  h(
    'div',
    { class: 'kit-row kit-paper on-paper' },
    [...'ABCDEFK'].map((letter) =>
      h('div', {}, drawShape(letter, { text: EXAMPLES[letter], size: 46, type: 46 })),
    ),
  ),
  h('h2', {}, 'Numbers'),
  h(
    'div',
    { class: 'kit-grids' },
    grid({ marks }, true),
    grid({ marks, lit: new Set([7, 12, 26, 55, 66, 30, 31]), hot: 31 }, false),
  ),
  h('h2', {}, 'Buttons, keys and sounds'),
  h(
    'div',
    { class: 'kit-acts' },
    h('button', { class: 'button button-go' }, 'Print ticket', keycap('↵')),
    h('button', { class: 'button' }, 'Back', keycap('Esc')),
    h('button', { class: 'button', disabled: true }, 'Not now'),
    soundNames.map((name) =>
      h(
        'button',
        {
          class: 'button',
          on: {
            click: () => {
              sounds.wake();
              setTimeout(() => sounds.play(name), 60);
            },
          },
        },
        name,
      ),
    ),
  ),
);
