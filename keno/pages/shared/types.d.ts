// Types that the pages share, and under the last heading answers of the server that keno/protocol
// does not declare. What it declares is in protocol.d.ts.

import type { Shown } from './dial.js';
import type { Marked } from './grid.js';
import type { Ball, Closing, Result, State } from './protocol.js';

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

/** Events that the board's websocket sends. */
export type BoardEvent = State | Ball | Closing | Result;

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
