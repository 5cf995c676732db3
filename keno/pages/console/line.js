// The console's line: events of every location as they happen. A lost line is opened again a second
// later, for as long as the page lives.
//   line.open(), line.close()
//   line.addEventListener('event', ({detail}) => …)   every message of the server
//   'up', 'down'      the line came or went; `line.isUp`, `line.lostMs` (when it went) say the same
//   'over'            the session is over, or the role may not listen

const AGAIN_MS = 1_000;
/** The server repeats itself every ten seconds: whoever is silent for so long is gone. */
const SILENT_MS = 25_000;
const SESSION_OVER = 4001;

export class Line extends EventTarget {
  #url;
  #make;
  #socket = null;
  #retry = null;
  #silence = null;
  #wanted = false;
  isUp = false;
  lostMs = null;

  /** @param {string} url @param {(url: string) => WebSocket} [make] */
  constructor(url, make = (address) => new WebSocket(address)) {
    super();
    this.#url = url;
    this.#make = make;
  }

  open() {
    this.#wanted = true;
    this.#drop();
    const socket = this.#make(this.#url);
    this.#socket = socket;
    socket.onmessage = ({ data }) => socket === this.#socket && this.#hear(data);
    socket.onclose = ({ code }) => socket === this.#socket && this.#lose(code);
  }

  close() {
    this.#wanted = false;
    this.#drop();
    this.isUp = false;
  }

  #hear(data) {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#lose(), SILENT_MS);
    if (!this.isUp) {
      this.isUp = true;
      this.lostMs = null;
      this.dispatchEvent(new Event('up'));
    }
    this.dispatchEvent(new CustomEvent('event', { detail: JSON.parse(data) }));
  }

  #lose(code) {
    this.#drop();
    this.lostMs ??= Date.now();
    if (this.isUp) {
      this.isUp = false;
      this.dispatchEvent(new Event('down'));
    }
    if (code === SESSION_OVER) {
      this.#wanted = false;
      this.dispatchEvent(new Event('over'));
    } else if (this.#wanted) this.#retry = setTimeout(() => this.open(), AGAIN_MS);
  }

  #drop() {
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    socket.close();
  }
}

/** Where the console listens, for a page at this address. */
export function lineAddress({ protocol, host }) {
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/ws/console`;
}
