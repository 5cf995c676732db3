// The texts of a station in detail: its facts, its paper, which stations a message reaches. Pure.

import { KINDS } from '../shared/count.js';
import { count, money, time, timeExact } from '../shared/format.js';
import { personName, stationName, ticketName } from './floor-words.js';

/** @import { FloorLocation, FloorStation } from '../shared/protocol.js' */
/** @import { People } from './types.js' */

/** @type {Record<string, string>} */
const PAPER = {
  ok: 'Paper in order',
  low: 'Paper low',
  out: 'No paper',
  unknown: 'Paper not known',
};

/** @param {string | null} paper */
export function paperWords(paper) {
  return PAPER[paper ?? 'unknown'] ?? PAPER.unknown;
}

/**
 * A station's facts as pairs of name and value.
 * @param {FloorStation} station
 * @param {FloorLocation} place
 * @param {{people: People, lettered: boolean, zone?: string}} how
 * @returns {[name: string, value: string][]}
 */
export function stationFacts(station, place, { people, lettered, zone }) {
  const letter = lettered ? place.letter : '';
  /** @type {[string, string][]} */
  const waiting = station.authorisations.map((each) => [
    'Waits for you',
    `${money(each.amount_cents)}, ticket ${ticketName(each.ticket, letter)}`,
  ]);
  return [
    ['Location', place.name],
    ['Line', lineWords(station)],
    ['Signed in', station.writer ? personName(people, station.writer) : 'Nobody'],
    ...drawerFacts(station, people, zone),
    ...printFacts(station, letter, zone),
    ...waiting,
  ];
}

/** @param {FloorStation} station */
function lineWords(station) {
  if (!station.enabled) return 'Switched off';
  return station.connected ? 'Connected' : 'Not connected';
}

/**
 * @param {FloorStation} station
 * @param {People} people
 * @param {string} [zone]
 */
function drawerFacts({ shift }, people, zone) {
  if (!shift) return [pair('Drawer of', 'No drawer open')];
  const since = time(shift.opened_ms, zone);
  const held = shift.expected_cents;
  const total = Object.values(held).reduce((sum, cents) => sum + cents, 0);
  return [
    pair('Drawer of', `${personName(people, shift.writer)}, since ${since}`),
    pair('Drawer should hold', money(total)),
    ...KINDS.map(([kind, name]) => pair(name, money(held[kind] ?? 0))),
    ...(shift.locked ? [pair('Break', 'Locked for a break')] : []),
  ];
}

/** @type {Record<string, string>} */
const PRINTER = { stopped: 'Stopped', ready: 'Ready' };

/**
 * @param {FloorStation} station
 * @param {string} letter
 * @param {string} [zone]
 */
function printFacts({ connected, printer, paper, unprinted }, letter, zone) {
  const found = [];
  if (connected) {
    const state = PRINTER[printer ?? ''] ?? 'Not known';
    found.push(pair('Printer', `${state}, ${paperWords(paper).toLowerCase()}`));
  }
  if (unprinted.count > 0) {
    const oldest = ticketName(unprinted.oldest_ticket ?? 0, letter);
    const sold = timeExact(unprinted.oldest_ms ?? 0, zone);
    found.push(
      pair(
        'Prints to confirm',
        `${count(unprinted.count, 'ticket')}, the oldest ${oldest}, sold ${sold}`,
      ),
    );
  }
  return found;
}

/**
 * @param {string} name
 * @param {string} value
 * @returns {[string, string]}
 */
function pair(name, value) {
  return [name, value];
}

/**
 * The connected stations, which a message reaches, and those with a drawer that it misses.
 * @param {FloorLocation} place
 */
export function messageReach({ stations }) {
  const on = stations.filter((each) => each.enabled);
  return {
    reached: on.filter((each) => each.connected).map((each) => stationName(each.station)),
    missed: on
      .filter((each) => !each.connected && each.shift)
      .map((each) => stationName(each.station)),
  };
}
