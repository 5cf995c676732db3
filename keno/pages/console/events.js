// Events of every location as they happen, over the console's websocket. The page fetches what it
// shows; an event only signals a change. A lost connection is opened again a second later.
//   'event'      a message of the server, as detail
//   'up', 'down' the connection was opened or lost; `isUp` is its present state
//   'over'       the session is over, or the role may not listen

import { Connection } from '../shared/connection.js';

/** @import { EventListening, ServerEvent } from './types.js' */
/** @import { Outside } from '../shared/connection.js' */

/** Delays of the connection. The server repeats the state every 10 s; 4001 ends the session. */
const TIMING = { first_ms: 1_000, longest_ms: 1_000, silent_ms: 25_000, end_code: 4001 };

/**
 * Call `listener` with each of the server's events; returns the function that stops it.
 * @param {EventListening} events
 * @param {(event: ServerEvent) => void} listener
 */
export function onServerEvent(events, listener) {
  /** @param {Event} event */
  const receive = (event) => event instanceof CustomEvent && listener(event.detail);
  events.addEventListener('event', receive);
  return () => events.removeEventListener('event', receive);
}

export class ServerEvents extends EventTarget {
  #connection;

  /**
   * @param {string} url
   * @param {Partial<Outside>} [outside]
   */
  constructor(url, outside) {
    super();
    /** @param {string} name */
    const tell = (name) => this.dispatchEvent(new Event(name));
    const handlers = {
      /** @param {ServerEvent} detail */
      onMessage: (detail) => {
        this.dispatchEvent(new CustomEvent('event', { detail }));
      },
      onUp: () => tell('up'),
      /** @param {boolean} wasUp */
      onDown: (wasUp) => wasUp && tell('down'),
      onEnd: () => tell('over'),
    };
    this.#connection = new Connection(url, handlers, TIMING, outside);
  }

  get isUp() {
    return this.#connection.isUp;
  }

  open() {
    this.#connection.open();
  }

  close() {
    this.#connection.stop();
  }
}
