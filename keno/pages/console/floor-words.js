// The floor in words and figures: what was heard goes in, what is shown comes out. Pure.

import { count, money, ticketNumber, time, timeExact } from '../shared/format.js';

/** @import { DrawingGame, LocationState, OpenGame } from '../shared/types.js' */
/**
 * @import { DrawRoom, Exposure, Floor, FloorException, FloorLocation, FloorStation, People,
 *   RoomLocation } from './types.js'
 */

/**
 * What a location is looked at with: `signal`, whether what is known is confirmed; `lostMs`, since
 * when it is not; `leftMs`, until the open game closes; `span_ms`, how long games are open.
 * @typedef {{signal?: boolean, lostMs?: number | null, leftMs?: number | null, span_ms?: number,
 *   zone?: string, people?: People, you?: string}} Moment
 * @typedef {ReturnType<typeof placeView>} PlaceView
 * @typedef {ReturnType<typeof unusual>[number]} Exceptional something out of the ordinary
 */

/** Roles that may see the floor, and those that may act on it. */
export const READERS = ['supervisor', 'manager', 'inspector', 'accounting'];
export const ACTORS = ['supervisor', 'manager'];

/** A print that is on its way for less than this is nothing to look at. */
const PRINTING_MS = 8_000;
const BALLS = 20;

/** How a station is called: numbers have two figures. @param {string} station */
export function stationName(station) {
  return /^\d$/.test(station) ? `0${station}` : station;
}

/** What stands large on a tile: the number, if the name ends in one. @param {string} station */
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
 * "you" for the reader, else the name.
 * @param {People | undefined} people
 * @param {string} person
 * @param {string} you
 */
export function byWhom(people, person, you) {
  return person === you ? 'you' : personName(people, person);
}

/**
 * A ticket as it is read out; with the letter where a house has several locations.
 * @param {number} number
 * @param {string} [letter]
 */
export function ticketName(number, letter = '') {
  return letter ? `${letter}-${ticketNumber(number)}` : ticketNumber(number);
}

/**
 * The state a location is in: one of the dial's.
 * @param {LocationState | null} state
 * @param {boolean} signal
 */
export function toneOf(state, signal) {
  if (!signal) return 'offline';
  if (!state) return 'irregular';
  if (state.drawing?.balls.length) return 'drawing';
  if (state.trouble) return 'irregular';
  if (state.drawing || !state.open) return 'locked';
  if (state.open.mode === 'held') return 'held';
  return state.open.closing ? 'closing' : 'open';
}

/** @type {Record<string, string>} */
const TONE_WORDS = {
  open: 'Open',
  closing: 'Closing',
  locked: 'Closed',
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
 * A location as it is shown.
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
      at: lostMs === null ? '' : time(lostMs, zone).replace(/ [AP]M$/, ''),
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
 * @param {string} tone
 * @param {LocationState | null} state
 * @param {OpenGame | DrawingGame | null} game
 */
function noteOf(tone, state, game) {
  if (tone === 'irregular') return game ? `Game ${game.name}` : 'No game is open';
  if (!game) return 'No game is open';
  if (tone === 'drawing')
    return `Game ${game.name}, ball\u00a0${state?.drawing?.balls.length} of\u00a0${BALLS}`;
  return `Game ${game.name}`;
}

/**
 * @param {LocationState | null} state
 * @param {number | null} leftMs
 * @param {string | undefined} zone
 */
function closesWords(state, leftMs, zone) {
  if (!state?.open) return '–';
  const { open } = state;
  if (open.mode === 'held') return 'when resumed';
  if (open.closes_in_ms === null || leftMs === null) return 'by hand';
  return timeExact(state.server_ms + open.closes_in_ms, zone);
}

/**
 * Who holds the open game, since when and why.
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

/** @type {Record<string, (item: FloorException) => string>} */
const OVERRIDES = {
  delay: (item) => `delayed ${count(Math.round((item.seconds ?? 0) / 60), 'minute')}`,
  hold: () => 'held',
  resume: () => 'resumed',
  close_early: () => 'closed early',
  manual: () => 'set to manual mode',
  automatic: () => 'set to automatic mode',
};

/**
 * An exception of the floor as a sentence: what it is about, and the rest.
 * @param {FloorException} item
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
    item.ticket === null ? '' : `Ticket ${ticketName(item.ticket, lettered ? letter : '')}`;
  const game = item.game === null ? '' : `Game ${letter}-${item.game}`;
  const amount = money(item.cents ?? 0);
  const override = item.override ?? '';
  /** @type {Record<string, [string, string]>} */
  const sentences = {
    hold: [ticket, `held in dispute by ${by}`],
    release: [ticket, `released by ${by}`],
    reprint: [ticket, `reprinted by ${by}${second && `, with ${second}`}`],
    lock_out: [game, `closed by hand by ${by}${second && `, with ${second}`}`],
    surrender: [ticket, `surrendered by ${by}${second && `, with ${second}`}`],
    denied: [ticket, `payout of ${amount} denied by ${second || by}`],
    lapsed: [ticket, `request for ${amount} lapsed; nobody answered it`],
    void_game: [game, `declared void by ${by}${second && ` and ${second}`}`],
    override: [name, `${OVERRIDES[override]?.(item) ?? override} by ${by}`],
  };
  const [about, rest] = sentences[item.kind] ?? [
    ticket || game || name,
    `${item.kind.replaceAll('_', ' ')} by ${by}`,
  ];
  return { about, rest, reason: item.reason ?? '' };
}

/**
 * A station's tile.
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
 * Why somebody should look at a station, in the words of the tile; nothing if it is in order.
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
 * Stations that work, of those that are switched on: "7 of 8 stations".
 * @param {FloorStation[]} stations
 */
export function stationsAtWork(stations) {
  const working = stations.filter(
    (each) => each.enabled && each.connected && (each.shift || each.writer),
  ).length;
  return `${working} of ${count(stations.length, 'station')}`;
}

/**
 * What is out of the ordinary at a location now; `ms` is null if it has no time of its own.
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
 * Everything out of the ordinary, the newest first: exceptions of the ledger and what is so now.
 * `since` remembers when this page first saw something that has no time of its own.
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
 * What a draw would pay: three marks on a tenfold scale, of three to six tens, that ends at the
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
 * Where labels of marks may stand, so that none covers another: parts of the width, ascending.
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

/**
 * The generator and the witness of all locations in a few words; the worst of them counts.
 * @param {DrawRoom} room
 */
export function healthOf(room) {
  const found = room.locations.map(partyHealth);
  return (
    ['no', 'look', 'unknown']
      .map((kind) => found.find((each) => each.kind === kind))
      .find(Boolean) ?? { kind: 'good', head: 'Both keys in', note: 'RNG healthy' }
  );
}

/** @param {RoomLocation} place */
function partyHealth({ name, generator, witness, boots, alarms }) {
  /** @param {string} kind @param {string} head */
  const said = (kind, head) => ({ kind, head, note: name });
  if (generator.refused === 'locked') return said('look', 'RNG waits for its keys');
  if (generator.answering === false) return said('no', 'RNG does not answer');
  if (witness.answering === false) return said('no', 'Witness does not answer');
  if (boots.length && boots[0].verified === false) return said('no', 'Keys not verified');
  if (alarms.length) return said('no', 'A draw is stopped');
  if (!boots.length || boots[0].verified === null || generator.answering === null)
    return said('unknown', 'RNG not known yet');
  return said('good', '');
}
