// Derives from the model what the board shows, in words and figures. Pure. Every state of a game
// has its word; nothing is lit while the connection is lost.

import { clock, money, time } from '../shared/format.js';

/**
 * @import { ShownGame } from '../shared/protocol.js'
 * @import { BoardFacts } from '../shared/types.js'
 * @import { Shown } from '../shared/dial.js'
 * @import { BoardGame, Clocks, Model } from './model.js'
 */

/**
 * @typedef {'open' | 'closing' | 'locked' | 'drawing' | 'held' | 'irregular' | 'offline' |
 *   'closed' | 'waiting'} Tone the state of the whole board: one of the dial's, or waiting for the
 *   first game
 * @typedef {{game: number, state: string}} Check what is known of a game's proof
 * @typedef {{text: string, tone: string}} Mark
 * @typedef {{strong: string, quiet: string, clock: string, tone: string}} Side
 * @typedef {{over: string, main: string, under: string}} Face the words inside the dial
 * @typedef {{text: string, tone: string, mark: Mark | null}} Bar
 * @typedef {{number: number | null, ground: string}} Slot
 * @typedef {ReturnType<typeof view>} View everything that the board shows
 * @typedef {Partial<BoardFacts> | null} Facts null until they were read
 */

const VOID_GAMES = 6;
const BALLS = 20;
const NUMBERS = 80;

/**
 * @param {Model} model
 * @param {Facts} facts
 * @param {Pick<Clocks, 'now'>} at
 * @param {Check | null} check of the last game's proof
 */
export function view(model, facts, at, check = null) {
  const tone = toneOf(model);
  const shown = shownGame(model);
  const left_ms = left(model, at);
  return {
    tone,
    band: !model.value,
    ...headOf(tone, model, facts, left_ms),
    dial: dialOf(tone, model, facts, left_ms),
    face: faceOf(tone, model, facts, left_ms),
    grounds: grounds(model, tone),
    slots: slots(model, tone),
    past: model.past.filter((each) => each.game !== shown?.game),
    bar: barOf(tone, model, check),
    notices: noticesOf(tone, model, facts),
    place: facts?.name ? `Keno booth, ${facts.name}` : 'Keno booth',
    seal: sealOf(tone, model),
    check: tone === 'offline' || shown === model.last ? null : checkOf(model.last, check),
  };
}

/**
 * The state of the whole board: one of the dial's, or `waiting` before the first game. During a
 * trouble, balls are still shown; then only the words state the trouble.
 * @param {Pick<Model, 'connected' | 'trouble' | 'drawing' | 'open' | 'closed'>} model
 * @returns {Tone}
 */
export function toneOf({ connected, trouble, drawing, open, closed }) {
  if (!connected) return 'offline';
  if (drawing?.balls.length) return 'drawing';
  if (trouble) return 'irregular';
  if (drawing) return 'locked';
  if (!open) return 'waiting';
  if (closed) return 'closed';
  if (open.mode === 'held') return 'held';
  return open.closing ? 'closing' : 'open';
}

/**
 * The game whose numbers are on the grid: the one being drawn, else the last one.
 * @param {Model} model
 */
export function shownGame({ drawing, last }) {
  return drawing ?? last;
}

/**
 * @param {Model} model
 * @param {Pick<Clocks, 'now'>} at
 */
function left({ open }, at) {
  return open && open.closes_at !== null ? Math.max(0, open.closes_at - at.now) : null;
}

/**
 * The background of each of the 80 numbers, number 1 first.
 * @param {Model} model
 * @param {Tone} tone
 * @returns {string[]}
 */
export function grounds(model, tone = toneOf(model)) {
  const all = Array.from({ length: NUMBERS }, () => '');
  const { drawing, last } = model;
  const order = drawing ? drawing.balls : (last?.numbers ?? []);
  order.forEach((number, index) => {
    const newest = drawing && tone === 'drawing' && index === order.length - 1;
    all[number - 1] = tone === 'offline' ? 'out' : newest ? 'hot' : drawing ? 'lit' : 'was';
  });
  return all;
}

/**
 * The twenty places of the balls in order; a place without a ball has no number.
 * @param {Model} model
 * @param {Tone} tone
 * @returns {Slot[]}
 */
export function slots(model, tone = toneOf(model)) {
  const ground = grounds(model, tone);
  const order = model.drawing ? model.drawing.balls : (model.last?.numbers ?? []);
  return Array.from({ length: BALLS }, (_, index) =>
    index < order.length
      ? { number: order[index], ground: ground[order[index] - 1] }
      : { number: null, ground: '' },
  );
}

/**
 * @param {Tone} tone
 * @param {Model} model
 * @param {Facts} facts
 * @param {number | null} left_ms
 */
function headOf(tone, model, facts, left_ms) {
  const { drawing, open } = model;
  const inPlay = drawing ?? open;
  /** @type {Record<Tone, string>} */
  const words = {
    open: 'Open',
    closing: 'Closing',
    locked: 'Closed',
    closed: 'Closed',
    drawing: 'Drawing',
    held: 'Held',
    irregular: 'Stopped',
    offline: 'No signal',
    waiting: 'Opens soon',
  };
  return {
    word: words[tone],
    name: inPlay?.name ?? model.last?.name ?? '',
    ball: tone === 'drawing' ? `${drawing?.balls.length} of ${BALLS}` : '',
    side: sideOf(tone, model, facts, left_ms),
  };
}

/**
 * The right of the header: the next game's clock while a game is drawn, else words on the state.
 * @param {Tone} tone
 * @param {Model} model
 * @param {Facts} facts
 * @param {number | null} left_ms
 * @returns {Side}
 */
function sideOf(tone, model, facts, left_ms) {
  const { drawing, open, closed, last_before: last } = model;
  /** @type {(strong: string, quiet: string, tone?: string) => Side} */
  const lines = (strong, quiet, of = '') => ({ strong, quiet, clock: '', tone: of });
  if (tone === 'offline') {
    return lines('The board has lost the server', 'Results are told at the booth');
  }
  if (drawing && closed) return lines(closed.words, 'The last game before closing');
  if (drawing && open) return besideDraw(open, left_ms);
  switch (tone) {
    case 'irregular':
      return lines(...sentences(model.trouble), 'irregular');
    case 'held':
      return lines('Held by the supervisor', facts?.held ?? 'Sales go on, the close waits', 'held');
    case 'closed':
      return lines(closed?.words ?? '', `Game ${open?.name} is sold from then on`);
    case 'closing':
      if (last) return lines('Last call, the last game before closing', last.words);
      return lines(
        'Last call at the booth',
        `Tickets for game ${following(open)} after ${closingTime(open, facts)}`,
      );
    case 'open':
      return open?.closes_at === null
        ? lines('Tickets at the booth', 'The booth calls the close')
        : lines('Tickets at the booth', `Draw follows at ${closingTime(open, facts)}`);
    default:
      return lines('The first game opens soon', 'Tickets at the booth');
  }
}

/**
 * @param {BoardGame} open
 * @param {number | null} left_ms
 * @returns {Side}
 */
function besideDraw(open, left_ms) {
  const quiet = `Game ${open.name} open`;
  if (open.mode === 'held')
    return { strong: 'Held by the supervisor', quiet, clock: '', tone: 'held' };
  if (left_ms === null) return { strong: 'The booth calls the close', quiet, clock: '', tone: '' };
  return { strong: 'Closes in', quiet, clock: clock(left_ms), tone: open.closing ? 'closing' : '' };
}

/**
 * @param {Tone} tone
 * @param {Model} model
 * @param {Facts} facts
 * @param {number | null} left_ms
 * @returns {Shown}
 */
function dialOf(tone, { drawing, heard_ms, closed }, facts, left_ms) {
  if (tone === 'waiting') return { state: 'open', left_ms: 0, span_ms: 1 };
  if (tone === 'open' && left_ms === null) return { state: 'open', left_ms: 1, span_ms: 1 };
  if (tone === 'closed')
    return { state: 'closed', at: closed ? moment(closed.opens_ms, facts) : '' };
  if (tone === 'offline')
    return { state: 'offline', at: heard_ms === null ? '' : moment(heard_ms, facts) };
  return {
    state: tone,
    left_ms: left_ms ?? 0,
    span_ms: Math.max(left_ms ?? 0, facts?.interval_ms ?? 0),
    balls: drawing?.balls ?? [],
  };
}

/**
 * The words inside the dial.
 * @param {Tone} tone
 * @param {Model} model
 * @param {Facts} facts
 * @param {number | null} left_ms
 */
function faceOf(tone, { open, heard_ms, closed }, facts, left_ms) {
  /** @type {(over: string, main: string, under?: string) => Face} */
  const words = (over, main, under = '') => ({ over, main, under });
  if (tone === 'closing' || (tone === 'open' && left_ms !== null)) {
    return words('Closes in', clock(left_ms ?? 0), closingTime(open, facts));
  }
  if (tone === 'open') return words('Tickets', 'Open', 'until the call');
  if (tone === 'locked') return words('', '', 'Draw follows');
  if (tone === 'held') return words('', '', 'No clock runs');
  if (tone === 'closed' && closed) {
    const [, hour, rest] = /^Opens at (\S+) ([^,]+)/.exec(closed.words) ?? [];
    return words('Opens at', hour ?? '', rest ?? '');
  }
  if (tone === 'offline') {
    if (heard_ms === null) return words('', '', 'No signal yet');
    const [hour, half] = moment(heard_ms, facts).split(' ');
    return words('No signal since', hour, half ?? '');
  }
  return words('', '');
}

/**
 * @param {Tone} tone
 * @param {Model} model
 * @param {Check | null} check
 * @returns {Bar | null}
 */
function barOf(tone, model, check) {
  const { drawing, open, last } = model;
  if (tone === 'irregular') {
    const game = drawing ?? open;
    return {
      text: `${game ? `Game ${game.name}` : 'The game'} is stopped. Your tickets stay valid.`,
      tone: 'irregular',
      mark: null,
    };
  }
  if (tone === 'drawing' && model.trouble)
    return { text: model.trouble, tone: 'irregular', mark: null };
  if (drawing || !last) return null;
  const mark = tone === 'offline' ? null : checkOf(last, check, '');
  return { text: `Result of game ${last.name}`, tone: '', mark };
}

/**
 * The words on the last game's proof; a check mark only if this board has verified it.
 * @param {ShownGame | null} last
 * @param {Check | null} check
 * @param {string} [name] how the sentence begins
 * @returns {Mark | null}
 */
export function checkOf(last, check, name = `${last?.name ?? ''} `) {
  if (!last) return null;
  const said = check && check.game === last.game ? check.state : 'waiting';
  /** @param {string} words */
  const begun = (words) => (name ? `${name}${words}` : words[0].toUpperCase() + words.slice(1));
  if (said === 'proven') return { text: begun('verified'), tone: 'proven' };
  if (said === 'failed')
    return { text: begun('does not verify: ask at the booth'), tone: 'failed' };
  if (said === 'unable')
    return { text: begun('cannot be checked on this screen'), tone: 'unknown' };
  return { text: begun('not checked yet'), tone: 'unknown' };
}

/**
 * The notices that take turns on the line at the foot; trouble comes first.
 * @param {Tone} tone
 * @param {Model} model
 * @param {Facts} facts
 */
function noticesOf(tone, model, facts) {
  if (tone === 'offline') return ['Nothing on this board is confirmed until the signal is back'];
  const all = tone === 'irregular' && model.trouble ? [model.trouble] : [];
  for (const { game, name } of model.voids) {
    if (model.open && model.open.game - game <= VOID_GAMES)
      all.push(`Game ${name} is void: every wager on it goes back at the booth`);
  }
  for (const change of model.changes) {
    const when = changeMoment(change.first_game, model.open, facts);
    all.push(
      `New rate card from game ${nameOf(change.first_game, model.open)}${when}: ask at the booth`,
    );
  }
  if (facts?.aggregate_max_cents) {
    const full = facts.full_up_to_cents;
    const share = full ? `; awards up to ${money(full)} in full` : ' among all winners';
    all.push(`Most paid per game ${money(facts.aggregate_max_cents)}${share}`);
  }
  return all;
}

/**
 * About when game `first` opens, in words, if every game closes by the schedule; '' if unknown.
 * @param {number} first
 * @param {BoardGame | null} open
 * @param {Facts} facts
 */
function changeMoment(first, open, facts) {
  if (!open || open.closes_wall === null || !facts?.interval_ms) return '';
  return `, about ${coming(open.closes_wall + (first - 1 - open.game) * facts.interval_ms, facts)}`;
}

/**
 * Name and commitment of the game being drawn, if it was seen open, else of the open one.
 * @param {Tone} tone
 * @param {Model} model
 */
function sealOf(tone, { drawing, open, seals }) {
  if (tone === 'offline') return null;
  if (drawing && seals[drawing.game])
    return { name: drawing.name, code: short(seals[drawing.game]) };
  return open?.commitment ? { name: open.name, code: short(open.commitment) } : null;
}

/** The first eight digits of a digest as two groups of four. @param {string} hex */
export function short(hex) {
  return `${hex.slice(0, 4)} ${hex.slice(4, 8)}`.toUpperCase().trim();
}

/** @param {BoardGame | null} open */
function following(open) {
  return open ? nameOf(open.game + 1, open) : '';
}

/**
 * @param {number} game
 * @param {BoardGame | null} open
 */
function nameOf(game, open) {
  const letter = open?.name.includes('-') ? `${open.name.split('-')[0]}-` : '';
  return `${letter}${game}`;
}

/**
 * @param {number} ms
 * @param {Facts} facts
 */
function moment(ms, facts) {
  return time(ms, facts?.zone ?? undefined);
}

/**
 * @param {BoardGame | null} open
 * @param {Facts} facts
 */
function closingTime(open, facts) {
  return coming(open?.closes_wall ?? 0, facts);
}

/**
 * A future time in words, rounded to the minute.
 * @param {number} ms
 * @param {Facts} facts
 */
function coming(ms, facts) {
  return moment(Math.round(ms / 60_000) * 60_000, facts);
}

/**
 * @param {string | null} words
 * @returns {[string, string]}
 */
function sentences(words) {
  const [, first, rest] = /^(.*?[.!?])\s*(.*)$/.exec(words ?? '') ?? ['', words ?? '', ''];
  return [first.replace(/\.$/, ''), rest];
}
