// The texts of the strip at the top: clock, drawer, printer, news. Pure.

import { clock, time } from '../../keno/pages/shared/format.js';

/**
 * @import { Place, Printer, Shift, StationState, Told } from './types.js'
 * @typedef {Pick<StationState, 'line' | 'now_ms' | 'game' | 'drawing' | 'trouble' | 'closed'> &
 *   {place?: Pick<Place, 'zone'> | null}} Readable
 * @typedef {{state: string, clock: string, name: string, note: string, at?: string,
 *   balls?: number[]}} Reading `at` and `balls` are for the dial
 * @typedef {{kind: 'no' | 'look' | 'sky', text: string, note?: string, told?: Told}} News
 */

/** The two texts of the band that is shown in a demonstration. */
export const NO_VALUE = ['NO VALUE —', 'Demonstration. Tickets and awards here are worth nothing.'];

/**
 * What the dial shows, and the words beside it.
 * @param {Readable | null} state
 * @param {number} leftMs until the game closes
 * @param {{linked: boolean, heardMs?: number | null}} link this page's own link to the station
 * @returns {Reading}
 */
export function reading(state, leftMs, { linked, heardMs = null }) {
  const zone = state?.place?.zone;
  /** @param {number} ms */
  const at = (ms) => time(ms, zone).replace(/ [AP]M$/, '');
  if (!linked || !state) {
    return {
      state: 'offline',
      at: heardMs ? at(heardMs) : undefined,
      clock: '–:––',
      name: 'No station',
      note: 'This page tries again',
    };
  }
  if (!state.line.up) {
    const since = state.line.since_ms;
    return {
      state: 'offline',
      at: since ? at(since) : undefined,
      clock: '–:––',
      name: 'No signal',
      note: since ? `since ${time(since, zone)}` : 'not yet connected',
    };
  }
  const { game, drawing, trouble, closed } = state;
  if (game?.mode === 'halted')
    return {
      state: 'irregular',
      clock: 'Halted',
      name: `Game ${game.name}`,
      note: 'no sales, no payouts',
    };
  if (game && closed) {
    const [, at] = /^Opens at (\S+)/.exec(closed) ?? [];
    return { state: 'closed', at, clock: 'Closed', name: `Game ${game.name}`, note: closed };
  }
  if (game?.mode === 'held')
    return { state: 'held', clock: 'Held', name: `Game ${game.name}`, note: 'by the supervisor' };
  if (!game && drawing) {
    const balls = drawing.balls ?? [];
    return {
      state: 'drawing',
      balls,
      clock: String(balls.at(-1) ?? '–'),
      name: `Game ${drawing.name}`,
      note: balls.length ? `drawing, ball ${balls.length} of 20` : 'drawing',
    };
  }
  if (!game) {
    if (trouble)
      return {
        state: 'irregular',
        clock: 'Stop',
        name: 'No game is open',
        note: 'see the line below',
      };
    return { state: 'locked', clock: 'Closed', name: 'No game is open', note: 'the draw follows' };
  }
  const name = `Game ${game.name}`;
  if (game.closes_in_ms === null)
    return { state: 'open', clock: 'Open', name, note: 'closes by hand' };
  if (leftMs <= 0) return { state: 'locked', clock: '0:00', name, note: 'closed, draw follows' };
  const { closing } = game;
  const closes = time(state.now_ms + game.closes_in_ms, zone);
  const note = `${closing ? 'last call,' : 'closes'} ${closes}`;
  return { state: closing ? 'closing' : 'open', clock: clock(leftMs), name, note };
}

/** The drawer's total in cents. @param {Pick<Shift, 'drawer'> | null | undefined} shift */
export function drawerTotal(shift) {
  return Object.values(shift?.drawer ?? {}).reduce((sum, cents) => sum + cents, 0);
}

/** @type {Record<Printer['paper'], string>} */
const PAPER = {
  ok: 'Paper in order',
  low: 'Paper low',
  out: 'Paper out',
  unknown: 'Paper not known',
};

/**
 * The printer's kind and words in the strip; its whole sentence is in the news.
 * @param {Pick<Printer, 'ok' | 'paper'>} printer
 */
export function printerWords({ ok, paper }) {
  const low = paper === 'low' || paper === 'out';
  return {
    kind: ok && !low ? 'good' : paper === 'out' || !ok ? 'no' : 'look',
    head: PAPER[paper] ?? 'Paper',
    under: ok ? 'Printer ready' : 'Printer not ready',
    low,
  };
}

/**
 * The sound between two readings: 'minute' at the last call, 'lockout' at the lock-out, else ''.
 * @param {{state: string, game: number | undefined}} before
 * @param {{state: string, game: number | undefined}} now
 * @returns {'' | 'minute' | 'lockout'}
 */
export function ringOf(before, now) {
  if (now.state === 'closing' && before.state === 'open') return 'minute';
  if (before.state !== 'closing' && before.state !== 'open') return '';
  const ended = now.state === 'locked' || now.state === 'drawing';
  const another = before.game !== undefined && before.game !== now.game;
  return ended || another ? 'lockout' : '';
}

/**
 * The entries of the line under the strip, most urgent first: lost connections, trouble, printer,
 * the newest message, the next rate card.
 * @param {StationState} state
 * @param {boolean} linked
 */
export function newsOf(state, linked) {
  /** @type {News[]} */
  const news = [];
  if (!linked) {
    const text = 'This page lost its station. What you typed is kept; it tries again by itself.';
    news.push({ kind: 'no', text });
  } else if (!state.line.up) {
    const text =
      'No line to the server. What you typed is kept; selling goes on when the line is back.';
    news.push({ kind: 'look', text });
  }
  if (state.trouble) news.push({ kind: 'no', text: state.trouble });
  if (!state.printer?.ok && state.printer?.words)
    news.push({ kind: 'look', text: state.printer.words });
  const [told, ...older] = state.told;
  if (told) {
    const more = older.length ? `, ${older.length} more` : '';
    const note = `${time(told.ms, state.place?.zone)}${more}`;
    news.push({ kind: 'sky', text: `${told.by}: ${told.text}`, note, told });
  }
  const [change] = state.changes;
  if (change) {
    const game = `${state.place?.letter ?? ''}-${change.first_game}`;
    news.push({ kind: 'sky', text: `Rate card ${change.card} from game ${game}.` });
  }
  return news;
}
