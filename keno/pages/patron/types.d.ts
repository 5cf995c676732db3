// What the server answers to the patron's pages, and what the pages make of it.

import type { Step } from '../verify/types.js';

/** GET /api/places: a location and its house. */
export interface Place {
  location: string;
  letter: string;
  name: string;
  zone: string;
  casino: string;
  value: boolean;
  digital: boolean;
}

/** All places, and the one that the page is about. */
export interface Places {
  all: Place[];
  here: Place;
}

/** A request as JSON (docs/formats.md). */
export interface RequestJson {
  games: number;
  groups: number[][];
  kings: number[];
  lines: Record<string, unknown>[];
}

/** All ways of a number of spots, at a rate. */
export interface Total {
  spots: number;
  rate: string;
  wager_cents: number;
}

export interface Rate {
  code: string;
  name: string;
  mark: string;
  shown_cents: number;
  min_cents: number;
  max_cents: number;
  step_cents: number;
  minimum: string;
  only: string;
  pays: Pays[];
}

export interface Pays {
  spots: number;
  advantage: string;
  awards: { catch: number; cents: number }[];
}

/** A worked example; `totals` is null if it plays sets that totals cannot say. */
export interface Example {
  name: string;
  note: string;
  quick: boolean;
  conditioning: string[];
  arithmetic: string;
  price_cents: number;
  request: RequestJson;
  totals: Total[] | null;
}

/** GET /api/card: the card in force. */
export interface Card {
  name: string;
  version: string;
  games_max: number;
  default_rate: string;
  limits: { what: string; words: string }[];
  rules: string[];
  odds: Record<number, Record<number, string>>;
  rates: Rate[];
  examples: Example[];
}

export interface Run {
  text: string;
  strong: boolean;
}

/** GET /api/guide. */
export interface Guide {
  version: string;
  sections: { title: string; parts: { kind: string; runs?: Run[] }[] }[];
  chances: { spots: number; any: string; all: string; award_cents: number }[];
  shown_cents: number;
  examples: Example[];
}

export interface OddsBand {
  low_cents: number;
  high_cents: number;
  odds: string;
  against: number;
}

export interface OddsPicture {
  of_100: number;
  more_of_100: number;
  any: string;
  bands: OddsBand[];
}

export interface Odds {
  house_advantage_percent: string;
  house_advantage_at_least: boolean;
  maximum?: string | null;
}

/** How many ways a number of spots has. */
export interface Choice {
  spots: number;
  ways: number;
}

/** POST /api/price; null where the request cannot be played, and then why not. */
export interface PriceAnswer {
  choices: Choice[];
  ways: number | null;
  game_cents: number | null;
  price_cents: number | null;
  text: string | null;
  odds: Odds | null;
  picture: OddsPicture | null;
  why_not: { code: string; message: string; where: string } | null;
}

/** POST /api/requests/code. */
export interface RequestCode {
  text: string;
  price_cents: number;
  rows: string[];
}

/** What the paper shows of a ticket, enough to check it. */
export interface HeldTicket {
  letter: string;
  ticket: number;
  code: string;
}

/** A way that won; its award is the one before a maximum is shared. */
export interface WonWay {
  members: string;
  spots: number;
  caught: number;
  award_cents: number;
}

/** One game of a ticket; `state` is open, drawing, settled or void. */
export interface PlayedGame {
  game: number;
  name: string;
  state: string;
  numbers: number[] | null;
  award_cents: number | null;
  ways: WonWay[];
  more: number;
}

/** POST /api/tickets/check. */
export interface CheckedTicket {
  location: string;
  letter: string;
  ticket: number;
  state: string;
  card: string;
  station: string;
  sold_ms: number;
  first_game: number;
  last_game: number;
  price_cents: number;
  request: RequestJson;
  games: PlayedGame[];
  payable_cents: number | null;
  why_not: string | null;
  why_not_code: string | null;
  claim_until_ms: number | null;
  ended_game: number | null;
  kind: string;
  ways: number;
  conditioning: string[];
  groups: { letter: string; numbers: number[] }[];
  signed_from_cents: number;
  place: Place;
}

/** A game of GET /api/results.json. */
export interface ResultRow {
  game: number;
  name: string;
  state: string;
  closed_ms: number | null;
  numbers: number[] | null;
}

export interface Results {
  zone: string;
  results: ResultRow[];
}

/** What this browser found of a game's proof. */
export interface Judged {
  state: 'proven' | 'failed' | 'unable';
  title: string;
  steps: Step[];
}

/** What the builder's page does when something is pressed. */
export interface BuildActs {
  digital: boolean;
  pick(number: number): void;
  go(at: number | 'K'): void;
  newGroup(): void;
  total(spots: number): void;
  terms(): void;
  show(): void;
}

interface CodeDetector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

declare global {
  /** The request that early.js started. */
  var early: { held: HeldTicket; answer: Promise<Response> } | undefined;
  /** Reads QR codes; not in every browser. */
  var BarcodeDetector:
    | {
        new (options: { formats: string[] }): CodeDetector;
        getSupportedFormats(): Promise<string[]>;
      }
    | undefined;
}
