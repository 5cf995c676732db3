// The board's model, made from the server's events. Pure; no clock, no document.
// `apply` returns the next model and an effect:
//   ball    one more ball was called: the picture may move
//   still   something else changed: paint at once
//   none    nothing that is seen changed
//   resync  the event contradicts the model: connect again and take the next whole state
// A number enters the model only as the next ball of the game being drawn, or by a whole state.

/**
 * @import { Ball, CardChange, Closing, DrawingGame, OpenGame, Opening, Result, ShownGame,
 *   State } from '../shared/protocol.js'
 * @import { BoardEvent, PublicGame } from '../shared/types.js'
 */

/**
 * The open game; `closes_at` by the board's own clock, `closes_wall` by the time of day, both null
 * if it closes by hand.
 * @typedef {Omit<OpenGame, 'closes_in_ms'> & {closes_at: number | null,
 *   closes_wall: number | null}} BoardGame
 */

/**
 * `heard_ms` is when the last event came, `stamp` the server's time in it; `seals` has commitments
 * by game.
 * @typedef {{location: string, connected: boolean, heard_ms: number | null, stamp: number,
 *   value: boolean, open: BoardGame | null, drawing: DrawingGame | null, last: ShownGame | null,
 *   trouble: string | null, changes: readonly CardChange[], past: readonly ShownGame[],
 *   closed: Opening | null, last_before: Opening | null,
 *   voids: readonly {game: number, name: string}[], seals: Record<number, string>}} Model
 * @typedef {{now: number, wall: number}} Clocks a clock that only goes forward, and the time of day
 * @typedef {'ball' | 'still' | 'none' | 'resync'} Effect
 */

const BALLS = 20;
const PAST = 6;
/** Maximum age of a late state in milliseconds; an older time means that a clock was set back. */
const LATE_MS = 60_000;

/**
 * The model of a board before the first event.
 * @param {string} location
 * @returns {Readonly<Model>}
 */
export function begin(location) {
  return Object.freeze({
    location,
    connected: false,
    heard_ms: null,
    stamp: 0,
    value: true,
    open: null,
    drawing: null,
    last: null,
    trouble: null,
    changes: [],
    closed: null,
    last_before: null,
    past: [],
    voids: [],
    seals: {},
  });
}

/**
 * The model after the connection was lost: it keeps its content, as unconfirmed.
 * @param {Model} model
 * @returns {Model}
 */
export function lost(model) {
  return { ...model, connected: false, stamp: 0 };
}

/**
 * The model after an event of the server, and the effect of the event.
 * @param {Model} model
 * @param {BoardEvent} event
 * @param {Clocks} at
 * @returns {[Model, Effect]}
 */
export function apply(model, event, at) {
  if (event?.location !== model.location) return [model, 'none'];
  const heard = { ...model, heard_ms: at.wall };
  if (event.type === 'state') return whole(heard, event, at);
  if (!model.connected) return [model, 'none'];
  const next = { ...heard, stamp: Math.max(model.stamp, event.server_ms ?? 0) };
  switch (event.type) {
    case 'ball':
      return ball(next, event);
    case 'closing':
      return closing(next, event, at);
    case 'result':
      return result(next, event);
    default:
      return [next, 'none'];
  }
}

/**
 * The model with past games added: drawn ones for the list, void ones for the notices.
 * @param {Model} model
 * @param {readonly PublicGame[]} games
 * @returns {Model}
 */
export function remember(model, games) {
  const found = games.flatMap(({ game, name, numbers }) =>
    isDraw(numbers) ? [{ game, name, numbers }] : [],
  );
  const voids = games
    .filter((each) => each.state === 'void')
    .map(({ game, name }) => ({ game, name }));
  return { ...model, past: merged(found, model.past), voids };
}

/**
 * Whether a game that was being drawn ended without a result. Pure.
 * @param {Model} before
 * @param {Model} now
 */
export function gaveUp(before, now) {
  return Boolean(
    before.drawing && now.connected && !now.drawing && now.last?.game !== before.drawing.game,
  );
}

/**
 * @param {Model} model
 * @param {State} event
 * @param {Clocks} at
 * @returns {[Model, Effect]}
 */
function whole(model, event, at) {
  if (event.server_ms < model.stamp && model.stamp - event.server_ms < LATE_MS)
    return [model, 'none'];
  const { drawing, last } = event;
  const balls = drawing ? drawing.balls : [];
  if (!isOrder(balls) || (last && !isDraw(last.numbers))) return [model, 'resync'];
  const open = event.open && opened(event.open, event.server_ms, at);
  const next = {
    ...model,
    connected: true,
    stamp: event.server_ms,
    value: event.value === true,
    open,
    drawing: drawing && { game: drawing.game, name: drawing.name, balls: [...balls] },
    last: last && { game: last.game, name: last.name, numbers: [...last.numbers] },
    trouble: event.trouble,
    changes: event.changes ?? [],
    closed: event.closed ?? null,
    last_before: event.last_before ?? null,
    past: last ? merged([last], model.past) : model.past,
    seals: sealed(model.seals, open),
  };
  return [next, seen(next) === seen(model) ? 'none' : 'still'];
}

/**
 * @param {OpenGame} open
 * @param {number} server_ms
 * @param {Clocks} at
 * @returns {BoardGame}
 */
function opened(open, server_ms, at) {
  const left = open.closes_in_ms;
  return {
    game: open.game,
    name: open.name,
    card: open.card,
    commitment: open.commitment,
    mode: open.mode,
    closing: open.closing,
    closes_at: left === null ? null : at.now + left,
    closes_wall: left === null ? null : server_ms + left,
  };
}

/**
 * @param {Model} model
 * @param {Ball} event
 * @returns {[Model, Effect]}
 */
function ball(model, { game, index, number }) {
  const { drawing } = model;
  if (!drawing || drawing.game !== game) {
    const over = model.last && game <= model.last.game;
    return [model, over ? 'none' : 'resync'];
  }
  const { balls } = drawing;
  if (index < balls.length) return [model, balls[index] === number ? 'none' : 'resync'];
  const order = [...balls, number];
  if (index !== balls.length || !isOrder(order)) return [model, 'resync'];
  return [{ ...model, drawing: { ...drawing, balls: order } }, 'ball'];
}

/**
 * @param {Model} model
 * @param {Closing} event
 * @param {Clocks} at
 * @returns {[Model, Effect]}
 */
function closing(model, { game, closes_in_ms, server_ms }, at) {
  if (!model.open || model.open.game !== game) return [model, 'none'];
  const open = {
    ...model.open,
    closing: true,
    closes_at: at.now + closes_in_ms,
    closes_wall: server_ms + closes_in_ms,
  };
  return [{ ...model, open }, 'still'];
}

/**
 * @param {Model} model
 * @param {Result} event
 * @returns {[Model, Effect]}
 */
function result(model, { game, numbers }) {
  const { drawing, last } = model;
  if (last && game <= last.game) return [model, 'none'];
  const fits =
    drawing &&
    drawing.game === game &&
    isDraw(numbers) &&
    drawing.balls.every((each, index) => each === numbers[index]);
  if (!fits) return [model, 'resync'];
  const shown = { game, name: drawing.name, numbers: [...numbers] };
  return [{ ...model, drawing: null, last: shown, past: merged([shown], model.past) }, 'still'];
}

/**
 * @param {unknown} balls
 * @returns {balls is number[]}
 */
function isOrder(balls) {
  /** @param {unknown} each */
  const whole80 = (each) => Number.isInteger(each) && Number(each) >= 1 && Number(each) <= 80;
  return (
    Array.isArray(balls) &&
    balls.length <= BALLS &&
    balls.every(whole80) &&
    new Set(balls).size === balls.length
  );
}

/**
 * @param {unknown} numbers
 * @returns {numbers is number[]}
 */
function isDraw(numbers) {
  return isOrder(numbers) && numbers.length === BALLS;
}

/**
 * Two lists of games merged, newest first, each game once, at most `PAST` games.
 * @param {readonly ShownGame[]} newer
 * @param {readonly ShownGame[]} older
 */
function merged(newer, older) {
  const games = new Map([...older, ...newer].map((each) => [each.game, each]));
  return [...games.values()].sort((one, other) => other.game - one.game).slice(0, PAST);
}

/**
 * The commitments of the open game and of the one before, which is drawn while it is open.
 * @param {Model['seals']} seals
 * @param {BoardGame | null} open
 */
function sealed(seals, open) {
  if (!open) return seals;
  const before = seals[open.game - 1];
  return { ...(before ? { [open.game - 1]: before } : {}), [open.game]: open.commitment };
}

/** @param {Model} model */
function seen({ connected, value, open, drawing, last, trouble, changes, closed, last_before }) {
  const game = open && [open.game, open.mode, open.closing, open.closes_at === null];
  const hours = [closed, last_before];
  return JSON.stringify([connected, value, game, drawing, last, trouble, changes, hours]);
}
