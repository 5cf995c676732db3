// The texts of rate cards: the state of a version, the certifier's findings. Pure.

import { count, day, money, time } from '../shared/format.js';

/** @typedef {ReturnType<typeof certified>} CertifiedCard */
/** @import { CardPosting, CheckedCard, EarliestGame, JudgedTicket } from '../shared/protocol.js' */
/** @import { Toned } from './types.js' */

/** @type {Record<string, [string, string]>} */
const STATES = {
  in_force: ['In force', 'jade'],
  announced: ['Announced', 'sky'],
  past: ['Past', 'quiet'],
};

/**
 * The state of a card's version: a word and its colour.
 * @param {Pick<CardPosting, 'state' | 'not_sold'>} posting
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
 * The certifier's verdict on one wager: a word and its colour.
 * @param {string} verdict
 * @returns {Toned}
 */
export function verdictWords(verdict) {
  const [word, tone] = VERDICTS[verdict] ?? [String(verdict), 'quiet'];
  return { word, tone };
}

/**
 * The certifier's report as the page shows it.
 * @param {CheckedCard} report
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

/** The smallest ticket in words: "straight, 1 way, $1.00". @param {JudgedTicket | null} ticket */
export function ticketWords(ticket) {
  return ticket
    ? `${ticket.type}, ${count(ticket.ways, 'way')}, ${money(ticket.price_cents)}`
    : 'cannot be bought';
}

/** A percentage with two places, or all if it is close to the limit. @param {string} text */
export function percent(text) {
  const number = Number(text);
  return Math.abs(number - LIMIT) < 0.005 && number !== LIMIT
    ? `${text}%`
    : `${number.toFixed(2)}%`;
}

/**
 * Wagers with those that do not pass first, otherwise in the card's order.
 * @param {CertifiedCard['wagers']} wagers
 */
export function arranged(wagers) {
  return [
    ...wagers.filter((each) => each.verdict !== 'ok'),
    ...wagers.filter((each) => each.verdict === 'ok'),
  ];
}

/**
 * The earliest game for a new card, in words: "A-1214 is the first that opens late enough, at about
 * 9:40 PM."
 * @param {EarliestGame} earliest
 * @param {string} [zone]
 */
export function earliestWords(earliest, zone) {
  const first = `${earliest.name} is the first that opens late enough`;
  return `At least 30 minutes ahead: ${first}, at about ${time(earliest.opens_ms, zone)}.`;
}

/**
 * Who posted a version, and when: "SUE and MAX, Nov 16, 2026, 8:02 PM".
 * @param {CardPosting} posting
 * @param {string} [zone]
 */
export function postedWords(posting, zone) {
  const who = posting.second ? `${posting.posted_by} and ${posting.second}` : posting.posted_by;
  return `${who}, ${day(posting.posted_ms, zone)}, ${time(posting.posted_ms, zone)}`;
}

/**
 * The number of a game that was keyed as "60" or "A-60"; null if it is no number or has another
 * location's letter.
 * @param {string} text
 * @param {string} letter
 */
export function readGame(text, letter) {
  const found = /^\s*(?:([A-Za-z])\s*-\s*)?([0-9]{1,15})\s*$/.exec(String(text));
  if (!found || (found[1] && found[1].toUpperCase() !== letter)) return null;
  return Number(found[2]) || null;
}
