// The floor as it was last heard: the answer of `floor`, kept up to date by the events of the line
// and asked for anew every three seconds. All tabs share one.
//   watch.floor         {server_ms, locations, people}, or null before the first answer
//   watch.now()         the server's time
//   watch.left(place)   ms until its open game closes, or null
//   watch.span(place)   how long its games are open
//   watch.signal        whether what is shown is confirmed; watch.lostMs since when it is not
//   'change'            something of this is different; 'news' with an event of the line

import { No } from './ask.js';
import { every, soon } from './frame.js';

const POLL_MS = 3_000;
const NUDGE_MS = 150;
const USUAL_SPAN_MS = 300_000;

/** A location's state after an event of the line; the same object if nothing changed. */
export function after(state, event) {
  if (event.type === 'state') return !state || event.server_ms >= state.server_ms ? event : state;
  if (!state) return state;
  const { open, drawing } = state;
  if (
    event.type === 'ball' &&
    drawing?.game === event.game &&
    event.index === drawing.balls.length
  ) {
    return { ...state, drawing: { ...drawing, balls: [...drawing.balls, event.number] } };
  }
  if (event.type === 'closing' && open?.game === event.game) {
    return {
      ...state,
      server_ms: event.server_ms,
      open: { ...open, closing: true, closes_in_ms: event.closes_in_ms },
    };
  }
  return state;
}

/** An answer of `floor` with the states that were heard later than it was given, by letter. */
export function merged(floor, states) {
  const newer = (place) => {
    const heard = states.get(place.location);
    return heard && place.state && heard.server_ms > place.state.server_ms
      ? { ...place, state: heard, trouble: heard.trouble }
      : place;
  };
  const locations = floor.locations
    .map(newer)
    .sort((one, two) => one.letter.localeCompare(two.letter));
  return { ...floor, people: floor.people ?? {}, locations };
}

export class FloorWatch extends EventTarget {
  #ask;
  #line;
  #states = new Map();
  #heard = new Map();
  #spans = new Map();
  #ahead = 0;
  #stop = null;
  #asking = null;
  #reachable = true;
  floor = null;
  lostMs = null;

  constructor(ask, line) {
    super();
    this.#ask = ask;
    this.#line = line;
    const nudge = soon(NUDGE_MS, () => this.refresh());
    line.addEventListener('event', ({ detail }) => this.#hear(detail, nudge));
    line.addEventListener('up', () => this.#judge());
    line.addEventListener('down', () => this.#judge());
  }

  start() {
    this.#stop ??= every(POLL_MS, () => this.refresh());
    this.refresh();
  }

  stop() {
    this.#stop?.();
    this.#stop = null;
  }

  get signal() {
    return this.lostMs === null;
  }

  now() {
    return Date.now() + this.#ahead;
  }

  left(place) {
    const closes = place.state?.open?.closes_in_ms;
    if (closes === null || closes === undefined) return null;
    return Math.max(
      0,
      closes - (performance.now() - (this.#heard.get(place.location)?.at ?? performance.now())),
    );
  }

  span(place) {
    return Math.max(
      this.#spans.get(place.location) ?? USUAL_SPAN_MS,
      place.state?.open?.closes_in_ms ?? 0,
    );
  }

  /** Ask for the floor now; whoever asks meanwhile waits for the same answer. */
  refresh() {
    this.#asking ??= this.#refresh().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #refresh() {
    try {
      const floor = await this.#ask('floor', {}, { quiet: true });
      this.#ahead = floor.server_ms - Date.now();
      this.floor = merged(floor, this.#states);
      for (const place of this.floor.locations) this.#keep(place.location, place.state);
      if (!this.#reachable) this.#line.open();
      this.#reachable = true;
    } catch (error) {
      if (!(error instanceof No)) throw error;
      if (error.code === 'offline') this.#reachable = false;
    }
    this.#judge(true);
  }

  #hear(event, nudge) {
    const place = this.floor?.locations.find((each) => each.location === event.location);
    const next = after(this.#states.get(event.location) ?? place?.state ?? null, event);
    if (next && next !== this.#states.get(event.location)) {
      this.#keep(event.location, next);
      if (place) Object.assign(place, { state: next, trouble: next.trouble });
      this.dispatchEvent(new Event('change'));
    }
    if (event.type !== 'ball') nudge();
    this.dispatchEvent(new CustomEvent('news', { detail: event }));
  }

  #keep(location, state) {
    if (!state) return;
    if (!this.#spans.has(location)) this.#learn(location);
    this.#states.set(location, state);
    if (this.#heard.get(location)?.ms !== state.server_ms)
      this.#heard.set(location, { ms: state.server_ms, at: performance.now() });
  }

  async #learn(location) {
    this.#spans.set(location, USUAL_SPAN_MS);
    const facts = await fetch(`/api/board/${location}`)
      .then((answer) => answer.json())
      .catch(() => null);
    if (facts?.interval_ms) this.#spans.set(location, facts.interval_ms);
  }

  #judge(changed = false) {
    const fine = this.#line.isUp && this.#reachable;
    const was = this.lostMs;
    if (fine) this.lostMs = null;
    else if (this.floor && this.lostMs === null) this.lostMs = this.now();
    if (changed || was !== this.lostMs) this.dispatchEvent(new Event('change'));
  }
}
