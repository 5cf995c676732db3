// The board's page: the line, the model, the picture and the clock, held together. What is kept
// does not grow: one model, one line, a few timers.

import { Connection, socketAddress } from '../shared/connection.js';
import { h } from '../shared/dom.js';
import { Checks } from './checks.js';
import { apply, begin, gaveUp, lost, remember } from './model.js';
import { after, asked } from './rotation.js';
import './scene.js';
import { view } from './view.js';
import { heard, Voice } from './voice.js';

const TIMING = { first_ms: 500, longest_ms: 15_000, jitter: true, silent_ms: 25_000 };
const TICK_MS = 200;
const NOTICE_MS = 15_000;
const FACTS_SPREAD_MS = 1_500;
const DRAW_MAX_MS = 180_000;

const wish = asked(location.pathname, location.search);
const scene = document.body.appendChild(h('keno-board'));
const voice = new Voice(wish);
const checks = new Checks(() => paint(), wish.genesis);

let model = begin(wish.locations[0] ?? '');
let facts = null;
let factsFor = '';
let line = null;
let since = performance.now();

function at() {
  return { now: performance.now(), wall: Date.now() };
}

function paint(moving = null) {
  scene.show(view(model, facts, at(), checks.of(model.location, model.last?.game)), moving);
}

function hear(event) {
  const before = model;
  const [next, effect] = apply(model, event, at());
  if (effect === 'resync') {
    line.resync();
    return false;
  }
  model = next;
  if (effect !== 'none') {
    paint(effect === 'ball');
    voice.call(heard(before, model, effect, performance.now()));
    if (effect === 'ball')
      scene.tell(`Ball ${model.drawing.balls.length}: ${model.drawing.balls.at(-1)}`);
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

/** What stands still is asked for only when it may have changed, and not by all boards at once. */
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
    const found = await ask(`/api/board/${encodeURIComponent(place)}`);
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
  const games = await ask(`/api/games?location=${encodeURIComponent(place)}&limit=6`);
  if (!games || place !== model.location) return;
  model = remember(model, games);
  paint();
}

async function ask(path) {
  try {
    const answer = await fetch(path, { signal: AbortSignal.timeout(8_000) });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null; // the line will tell whether the server is away
  }
}

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

/** On to the next location, but not away from a draw. */
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
