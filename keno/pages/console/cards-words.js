// Rate cards in words: how a version stands, what the certifier found. Pure.

import { count, day, money, time } from '../shared/format.js';

/** @typedef {ReturnType<typeof certified>} CertifiedCard */
/** @import { CardReport, EarliestGame, JudgedTicket, Posting, Toned } from './types.js' */

/** @type {Record<string, [string, string]>} */
const STATES = {
  in_force: ['In force', 'jade'],
  announced: ['Announced', 'sky'],
  past: ['Past', 'quiet'],
};

/**
 * The state of a version: a word and its colour.
 * @param {Pick<Posting, 'state' | 'not_sold'>} posting
 * @returns {Toned}
 */
export function versionWords(posting) {
  const [word, tone] = STATES[posting.state] ?? [String(posting.state), 'quiet'];
  return posting.not_sold ? { word: `${word}, sales stopped`, tone: 'stop' } : { word, tone };
}

const LIMIT = 30;
/** @type {Record<string, [string, string]>} */
const VERDICTS = {
  ok: ['Passes', 'jade'],
  over_limit: ['Over 30%', 'stop'],
  negative: ['Gives money away', 'stop'],
  never_sold: ['Cannot be bought', 'stop'],
};

/**
 * The certifier's word on one minimum.
 * @param {string} verdict
 * @returns {Toned}
 */
export function verdictWords(verdict) {
  const [word, tone] = VERDICTS[verdict] ?? [String(verdict), 'quiet'];
  return { word, tone };
}

/**
 * A report of the certifier, as the page needs it.
 * @param {CardReport} report
 */
export function certified(report) {
  const title = [report.name, report.version].filter(Boolean).join(', ');
  return {
    certified: report.ok,
    title: title || 'This card',
    version: report.version ?? 'this card',
    faults: report.errors,
    wagers: report.wagers.map((each) => ({
      rate: each.rate,
      spots: each.spots,
      from: each.tier_ways.toLocaleString('en-US'),
      wager: money(each.wager_cents),
      ticket: ticketWords(each.ticket),
      percent: percent(each.house_advantage_percent),
      exact: each.house_advantage,
      at_maximum: percent(each.at_maximum_percent),
      verdict: each.verdict,
    })),
  };
}

/** The ticket that was judged: "straight, 1 way, $1.00". @param {JudgedTicket | null} ticket */
export function ticketWords(ticket) {
  return ticket
    ? `${ticket.type}, ${count(ticket.ways, 'way')}, ${money(ticket.price_cents)}`
    : 'cannot be bought';
}

/** Two places, unless that would hide on which side of the limit it is. @param {string} text */
export function percent(text) {
  const number = Number(text);
  return Math.abs(number - LIMIT) < 0.005 && number !== LIMIT
    ? `${text}%`
    : `${number.toFixed(2)}%`;
}

/**
 * The wagers that do not pass come first; else in the card's own order.
 * @param {CertifiedCard['wagers']} wagers
 */
export function arranged(wagers) {
  return [
    ...wagers.filter((each) => each.verdict !== 'ok'),
    ...wagers.filter((each) => each.verdict === 'ok'),
  ];
}

/**
 * From which game a card could be in force: "A-1214 is the first that opens late enough, at about
 * 9:40 PM."
 * @param {EarliestGame} earliest
 * @param {string} [zone]
 */
export function earliestWords(earliest, zone) {
  const first = `${earliest.name} is the first that opens late enough`;
  return `At least 30 minutes ahead: ${first}, at about ${time(earliest.opens_ms, zone)}.`;
}

/**
 * Who posted a version: "SUE and MAX, Nov 16, 2026, 8:02 PM".
 * @param {Posting} posting
 * @param {string} [zone]
 */
export function postedWords(posting, zone) {
  const who = posting.second ? `${posting.posted_by} and ${posting.second}` : posting.posted_by;
  return `${who}, ${day(posting.posted_ms, zone)}, ${time(posting.posted_ms, zone)}`;
}

/**
 * The number of a game as keyed at a location: "60", "A-60"; null if it is none, or another
 * location's.
 * @param {string} text
 * @param {string} letter
 */
export function readGame(text, letter) {
  const found = /^\s*(?:([A-Za-z])\s*-\s*)?([0-9]{1,15})\s*$/.exec(String(text));
  if (!found || (found[1] && found[1].toUpperCase() !== letter)) return null;
  return Number(found[2]) || null;
}
