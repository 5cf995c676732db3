// Distinguishes the keys of a scanner from those of a person. A scanner types fast and ends with
// Enter. Once fast typing looks like the code of a ticket or request, it is undone in the view, and
// the whole text goes to the view as a scan.

/** Maximum milliseconds between two keys of a scanner. */
const FAST_MS = 120;
/** Minimum characters before fast typing can be a scan. */
const SHORTEST = 4;

/** How a scanned code begins: a web address, JSON, A-418-…, or a request with its colon. */
const CODED = /^(?:https?:|\{|[A-Za-z]-\d|[\dKk][^:]*:)/;

/** Whether text that was typed fast looks like a scanned code. @param {string} text */
export function looksScanned(text) {
  return text.length >= SHORTEST && CODED.test(text);
}

/** Recognises scans in a sequence of keys, by their speed and their text. */
export class Burst {
  #text = '';
  #last = -Infinity;
  /** @type {(() => void) | null} */
  #undo = null;
  #caught = false;

  /**
   * Take a key and return what it is: 'typed' (by a person, or not known yet), 'swallowed' (part of
   * a scan), or {scan} with the whole text at the end of a scan.
   * @param {string} key
   * @param {number} now in milliseconds
   * @param {() => (() => void) | undefined} mark called at the start of fast typing; returns the
   *   function that undoes what is typed after it
   * @returns {'typed' | 'swallowed' | {scan: string}}
   */
  feed(key, now, mark) {
    const fast = now - this.#last <= FAST_MS;
    this.#last = now;
    if (key === 'Shift') return this.#caught && fast ? 'swallowed' : 'typed';
    if (key === 'Enter') {
      const text = this.#text;
      const caught = this.#caught && fast;
      this.#reset();
      return caught ? { scan: text } : 'typed';
    }
    if (key.length !== 1) {
      this.#reset();
      return 'typed';
    }
    if (!fast || !this.#text) {
      this.#reset();
      this.#undo = mark() ?? null;
    }
    this.#text += key;
    if (!this.#caught && looksScanned(this.#text)) {
      this.#caught = true;
      this.#undo?.();
    }
    return this.#caught ? 'swallowed' : 'typed';
  }

  #reset() {
    this.#text = '';
    this.#undo = null;
    this.#caught = false;
  }
}

/** Whether an event's target is an input, text area or list of choices. @param {Event} event */
export function inInput(event) {
  const target = event.target;
  return (
    target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
  );
}

/**
 * Whether Enter or space would press the focused button or link by itself.
 * @param {KeyboardEvent} event
 */
export function pressesFocused(event) {
  const target = event.target;
  if (event.key !== 'Enter' && event.key !== ' ') return false;
  return (
    target instanceof HTMLElement &&
    target.matches('button, a[href], summary') &&
    target.matches(':focus-visible')
  );
}
