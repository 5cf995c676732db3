// Derives the texts and figures of the floor from what the server sent. Pure.

import { count, money, ticketNumber, time, timeExact } from '../shared/format.js';

/**
 * @import { DrawingGame, Exposure, Floor, FloorLocation, FloorStation, OpenGame, State, Unusual }
 *   from '../shared/protocol.js'
 */
/** @import { People } from './types.js' */

/**
 * What the view of a location needs beside its state: `signal`, whether the state is confirmed;
 * `lostMs`, since when it is not; `leftMs` until the open game closes; `span_ms` of a whole game.
 * @typedef {{signal?: boolean, lostMs?: number | null, leftMs?: number | null, span_ms?: number,
 *   zone?: string, people?: People, you?: string}} Moment
 * @typedef {ReturnType<typeof placeView>} PlaceView
 * @typedef {ReturnType<typeof unusual>[number]} Exceptional something out of the ordinary
 */

/** Roles that may see the floor, and those that may act on it. */
export const READERS = ['supervisor', 'manager', 'inspector', 'accounting'];
export const ACTORS = ['supervisor', 'manager'];

/** Milliseconds before an unconfirmed print is reported. */
const PRINTING_MS = 8_000;
const BALLS = 20;

/** A station's name as shown: a single digit gets a leading zero. @param {string} station */
export function stationName(station) {
  return /^\d$/.test(station) ? `0${station}` : station;
}

/** The large label of a tile: the number, if the name ends in one. @param {string} station */
export function stationMark(station) {
  const digits = /(\d{1,3})$/.exec(station)?.[1];
  return digits ? digits.padStart(2, '0') : station.slice(0, 3);
}

/**
 * @param {People | undefined} people
 * @param {string | null} person
 */
export function personName(people, person) {
  return people?.[person ?? ''] ?? person ?? '';
}

/**
 * The name of a person; "you" if it is the reader.
 * @param {People | undefined} people
 * @param {string} person
 * @param {string} you
 */
export function byWhom(people, person, you) {
  return person === you ? 'you' : personName(people, person);
}

/**
 * A ticket's number as read out, with its letter if one is given.
 * @param {number} number
 * @param {string} [letter]
 */
export function ticketName(number, letter = '') {
  return letter ? `${letter}-${ticketNumber(number)}` : ticketNumber(number);
}

/**
 * The state of a location, as one of the dial's.
 * @param {State | null} state
 * @param {boolean} signal
 */
export function toneOf(state, signal) {
  if (!signal) return 'offline';
  if (!state) return 'irregular';
  if (state.drawing?.balls.length) return 'drawing';
  if (state.trouble) return 'irregular';
  if (state.drawing || !state.open) return 'locked';
  if (state.closed) return 'closed';
  if (state.open.mode === 'held') return 'held';
  return state.open.closing ? 'closing' : 'open';
}

/** @type {Record<string, string>} */
const TONE_WORDS = {
  open: 'Open',
  closing: 'Closing',
  locked: 'Closed',
  closed: 'Closed',
  drawing: 'Drawing',
  held: 'Held',
  irregular: 'Stopped',
  offline: 'No signal',
};

const SELLING = ['open', 'closing', 'held'];

/** @param {FloorLocation} place */
function notSold(place) {
  return `Nothing is sold under rate card ${place.state?.open?.card ?? ''}.`;
}

/**
 * What the floor shows of a location.
 * @param {FloorLocation} place
 * @param {Moment} at
 */
export function placeView(
  place,
  { signal = true, lostMs = null, leftMs = null, span_ms = 300_000, zone, people = {}, you = '' },
) {
  const { state } = place;
  const tone = toneOf(state, signal);
  const drawn =
    tone === 'drawing' || tone === 'locked' || tone === 'irregular' ? state?.drawing : null;
  const game = drawn ?? state?.open ?? state?.drawing ?? null;
  const held = tone === 'held' ? heldBy(place, people, you, zone) : null;
  const stopped = Boolean(place.not_sold) && SELLING.includes(tone);
  return {
    tone,
    stopped,
    word: stopped ? 'Sales stopped' : TONE_WORDS[tone],
    name: game?.name ?? '',
    dial: {
      state: tone,
      left_ms: leftMs,
      span_ms,
      balls: state?.drawing?.balls,
      at: shortTime(tone === 'closed' ? state?.closed?.opens_ms : lostMs, zone),
    },
    note: noteOf(tone, state, game),
    closes: closesWords(state, leftMs, zone),
    held,
    trouble: [
      place.trouble,
      place.not_sold &&
        `${notSold(place)} ${place.not_sold} Sales go on when a new card is in force.`,
    ]
      .filter(Boolean)
      .join(' '),
    mode: state?.open?.mode ?? '',
    open: state?.open ?? null,
  };
}

/**
 * A Unix time in ms as 9:08, for the middle of a dial.
 * @param {number | null | undefined} ms
 * @param {string | undefined} zone
 */
function shortTime(ms, zone) {
  return ms === null || ms === undefined ? '' : time(ms, zone).replace(/ [AP]M$/, '');
}

/**
 * @param {string} tone
 * @param {State | null} state
 * @param {OpenGame | DrawingGame | null} game
 */
function noteOf(tone, state, game) {
  if (tone === 'irregular') return game ? `Game ${game.name}` : 'No game is open';
  if (!game) return 'No game is open';
  if (tone === 'drawing')
    return `Game ${game.name}, ball\u00a0${state?.drawing?.balls.length} of\u00a0${BALLS}`;
  if (tone === 'closed') return `Game ${game.name} waits. ${state?.closed?.words}`;
  return `Game ${game.name}`;
}

/**
 * @param {State | null} state
 * @param {number | null} leftMs
 * @param {string | undefined} zone
 */
function closesWords(state, leftMs, zone) {
  if (!state?.open) return '–';
  const { open, closed } = state;
  if (['held', 'halted'].includes(open.mode)) return 'when resumed';
  if (closed && open.closes_in_ms === null) return '–';
  if (open.closes_in_ms === null || leftMs === null) return 'by hand';
  return timeExact(state.server_ms + open.closes_in_ms, zone);
}

/**
 * Who holds the open game and since when, and the reason.
 * @param {FloorLocation} place
 * @param {People | undefined} people
 * @param {string} you
 * @param {string} [zone]
 */
export function heldBy(place, people, you, zone) {
  const game = place.state?.open?.game;
  const found = place.exceptions.find((each) => each.override === 'hold' && each.game === game);
  if (!found) return { who: '', reason: '' };
  return {
    who: `by ${byWhom(people, found.actor, you)} ${time(found.ms, zone)}`,
    reason: found.reason ?? '',
  };
}

/** @type {Record<string, (item: Unusual) => string>} */
const OVERRIDES = {
  delay: (item) => `delayed ${count(Math.round((item.seconds ?? 0) / 60), 'minute')}`,
  hold: () => 'held',
  resume: () => 'resumed',
  close_early: () => 'closed early',
  manual: () => 'set to manual mode',
  automatic: () => 'set to automatic mode',
};

/**
 * An exception of the ledger in words: what it is about, the rest of the sentence, the reason.
 * @param {Unusual} item
 * @param {{name: string, letter: string}} place
 * @param {People | undefined} people
 * @param {string} you
 * @param {boolean} [lettered]
 * @returns {{about: string, rest: string, reason: string}}
 */
export function exceptionWords(item, { name, letter }, people, you, lettered = false) {
  const by = byWhom(people, item.actor, you);
  const second = item.second ? byWhom(people, item.second, you) : '';
  const ticket =
    item.ticket === null
      ? ''
      : `Ticket ${ticketName(item.ticket, item.letter ?? (lettered ? letter : ''))}`;
  const game = item.game === null ? '' : `Game ${letter}-${item.game}`;
  const amount = money(item.cents ?? 0);
  const override = item.override ?? '';
  /** @type {Record<string, [string, string]>} */
  const sentences = {
    forged_paper: [ticket, `a forged paper with a code of ours, keyed by ${by}`],
    hold: [ticket, `held in dispute by ${by}`],
    release: [ticket, `released by ${by}`],
    reprint: [ticket, `reprinted by ${by}${second && `, with ${second}`}`],
    change: [ticket, `changed for chips in cash by ${by}${second && `, with ${second}`}`],
    given_in_cash: [ticket, `voided by ${by}, with ${amount} in cash for chips or tokens`],
    lock_out: [game, `closed by hand by ${by}${second && `, with ${second}`}`],
    not_issued: [ticket, `declared not issued by ${by}`],
    found_not_issued: [
      ticket,
      `sold by ${by}, found not issued${second && ` and taken by ${second}`}`,
    ],
    issued_after_all: [ticket, `was issued after all, says ${by}`],
    surrender: [ticket, `surrendered by ${by}${second && `, with ${second}`}`],
    denied: [ticket, `${amount} denied by ${second || by}`],
    lapsed: [
      ticket,
      second
        ? `approval of ${amount} by ${second} lapsed unused`
        : `request for ${amount} lapsed; nobody answered it`,
    ],
    clock_step: [
      'The clock',
      item.actor ? `stepped; time confirmed by ${by}` : 'stepped; its time is not confirmed yet',
    ],
    void_game: [game, `declared void by ${by}${second && ` and ${second}`}`],
    closed_by_others: [
      `Drawer of ${personName(people, item.subject ?? '')}`,
      `at station ${stationName(item.station ?? '')} counted and closed by ${by} and ${second}`,
    ],
    late_attempt: [
      `Station ${stationName(item.station ?? '')}`,
      `${item.subject} after lock-out of ${letter}-${item.game} refused to ${by}`,
    ],
    server_start: ['The server', 'was started'],
    ...accessWords(item, by, second && `, with ${second}`),
    override: [name, `${OVERRIDES[override]?.(item) ?? override} by ${by}`],
  };
  const [about, rest] = sentences[item.kind] ?? [
    ticket || game || name,
    `${item.kind.replaceAll('_', ' ')} by ${by}`,
  ];
  return { about, rest, reason: item.reason ?? '' };
}

/**
 * The words for changes of people, keys and stations, by kind.
 * @param {Unusual} item
 * @param {string} by
 * @param {string} also the second person, if there is one
 * @returns {Record<string, [about: string, rest: string]>}
 */
function accessWords({ subject }, by, also) {
  const name = subject ?? '';
  const station = `Station ${stationName(name)}`;
  return {
    person_added: [name, `added by ${by}${also}`],
    person_changed: [name, `changed by ${by}${also}`],
    password_set: [name, `given a new password by ${by}${also}`],
    signing_key: [name, `made a new signing key${also}`],
    station_enrolled: [station, `enrolled by ${by}${also}`],
    station_on: [station, `switched on by ${by}${also}`],
    station_off: [station, `switched off by ${by}${also}`],
  };
}

/**
 * What the tile of a station shows.
 * @param {FloorStation} station
 * @param {People | undefined} people
 * @param {number} nowMs
 * @param {boolean} [signal]
 * @returns {{kind: 'closed'|'calm'|'wait'|'look', name: string, note: string, look: string, paper:
 *   string}}
 */
export function stationView(station, people, nowMs, signal = true) {
  const { shift, writer } = station;
  const who = shift?.writer ?? writer;
  const total = Object.values(shift?.expected_cents ?? {}).reduce((sum, cents) => sum + cents, 0);
  const look = signal ? lookAt(station, nowMs) : '';
  const base = { look, paper: station.connected ? (station.paper ?? 'unknown') : 'unknown' };
  if (!station.enabled)
    return {
      ...base,
      kind: 'closed',
      name: 'Switched off',
      note: who ? personName(people, who) : '',
      look: '',
    };
  if (!who && !station.authorisations.length && !look)
    return { ...base, kind: 'closed', name: 'Closed', note: '' };
  const name = who ? personName(people, who) : 'Nobody';
  const note = look || (shift ? money(total) : 'No drawer');
  return {
    ...base,
    kind: signal && station.authorisations.length ? 'wait' : look ? 'look' : 'calm',
    name,
    note,
  };
}

/**
 * Why a station needs attention, in a few words; '' if it is in order.
 * @param {FloorStation} station
 * @param {number} nowMs
 */
export function lookAt(station, nowMs) {
  if (!station.enabled) return '';
  if (station.shift && !station.connected) return 'Off line';
  if (station.unprinted.count && nowMs - (station.unprinted.oldest_ms ?? nowMs) > PRINTING_MS)
    return 'Printed?';
  if (station.paper === 'out') return 'No paper';
  if (station.printer === 'stopped') return 'Printer stopped';
  if (station.paper === 'low') return 'Paper low';
  if (station.shift?.locked) return 'Locked for a break';
  return '';
}

/**
 * How many stations are at work, of all: "7 of 8 stations".
 * @param {FloorStation[]} stations
 */
export function stationsAtWork(stations) {
  const working = stations.filter(
    (each) => each.enabled && each.connected && (each.shift || each.writer),
  ).length;
  return `${working} of ${count(stations.length, 'station')}`;
}

/**
 * The present troubles of a location; `ms` is null for one without a time of its own.
 * @param {FloorLocation} place
 * @param {number} nowMs
 * @param {string} letter of the location, if the house has several
 */
function troublesNow(place, nowMs, letter) {
  const about = place.name;
  /** @type {{key: string, ms: number | null, kind: string, about: string, rest: string}[]} */
  const found = [];
  if (place.trouble) {
    const key = `trouble ${place.location} ${place.trouble}`;
    found.push({ key, ms: null, kind: 'stop', about, rest: place.trouble });
  }
  if (place.not_sold) {
    const key = `not sold ${place.location} ${place.not_sold}`;
    found.push({ key, ms: null, kind: 'stop', about, rest: notSold(place) });
  }
  for (const station of place.stations) {
    const look = lookAt(station, nowMs);
    const at = { kind: 'look', about: `Station ${stationName(station.station)}` };
    if (look === 'Printed?') {
      const { count: all, oldest_ticket, oldest_ms } = station.unprinted;
      const ticket = ticketName(oldest_ticket ?? 0, letter);
      const more = all > 1 ? ` and ${count(all - 1, 'more', 'more')}` : '';
      const key = `print ${station.station} ${ticket}`;
      found.push({ ...at, key, ms: oldest_ms, rest: `print unconfirmed, ticket ${ticket}${more}` });
    } else if (look && look !== 'Locked for a break')
      found.push({
        ...at,
        key: `${look} ${station.station}`,
        ms: null,
        rest: look.toLowerCase(),
      });
  }
  return found;
}

/**
 * All exceptions, newest first: those of the ledger and the present troubles. `since` keeps when
 * this page first saw a trouble without a time of its own.
 * @param {Floor} floor
 * @param {string} you
 * @param {number} nowMs
 * @param {Map<string, number>} since
 */
export function unusual(floor, you, nowMs, since) {
  const lettered = floor.locations.length > 1;
  const found = [];
  const live = new Set();
  for (const place of floor.locations) {
    for (const each of troublesNow(place, nowMs, lettered ? place.letter : '')) {
      live.add(each.key);
      const ms = each.ms ?? since.get(each.key) ?? nowMs;
      if (!since.has(each.key)) since.set(each.key, ms);
      found.push({ ...each, ms, reason: '' });
    }
    for (const item of place.exceptions) {
      const which = `${item.override ?? ''} ${item.ticket ?? item.game} ${item.ms}`;
      found.push({
        key: `${place.location} ${item.kind} ${which}`,
        ms: item.ms,
        kind: 'past',
        ...exceptionWords(item, place, floor.people, you, lettered),
      });
    }
  }
  for (const key of since.keys()) if (!live.has(key)) since.delete(key);
  return found.sort((one, two) => two.ms - one.ms);
}

/**
 * The exposure as three marks on a logarithmic scale of three to six powers of ten that ends at the
 * maximum.
 * @param {Exposure} answer
 */
export function exposureView(answer) {
  const most = answer.maximum_cents;
  const least =
    [answer.p50_cents, answer.p99_cents, answer.largest_cents].find((cents) => cents > 0) ?? most;
  const tens = Math.min(6, Math.max(3, Math.ceil(Math.log10(most / least) || 0)));
  /** @param {number} cents */
  const part = (cents) =>
    cents <= 0 || most <= 0
      ? 0
      : Math.min(1, Math.max(0, (Math.log10(cents / most) + tens) / tens));
  const marks = [
    [answer.p50_cents, 2],
    [answer.p99_cents, 100],
    [answer.largest_cents, answer.draws],
  ].map(([cents, of]) => ({
    cents,
    amount: rounded(cents),
    chance: `1 in ${of.toLocaleString('en-US')}`,
    part: part(cents),
  }));
  const places = spread(marks.map((mark) => mark.part));
  const over = answer.reached_maximum.toLocaleString('en-US');
  return {
    most: `most ${rounded(most)}`,
    marks: marks.map((mark, index) => ({ ...mark, at: places[index] })),
    note: answer.reached_maximum
      ? `The maximum is reached in ${over} of ${count(answer.draws, 'draw')}.`
      : '',
  };
}

/** Dollars without cents, for a chart. @param {number} cents */
function rounded(cents) {
  return money(Math.round(cents / 100) * 100).replace(/\.00$/, '');
}

const APART = 0.25;
const EDGE = 0.13;

/**
 * The positions of labels, as parts of the width in ascending order, moved so that none overlap.
 * @param {number[]} parts
 */
export function spread(parts) {
  const places = parts.map((part) => Math.min(1 - EDGE, Math.max(EDGE, part)));
  for (let i = 1; i < places.length; i += 1) places[i] = Math.max(places[i], places[i - 1] + APART);
  const last = places.length - 1;
  places[last] = Math.min(places[last], 1 - EDGE);
  for (let i = last - 1; i >= 0; i -= 1) places[i] = Math.min(places[i], places[i + 1] - APART);
  return places.map((place) => Math.round(place * 1000) / 1000);
}
