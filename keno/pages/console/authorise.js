// Draws the middle of the floor: one payout that waits for a decision, and the queue under it.

import { attribute, h, put, say } from '../shared/dom.js';
import { money } from '../shared/format.js';
import { createOne } from './authorise-one.js';
import { createQueue } from './authorise-queue.js';
import { answeredPicture, calmPicture } from './authorise-rest.js';
import { goneWords } from './authorise-words.js';
import { ticketName } from './floor-words.js';
import { every } from './frame.js';

/** @import { Answered } from './authorise-answer.js' */
/** @import { One } from './authorise-one.js' */
/** @import { Gone } from './authorise-words.js' */
/** @import { FloorParts, WaitingItem } from './types.js' */
/** @typedef {Answered & {at: number}} Done the last answer, and when it was given */

/** Milliseconds between two fetches of the open authorisation's detail. */
const RENEW_MS = 10_000;
/** Milliseconds for which an answer is shown before the next request. */
const READ_MS = 8_000;
/** Milliseconds for which the line about a request answered elsewhere is shown. */
const NEWS_MS = 60_000;

/** @param {FloorParts} parts */
export function createDecision(parts) {
  const { watch, waiting, stay, mayAct } = parts;
  const top = h('section', { class: 'panel decision', 'aria-labelledby': 'decision-title' });
  const news = createNews(parts);
  /** @param {WaitingItem} item */
  const isChoosable = (item) => item.known && (!mayAct || !item.yours);
  const queue = createQueue(parts, { isChoosable, pick });
  const element = h('div', { class: 'column decide' }, top, news.element, queue.element);
  /** @type {One | null} */
  let open = null;
  /** @type {Done | null} */
  let done = null;

  function paint() {
    const { items } = waiting;
    if (done && performance.now() - done.at > READ_MS && nextAfter(done, parts)) done = null;
    if (!items.some((each) => each.authorisation === open?.id && isChoosable(each))) open = null;
    if (done) {
      if (top.dataset.of !== 'done') drawDone(top, done, parts, goOn);
    } else if (!open) {
      const kept = items.find((each) => each.authorisation === stay.open && isChoosable(each));
      const first = kept ?? items.find(isChoosable);
      if (first) show(first);
      else drawCalm(top, items.length > 0);
    }
    const now = items.find((each) => each.authorisation === open?.id);
    if (now) open?.paint(now);
    const answeredId = done?.item.authorisation;
    queue.paint(items.filter((each) => each !== now && each.authorisation !== answeredId));
  }

  /** @param {WaitingItem} item */
  function show(item) {
    done = null;
    stay.open = item.authorisation;
    top.dataset.of = 'one';
    open = createOne(item, parts, { root: top, lettered: isLettered(parts), answered });
  }

  /** @param {Answered} result */
  function answered(result) {
    open = null;
    done = { ...result, at: performance.now() };
    news.clear();
    paint();
    watch.refresh();
  }

  /** @param {number} id */
  function pick(id) {
    const item = waiting.items.find((each) => each.authorisation === id);
    if (!item) return;
    waiting.open(id);
    show(item);
    paint();
    focusIn(top);
  }

  function goOn() {
    done = null;
    paint();
    focusIn(top);
  }

  const stop = follow({
    parts,
    top,
    news,
    paint,
    openId: () => open?.id ?? null,
    doneId: () => done?.item.authorisation ?? null,
  });
  return { element, paint, stop };
}

/**
 * Keep the open request up to date by timer, on gestures, and when it is answered elsewhere.
 * @param {{parts: FloorParts, top: HTMLElement, news: ReturnType<typeof createNews>,
 *   paint: () => void, openId: () => number | null, doneId: () => number | null}} how
 */
function follow({ parts: { waiting }, top, news, paint, openId, doneId }) {
  let renewed = 0;
  const touched = () => {
    const id = openId();
    if (id === null) return;
    waiting.open(id);
    attribute(top, 'data-unopened', null);
  };
  /** @param {Event} event */
  const gone = (event) => {
    if (!(event instanceof CustomEvent)) return;
    if (event.detail.item.authorisation === doneId()) return;
    news.tell(event.detail);
    paint();
  };
  waiting.addEventListener('gone', gone);
  for (const gesture of ['pointerdown', 'keydown']) top.addEventListener(gesture, touched);
  const stop = every(1_000, () => {
    paint();
    news.age();
    const id = openId();
    if (id === null || performance.now() - renewed <= RENEW_MS) return;
    renewed = performance.now();
    waiting.renew(id);
  });
  return () => {
    stop();
    waiting.removeEventListener('gone', gone);
  };
}

/**
 * Create the line about the last request that was answered elsewhere.
 * @param {FloorParts} parts
 */
function createNews(parts) {
  const element = h('p', { class: 'decision-news', role: 'status' });
  let until = 0;
  return {
    element,
    clear: () => say(element, ''),
    age: () => performance.now() > until && say(element, ''),
    /** @param {Gone} gone */
    tell(gone) {
      const { watch, session } = parts;
      const words = goneWords(gone, watch.floor?.people, session.person, isLettered(parts));
      if (!words) return;
      say(element, words);
      until = performance.now() + NEWS_MS;
    },
  };
}

/** Whether tickets need letters: the house has several locations. @param {FloorParts} parts */
function isLettered({ watch }) {
  return (watch.floor?.locations.length ?? 0) > 1;
}

/**
 * The next request that this person may answer; undefined without one.
 * @param {Done} done
 * @param {FloorParts} parts
 */
function nextAfter(done, { waiting }) {
  return waiting.forYou.find(
    (each) => each.authorisation !== done.item.authorisation && each.known,
  );
}

/** @param {HTMLElement} top */
function focusIn(top) {
  /** @type {HTMLElement | null} */
  const first = top.querySelector('input, h2');
  first?.focus();
}

/**
 * @param {HTMLElement} top
 * @param {Done} done
 * @param {FloorParts} parts
 * @param {() => void} goOn
 */
function drawDone(top, done, parts, goOn) {
  top.dataset.of = 'done';
  attribute(top, 'data-unopened', null);
  const next = nextAfter(done, parts);
  const act = h(
    'button',
    { type: 'button', class: 'button', on: { click: goOn } },
    next ? `Next: ${money(next.amount_cents)}` : 'Done',
  );
  const { ticket, letter } = done.item;
  put(top, answeredPicture(done, ticketName(ticket, isLettered(parts) ? letter : ''), act));
  act.focus();
}

/**
 * @param {HTMLElement} top
 * @param {boolean} others whether requests wait for another supervisor
 */
function drawCalm(top, others) {
  const of = others ? 'yours' : 'calm';
  if (top.dataset.of === of) return;
  top.dataset.of = of;
  attribute(top, 'data-unopened', null);
  put(top, calmPicture(others));
}
