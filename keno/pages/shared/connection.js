// A websocket that reconnects for as long as the page wants it. The delay between attempts doubles
// up to a limit. Sockets, timers and chance are passed in, so that tests need none of them.

/**
 * Delays of a connection. With `silent_ms` a connection is up at its first message and counts as
 * lost after that many milliseconds without one. With null it is up when the socket opens. The
 * server ends the connection for good with the close code `end_code`.
 * @typedef {{first_ms: number, longest_ms: number, jitter?: boolean, silent_ms: number | null,
 *   end_code?: number}} Timing
 */

/**
 * Called by a connection. `onMessage` returns false for a message that cannot be right: then the
 * delays keep growing. `onDown` is called after each failed attempt too; `wasUp` tells them apart.
 * @template Message
 * @typedef {{onMessage: (message: Message) => unknown, onUp?: () => void,
 *   onDown?: (wasUp: boolean) => void, onEnd?: () => void}} Handlers
 */

/**
 * @typedef {'onopen' | 'onmessage' | 'onclose' | 'onerror' | 'send' | 'close'} SocketParts
 * @typedef {Pick<WebSocket, SocketParts>} Socket
 * @typedef {{make: (url: string) => Socket, set: (act: () => void, ms: number) => number,
 *   clear: (timer: number | undefined) => void, chance: () => number}} Outside
 */

/** @type {Outside} */
const BROWSER = {
  make: (url) => new WebSocket(url),
  set: (act, ms) => setTimeout(act, ms),
  clear: (timer) => clearTimeout(timer),
  chance: () => Math.random(),
};

/**
 * Milliseconds before the next attempt after `tries` failed ones; `chance` is 0 to 1.
 * @param {number} tries
 * @param {number} chance
 * @param {Pick<Timing, 'first_ms' | 'longest_ms' | 'jitter'>} timing
 */
export function retryDelay(tries, chance, { first_ms, longest_ms, jitter = false }) {
  const delay = Math.min(longest_ms, first_ms * 2 ** Math.min(tries, 10));
  return Math.round(delay * (jitter ? 0.75 + chance / 2 : 1));
}

/**
 * The address of a websocket on the server that served the page.
 * @param {{protocol: string, host: string}} location
 * @param {string} path
 */
export function socketAddress({ protocol, host }, path) {
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${path}`;
}

/** @template Message */
export class Connection {
  #url;
  #handlers;
  #timing;
  #outside;
  /** @type {Socket | null} */
  #socket = null;
  #tries = 0;
  /** @type {number | undefined} */
  #retry;
  /** @type {number | undefined} */
  #silence;
  #stopped = false;
  #up = false;
  /** Milliseconds without a message after which the connection is lost. @type {number | null} */
  silent_ms;

  /**
   * @param {string} url
   * @param {Handlers<Message>} handlers
   * @param {Timing} timing
   * @param {Partial<Outside>} [outside]
   */
  constructor(url, handlers, timing, outside = {}) {
    this.#url = url;
    this.#handlers = handlers;
    this.#timing = timing;
    this.#outside = { ...BROWSER, ...outside };
    this.silent_ms = timing.silent_ms;
  }

  get isUp() {
    return this.#up;
  }

  /** Connect now, and stay connected until `stop`. */
  open() {
    this.#stopped = false;
    this.#drop();
    let socket;
    try {
      socket = this.#outside.make(this.#url);
    } catch {
      this.#lose();
      return;
    }
    this.#socket = socket;
    this.#expect();
    socket.onopen = () => this.silent_ms === null && this.#begin();
    socket.onmessage = ({ data }) => socket === this.#socket && this.#read(data);
    socket.onclose = (event) => socket === this.#socket && this.#lose(event?.code);
    socket.onerror = () => socket === this.#socket && this.#lose();
  }

  /** Drop the connection and connect again, because the messages received are inconsistent. */
  resync() {
    if (!this.#stopped) this.#lose();
  }

  /** Connect now instead of waiting for the next attempt, because the network is back. */
  hurry() {
    if (!this.#socket && !this.#stopped) this.open();
  }

  /** Disconnect without calling `onDown`. */
  stop() {
    this.#stopped = true;
    this.#up = false;
    this.#drop();
  }

  /** Send a message as JSON; only while the connection is up. @param {object} message */
  send(message) {
    this.#socket?.send(JSON.stringify(message));
  }

  #begin() {
    this.#tries = 0;
    this.#up = true;
    this.#handlers.onUp?.();
  }

  /** @param {string} data */
  #read(data) {
    this.#expect();
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      this.#lose();
      return;
    }
    if (!this.#up) {
      this.#up = true;
      this.#handlers.onUp?.();
    }
    if (this.#handlers.onMessage(message) !== false) this.#tries = 0;
  }

  #expect() {
    this.#outside.clear(this.#silence);
    if (this.silent_ms !== null)
      this.#silence = this.#outside.set(() => this.#lose(), this.silent_ms);
  }

  /** @param {number} [code] the close code of the server */
  #lose(code) {
    const wasUp = this.#up;
    this.#up = false;
    this.#drop();
    this.#handlers.onDown?.(wasUp);
    if (code !== undefined && code === this.#timing.end_code) {
      this.#stopped = true;
      this.#handlers.onEnd?.();
    } else if (!this.#stopped) {
      const delay = retryDelay(this.#tries, this.#outside.chance(), this.#timing);
      this.#retry = this.#outside.set(() => this.open(), delay);
      this.#tries += 1;
    }
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    this.#outside.clear(this.#retry);
    this.#outside.clear(this.#silence);
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
    socket.close();
  }
}
