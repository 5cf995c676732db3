// What the board shows, in words and figures: the model goes in, a picture comes out. Pure.
// Every state of a game has its word; nothing is lit that the line does not confirm.

import { clock, money, time } from '../shared/format.js';

const VOID_GAMES = 6;
const BALLS = 20;
const NUMBERS = 80;

/**
 * @param {object} model see model.js
 * @param {object|null} facts the answer of /api/board/{location}, once it is there
 * @param {{now: number, wall: number}} at
 * @param {{game: number, state: string}|null} check what is known of the last game's proof
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
 * The state of the whole board: one of the dial's, or `waiting` before the first game. Balls that
 * come are shown, whatever else is wrong: then the words alone tell of it.
 */
export function toneOf({ connected, trouble, drawing, open }) {
  if (!connected) return 'offline';
  if (drawing?.balls.length) return 'drawing';
  if (trouble) return 'irregular';
  if (drawing) return 'locked';
  if (!open) return 'waiting';
  if (open.mode === 'held') return 'held';
  return open.closing ? 'closing' : 'open';
}

/** The game whose numbers are on the grid: the one being drawn, else the last one. */
export function shownGame({ drawing, last }) {
  return drawing ?? last;
}

function left({ open }, at) {
  return open && open.closes_at !== null ? Math.max(0, open.closes_at - at.now) : null;
}

/** Which ground each of the 80 numbers has, the number 1 first. */
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

/** The twenty places of the order; a place without a ball has no number. */
export function slots(model, tone = toneOf(model)) {
  const ground = grounds(model, tone);
  const order = model.drawing ? model.drawing.balls : (model.last?.numbers ?? []);
  return Array.from({ length: BALLS }, (_, index) =>
    index < order.length
      ? { number: order[index], ground: ground[order[index] - 1] }
      : { number: null, ground: '' },
  );
}

function headOf(tone, model, facts, left_ms) {
  const { drawing, open } = model;
  const inPlay = drawing ?? open;
  const words = {
    open: 'Open',
    closing: 'Closing',
    locked: 'Closed',
    drawing: 'Drawing',
    held: 'Held',
    irregular: 'Stopped',
    offline: 'No signal',
    waiting: 'Opens soon',
  };
  return {
    word: words[tone],
    name: inPlay?.name ?? model.last?.name ?? '',
    ball: tone === 'drawing' ? `${drawing.balls.length} of ${BALLS}` : '',
    side: sideOf(tone, model, facts, left_ms),
  };
}

/** The right of the header: the next game's clock while a game is drawn, else what to do. */
function sideOf(tone, model, facts, left_ms) {
  const { drawing, open } = model;
  const lines = (strong, quiet, of = '') => ({ strong, quiet, clock: '', tone: of });
  if (tone === 'offline') {
    return lines('The board has lost the server', 'Results are told at the booth');
  }
  if (drawing && open) return besideDraw(open, left_ms);
  switch (tone) {
    case 'irregular':
      return lines(...sentences(model.trouble), 'irregular');
    case 'held':
      return lines('Held by the supervisor', facts?.held ?? 'Sales go on, the close waits', 'held');
    case 'closing':
      return lines(
        'Last call at the booth',
        `Tickets for game ${following(open, 1)} after ${coming(open.closes_wall, facts)}`,
      );
    case 'open':
      return open.closes_at === null
        ? lines('Tickets at the booth', 'The booth calls the close')
        : lines('Tickets at the booth', `Draw follows at ${coming(open.closes_wall, facts)}`);
    default:
      return lines('The first game opens soon', 'Tickets at the booth');
  }
}

function besideDraw(open, left_ms) {
  const quiet = `Game ${open.name} open`;
  if (open.mode === 'held')
    return { strong: 'Held by the supervisor', quiet, clock: '', tone: 'held' };
  if (left_ms === null) return { strong: 'The booth calls the close', quiet, clock: '', tone: '' };
  return { strong: 'Closes in', quiet, clock: clock(left_ms), tone: open.closing ? 'closing' : '' };
}

function dialOf(tone, { drawing, heard_ms }, facts, left_ms) {
  if (tone === 'waiting') return { state: 'open', left_ms: 0, span_ms: 1 };
  if (tone === 'open' && left_ms === null) return { state: 'open', left_ms: 1, span_ms: 1 };
  if (tone === 'offline')
    return { state: 'offline', at: heard_ms === null ? '' : moment(heard_ms, facts) };
  return {
    state: tone,
    left_ms: left_ms ?? 0,
    span_ms: Math.max(left_ms ?? 0, facts?.interval_ms ?? 0),
    balls: drawing?.balls ?? [],
  };
}

/** The words inside the dial. */
function faceOf(tone, { open, heard_ms }, facts, left_ms) {
  const words = (over, main, under = '') => ({ over, main, under });
  if (tone === 'closing' || (tone === 'open' && left_ms !== null)) {
    return words('Closes in', clock(left_ms), coming(open.closes_wall, facts));
  }
  if (tone === 'open') return words('Tickets', 'Open', 'until the call');
  if (tone === 'locked') return words('', '', 'Draw follows');
  if (tone === 'held') return words('', '', 'No clock runs');
  if (tone === 'offline') {
    if (heard_ms === null) return words('', '', 'No signal yet');
    const [hour, half] = moment(heard_ms, facts).split(' ');
    return words('No signal since', hour, half ?? '');
  }
  return words('', '');
}

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

/** What may be said of the last game's proof: a check mark only for what this board has checked. */
export function checkOf(last, check, name = `${last?.name ?? ''} `) {
  if (!last) return null;
  const said = check && check.game === last.game ? check.state : 'waiting';
  const begun = (words) => (name ? `${name}${words}` : words[0].toUpperCase() + words.slice(1));
  if (said === 'proven') return { text: begun('verified'), tone: 'proven' };
  if (said === 'failed')
    return { text: begun('does not verify: ask at the booth'), tone: 'failed' };
  if (said === 'unable')
    return { text: begun('cannot be checked on this screen'), tone: 'unknown' };
  return { text: begun('not checked yet'), tone: 'unknown' };
}

/** Notices take turns on the one line at the foot; what is wrong comes first. */
function noticesOf(tone, model, facts) {
  const all = [];
  if (tone === 'offline') return ['Nothing on this board is confirmed until the signal is back'];
  if (tone === 'irregular') all.push(model.trouble);
  for (const { game, name } of model.voids) {
    if (model.open?.game - game <= VOID_GAMES)
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

/** About when a later game opens, if every close comes by the schedule. */
function changeMoment(first, open, facts) {
  if (!open || open.closes_wall === null || !facts?.interval_ms) return '';
  return `, about ${coming(open.closes_wall + (first - 1 - open.game) * facts.interval_ms, facts)}`;
}

/** The commitment of the coming draw: the game being drawn if it was seen open, else the open one. */
function sealOf(tone, { drawing, open, seals }) {
  if (tone === 'offline') return null;
  if (drawing && seals[drawing.game])
    return { name: drawing.name, code: short(seals[drawing.game]) };
  return open?.commitment ? { name: open.name, code: short(open.commitment) } : null;
}

/** The first eight digits in two fours, as people compare them. */
export function short(hex) {
  return `${hex.slice(0, 4)} ${hex.slice(4, 8)}`.toUpperCase().trim();
}

function following(open, by) {
  return nameOf(open.game + by, open);
}

function nameOf(game, open) {
  const letter = open?.name.includes('-') ? `${open.name.split('-')[0]}-` : '';
  return `${letter}${game}`;
}

function moment(ms, facts) {
  return time(ms, facts?.zone ?? undefined);
}

/** A moment that comes: to the nearest minute, so that it does not seem to be past. */
function coming(ms, facts) {
  return moment(Math.round(ms / 60_000) * 60_000, facts);
}

function sentences(words) {
  const [, first, rest] = /^(.*?[.!?])\s*(.*)$/.exec(words ?? '') ?? [null, words ?? '', ''];
  return [first.replace(/\.$/, ''), rest];
}
