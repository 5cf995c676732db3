// Types that the pages share. What comes from the server belongs into protocol.d.ts, once that is
// generated from the Python declarations; until then it is here, under its own heading.

import type { Shown } from './dial.js';
import type { Marked } from './grid.js';

// ---------------------------------------------------------------- elements

/** What `h`, `svg` and `put` take as children; false, null, undefined and '' make nothing. */
export type Child = Node | string | number | false | null | undefined | readonly Child[];

/** Listeners by the name of their event. */
export type Listeners = {
  [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => unknown;
};

/** What `h` takes beside the tag: listeners, data attributes, attributes and properties. */
export interface Props {
  class?: string | false | null;
  on?: Listeners;
  data?: Record<string, string | number | boolean | undefined>;
  [name: string]: unknown;
}

export interface DialElement extends HTMLElement {
  show(of: Shown): void;
}

export interface GridElement extends HTMLElement {
  show(of: Marked): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'keno-dial': DialElement;
    'keno-grid': GridElement;
  }
  interface HTMLElementEventMap {
    pick: CustomEvent<{ number: number }>;
  }
}

// ---------------------------------------------------------------- from the server

/** The game that is being sold; `mode` is automatic, manual or held. */
export interface OpenGame {
  game: number;
  name: string;
  card: string;
  commitment: string;
  closes_in_ms: number | null;
  closing: boolean;
  mode: string;
}

/** The game that is being drawn: only the balls that are on the board. */
export interface DrawingGame {
  game: number;
  name: string;
  balls: number[];
}

/** A game whose last ball is on the board. */
export interface ShownGame {
  game: number;
  name: string;
  numbers: number[];
}

/** A rate card that will be in force from a game on. */
export interface CardChange {
  card: string;
  first_game: number;
}

/** Event `state`: a location, whole; sent on connecting and at every change. */
export interface LocationState {
  type: 'state';
  location: string;
  site: string;
  value: boolean;
  server_ms: number;
  open: OpenGame | null;
  drawing: DrawingGame | null;
  last: ShownGame | null;
  trouble: string | null;
  changes: CardChange[];
}

export interface BallEvent {
  type: 'ball';
  location: string;
  game: number;
  index: number;
  number: number;
  server_ms: number;
}

export interface ClosingEvent {
  type: 'closing';
  location: string;
  game: number;
  closes_in_ms: number;
  server_ms: number;
}

export interface ResultEvent {
  type: 'result';
  location: string;
  game: number;
  numbers: number[];
  server_ms: number;
}

/** Events that the board's websocket sends. */
export type BoardEvent = LocationState | BallEvent | ClosingEvent | ResultEvent;

/** GET /api/board/{location}: what does not change from game to game. */
export interface BoardFacts {
  location: string;
  letter: string;
  name: string;
  zone: string;
  casino: string;
  interval_ms: number;
  repeat_ms: number;
  card: string;
  aggregate_max_cents: number;
  full_up_to_cents: number | null;
  held: string | null;
}

/** An element of GET /api/games; `numbers` only once all are shown. */
export interface PublicGame {
  location: string;
  game: number;
  name: string;
  state: string;
  card: string;
  commitment: string;
  opened_ms: number;
  locked_ms: number | null;
  numbers: number[] | null;
  tickets: number;
  root: string;
}

/** A game of GET /api/games that has its twenty numbers. */
export type DrawnGame = PublicGame & { numbers: number[] };
