/*
 * Queues the keys that are pressed in the Pay view while a request to the station runs. Pure.
 */

/** Letters that are also keys of the view. */
export const SHORTCUTS = new Set(['r', 'u', 'c', 't', '+']);

export class KeysAhead {
  #keys = '';

  /** Queue a key; returns whether it was taken. @param {string} key as in KeyboardEvent.key */
  add(key) {
    if (key === 'Enter') this.#keys += '\n';
    else if (key.length === 1) this.#keys += key;
    return key !== 'Tab';
  }

  /**
   * Take the queued keys and return what they mean: a shortcut to press, a text to find, or text to
   * type. Keys after a text to find stay queued.
   * @param {boolean} onCounter whether a ticket lies on the counter
   * @returns {{press?: string, find?: string, type?: string}}
   */
  take(onCounter) {
    const keys = this.#keys;
    this.#keys = '';
    const end = keys.indexOf('\n');
    if (keys.length === 1 && onCounter && SHORTCUTS.has(keys.toLowerCase())) return { press: keys };
    if (end > 0) {
      this.#keys = keys.slice(end + 1);
      return { find: keys.slice(0, end) };
    }
    return end < 0 && keys ? { type: keys } : {};
  }
}
