// Records of the draw protocol (docs/draw-protocol.md) and what a verification makes of them.

export type Bytes = Uint8Array<ArrayBuffer>;

/** Null for a value of the shape, else the place in it that is wrong, '' for the value itself. */
export type Shape = (value: unknown) => string | null;

export type Role = 'R' | 'W' | 'S';
export type GameState = 'drawn' | 'void' | 'open';
export type TicketState = 'live' | 'void' | 'cancelled';

interface GameBody {
  chain: string;
  game: number;
}

/** The bodies of the records, by the names of their types. */
export interface Bodies {
  genesis: {
    mode: string;
    jurisdiction: string;
    site: string;
    location: string;
    first_game: number;
    keys: Record<Role, string>;
    inspectors: string[];
    supervisors: string[];
    prev: string;
    time_ms: number;
  };
  unlock: {
    boot: number;
    code: string;
    key: string;
    inspector: string;
    supervisor: string;
    heads: Record<string, string>;
    time_ms: number;
  };
  'commit-r': GameBody & { hash: string; unlock: string; sealed: string };
  'commit-w': GameBody & { hash: string; peer: string; time_ms: number };
  close: GameBody & {
    commit: string;
    prev: string;
    root: string;
    leaves: number;
    tickets: number;
    handle_cents: number;
    last_ticket: number;
    salt: string;
    time_ms: number;
  };
  countersign: GameBody & { close: string; secret: string; time_ms: number };
  result: GameBody & { countersign: string; secret: string; numbers: number[] };
  attest: GameBody & { result: string };
  void: GameBody & {
    commit: string;
    last_ticket: number;
    countersign: string;
    prev: string;
    inspector: string;
    supervisor: string;
    reason: string;
    time_ms: number;
  };
  reveal: GameBody & { role: string; secret: string; void: string };
}

/** A record that was read: its signatures are not checked yet. */
export interface Message<Name extends keyof Bodies> {
  title: string;
  body: Bodies[Name];
  sigs: Record<string, string>;
  bytes: Bytes;
  digest: string;
}

export type Genesis = Message<'genesis'>;
export type Unlock = Message<'unlock'>;

/** The records of one game; an open game lacks the later ones. */
export interface Made {
  commit_r: Message<'commit-r'>;
  commit_w?: Message<'commit-w'>;
  close?: Message<'close'>;
  countersign?: Message<'countersign'>;
  result?: Message<'result'>;
  attest?: Message<'attest'>;
  void?: Message<'void'>;
  reveal_r?: Message<'reveal'>;
  reveal_w?: Message<'reveal'>;
}

/** A game of a chain; `numbers` are computed from its secrets, null if one is not known. */
export interface Game {
  number: number;
  made: Made;
  state: GameState;
  boot: number;
  numbers: number[] | null;
}

/** What a line claims to be, used for titles only. */
export interface Outline {
  game: number | null;
  state: GameState;
  suppressed: boolean;
  closed: boolean;
  countersigned: boolean;
}

/** A holder's proof: the leaf of a ticket and its path to the sealed root. */
export interface TicketProof {
  code: string;
  game: number;
  index: number;
  leaf: {
    site: string;
    location: string;
    ticket: number;
    first: number;
    last: number;
    sold_ms: number;
    price_cents: number;
    request: { games: number; groups: number[][]; kings: number[] };
    seal: string;
    state: TicketState;
  };
  path: string[];
}

/** What may be asked beside the lines of a game. */
export interface Asked {
  /** A holder's proof, one line. */
  ticket?: string | Bytes | null;
  /** As what the ticket must be in the list: live, if nothing says that it was ended before. */
  state?: TicketState | null;
  /** The digest that is posted. */
  genesis?: string | null;
  /** The digits of the seal on the ticket, if this is its first game. */
  commitment?: string | null;
  /** What the house calls the game: A-1182. */
  name?: string | null;
  /** When the house says that the game opened. */
  openedMs?: number | null;
  /** The time zone for words. */
  zone?: string | null;
}

/** The same with every way to leave something out alike. */
export interface Meant {
  ticket?: string;
  state?: TicketState;
  genesis?: string;
  commitment?: string;
  name?: string;
  openedMs?: number;
  zone?: string;
}

export type StepId =
  'genesis' | 'form' | 'signed' | 'links' | 'secrets' | 'times' | 'numbers' | 'void' | 'ticket';

/** A step of the protocol's section 8 by its number there. */
export interface TitledStep {
  id: StepId;
  step: number;
  title: string;
}

export interface Step extends TitledStep {
  state: 'good' | 'failed' | 'not reached' | 'not possible';
  words: string;
}

/** `numbers` are computed here; `suppressed` are those of a void game. */
export interface Report {
  proven: boolean;
  steps: Step[];
  game: number | null;
  state: GameState;
  numbers: number[] | null;
  suppressed: number[] | null;
  mode: string | null;
  genesis: string | null;
  commitment: string | null;
  head: string | null;
  boot: number | null;
}
