// The board's page: connects the websocket, the model, the view and the clock. Its memory does not
// grow: one model, one connection, a few timers.

import { askJson } from '../shared/ask.js';
import { Connection, socketAddress } from '../shared/connection.js';
import { h } from '../shared/dom.js';
import { Checks } from './checks.js';
import { apply, begin, gaveUp, lost, remember } from './model.js';
import { after, asked } from './rotation.js';
import './scene.js';
import { view } from './view.js';
import { heard, Voice } from './voice.js';

/** @import { BoardEvent, BoardFacts, PublicGame } from '../shared/types.js' */
/** @import { Model } from './model.js' */

const TIMING = { first_ms: 500, longest_ms: 15_000, jitter: true, silent_ms: 25_000 };
const TIMEOUT_MS = 8_000;
const TICK_MS = 200;
const NOTICE_MS = 15_000;
const FACTS_SPREAD_MS = 1_500;
const DRAW_MAX_MS = 180_000;

const wish = asked(location.pathname, location.search);
const scene = document.body.appendChild(h('keno-board'));
const voice = new Voice(wish);
const checks = new Checks(() => paint(), wish.genesis);

/** @type {Model} */
let model = begin(wish.locations[0] ?? '');
/** @type {BoardFacts | null} */
let facts = null;
let factsFor = '';
/** @type {Connection<BoardEvent> | null} */
let line = null;
let since = performance.now();

function at() {
  return { now: performance.now(), wall: Date.now() };
}

/** @param {boolean | null} [moving] */
function paint(moving = null) {
  scene.show(view(model, facts, at(), checks.of(model.location, model.last?.game)), moving);
}

/** @param {BoardEvent} event */
function hear(event) {
  const before = model;
  const [next, effect] = apply(model, event, at());
  if (effect === 'resync') {
    line?.resync();
    return false;
  }
  model = next;
  if (effect !== 'none') {
    paint(effect === 'ball');
    voice.call(heard(before, model, effect, performance.now()));
    const { drawing } = model;
    if (effect === 'ball' && drawing)
      scene.tell(`Ball ${drawing.balls.length}: ${drawing.balls.at(-1)}`);
  }
  if ((!before.connected && model.connected) || gaveUp(before, model)) askHistory();
  askFacts();
  if (model.connected) checks.want(model.location, model.last, model.seals);
  return true;
}

function lose() {
  model = lost(model);
  paint(false);
}

/** Fetch the facts if they may have changed; a random delay spreads the requests of all boards. */
function askFacts() {
  const wanted = JSON.stringify([
    model.location,
    model.open?.card,
    model.open?.mode,
    model.connected,
  ]);
  if (wanted === factsFor || !model.connected) return;
  const spread = facts ? Math.random() * FACTS_SPREAD_MS : 0;
  factsFor = wanted;
  const place = model.location;
  setTimeout(async () => {
    /** @type {BoardFacts | null} */
    const found = await askOrNull(`/api/board/${encodeURIComponent(place)}`);
    if (place !== model.location || wanted !== factsFor) return;
    if (!found) {
      factsFor = '';
      return;
    }
    facts = found;
    if (line) line.silent_ms = 2.5 * found.repeat_ms;
    paint();
  }, spread);
}

async function askHistory() {
  const place = model.location;
  /** @type {PublicGame[] | null} */
  const games = await askOrNull(`/api/games?location=${encodeURIComponent(place)}&limit=6`);
  if (!games || place !== model.location) return;
  model = remember(model, games);
  paint();
}

/**
 * The JSON of a path; null if the request fails, which the connection's state shows anyway.
 * @template Answer
 * @param {string} path
 * @returns {Promise<Answer | null>}
 */
function askOrNull(path) {
  return askJson(path, { timeout_ms: TIMEOUT_MS }).catch(() => null);
}

/** @param {string} place */
function go(place) {
  line?.stop();
  model = begin(place);
  facts = null;
  factsFor = '';
  since = performance.now();
  const path = `/ws/board/${encodeURIComponent(place)}?repeat=1`;
  const handlers = { onMessage: hear, onDown: lose };
  line = new Connection(socketAddress(location, path), handlers, TIMING);
  line.open();
}

/** Show the next location if this one's time is up, unless a draw is being shown. */
function rotate() {
  const shown = performance.now() - since;
  const drawing = model.drawing && model.connected && shown < DRAW_MAX_MS;
  if (shown >= wish.seconds * 1000 && !drawing) go(after(wish.locations, model.location));
}

addEventListener('online', () => line?.hurry());
addEventListener('pointerdown', () => voice.wake());
addEventListener('keydown', (event) => {
  voice.wake();
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const said = voice.key(event.key.toLowerCase());
  if (said) scene.tell(said);
});

if (wish.locations.length) {
  go(wish.locations[0]);
  setInterval(paint, TICK_MS, null);
  setInterval(() => scene.turn(), NOTICE_MS);
  if (wish.locations.length > 1) setInterval(rotate, 1_000);
} else {
  document.body.replaceChildren(
    h('p', {}, 'Name the locations in the address: /board?rotate=main,lounge'),
  );
}
