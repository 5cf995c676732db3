// <keno-dial>: a round dial that shows the state of a game. `picture` decides what is drawn and is
// pure; the element paints it. Set it with `dial.show({state, …})`:
//   open      {left_ms, span_ms}      the ring drains
//   closing   {left_ms}               60 ticks, one goes out each second
//   locked    {}                      full ring, padlock
//   drawing   {balls: [numbers]}      20 arcs around the newest ball
//   closed    {at: "10:00"}           a quiet ring, the time of the next opening
//   held      {}                      24 ticks, two bars
//   irregular {}                      a ring broken in three, an exclamation mark
//   offline   {at: "9:06"}            a dotted ring, the time last heard
// The attribute `bare` leaves the words out of the middle, for small dials beside a clock.

import { attribute, svg } from './dom.js';
import { clock } from './format.js';

/** @import { Child } from './types.js' */

/**
 * @typedef {{state: string, left_ms?: number | null, span_ms?: number, balls?: number[],
 *   at?: string}} Shown
 * @typedef {{kind: string, count: number, lit: number, colour: string, part?: number}} Rim
 * @typedef {{kind: string, text: string}} Middle
 * @typedef {{state: string, rim: Rim, middle: Middle, label: string}} Picture
 */

/** @type {Record<string, string>} */
const WORDS = {
  open: 'Open',
  closing: 'Closing',
  locked: 'Closed',
  closed: 'Closed',
  drawing: 'Drawing',
  held: 'Held',
  irregular: 'Stopped',
  offline: 'No signal',
};

/** The word that names a dial's state on the page. @param {string} state */
export function dialWord(state) {
  return WORDS[state] ?? '';
}

/**
 * What a dial shows: marks around the rim, a sign in the middle, a sentence for screen readers.
 * @param {Shown} of
 * @returns {Picture}
 */
export function picture(of) {
  const left = Math.max(0, of.left_ms ?? 0);
  switch (of.state) {
    case 'open': {
      const span = of.span_ms ?? 0;
      const part = span > 0 && of.left_ms !== null ? Math.min(1, left / span) : 1;
      const rim = { kind: 'ring', count: 1, lit: 1, colour: 'var(--text-1)', part };
      if (of.left_ms === null)
        return { state: 'open', rim, middle: text(''), label: 'Open, closes by hand' };
      return {
        state: 'open',
        rim,
        middle: text(clock(left)),
        label: `Open, closes in ${clock(left)}`,
      };
    }
    case 'closing': {
      const lit = Math.min(60, Math.ceil(left / 1000));
      const rim = { kind: 'ticks', count: 60, lit, colour: 'var(--ember)' };
      return {
        state: 'closing',
        rim,
        middle: text(clock(left)),
        label: `Closing in ${clock(left)}`,
      };
    }
    case 'drawing': {
      const balls = of.balls ?? [];
      const rim = { kind: 'arcs', count: 20, lit: balls.length, colour: 'var(--lamp)' };
      const middle = balls.length ? { kind: 'ball', text: String(balls.at(-1)) } : text('');
      const label = balls.length
        ? `Drawing, ball ${balls.length} of 20 is ${balls.at(-1)}`
        : 'Drawing';
      return { state: 'drawing', rim, middle, label };
    }
    case 'closed':
      return {
        state: 'closed',
        rim: { kind: 'ring', count: 1, lit: 1, colour: 'var(--edge)', part: 1 },
        middle: text(of.at ?? ''),
        label: of.at ? `Closed, opens at ${of.at}` : 'Closed',
      };
    case 'held':
      return still(
        'held',
        { kind: 'ticks', count: 24, lit: 24, colour: 'var(--sky)' },
        'bars',
        'Held by the supervisor',
      );
    case 'irregular':
      return still(
        'irregular',
        { kind: 'broken', count: 3, lit: 3, colour: 'var(--stop)' },
        'mark',
        'Stopped',
      );
    case 'offline': {
      const rim = { kind: 'dots', count: 48, lit: 48, colour: 'var(--edge)' };
      return {
        state: 'offline',
        rim,
        middle: text(of.at ?? ''),
        label: of.at ? `No signal since ${of.at}` : 'No signal',
      };
    }
    default:
      return still(
        'locked',
        { kind: 'ring', count: 1, lit: 1, colour: 'var(--text-1)', part: 1 },
        'padlock',
        'Closed, draw follows',
      );
  }
}

/** @param {string} words */
function text(words) {
  return { kind: 'text', text: words };
}

/**
 * @param {string} state
 * @param {Rim} rim
 * @param {string} kind
 * @param {string} label
 */
function still(state, rim, kind, label) {
  return { state, rim, middle: { kind, text: '' }, label };
}

/**
 * The point at `part` (0 to 1) of a circle, clockwise from the top, as "x y".
 * @param {number} radius
 * @param {number} part
 */
export function around(radius, part) {
  const angle = part * 2 * Math.PI - Math.PI / 2;
  return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
}

/**
 * The SVG path of an arc between two parts (0 to 1) of a circle.
 * @param {number} radius
 * @param {number} from
 * @param {number} to
 */
export function arc(radius, from, to) {
  /** @type {(large: 0 | 1, part: number) => string} */
  const turn = (large, part) => `A${radius} ${radius} 0 ${large} 1 ${around(radius, part)}`;
  if (to - from >= 1) return `M${around(radius, 0)}${turn(1, 0.5)}${turn(1, 1)}`;
  return `M${around(radius, from)}${turn(to - from > 0.5 ? 1 : 0, to)}`;
}

const R = 100;
const OFF = 'var(--ink-3)';

/**
 * @param {Rim} rim
 * @param {boolean} thick
 */
function drawRim(rim, thick) {
  if (rim.kind === 'ring') {
    const width = thick ? 15 : 8;
    const marks = [stroke(arc(R, 0, 1), OFF, width)];
    if (rim.part) marks.push(stroke(arc(R, 0, rim.part), rim.colour, width, 'round'));
    return marks;
  }
  if (rim.kind === 'arcs' || rim.kind === 'broken') {
    const gap = rim.kind === 'broken' ? 0.08 : 0.0143;
    return Array.from({ length: rim.count }, (_, i) =>
      stroke(
        arc(R, i / rim.count + gap / 2, (i + 1) / rim.count - gap / 2),
        i >= rim.lit ? OFF : rim.kind === 'arcs' && i === rim.lit - 1 ? 'var(--hot)' : rim.colour,
        rim.kind === 'broken' ? (thick ? 16 : 10) : thick ? 13 : 6,
      ),
    );
  }
  if (rim.kind === 'dots') {
    const every = thick ? 2 : 1;
    return Array.from({ length: rim.count / every }, (_, i) => {
      const [cx, cy] = around(R, (i * every) / rim.count).split(' ');
      return svg('circle', { cx, cy, r: thick ? 5 : 2.4, fill: rim.colour });
    });
  }
  return Array.from({ length: rim.count }, (_, i) => {
    const part = (i + 0.5) / rim.count;
    const length = thick ? 18 : 9;
    const width = thick && rim.count <= 24 ? 9 : thick ? 4.5 : 4;
    return stroke(
      `M${around(R - length, part)}L${around(R, part)}`,
      i < rim.lit ? rim.colour : OFF,
      width,
    );
  });
}

/**
 * @param {string} d
 * @param {string} colour
 * @param {number} width
 */
function stroke(d, colour, width, cap = 'butt') {
  return svg('path', {
    d,
    fill: 'none',
    stroke: colour,
    'stroke-width': width,
    'stroke-linecap': cap,
  });
}

/**
 * @param {string} kind
 * @param {number} scale
 */
function drawSign(kind, scale) {
  /** @param {Child} element */
  const at = (element) => svg('g', { transform: `scale(${scale}) translate(-12 -12)` }, element);
  const line = {
    fill: 'none',
    stroke: 'var(--text-1)',
    'stroke-width': 2.2,
    'stroke-linecap': 'round',
  };
  if (kind === 'padlock') {
    return at([
      svg('rect', { x: 4, y: 10.5, width: 16, height: 11, rx: 2.5, ...line }),
      svg('path', { d: 'M8 10V7a4 4 0 0 1 8 0v3', ...line }),
    ]);
  }
  if (kind === 'bars') {
    return at(
      [4, 14].map((x) =>
        svg('rect', { x, y: 3, width: 6, height: 18, rx: 1.5, fill: 'var(--sky)' }),
      ),
    );
  }
  return at([
    svg('rect', { x: 10, y: -2, width: 4, height: 18, rx: 1.6, fill: 'var(--stop)' }),
    svg('circle', { cx: 12, cy: 22.4, r: 2.7, fill: 'var(--stop)' }),
  ]);
}

/**
 * @param {Middle} middle
 * @param {string} state
 * @param {boolean} bare
 */
function drawMiddle(middle, state, bare) {
  if (middle.kind === 'text') {
    if (bare || !middle.text) return [];
    const offline = state === 'offline';
    return [
      write(middle.text, offline ? 43 : 62, offline ? 'var(--text-3)' : 'var(--text-1)', 600),
    ];
  }
  if (middle.kind === 'ball') {
    if (bare) return [];
    return [...drawBall(), write(middle.text, 104, 'var(--on-ball)', 700)];
  }
  return [drawSign(middle.kind, bare ? 4.6 : 2.7)];
}

let balls = 0;

/** Draw the lit ball: white in the middle, warm at the rim. */
function drawBall() {
  const id = `keno-ball-${(balls += 1)}`;
  const stops = [
    ['0', '#fff'],
    ['36%', '#fff8ea'],
    ['70%', '#ffe9c2'],
    ['100%', 'var(--hot-rim)'],
  ].map(([offset, colour]) => svg('stop', { offset, 'stop-color': colour }));
  return [
    svg('defs', {}, svg('radialGradient', { id, cx: '50%', cy: '36%', r: '64%' }, stops)),
    svg('circle', { r: 78, fill: `url(#${id})` }),
  ];
}

/**
 * @param {string} words
 * @param {number} size
 * @param {string} fill
 * @param {number} weight
 */
function write(words, size, fill, weight) {
  return svg(
    'text',
    {
      y: size * 0.35,
      'text-anchor': 'middle',
      'font-size': size,
      'font-weight': weight,
      'letter-spacing': '-.02em',
      fill,
    },
    words,
  );
}

if (globalThis.customElements) {
  customElements.define(
    'keno-dial',
    class extends HTMLElement {
      #drawn = '';

      /** Paint a state at once; painting the same picture again costs nothing. @param {Shown} of */
      show(of) {
        const seen = picture(of);
        const bare = this.hasAttribute('bare');
        attribute(this, 'role', 'img');
        attribute(this, 'aria-label', seen.label);
        this.dataset.state = seen.state;
        const rim = { ...seen.rim, part: seen.rim.part && Math.round(seen.rim.part * 1440) / 1440 };
        const key = JSON.stringify([
          rim,
          bare && /text|ball/.test(seen.middle.kind) ? '' : seen.middle,
        ]);
        if (key === this.#drawn) return;
        this.#drawn = key;
        const margin = bare ? 15 : 8;
        const box = R + margin;
        this.replaceChildren(
          svg(
            'svg',
            {
              viewBox: `${-box} ${-box} ${2 * box} ${2 * box}`,
              'aria-hidden': 'true',
              focusable: 'false',
            },
            drawRim(rim, bare),
            drawMiddle(seen.middle, seen.state, bare),
          ),
        );
      }
    },
  );
}
