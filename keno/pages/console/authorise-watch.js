// Keeps the pending authorisations, oldest first, whichever tab is open. It plays a sound for those
// that were not opened yet: at once, then every 20 seconds.
//   waiting.items     `detail` is the answer of `authorisation`, or null; `known`: it was fetched;
//                     `yours`: null, 'asked' or 'sold'
//   waiting.forYou    those that the person may answer
//   waiting.open(id)  a person has opened it: its sound ends
//   waiting.renew(id) ask for its detail again
//   'change'          the list or a detail is different
//   'gone'            one was answered or lapsed; detail {item, state, by}

import { onServerEvent } from './events.js';
import { ACTORS } from './floor-words.js';

/**
 * @import { AuthorisationAnswered, AuthorisationRecord, Floor } from '../shared/protocol.js'
 * @import { Ask, EventListening, Session, WaitingItem } from './types.js'
 */

const RING_MS = 20_000;

/** The pending authorisations of a floor, oldest first. Pure. @param {Floor | null} floor */
export function waitingOn(floor) {
  const found = (floor?.locations ?? []).flatMap((place) =>
    place.stations.flatMap((station) =>
      station.authorisations.map((each) => ({
        ...each,
        station: station.station,
        location: place.location,
        letter: each.letter || place.letter,
        place: place.name,
      })),
    ),
  );
  return found.sort(
    (one, two) => one.asked_ms - two.asked_ms || one.authorisation - two.authorisation,
  );
}

/** @import { FloorWatch } from './floor-data.js' */
/** @import { Sounds } from '../shared/sounds.js' */

export class Waiting extends EventTarget {
  #session;
  #ask;
  #watch;
  #sounds;
  #timer;
  /** @type {Map<number, AuthorisationRecord | null>} */
  #details = new Map();
  /** @type {Set<number>} */
  #opened = new Set();
  /** @type {Map<number, number>} */
  #rung = new Map();
  /** @type {Map<number, AuthorisationAnswered>} */
  #answers = new Map();
  /** @type {Set<number>} */
  #known = new Set();
  /** @type {WaitingItem[]} */
  items = [];

  /**
   * @param {Pick<Session, 'person' | 'role'>} session
   * @param {Ask} ask
   * @param {EventListening} events
   * @param {FloorWatch} watch
   * @param {Pick<Sounds, 'play'>} sounds
   */
  constructor(session, ask, events, watch, sounds) {
    super();
    this.#session = session;
    this.#ask = ask;
    this.#watch = watch;
    this.#sounds = sounds;
    onServerEvent(events, (event) => {
      if (event.type === 'authorisation_answered') this.#answers.set(event.authorisation, event);
    });
    watch.addEventListener('change', () => this.#look());
    this.#timer = setInterval(() => this.#ring(), 1_000);
  }

  get forYou() {
    return ACTORS.includes(this.#session.role) ? this.items.filter((each) => !each.yours) : [];
  }

  /** @param {number} id */
  isOpened(id) {
    return this.#opened.has(id);
  }

  /** @param {number} id */
  open(id) {
    this.#opened.add(id);
  }

  stop() {
    clearInterval(this.#timer);
  }

  /** Fetch the detail of an authorisation, without renewing the session. @param {number} id */
  async renew(id) {
    if (this.#session.role === 'accounting') {
      this.#known.add(id);
      return;
    }
    const before = JSON.stringify(this.#details.get(id) ?? null);
    try {
      this.#details.set(
        id,
        await this.#ask('authorisation', { authorisation: id }, { quiet: true }),
      );
    } catch {
      this.#details.set(id, this.#details.get(id) ?? null);
    }
    const first = !this.#known.has(id);
    this.#known.add(id);
    if (first || JSON.stringify(this.#details.get(id)) !== before) this.#look(true);
  }

  /** @param {boolean} [always] */
  #look(always = false) {
    const now = this.#watch.now();
    const before = this.items;
    const items = waitingOn(this.#watch.floor)
      .map((each) => {
        const detail = this.#details.get(each.authorisation) ?? null;
        const yours = detail?.yours ?? (each.asked_by === this.#session.person ? 'asked' : null);
        return { ...each, detail, yours, known: this.#known.has(each.authorisation) };
      })
      .filter(
        ({ detail }) => !detail || (detail.state === 'pending' && !(detail.lapses_ms <= now)),
      );
    this.items = items;
    const ids = new Set(items.map((each) => each.authorisation));
    for (const item of before) if (!ids.has(item.authorisation)) this.#leave(item);
    for (const id of ids) if (!this.#details.has(id)) this.#learn(id);
    if (always || before.map((each) => each.authorisation).join() !== [...ids].join())
      this.dispatchEvent(new Event('change'));
    this.#ring();
  }

  /** @param {number} id */
  #learn(id) {
    this.#details.set(id, null);
    this.renew(id);
  }

  /** @param {WaitingItem} item */
  async #leave(item) {
    const id = item.authorisation;
    const heard = this.#answers.get(id);
    const detail = heard
      ? null
      : await this.#ask('authorisation', { authorisation: id }, { quiet: true }).catch(() => null);
    this.#details.delete(id);
    const state = heard?.state ?? detail?.state ?? 'gone';
    this.dispatchEvent(
      new CustomEvent('gone', {
        detail: { item, state, by: heard?.answered_by ?? detail?.answered_by ?? null },
      }),
    );
  }

  #ring() {
    const now = performance.now();
    const due = this.forYou.filter(
      ({ authorisation: id }) =>
        this.#known.has(id) &&
        !this.#opened.has(id) &&
        now - (this.#rung.get(id) ?? -Infinity) >= RING_MS,
    );
    if (!due.length) return;
    this.#sounds.play('waiting');
    for (const { authorisation } of this.forYou) this.#rung.set(authorisation, now);
  }
}
