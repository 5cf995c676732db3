// Types that the pages share. What comes from the server belongs into protocol.d.ts, once that is
// generated from the Python declarations; until then it stands here, under its own heading.

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
