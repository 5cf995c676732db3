// Keeps the floor (games and stations of all locations): the answer of `floor`, updated by the
// server's events and fetched again every three seconds. All tabs share one.
//   watch.floor         {server_ms, locations, people}, or null before the first answer
//   watch.now()         the server's time
//   watch.left(place)   ms until its open game closes, or null
//   watch.span(place)   how long its games are open
//   watch.signal        whether what is shown is confirmed; watch.lostMs since when it is not
//   'change'            something of this is different

import { askJson, Refused } from '../shared/ask.js';
import { onServerEvent } from './events.js';
import { every, soon } from './frame.js';

/** @import { ServerEvents } from './events.js' */
/** @import { Floor, FloorLocation, State } from '../shared/protocol.js' */
/** @import { BoardFacts } from '../shared/types.js' */
/** @import { Ask, ServerEvent } from './types.js' */

const POLL_MS = 3_000;
const NUDGE_MS = 150;
const USUAL_SPAN_MS = 300_000;

/**
 * A location's state after an event of the server; the same object if nothing changed.
 * @param {State | null} state
 * @param {ServerEvent} event
 * @returns {State | null}
 */
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

/**
 * An answer of `floor` with newer states from the events, and its locations sorted by letter.
 * @param {Floor} floor
 * @param {Map<string, State>} states
 * @returns {Floor}
 */
export function merged(floor, states) {
  /** @param {FloorLocation} place */
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
  #events;
  /** @type {Map<string, State>} */
  #states = new Map();
  /** When each state was sent and arrived. @type {Map<string, {ms: number, at: number}>} */
  #heard = new Map();
  /** @type {Map<string, number>} */
  #spans = new Map();
  /** Milliseconds by which the server's clock is ahead of this machine's. */
  #ahead = 0;
  /** @type {(() => void) | null} */
  #stop = null;
  /** @type {Promise<void> | null} */
  #asking = null;
  #reachable = true;
  /** @type {Floor | null} */
  floor = null;
  /** @type {number | null} */
  lostMs = null;

  /**
   * @param {Ask} ask
   * @param {ServerEvents} events
   */
  constructor(ask, events) {
    super();
    this.#ask = ask;
    this.#events = events;
    const nudge = soon(NUDGE_MS, () => this.refresh());
    onServerEvent(events, (event) => this.#receive(event, nudge));
    events.addEventListener('up', () => this.#judge());
    events.addEventListener('down', () => this.#judge());
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

  /** @param {FloorLocation} place */
  left(place) {
    const closes = place.state?.open?.closes_in_ms;
    if (closes === null || closes === undefined) return null;
    const now = performance.now();
    return Math.max(0, closes - (now - (this.#heard.get(place.location)?.at ?? now)));
  }

  /** @param {FloorLocation} place */
  span(place) {
    return Math.max(
      this.#spans.get(place.location) ?? USUAL_SPAN_MS,
      place.state?.open?.closes_in_ms ?? 0,
    );
  }

  /** Fetch the floor now; further calls meanwhile wait for the same answer. */
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
      if (!this.#reachable) this.#events.open();
      this.#reachable = true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code === 'offline') this.#reachable = false;
    }
    this.#judge(true);
  }

  /**
   * @param {ServerEvent} event
   * @param {() => void} nudge
   */
  #receive(event, nudge) {
    const place = this.floor?.locations.find((each) => each.location === event.location);
    const next = after(this.#states.get(event.location) ?? place?.state ?? null, event);
    if (next && next !== this.#states.get(event.location)) {
      this.#keep(event.location, next);
      if (place) Object.assign(place, { state: next, trouble: next.trouble });
      this.dispatchEvent(new Event('change'));
    }
    if (event.type !== 'ball') nudge();
  }

  /**
   * @param {string} location
   * @param {State | null} state
   */
  #keep(location, state) {
    if (!state) return;
    if (!this.#spans.has(location)) this.#learn(location);
    this.#states.set(location, state);
    if (this.#heard.get(location)?.ms !== state.server_ms)
      this.#heard.set(location, { ms: state.server_ms, at: performance.now() });
  }

  /** @param {string} location */
  async #learn(location) {
    this.#spans.set(location, USUAL_SPAN_MS);
    /** @type {BoardFacts | null} */
    const facts = await askJson(`/api/board/${location}`).catch(() => null);
    if (facts?.interval_ms) this.#spans.set(location, facts.interval_ms);
  }

  #judge(changed = false) {
    const fine = this.#events.isUp && this.#reachable;
    const was = this.lostMs;
    if (fine) this.lostMs = null;
    else if (this.floor && this.lostMs === null) this.lostMs = this.now();
    if (changed || was !== this.lostMs) this.dispatchEvent(new Event('change'));
  }
}
