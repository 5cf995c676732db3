// The shell of the page: the last state, the views, the dialogs, the notice line and the keys.
// Views and dialogs are given `app`; nothing here knows about keno.

import { attribute, h, keycap, put, say } from '../../keno/pages/shared/dom.js';
import { Sounds } from '../../keno/pages/shared/sounds.js';
import { Burst, inInput, pressesFocused } from './keys.js';

const NOTICE_MS = 6000;

/** Freeze what the station said, so that no view can change what is true. */
function freeze(value) {
  if (value === null || typeof value !== 'object') return value;
  Object.values(value).forEach(freeze);
  return Object.freeze(value);
}

/**
 * @param {{link: import('./link.js').Link, places: {view: HTMLElement, keys: HTMLElement,
 *   notice: HTMLElement}, global: (event: KeyboardEvent, app: object) => boolean}} parts
 */
export function createApp({ link, places, global }) {
  const watchers = new Set();
  const oddsWatchers = new Set();
  const views = new Map();
  const dialogs = [];
  const sounds = new Sounds();
  const burst = new Burst();
  let state = null;
  let heardAt = 0;
  let view = null;
  let noticeTimer = 0;

  const app = {
    get state() {
      return state;
    },
    /** performance.now() when the state arrived: its `closes_in_ms` counts from there. */
    get heardAt() {
      return heardAt;
    },
    /** Whether this page has its station. */
    get linked() {
      return link.up;
    },
    get view() {
      return view?.name ?? '';
    },
    get dialogOpen() {
      return dialogs.length > 0;
    },
    on(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    onOdds(watcher) {
      oddsWatchers.add(watcher);
      return () => oddsWatchers.delete(watcher);
    },
    ask: (what, fields) => link.ask(what, fields),
    register(create) {
      const made = create(app);
      views.set(made.name, made);
    },
    show,
    dialog,
    notice,
    sound: (name) => sounds.play(name),
    scan(text) {
      if (view?.scan) view.scan(text);
      else show('pay', { text });
    },
    /** Told by the page that owns the link. */
    heard(told) {
      state = freeze(told);
      heardAt = performance.now();
      changed();
    },
    heardOdds(odds) {
      for (const watcher of oddsWatchers) watcher(odds);
    },
    changed,
    refreshKeys,
  };

  function changed() {
    for (const watcher of [...watchers]) watcher(state);
    view?.state?.(state);
  }

  function show(name, args = {}) {
    const next = views.get(name);
    if (!next) return;
    if (next !== view) {
      view?.leave?.();
      view = next;
      put(places.view, next.element);
      places.view.dataset.view = name;
      if (state) next.state?.(state);
    }
    next.enter?.(args);
    refreshKeys();
  }

  function refreshKeys() {
    const keys = view?.keys?.() ?? [];
    put(
      places.keys,
      keys.map(([caps, words, key]) => footKey(caps, words, key)),
    );
  }

  // A key in the footer is a button too: touching it is pressing it.
  function footKey(caps, words, key) {
    const all = [caps].flat();
    const pressed =
      key ?? { '↵': 'Enter', '⏎': 'Enter', '⌫': 'Backspace', Esc: 'Escape' }[all[0]] ?? all[0];
    const press = () => document.activeElement === button && button.blur();
    const button = h(
      'button',
      { type: 'button', class: 'foot-key', tabIndex: -1 },
      all.map(keycap),
      h('span', {}, words),
    );
    button.addEventListener('mousedown', (event) => event.preventDefault());
    button.addEventListener('click', () => {
      press();
      route(new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true }));
    });
    return button;
  }

  /** Open a modal dialog; the promise, which also has `close`, is of the value it closes with. */
  function dialog(create, args) {
    let finish;
    const done = new Promise((resolve) => (finish = resolve));
    const before = document.activeElement;
    const frame = h('dialog', { class: 'frame' });
    let closed = false;
    const close = (value) => {
      if (closed) return;
      closed = true;
      dialogs.splice(dialogs.indexOf(entry), 1);
      frame.close();
      frame.remove();
      if (before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
      else view?.focus?.();
      finish(value);
    };
    const made = create(app, close, args);
    const entry = { made, close, frame };
    attribute(frame, 'aria-label', made.label);
    frame.append(made.element);
    frame.addEventListener('cancel', (event) => event.preventDefault());
    document.body.append(frame);
    dialogs.push(entry);
    frame.showModal();
    (made.first ?? frame.querySelector('[autofocus], input, button'))?.focus();
    done.close = close;
    return done;
  }

  function notice(text, kind = 'good') {
    clearTimeout(noticeTimer);
    places.notice.dataset.kind = text ? kind : '';
    attribute(places.notice, 'role', kind === 'no' ? 'alert' : 'status');
    say(places.notice, text ?? '');
    if (text) noticeTimer = setTimeout(() => notice(''), NOTICE_MS);
  }

  function route(event) {
    sounds.wake();
    if (event.defaultPrevented || event.isComposing) return;
    if (dialogs.length) {
      routeToDialog(event, dialogs.at(-1));
      return;
    }
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
    if (plain && !inInput(event)) {
      const meant = burst.feed(event.key, event.timeStamp, () => view?.mark?.());
      if (meant !== 'typed') {
        event.preventDefault();
        if (meant.scan) app.scan(meant.scan);
        return;
      }
    }
    if (global(event, app)) event.preventDefault();
    else if (inInput(event) || !pressesFocused(event) || view?.takes?.(event)) {
      if (event.key !== 'Shift' && !inInput(event)) notice('');
      if (view?.key?.(event)) event.preventDefault();
    }
  }

  // The browser's own meaning of a function key (help, find, caret browsing) is never wanted here.
  function routeToDialog(event, { made, close }) {
    if (made.key?.(event) || /^F([1-9]|10)$/.test(event.key)) event.preventDefault();
    else if (event.key === 'Escape' && made.closable !== false) {
      event.preventDefault();
      close(undefined);
    }
  }

  document.addEventListener('keydown', route);
  document.addEventListener('pointerdown', () => sounds.wake());
  return app;
}
