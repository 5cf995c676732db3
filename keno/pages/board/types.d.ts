// The board's custom element.

import type { View } from './view.js';

export interface BoardElement extends HTMLElement {
  show(seen: View, moving?: boolean | null): void;
  tell(words: string): void;
  turn(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'keno-board': BoardElement;
  }
}
