// Draws the left of the floor: the chosen location's game large, with its exposure and overrides,
// and the other locations small beneath it. Elements are made once and changed in place.

import '../shared/dial.js';
import { attribute, h, say } from '../shared/dom.js';
import { clock, money } from '../shared/format.js';
import { codeOf } from './ask.js';
import { every, keyedList, panel, soon } from './frame.js';
import { createOverrides } from './floor-overrides.js';
import { exposureView, placeView, stationsAtWork } from './floor-words.js';

/** @import { FloorWatch } from './floor-data.js' */
/** @import { PlaceView } from './floor-words.js' */
/** @import { Exposure, FloorLocation } from '../shared/protocol.js' */
/** @import { Ask, Fields, FloorParts, Stay } from './types.js' */

/** Milliseconds between paintings, and between requests for the exposure here and elsewhere. */
const PAINT_MS = 200;
const EXPOSURE_MS = 10_000;
const OTHERS_MS = 20_000;
/** Number of simulated draws for the exposure of the locations that are not chosen. */
const FEW_DRAWS = 100;

/** @param {FloorParts} parts */
export function createGames({ session, ask, watch, stay, mayAct }) {
  const zones = new Map(session.locations.map((each) => [each.location, each.zone]));
  const mayReckon = session.role !== 'accounting';
  const large = createLarge({ ask, watch, stay, mayAct, mayReckon });
  const others = h('ul', { class: 'others' });
  const chosen = () =>
    watch.floor?.locations.find((each) => each.location === stay.location) ??
    watch.floor?.locations[0];
  const exposures = createExposures({ ask, watch, chosen, mayReckon, paint });
  const paintOthers = keyedList(
    others,
    (/** @type {FloorLocation} */ place) => place.location,
    ({ location }) =>
      createSmall(
        () => choose(location),
        (place) => ({ seen: view(place), exposure: exposures.of(location) }),
      ),
  );

  /** @param {FloorLocation} place */
  function view(place) {
    return placeView(place, {
      signal: watch.signal,
      lostMs: watch.lostMs,
      leftMs: watch.left(place),
      span_ms: watch.span(place),
      zone: zones.get(place.location),
      people: watch.floor?.people,
      you: session.person,
    });
  }

  function paint() {
    const place = chosen();
    if (!place || !watch.floor) return;
    large.paint(place, view(place), exposures.of(place.location));
    paintOthers(watch.floor.locations.filter((each) => each !== place));
    exposures.renewIfChanged();
  }

  /** @param {string} location */
  function choose(location) {
    stay.location = location;
    paint();
    exposures.renew(location).catch(() => {});
    large.focus();
  }

  const stopPainting = every(PAINT_MS, paint);
  return {
    element: h('div', { class: 'column games' }, large.element, others),
    paint,
    stop() {
      exposures.stop();
      stopPainting();
    },
  };
}

/**
 * Fetch each location's exposure (what a draw would pay) at intervals and when a game changes.
 * @param {{ask: Ask, watch: FloorWatch, chosen: () => FloorLocation | undefined,
 *   mayReckon: boolean, paint: () => void}} how
 */
function createExposures({ ask, watch, chosen, mayReckon, paint }) {
  /** @type {Map<string, Exposure>} */
  const found = new Map();
  const games = new Map();

  /**
   * @param {string} location
   * @param {number} [draws]
   */
  async function renew(location, draws) {
    const place = watch.floor?.locations.find((each) => each.location === location);
    if (!mayReckon || !place?.state?.open) return;
    /** @type {Fields<'exposure'>} */
    const fields = draws ? { location, draws } : { location };
    try {
      found.set(location, await ask('exposure', fields, { quiet: true }));
    } catch (error) {
      if (codeOf(error) === 'not_possible_now') found.delete(location);
    }
    paint();
  }
  async function renewChosen() {
    const place = chosen();
    if (place) await renew(place.location);
  }
  async function renewOthers() {
    const here = chosen()?.location;
    for (const place of watch.floor?.locations ?? [])
      if (place.location !== here) await renew(place.location, FEW_DRAWS);
  }
  const renewSoon = soon(150, () => {
    renewChosen().catch(() => {});
    renewOthers().catch(() => {});
  });
  function renewIfChanged() {
    let changed = false;
    for (const { location, state } of watch.floor?.locations ?? []) {
      const now = `${state?.open?.game} ${state?.open?.mode} ${Boolean(state?.drawing)}`;
      if (games.get(location) !== now) changed = true;
      games.set(location, now);
    }
    if (changed) renewSoon();
  }

  const stops = [every(EXPOSURE_MS, renewChosen), every(OTHERS_MS, renewOthers)];
  return {
    renew,
    renewIfChanged,
    of: (/** @type {string} */ location) => found.get(location) ?? null,
    stop: () => stops.forEach((stop) => stop()),
  };
}

/**
 * Create the large view of the chosen location.
 * @param {{ask: Ask, watch: FloorWatch, stay: Stay, mayAct: boolean, mayReckon: boolean}} how
 */
function createLarge({ ask, watch, stay, mayAct, mayReckon }) {
  const dial = h('keno-dial');
  const name = h('b', { class: 'game-name' });
  const word = h('span', { class: 'game-word' });
  const fact = () => h('b');
  const [tickets, handle, closes] = [fact(), fact(), fact()];
  const ofWhat = h('span');
  const atWork = h('span', { class: 'quiet' });
  const held = h('p', { class: 'game-held' });
  const trouble = h('p', { class: 'game-trouble', role: 'alert' });
  const pays = createExposure();
  const acts = mayAct ? createOverrides({ ask, watch, stay }) : null;
  const element = panel(
    '',
    { aside: atWork, class: 'game' },
    h(
      'div',
      { class: 'game-state' },
      dial,
      h(
        'div',
        { class: 'game-facts' },
        h('p', { class: 'game-head' }, name, word),
        h('p', {}, ofWhat, tickets),
        h('p', {}, h('span', {}, 'Write'), handle),
        h('p', {}, h('span', {}, 'Closes'), closes),
      ),
    ),
    held,
    trouble,
    mayReckon && pays.element,
    acts?.element,
  );
  const title = element.getElementsByTagName('h2')[0];
  title.tabIndex = -1;
  return {
    element,
    focus: () => title.focus(),
    /**
     * @param {FloorLocation} place
     * @param {PlaceView} seen
     * @param {Exposure | null} exposure
     */
    paint(place, seen, exposure) {
      say(title, place.name);
      say(atWork, stationsAtWork(place.stations));
      dial.show(seen.dial);
      element.dataset.tone = seen.tone;
      element.dataset.stopped = String(seen.stopped);
      say(name, seen.name);
      say(word, seen.word);
      const fitting = exposure?.game === seen.open?.game ? exposure : null;
      say(
        ofWhat,
        seen.open && seen.open.name !== seen.name ? `${seen.open.name} tickets` : 'Tickets',
      );
      say(tickets, fitting?.tickets.toLocaleString('en-US') ?? '–');
      say(handle, fitting ? money(fitting.handle_cents) : '–');
      say(closes, seen.closes);
      const [who, why] = seen.held ? [seen.held.who, seen.held.reason] : ['', ''];
      const night = seen.tone === 'closed' ? seen.note : '';
      say(held, seen.held ? `Held ${who}${why && `: “${why}”`}` : night);
      say(trouble, seen.trouble);
      pays.paint(fitting);
      acts?.paint(place, seen);
    },
  };
}

function createExposure() {
  const most = h('span');
  const marks = [0, 1, 2].map(() => ({ tick: h('i'), amount: h('b'), chance: h('span') }));
  const fill = h('div', { class: 'pays-fill' });
  const bar = h(
    'div',
    { class: 'pays-bar' },
    fill,
    marks.map((mark) => mark.tick),
  );
  const labels = marks.map((mark) => h('div', { class: 'pays-label' }, mark.amount, mark.chance));
  const note = h('p', { class: 'pays-note' });
  const element = h(
    'section',
    { class: 'pays', 'aria-label': 'What a draw would pay' },
    h('p', { class: 'pays-head' }, h('span', {}, 'What a draw would pay'), most),
    bar,
    h('div', { class: 'pays-labels' }, labels),
    note,
  );
  /** @type {Exposure | null | undefined} */
  let painted;
  return {
    element,
    /** @param {Exposure | null} answer */
    paint(answer) {
      if (answer === painted) return;
      painted = answer;
      attribute(element, 'data-empty', answer ? null : '');
      const seen = answer && exposureView(answer);
      say(most, seen?.most ?? '');
      say(note, seen?.note ?? '');
      fill.style.setProperty('--part', String(seen ? seen.marks[2].part : 0));
      marks.forEach((mark, index) => {
        const each = seen?.marks[index];
        mark.tick.style.setProperty('--at', String(each?.part ?? 0));
        labels[index].style.setProperty('--at', String(each?.at ?? [0.13, 0.5, 0.87][index]));
        say(mark.amount, each?.amount ?? '–');
        say(mark.chance, each?.chance ?? '');
      });
    },
  };
}

/**
 * Create the small view of another location.
 * @param {() => void} choose
 * @param {(place: FloorLocation) => {seen: PlaceView, exposure: Exposure | null}} look
 */
function createSmall(choose, look) {
  const dial = h('keno-dial', { bare: '' });
  const figure = h('span', { class: 'other-clock', 'aria-hidden': 'true' });
  const [name, word] = [h('b'), h('b')];
  const [note, handle] = [h('span'), h('span')];
  const why = h('span', { class: 'other-why' });
  const button = h(
    'button',
    { type: 'button', class: 'other', on: { click: choose } },
    h('span', { class: 'other-dial' }, dial, figure),
    h('span', { class: 'other-words' }, name, note, why),
    h('span', { class: 'other-side' }, word, handle),
  );
  return {
    element: h('li', {}, button),
    /** @param {FloorLocation} place */
    paint(place) {
      const { seen, exposure } = look(place);
      button.dataset.tone = seen.tone;
      button.dataset.stopped = String(seen.stopped);
      dial.show(seen.dial);
      say(figure, dialFigure(seen));
      say(name, place.name);
      say(note, seen.note);
      say(why, seen.held ? heldWords(seen.held) : seen.trouble);
      say(word, seen.word);
      say(
        handle,
        exposure && exposure.game === seen.open?.game ? money(exposure.handle_cents) : '',
      );
    },
  };
}

/** The text in the middle of a small dial. @param {PlaceView} seen */
export function dialFigure({ tone, dial }) {
  if (tone === 'drawing') return String(dial.balls?.at(-1) ?? '');
  if (tone === 'closed') return dial.at;
  if (tone === 'open') return dial.left_ms === null ? '' : clock(dial.left_ms);
  if (tone === 'closing') return clock(dial.left_ms ?? 0);
  return tone === 'offline' ? dial.at : '';
}

/** @param {{who: string, reason: string}} held */
function heldWords({ who, reason }) {
  return [who, reason && `“${reason}”`].filter(Boolean).join(', ');
}
