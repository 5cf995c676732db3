// The line to the server: a websocket that is opened again for as long as the page lives. Between
// tries it waits longer and longer, up to a quarter of a minute; a line that says nothing for too
// long counts as dead. Sockets, timers and chance are passed in, so that it is tested without them.

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
export const SILENT_MS = 25_000;

/** How long to wait before the try with this number, 0 is the first; `chance` is 0 to 1. */
export function wait(tries, chance) {
  return Math.round(
    Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries, 10)) * (0.75 + chance / 2),
  );
}

export class Line {
  #url;
  #hear;
  #lose;
  #with;
  #socket = null;
  #tries = 0;
  #retry = null;
  #silence = null;
  #stopped = false;
  silent_ms = SILENT_MS;

  /**
   * @param {string} url
   * @param {(event: object) => boolean} hear each message; false if it cannot be believed
   * @param {() => void} lose when a line that was open is gone, or cannot be opened
   */
  constructor(url, hear, lose, outside = {}) {
    this.#url = url;
    this.#hear = hear;
    this.#lose = lose;
    this.#with = {
      make: (address) => new WebSocket(address),
      set: (act, ms) => setTimeout(act, ms),
      clear: (timer) => clearTimeout(timer),
      chance: Math.random,
      ...outside,
    };
  }

  open() {
    this.#drop();
    if (this.#stopped) return;
    let socket;
    try {
      socket = this.#with.make(this.#url);
    } catch {
      this.#again();
      return;
    }
    this.#socket = socket;
    this.#listen();
    socket.onmessage = ({ data }) => socket === this.#socket && this.#take(data);
    socket.onclose = () => socket === this.#socket && this.#again();
    socket.onerror = () => socket === this.#socket && this.#again();
  }

  /** What was heard does not fit together: begin again with the state of the moment. */
  resync() {
    this.#again();
  }

  /** The machine says that its network is back: try now. */
  hurry() {
    if (!this.#socket && !this.#stopped) this.open();
  }

  stop() {
    this.#stopped = true;
    this.#drop();
  }

  #take(data) {
    this.#listen();
    let event;
    try {
      event = JSON.parse(data);
    } catch {
      this.#again();
      return;
    }
    if (this.#hear(event) !== false) this.#tries = 0;
  }

  #listen() {
    this.#with.clear(this.#silence);
    this.#silence = this.#with.set(() => this.#again(), this.silent_ms);
  }

  #again() {
    this.#drop();
    if (this.#stopped) return;
    this.#lose();
    this.#retry = this.#with.set(() => this.open(), wait(this.#tries, this.#with.chance()));
    this.#tries += 1;
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    this.#with.clear(this.#retry);
    this.#with.clear(this.#silence);
    if (socket) {
      socket.onmessage = socket.onclose = socket.onerror = null;
      socket.close();
    }
  }
}
