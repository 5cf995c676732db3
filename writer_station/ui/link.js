// The one websocket between this page and its station. It carries questions and answers by id, tells
// of states and odds, and comes back by itself when it is lost. What was asked before a break is
// answered with `link_lost`: only the asker knows whether asking again is safe.

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2000;

/** What the page says when the station itself is gone. */
export const LOST = Object.freeze({
  code: 'link_lost',
  message: 'This page lost its station. It tries again by itself.',
  where: '',
});

export class Link {
  #socket = null;
  #asked = new Map();
  #next = 1;
  #wait = FIRST_WAIT_MS;
  #open;
  #hear;

  /**
   * @param {() => WebSocket} open makes a socket
   * @param {{state: Function, odds: Function, up: Function, down: Function}} hear what is told
   */
  constructor(open, hear) {
    this.#open = open;
    this.#hear = hear;
  }

  /** Connect, and stay connected. */
  start() {
    const socket = this.#open();
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#wait = FIRST_WAIT_MS;
      this.#hear.up();
    });
    socket.addEventListener('message', (event) => this.#read(event.data));
    socket.addEventListener('close', () => this.#lost(socket));
  }

  get up() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Ask the station; the promise is of `ok`, or it rejects with {code, message, where}. */
  ask(what, fields = {}) {
    if (!this.up) return Promise.reject({ ...LOST });
    const id = this.#next;
    this.#next += 1;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ ...fields, id, do: what }));
    });
  }

  #read(text) {
    const told = JSON.parse(text);
    if (told.state) this.#hear.state(told.state);
    if (told.odds) this.#hear.odds(told.odds);
    const asker = this.#asked.get(told.id);
    if (!asker) return;
    this.#asked.delete(told.id);
    if (told.no) asker.reject({ code: '', message: '', where: '', ...told.no });
    else asker.resolve(told.ok ?? {});
  }

  #lost(socket) {
    if (socket !== this.#socket) return;
    const open = [...this.#asked.values()];
    this.#asked.clear();
    for (const { reject } of open) reject({ ...LOST });
    this.#hear.down();
    setTimeout(() => this.start(), this.#wait);
    this.#wait = Math.min(LONGEST_WAIT_MS, this.#wait * 2);
  }
}
