// The server's responses to the patron's pages, and the pages' own types.

import type { NamedGroup, TicketGame, TicketView } from '../shared/protocol.js';
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
export type RequestJson = {
  games: number;
  groups: number[][];
  kings: number[];
  lines: Record<string, unknown>[];
};

/** A line of a request: all ways of a number of spots, at a rate and wager. */
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

/** A worked example; `totals` is null if its ways cannot be written as totals. */
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

/** The number of ways with a number of spots that the groups allow. */
export interface Choice {
  spots: number;
  ways: number;
}

/** POST /api/price; amounts are null if the request cannot be played, and `why_not` says why. */
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

/** Letter, number and code of a ticket, as on its paper. */
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
export interface PlayedGame extends TicketGame {
  ways: WonWay[];
  more: number;
}

/** POST /api/tickets/check. */
export interface CheckedTicket extends TicketView {
  request: RequestJson;
  games: PlayedGame[];
  kind: string;
  ways: number;
  conditioning: string[];
  groups: NamedGroup[];
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

/** The result of verifying a game's proof in this browser. */
export interface Judged {
  state: 'proven' | 'failed' | 'unable';
  title: string;
  steps: Step[];
}

/** The actions of the builder's page. */
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
  /** The request for the ticket that early.js sent. */
  var early: { held: HeldTicket; answer: Promise<Response> } | undefined;
  /** Reads QR codes; not in every browser. */
  var BarcodeDetector:
    | {
        new (options: { formats: string[] }): CodeDetector;
        getSupportedFormats(): Promise<string[]>;
      }
    | undefined;
}
