// Draws the strip at the top of every view: clock, game, line to the server, printer, drawer,
// writer, station. Under it is a line with trouble, the supervisor's messages and card changes. It
// also plays the sounds of last call and lock-out. The countdown runs from the last state received.

import '../../keno/pages/shared/dial.js';
import { h, keycap, put, say, svg } from '../../keno/pages/shared/dom.js';
import { money, time } from '../../keno/pages/shared/format.js';
import { NO_VALUE, drawerTotal, newsOf, printerWords, reading, ringOf } from './strip-words.js';

/**
 * @import { News } from './strip-words.js'
 * @import { App, Printer, StationState } from './types.js'
 */

/** Milliseconds of a full dial until a longer countdown was seen. */
const USUAL_SPAN_MS = 300_000;
const TICK_MS = 100;

/** @param {App} app */
export function createStrip(app) {
  const clock = createClock(app);
  const news = h('section', {
    class: 'news',
    'aria-label': 'News',
    'aria-live': 'polite',
    hidden: true,
  });
  const band = h(
    'aside',
    { class: 'no-value', 'aria-label': 'Demonstration', hidden: true },
    NO_VALUE[0],
    h('span', {}, NO_VALUE[1]),
  );
  const cells = {
    wire: cell('Line to the server'),
    paper: cell('Printer'),
    drawer: cell('Drawer'),
    writer: cell('Writer'),
    station: cell('Station'),
  };
  const top = h(
    'header',
    { class: 'strip' },
    h('h1', { class: 'for-readers' }, 'Writer station'),
    clock.element,
    cells.wire.element,
    cells.paper.element,
    cells.drawer.element,
    h('div', { class: 'strip-space' }),
    cells.writer.element,
    cells.station.element,
  );
  const paintPrinter = createPrinter(app, cells.paper);

  function tick() {
    const { state } = app;
    top.dataset.state = clock.tick();
    if (!state) return;
    const now = state.now_ms + (performance.now() - app.heardAt);
    say(cells.station.note, time(now, state.place?.zone));
  }

  /** @param {StationState | null} state */
  function paint(state) {
    if (state) {
      clock.heard(state.now_ms);
      band.hidden = !state.place?.no_value;
      paintCells(cells, state, app.linked);
      paintPrinter(state.printer);
      paintNews(app, news, newsOf(state, app.linked));
    }
    tick();
  }

  app.on(paint);
  setInterval(tick, TICK_MS);
  return { band, top, news, paint };
}

/** Create the dial with its clock, words and sounds. @param {App} app */
function createClock(app) {
  const dial = h('keno-dial', { bare: '' });
  const figure = h('div', { class: 'strip-clock', 'aria-hidden': 'true' });
  const name = h('b');
  const note = h('span');
  const words = h('div', { class: 'strip-words' }, name, note);
  /** The longest countdown seen, in ms, by game. @type {Map<number, number>} */
  const spans = new Map();
  /** @type {{state: string, game: number | undefined}} */
  let rung = { state: '', game: undefined };
  /** @type {number | null} */
  let heardMs = null;

  /** Milliseconds until the game closes; Infinity if it does not close by itself. */
  function left() {
    const closesIn = app.state?.game?.closes_in_ms ?? null;
    return closesIn === null ? Infinity : Math.max(0, closesIn - (performance.now() - app.heardAt));
  }

  function tick() {
    const leftMs = left();
    const read = reading(app.state, leftMs, { linked: app.linked, heardMs });
    const game = app.state?.game?.game;
    const timed = game !== undefined && Number.isFinite(leftMs);
    if (timed) spans.set(game, Math.max(spans.get(game) ?? USUAL_SPAN_MS, leftMs));
    dial.show({
      ...read,
      left_ms: timed ? leftMs : null,
      span_ms: timed ? spans.get(game) : 1,
    });
    say(figure, read.clock);
    figure.classList.toggle('is-word', /[A-Z]/.test(read.clock));
    say(name, read.name);
    say(note, read.note);
    const sound = ringOf(rung, { state: read.state, game });
    rung = { state: read.state, game };
    if (sound) app.sound(sound);
    return read.state;
  }

  return {
    element: h('div', { class: 'strip-game' }, dial, figure, words),
    tick,
    /** @param {number} ms of the last state */
    heard(ms) {
      heardMs = ms;
    },
  };
}

/** @typedef {ReturnType<typeof cell>} Cell */

/**
 * @param {{wire: Cell, drawer: Cell, writer: Cell, station: Cell}} cells
 * @param {StationState} state
 * @param {boolean} linked
 */
function paintCells({ wire, drawer, writer, station }, state, linked) {
  const { line, place, shift, writer: person } = state;
  wire.set(
    linked && line.up ? 'good' : 'look',
    linked ? (line.up ? 'Connected' : 'No signal') : 'No station',
    place?.name ?? '',
  );
  drawer.set('', shift ? money(drawerTotal(shift)) : '–', 'Drawer');
  const role = person ? `${person.role[0].toUpperCase()}${person.role.slice(1)}` : 'signed in';
  writer.set('', person?.name ?? 'Nobody', role);
  station.set(
    '',
    place ? `Station ${String(place.station).padStart(2, '0')}` : 'Station',
    time(state.now_ms, place?.zone),
  );
}

/**
 * Returns the function that draws the printer and plays a sound when its paper runs low.
 * @param {App} app
 * @param {Cell} paper
 */
function createPrinter(app, paper) {
  let last = '';
  /** @param {Printer | undefined} printer */
  return (printer) => {
    if (!printer) return;
    const { kind, head, under, low } = printerWords(printer);
    paper.set(kind, head, under, roll(printer.paper));
    paper.element.title = printer.words;
    if (low && last !== printer.paper) app.sound('low');
    last = printer.paper;
  };
}

/**
 * @param {App} app
 * @param {HTMLElement} element
 * @param {News[]} news
 */
function paintNews(app, element, news) {
  element.hidden = news.length === 0;
  const key = news.map(({ kind, text, note = '' }) => `${kind} ${text} ${note}`).join('|');
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  put(
    element,
    news.slice(0, 2).map((one) => newsItem(app, one)),
  );
}

/**
 * @param {App} app
 * @param {News} news
 */
function newsItem(app, { kind, text, note, told }) {
  return h(
    'p',
    { class: 'news-item', data: { kind } },
    h('span', { class: 'news-text' }, text),
    note && h('span', { class: 'news-note' }, note),
    told &&
      h(
        'button',
        {
          type: 'button',
          class: 'news-seen',
          on: {
            click: () =>
              app.ask('seen', { ms: told.ms }).catch((no) => app.notice(no.message, 'no')),
            mousedown: (event) => event.preventDefault(),
          },
        },
        'Seen',
        keycap('F3'),
      ),
  );
}

/** @param {string} label */
function cell(label) {
  const sign = h('i', { class: 'strip-sign', 'aria-hidden': 'true' });
  const words = h('b');
  const note = h('span');
  const element = h(
    'div',
    { class: 'strip-cell', role: 'group', 'aria-label': label },
    h('div', { class: 'strip-head' }, sign, words),
    note,
  );
  return {
    element,
    note,
    /**
     * @param {string} kind
     * @param {string} head
     * @param {string} under
     * @param {SVGElement | null} [picture]
     */
    set(kind, head, under, picture = null) {
      element.dataset.kind = kind;
      if (picture && sign.dataset.of !== picture.dataset.of) {
        sign.className = 'strip-picture';
        sign.dataset.of = picture.dataset.of;
        put(sign, picture);
      }
      say(words, head);
      say(note, under);
    },
  };
}

/** Draw the roll of paper, as full as the printer's. @param {Printer['paper']} paper */
function roll(paper) {
  const height = { ok: 8.5, low: 3, out: 0, unknown: 0 }[paper] ?? 0;
  const picture = svg('svg', { width: 16, height: 20, viewBox: '0 0 16 20', 'data-of': paper });
  picture.append(
    svg('rect', {
      x: 1,
      y: 1,
      width: 14,
      height: 18,
      rx: 3,
      fill: 'none',
      stroke: 'var(--edge)',
      'stroke-width': 2,
    }),
  );
  if (height)
    picture.append(
      svg('rect', { x: 3.5, y: 16.5 - height, width: 9, height, rx: 1, fill: 'currentColor' }),
    );
  return picture;
}
