// The frame of the page: holds the last state, switches views, opens dialogs, shows notices and
// routes keys. Views and dialogs receive `app` as an argument; this file knows no rules of keno.

import { put } from '../../keno/pages/shared/dom.js';
import { openSheet } from '../../keno/pages/shared/sheet.js';
import { Sounds } from '../../keno/pages/shared/sounds.js';
import { footKey } from './foot-keys.js';
import { Burst, inInput, pressesFocused } from './keys.js';
import { createNotice } from './notice.js';

/**
 * @import { Link } from './link.js'
 * @import { Sheet } from '../../keno/pages/shared/sheet.js'
 * @import { AnswerOf, Close, DialogMaker, DialogParts, EnterArgs, NoticeKind, Odds, Opened,
 *   RequestName, Requests, SoundName, StationState, View } from './types.js'
 * @typedef {{view: HTMLElement, keys: HTMLElement, notice: HTMLElement}} Places
 * @typedef {(state: StationState | null) => void} Watcher
 */

/**
 * Freeze a value and everything in it, so that no view can change it; returns the value.
 * @template Value
 * @param {Value} value
 * @returns {Value}
 */
function freeze(value) {
  if (value === null || typeof value !== 'object') return value;
  Object.values(value).forEach(freeze);
  return Object.freeze(value);
}

export class App {
  #link;
  #places;
  #globalKey;
  #showNotice;
  /** @type {Set<Watcher>} */
  #watchers = new Set();
  /** @type {Set<(odds: Odds) => void>} */
  #oddsWatchers = new Set();
  /** @type {Map<string, View>} */
  #views = new Map();
  /** The open dialogs, the one on top last. @type {{parts: DialogParts, close: Close}[]} */
  #dialogs = [];
  #sounds = new Sounds();
  #burst = new Burst();
  /** @type {StationState | null} */
  #state = null;
  #heardAt = 0;
  /** @type {View | null} */
  #view = null;

  /**
   * @param {Link} link
   * @param {Places} places
   * @param {(event: KeyboardEvent) => boolean} globalKey handles the keys that mean the same
   *   in every view; returns whether it took the key
   */
  constructor(link, places, globalKey) {
    this.#link = link;
    this.#places = places;
    this.#globalKey = globalKey;
    this.#showNotice = createNotice(places.notice);
    document.addEventListener('keydown', (event) => this.#route(event));
    document.addEventListener('pointerdown', () => this.#sounds.wake());
  }

  // ------------------------------------------------------------ the station

  get state() {
    return this.#state;
  }

  /** Time of performance.now() when the state arrived; its `closes_in_ms` counts from this time. */
  get heardAt() {
    return this.#heardAt;
  }

  /** Whether this page is connected to its station. */
  get linked() {
    return this.#link.up;
  }

  /**
   * @template {RequestName} Name
   * @param {Name} what
   * @param {Requests[Name]} fields
   * @returns {Promise<AnswerOf<Name>>}
   */
  ask(what, fields) {
    return this.#link.ask(what, fields);
  }

  /** @param {StationState} state */
  setState(state) {
    this.#state = freeze(state);
    this.#heardAt = performance.now();
    this.changed();
  }

  /** @param {Odds} odds */
  setOdds(odds) {
    for (const watcher of this.#oddsWatchers) watcher(odds);
  }

  /** Call the watchers and the view with the state, so that they draw it again. */
  changed() {
    for (const watcher of [...this.#watchers]) watcher(this.#state);
    this.#view?.state(this.#state);
  }

  /**
   * Call `watcher` whenever state or connection change; returns the function that stops it.
   * @param {Watcher} watcher
   */
  on(watcher) {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** @param {(odds: Odds) => void} watcher */
  onOdds(watcher) {
    this.#oddsWatchers.add(watcher);
  }

  // ------------------------------------------------------------ views

  get view() {
    return this.#view?.name ?? '';
  }

  /** @param {(app: App) => View} create */
  register(create) {
    const made = create(this);
    this.#views.set(made.name, made);
  }

  /**
   * @param {'sell' | 'pay'} name
   * @param {EnterArgs} [args]
   */
  show(name, args = {}) {
    const next = this.#views.get(name);
    if (!next) return;
    if (next !== this.#view) {
      this.#view?.leave();
      this.#view = next;
      put(this.#places.view, next.element);
      this.#places.view.dataset.view = name;
      if (this.#state) next.state(this.#state);
    }
    next.enter(args);
    this.refreshKeys();
  }

  /** The ticket that the view is dealing with, for dialogs about a ticket; null without one. */
  counter() {
    return this.#view?.counter?.() ?? null;
  }

  refreshKeys() {
    const keys = this.#view?.keys() ?? [];
    put(
      this.#places.keys,
      keys.map((key) => footKey(key, (name) => this.#route(keydown(name)))),
    );
  }

  // ------------------------------------------------------------ dialogs, notices, sounds

  get dialogOpen() {
    return this.#dialogs.length > 0;
  }

  /**
   * Open a modal dialog, which gets all keys until it is closed. Returns the promise of the value
   * that the dialog closes with.
   * @template Value
   * @template {unknown[]} Rest
   * @param {DialogMaker<Value, Rest>} create
   * @param {Rest} rest
   * @returns {Opened<Value>}
   */
  dialog(create, ...rest) {
    /** @type {Close<Value>} */
    const close = (value) => {
      const at = this.#dialogs.indexOf(entry);
      if (at < 0) return;
      this.#dialogs.splice(at, 1);
      sheet.close(value);
    };
    const parts = create(this, close, ...rest);
    /** @type {Sheet<Value>} */
    const sheet = openSheet({
      label: parts.label,
      class: 'frame',
      children: parts.element,
      mustAnswer: true,
      focusAfter: () => this.#view?.focus(),
    });
    const entry = { parts, close: /** @type {Close} */ (close) };
    this.#dialogs.push(entry);
    this.#burst = new Burst(); // a scan does not begin with the key that opened the dialog
    const first = parts.first ?? sheet.element.querySelector('[autofocus], input, button');
    if (first instanceof HTMLElement) first.focus();
    return Object.assign(sheet.closed, { close });
  }

  /**
   * @param {string} text
   * @param {NoticeKind} [kind]
   */
  notice(text, kind = 'good') {
    this.#showNotice(text, kind);
  }

  /** @param {SoundName} name */
  sound(name) {
    this.#sounds.play(name);
  }

  // ------------------------------------------------------------ keys

  /** Press a key as if on the keyboard. @param {string} key */
  press(key) {
    this.#route(keydown(key));
  }

  /**
   * Handle keys that were pressed while the view was busy: type them into the view, or into the
   * focused field of a dialog that one of them opened. Without such a field the rest is dropped.
   * @param {string[]} keys
   */
  typeAhead(keys) {
    for (const key of keys) {
      const field = document.activeElement;
      if (!this.dialogOpen) this.#view?.key(keydown(key));
      else if (!(field instanceof HTMLInputElement)) return;
      else if (key.length === 1)
        field.setRangeText(key, field.value.length, field.value.length, 'end');
      else if (key === 'Backspace') field.value = field.value.slice(0, -1);
      else this.press(key);
    }
  }

  /** @param {KeyboardEvent} event */
  #route(event) {
    this.#sounds.wake();
    if (event.defaultPrevented || event.isComposing) return;
    const dialog = this.#dialogs.at(-1);
    if (dialog) {
      routeToDialog(event, dialog);
      return;
    }
    if (this.#scanned(event)) event.preventDefault();
    else if (this.#globalKey(event)) event.preventDefault();
    else if (inInput(event) || !pressesFocused(event) || this.#view?.takes?.(event)) {
      if (event.key !== 'Shift' && !inInput(event)) this.notice('');
      if (this.#view?.key(event)) event.preventDefault();
    }
  }

  /**
   * Returns whether the key is part of a scan; a complete scan is passed to the view.
   * @param {KeyboardEvent} event
   */
  #scanned(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || inInput(event)) return false;
    const meant = this.#burst.feed(event.key, event.timeStamp, () => this.#view?.mark?.());
    if (meant === 'typed') return false;
    if (meant !== 'swallowed') this.#view?.scan(meant.scan);
    return true;
  }
}

/** @param {string} key */
function keydown(key) {
  return new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
}

/**
 * Give a key to the open dialog; Escape closes it if it is closable. The browser's own meaning
 * of the function keys F1 to F10 is suppressed.
 * @param {KeyboardEvent} event
 * @param {{parts: DialogParts, close: Close}} dialog
 */
function routeToDialog(event, { parts, close }) {
  if (parts.key(event) || /^F([1-9]|10)$/.test(event.key)) event.preventDefault();
  else if (event.key === 'Escape' && parts.closable !== false) {
    event.preventDefault();
    close();
  }
}
