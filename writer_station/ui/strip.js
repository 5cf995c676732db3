// The strip at the top of every view: clock, game, line, printer, drawer, writer, station; and the
// line under it with trouble, the supervisor's messages and card changes. It also sounds the
// last call, when the house gives it, and the lock-out. The clock runs on the server's time, counted from the last state.

import '../../keno/pages/shared/dial.js';
import { h, keycap, put, say, svg } from '../../keno/pages/shared/dom.js';
import { clock, money, time } from '../../keno/pages/shared/format.js';

const USUAL_SPAN_MS = 300_000;

/** The band of a house that only shows how it works. */
export const NO_VALUE = ['NO VALUE —', 'Demonstration. Tickets and awards here are worth nothing.'];

/**
 * What the dial and the words beside it show.
 * @param {object|null} state the station's state @param {number} leftMs until the game closes
 * @param {{linked: boolean, heardMs: number|null}} link this page's own link to the station
 * @returns {{state: string, clock: string, name: string, note: string}}
 */
export function reading(state, leftMs, { linked, heardMs = null }) {
  const zone = state?.place?.zone;
  const at = (ms) => time(ms, zone).replace(/ [AP]M$/, '');
  if (!linked || !state) {
    return {
      state: 'offline',
      at: heardMs && at(heardMs),
      clock: '–:––',
      name: 'No station',
      note: 'This page tries again',
    };
  }
  if (!state.line.up) {
    const since = state.line.since_ms;
    return {
      state: 'offline',
      at: since && at(since),
      clock: '–:––',
      name: 'No signal',
      note: since ? `since ${time(since, zone)}` : 'not yet connected',
    };
  }
  const { game, drawing, trouble } = state;
  if (game?.mode === 'held')
    return { state: 'held', clock: 'Held', name: `Game ${game.name}`, note: 'by the supervisor' };
  if (!game && drawing) {
    const balls = drawing.balls ?? [];
    return {
      state: 'drawing',
      balls,
      clock: String(balls.at(-1) ?? '–'),
      name: `Game ${drawing.name}`,
      note: balls.length ? `drawing, ball ${balls.length} of 20` : 'drawing',
    };
  }
  if (!game) {
    if (trouble)
      return {
        state: 'irregular',
        clock: 'Stop',
        name: 'No game is open',
        note: 'see the line below',
      };
    return { state: 'locked', clock: 'Closed', name: 'No game is open', note: 'the draw follows' };
  }
  const name = `Game ${game.name}`;
  if (game.closes_in_ms === null)
    return { state: 'open', clock: 'Open', name, note: 'closes by hand', part: 1 };
  if (leftMs <= 0) return { state: 'locked', clock: '0:00', name, note: 'closed, draw follows' };
  const { closing } = game;
  const note = `${closing ? 'last call,' : 'closes'} ${time(state.now_ms + game.closes_in_ms, zone)}`;
  return { state: closing ? 'closing' : 'open', clock: clock(leftMs), name, note };
}

/** The drawer's total over all kinds. */
export function drawerTotal(shift) {
  return Object.values(shift?.drawer ?? {}).reduce((sum, cents) => sum + cents, 0);
}

/** @param {ReturnType<import('./app.js').createApp>} app */
export function createStrip(app) {
  const dial = h('keno-dial', { bare: '' });
  const figure = h('div', { class: 'strip-clock', 'aria-hidden': 'true' });
  const name = h('b');
  const note = h('span');
  const wire = cell('Line to the server');
  const paper = cell('Printer');
  const drawer = cell('Drawer');
  const writer = cell('Writer');
  const station = cell('Station');
  const band = h(
    'aside',
    { class: 'no-value', 'aria-label': 'Demonstration', hidden: true },
    NO_VALUE[0],
    h('span', {}, NO_VALUE[1]),
  );
  const top = h(
    'header',
    { class: 'strip' },
    h('h1', { class: 'for-readers' }, 'Writer station'),
    h('div', { class: 'strip-game' }, dial, figure, h('div', { class: 'strip-words' }, name, note)),
    wire.element,
    paper.element,
    drawer.element,
    h('div', { class: 'strip-space' }),
    writer.element,
    station.element,
  );
  const news = h('section', {
    class: 'news',
    'aria-label': 'News',
    'aria-live': 'polite',
    hidden: true,
  });
  const spans = new Map();
  let rung = '';
  let heardMs = null;
  let lastPaper = '';

  function left() {
    const closesIn = app.state?.game?.closes_in_ms;
    return closesIn === null || closesIn === undefined
      ? Infinity
      : Math.max(0, closesIn - (performance.now() - app.heardAt));
  }

  function tick() {
    const { state } = app;
    const leftMs = left();
    const read = reading(state, leftMs, { linked: app.linked, heardMs });
    const game = state?.game?.game;
    if (game && Number.isFinite(leftMs))
      spans.set(game, Math.max(spans.get(game) ?? USUAL_SPAN_MS, leftMs));
    dial.show({
      ...read,
      left_ms: Number.isFinite(leftMs) ? leftMs : null,
      span_ms: Number.isFinite(leftMs) ? spans.get(game) : 1,
    });
    top.dataset.state = read.state;
    say(figure, read.clock);
    figure.classList.toggle('is-word', /[A-Z]/.test(read.clock));
    say(name, read.name);
    say(note, read.note);
    if (state)
      say(station.note, time(state.now_ms + (performance.now() - app.heardAt), state.place?.zone));
    ring(read.state, game);
  }

  function ring(now, game) {
    const key = `${game ?? ''} ${now}`;
    if (key === rung) return;
    const [before, was] = rung.split(' ');
    rung = key;
    if (now === 'closing' && was === 'open') app.sound('minute');
    if (
      (was === 'closing' || was === 'open') &&
      (now === 'locked' || now === 'drawing' || (before && before !== String(game ?? '')))
    )
      app.sound('lockout');
  }

  function paint(state) {
    if (!state) {
      tick();
      return;
    }
    heardMs = state.now_ms;
    band.hidden = !state.place?.no_value;
    wire.set(
      app.linked && state.line.up ? 'good' : 'look',
      app.linked ? (state.line.up ? 'Connected' : 'No signal') : 'No station',
      state.place?.name ?? '',
    );
    paintPrinter(state.printer);
    drawer.set('', state.shift ? money(drawerTotal(state.shift)) : '–', 'Drawer');
    writer.set(
      '',
      state.writer?.name ?? 'Nobody',
      state.writer
        ? `${state.writer.role[0].toUpperCase()}${state.writer.role.slice(1)}`
        : 'signed in',
    );
    station.set(
      '',
      state.place ? `Station ${String(state.place.station).padStart(2, '0')}` : 'Station',
      time(state.now_ms, state.place?.zone),
    );
    paintNews(state);
    tick();
  }

  function paintPrinter(printer) {
    if (!printer) return;
    const low = printer.paper === 'low' || printer.paper === 'out';
    const words =
      { ok: 'Paper in order', low: 'Paper low', out: 'Paper out', unknown: 'Paper not known' }[
        printer.paper
      ] ?? 'Paper';
    paper.set(
      printer.ok && !low ? 'good' : printer.paper === 'out' || !printer.ok ? 'no' : 'look',
      words,
      shortly(printer),
      roll(printer.paper),
    );
    paper.element.title = printer.words;
    if (low && lastPaper !== printer.paper) app.sound('low');
    lastPaper = printer.paper;
  }

  function paintNews(state) {
    const items = [];
    if (!app.linked)
      items.push(
        item('no', 'This page lost its station. What you typed is kept; it tries again by itself.'),
      );
    else if (!state.line.up)
      items.push(
        item(
          'look',
          'No line to the server. What you typed is kept; selling goes on when the line is back.',
        ),
      );
    if (state.trouble) items.push(item('no', state.trouble));
    if (!state.printer?.ok && state.printer?.words) items.push(item('look', state.printer.words));
    for (const told of state.told.slice(0, 1)) {
      const more = state.told.length - 1;
      items.push(
        item(
          'sky',
          `${told.by}: ${told.text}`,
          `${time(told.ms, state.place?.zone)}${more ? `, ${more} more` : ''}`,
          () => app.ask('seen', { ms: told.ms }).catch((no) => app.notice(no.message, 'no')),
        ),
      );
    }
    for (const change of state.changes.slice(0, 1))
      items.push(
        item(
          'sky',
          `Rate card ${change.card} from game ${state.place?.letter ?? ''}-${change.first_game}.`,
        ),
      );
    news.hidden = items.length === 0;
    const key = items.map((each) => each.key).join('|');
    if (news.dataset.key === key) return;
    news.dataset.key = key;
    put(
      news,
      items.slice(0, 2).map((each) => each.make()),
    );
  }

  app.on(paint);
  setInterval(tick, 100);
  return { band, top, news, paint, left };
}

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

function item(kind, text, note = '', seen = null) {
  return {
    key: `${kind} ${text} ${note}`,
    make: () =>
      h(
        'p',
        { class: 'news-item', data: { kind } },
        h('span', { class: 'news-text' }, text),
        note && h('span', { class: 'news-note' }, note),
        seen &&
          h(
            'button',
            {
              type: 'button',
              class: 'news-seen',
              on: { click: seen, mousedown: (event) => event.preventDefault() },
            },
            'Seen',
            keycap('F3'),
          ),
      ),
  };
}

/** A short form of the printer's words for the strip; the whole sentence is in the line below. */
function shortly(printer) {
  return printer.ok ? 'Printer ready' : 'Printer not ready';
}

function roll(paper) {
  const height = { ok: 8.5, low: 3, unknown: 0 }[paper] ?? 0;
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
