// Overrides of a game's close by a supervisor: delay, hold, resume, close early, manual and
// automatic mode, each with its reason; in manual mode the close itself.

import { h, put } from '../shared/dom.js';
import { codeOf, words } from './ask.js';
import { busy, reasonField, statusLine } from './frame.js';

/** @import { FloorWatch } from './floor-data.js' */
/** @import { PlaceView } from './floor-words.js' */
/** @import { FloorLocation, OpenGame } from '../shared/protocol.js' */
/** @import { Ask, Fields, Stay } from './types.js' */
/** @typedef {[kind: string, words: string][]} Controls */

/** @type {Record<string, (name: string) => string>} */
const DONE = {
  delay: (name) => `${name}: the close is a minute later.`,
  hold: (name) => `${name} is held.`,
  resume: (name) => `${name} is resumed.`,
  close_early: (name) => `${name} closes early, after the notice.`,
  manual: (name) => `${name} now closes by hand.`,
  automatic: (name) => `${name} closes by the clock again.`,
  close_game: (name) => `${name} closes after the notice.`,
};

/**
 * The buttons of a game by its mode, as pairs of override and words. Pure.
 * @param {string} mode
 * @param {boolean} [manual] whether games close by hand when none is held
 * @returns {Controls}
 */
export function controlsOf(mode, manual) {
  /** @type {Controls[number]} */
  const turn = manual ? ['automatic', 'Automatic mode'] : ['manual', 'Manual mode'];
  if (mode === 'halted') return [];
  if (mode === 'held')
    return [
      ['delay', 'Delay 1\u00a0minute'],
      ['resume', 'Resume'],
      ['close_early', 'Close early'],
      turn,
    ];
  if (mode === 'manual') return [['close_game', 'Close the game now'], ['hold', 'Hold'], turn];
  return [['delay', 'Delay 1\u00a0minute'], ['hold', 'Hold'], ['close_early', 'Close early'], turn];
}

/**
 * Create the field for the reason and the buttons of the chosen location's game.
 * @param {{ask: Ask, watch: FloorWatch, stay: Stay}} how
 */
export function createOverrides({ ask, watch, stay }) {
  const reasons = (stay.reasons ??= {});
  const reason = reasonField('Reason, before any of these', {
    missing: 'Give the reason first; it is kept with what you do.',
  });
  const buttons = h('div', { class: 'game-acts' });
  const said = statusLine();
  const element = h('div', { class: 'game-over' }, reason.element, buttons, said.element);
  reason.element.hidden = true; // until the first answer names the location that a reason is for
  const manual = new Map();
  /** @type {{location: string, name: string, open: OpenGame | null} | null} */
  let at = null;
  let drawn = '';

  /** @param {string} kind */
  async function act(kind) {
    said.clear();
    if (!at?.open) return said.no('No game is open here.');
    const { location, name, open } = at;
    const why = kind === 'close_game' ? '' : reason.need();
    if (why === null) return undefined;
    try {
      await send(ask, { location, game: open.game, kind, reason: why });
      if (at.location === location) {
        if (kind !== 'close_game') reason.value = '';
        said.good(DONE[kind](kind === 'manual' || kind === 'automatic' ? name : open.name));
      }
      if (kind !== 'close_game') delete reasons[location];
      await watch.refresh();
    } catch (error) {
      if (codeOf(error) === 'reason_empty') reason.refuse(words(error));
      else said.no(error);
    }
    return undefined;
  }

  reason.input.addEventListener('input', () => {
    if (at) reasons[at.location] = reason.value;
  });
  return {
    element,
    /** @param {FloorLocation} place @param {PlaceView} seen */
    paint(place, seen) {
      if (at?.location !== place.location) {
        reason.value = reasons[place.location] ?? '';
        said.clear();
      } else if (at.open?.game !== seen.open?.game) said.clear();
      at = { location: place.location, name: place.name, open: seen.open };
      if (seen.mode && !['held', 'halted'].includes(seen.mode))
        manual.set(place.location, seen.mode === 'manual');
      const controls = controlsOf(seen.mode, manual.get(place.location));
      const key = JSON.stringify([controls, Boolean(seen.open)]);
      if (key === drawn) return;
      drawn = key;
      reason.element.hidden = controls.length === 0;
      redraw(buttons, controls, Boolean(seen.open), act);
    },
  };
}

/**
 * @param {Ask} ask
 * @param {{location: string, game: number, kind: string, reason: string}} override
 */
function send(ask, { location, game, kind, reason }) {
  if (kind === 'close_game') return ask('close_game', { location, game, second: null });
  /** @type {Pick<Fields<'override'>, 'seconds'>} */
  const seconds = kind === 'delay' ? { seconds: 60 } : {};
  return ask('override', { location, kind, reason, ...seconds });
}

/**
 * Replace the buttons by others; the focus stays at its position.
 * @param {HTMLElement} buttons
 * @param {Controls} controls
 * @param {boolean} possible
 * @param {(kind: string) => unknown} act
 */
function redraw(buttons, controls, possible, act) {
  const focused = [...buttons.children].findIndex((each) => each === document.activeElement);
  const made = controls.map(([kind, label]) => {
    const button = h('button', { type: 'button', class: 'button', data: { act: kind } }, label);
    if (!possible) button.setAttribute('aria-disabled', 'true');
    button.addEventListener('click', () => busy(button, () => act(kind)));
    return button;
  });
  put(buttons, made);
  if (focused >= 0) made[Math.min(focused, made.length - 1)].focus();
}
