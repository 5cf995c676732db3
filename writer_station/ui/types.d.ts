// Messages between the page and its station (docs/station.md), and the parts of the page that
// views and dialogs are made of.

import type { SoundName } from '../../keno/pages/shared/sounds.js';
import type { App } from './app.js';

export type { App };

// ---------------------------------------------------------------- state of the station

export interface Place {
  station: number | string;
  location: number;
  letter: string;
  name: string;
  casino: string;
  zone: string;
  no_value: boolean;
}

export interface OpenGame {
  game: number;
  name: string;
  card: string;
  closes_in_ms: number | null;
  closing: boolean;
  mode: 'automatic' | 'manual' | 'held';
}

export interface Drawing {
  game: number;
  name: string;
  balls: number[];
}

export interface Rate {
  code: string;
  mark: string;
  shown_cents: number;
  min_cents: number;
  max_cents: number;
  step_cents: number;
}

export interface Card {
  version: string;
  default_rate: string;
  rates: Rate[];
  games_max: number;
  spots_max: number;
  refunds: boolean;
}

export interface Printer {
  ok: boolean;
  paper: 'ok' | 'low' | 'out' | 'unknown';
  words: string;
}

export interface Writer {
  person: string;
  name: string;
  role: string;
}

export interface Shift {
  shift: number;
  locked: boolean;
  opened_ms: number;
  drawer: Record<string, number>;
  elsewhere: boolean;
}

/** One of the tickets sold last; `ticket` is null while it is being sold. */
export interface LastTicket {
  ticket: number | null;
  price_cents: number;
  first_game: number;
  last_game: number;
  state: string;
  reason: string;
}

/** A ticket whose print only the writer can judge. */
export interface Question {
  ticket: number;
  price_cents: number;
  first_game: number;
  last_game?: number;
  kind: 'unknown' | 'unprinted';
  reason: string;
  voidable: boolean;
  supervisor: boolean;
}

/** A payout for which a supervisor was asked. */
export interface Payout {
  authorisation: number;
  ticket: number;
  code: string | null;
  amount_cents: number;
  state: 'pending' | 'approved' | 'denied' | 'lapsed';
  answered_by: string | null;
  reason: string | null;
  refund: boolean;
}

export interface Told {
  text: string;
  by: string;
  ms: number;
}

export interface StationState {
  line: { up: boolean; since_ms: number };
  place: Place | null;
  now_ms: number;
  game: OpenGame | null;
  drawing: Drawing | null;
  last: { game: number; name: string; numbers: number[] } | null;
  trouble: string | null;
  changes: { card: string; first_game: number }[];
  card: Card | null;
  printer: Printer;
  writer: Writer | null;
  shift: Shift | null;
  tickets: LastTicket[];
  questions: Question[];
  waiting: Payout[];
  told: Told[];
}

// ---------------------------------------------------------------- drafts and sales

export interface Origin {
  kind: 'paper' | 'digital' | 'previous';
  submitted?: string;
  ticket?: number;
  code?: string;
  change_confirmed?: boolean;
}

/** A draft as it is sent and as the station sends one back. */
export interface WireDraft {
  number: number;
  groups: number[][];
  kings: number[];
  conditioning: string;
  rate: string;
  games: string;
  quick_pick: number | null;
  origin: Origin;
}

export interface Fault {
  where: string;
  code: string;
  message: string;
}

export interface WayRow {
  label: string;
  members: string[];
  spots: number;
}

export interface Choice {
  text: string;
  ways: number;
  spots: number;
}

/** What the station says of a draft. */
export interface DraftAnswer {
  number: number;
  sellable: boolean;
  missing: string;
  faults: Fault[];
  type: string;
  ways: number;
  rows: WayRow[];
  more: number;
  choices: Choice[];
  rate_cents: number | null;
  games: number | null;
  game_cents: number | null;
  price_cents: number | null;
  sum: string;
  read_back: string;
  changed: boolean;
}

export interface Odds {
  draft: number;
  rows: { what: string; award_cents: number; odds: string }[];
  any: string | null;
  advantage: string;
  maximum: string | null;
  maximum_cents: number;
}

export interface Tendered {
  kind: string;
  cents: number;
  serial: string | null;
}

/** A ticket's number and the code on its paper. */
export interface Paper {
  ticket: number;
  code: string;
}

interface Sale {
  draft: WireDraft;
  game: number;
  price_cents: number;
  tender: Tendered[];
}

// ---------------------------------------------------------------- tickets to pay

export interface Need {
  kind: 'supervisor' | 'signature' | 'tax_form' | 'check';
  done: boolean;
  text: string;
}

/** What is handed over for a ticket, or for its refund. */
export interface Due {
  total_cents: number;
  cash_cents: number;
  coupon_cents: number;
  needs: Need[];
}

export interface RefundDue extends Due {
  games: number | number[];
}

export interface WonWay {
  members: string[];
  spots: number;
  caught: number;
  award_cents: number;
}

export interface PlayedGame {
  game: number;
  name: string;
  state: string;
  numbers: number[] | null;
  award_cents: number | null;
  ways: WonWay[];
}

export interface Group {
  letter: string;
  numbers: number[];
}

export interface WhyNot {
  code: string;
  message: string;
}

/** A ticket to pay. */
export interface Look extends Due {
  ticket: number;
  code: string;
  name: string;
  state: string;
  card: string;
  station: number | string;
  sold_ms: number;
  first_game: number;
  last_game: number;
  price_cents: number;
  type: string;
  ways: number;
  rate: string;
  conditioning: string;
  groups: Group[];
  games: PlayedGame[];
  done: number;
  why_not: WhyNot | null;
  claim_until_ms: number | null;
  refund: RefundDue | null;
  printed: boolean;
  reprints: number;
  /** Set by the page: it was paid or refunded at this counter just now. */
  just?: boolean;
}

export interface Payment {
  cash_cents: number;
  check_cents: number;
  check_number: string | null;
  withheld_cents: number;
  tax_form: string | null;
}

export interface PaidTicket {
  ticket: number;
  total_cents: number;
}

export interface PayAnswer {
  paid: PaidTicket[];
  refused: { ticket: number; code: string; message: string }[];
}

// ---------------------------------------------------------------- what the page asks

/** A second person who signs. */
export interface Second {
  person: string;
  password: string;
}

export interface Returned {
  cash_cents: number;
  coupon_cents: number;
  coupon: string | null;
}

export interface Checkout {
  expected_cents: Record<string, number>;
  counted_cents: Record<string, number>;
  over_short_cents: Record<string, number>;
  tickets: number[];
}

export type Found = ({ kind: 'ticket' } & Paper) | { kind: 'request'; draft: WireDraft };

type Empty = Record<string, never>;

/** The fields of each request by the name in `do`. */
export interface Requests {
  sign_in: { person: string; password: string };
  sign_out: Empty;
  open_shift: { bank_cents: number };
  move_shift: Empty;
  lock: Empty;
  unlock: { password: string };
  fill: { cents: number; second: Second };
  credit: { cents: number; second: Second };
  close_shift: { counted: Record<string, number>; second: Second };
  draft: { draft: WireDraft };
  sell: Sale;
  rewrite: Sale & Paper;
  find: { text: string };
  look: Paper;
  again: Paper;
  pay: { payments: (Paper & { payment: Payment })[] };
  refund: Paper & { payment: Payment };
  ask_supervisor: Paper & { refund: boolean };
  authorise: {
    authorisation: number;
    approve: boolean;
    passphrase: string;
    reason: string;
    second: Second;
  };
  void: { ticket: number; code: string | null };
  surrender: { ticket: number; second: Second; reason: string };
  reprint: { ticket: number; second: Second | null };
  resolve: { ticket: number; printed: boolean; second: Second | null };
  test_page: Empty;
  seen: { ms: number };
}

/** Answers that say more than that it was done. */
interface Answers {
  fill: { slip?: number };
  credit: { slip?: number };
  close_shift: Checkout;
  draft: DraftAnswer;
  sell: { ticket: number; game: number };
  rewrite: { ticket: number; game: number };
  find: Found;
  look: Look;
  again: { draft: WireDraft; live: boolean };
  pay: PayAnswer;
  refund: PaidTicket;
  ask_supervisor: Payout;
  void: Returned;
}

export type RequestName = keyof Requests;
export type AnswerOf<Name extends RequestName> = Name extends keyof Answers ? Answers[Name] : Empty;

/** A message of the station: the answer to a request, the state or the odds of a draft. */
export interface StationMessage {
  id?: number;
  ok?: unknown;
  no?: Partial<Fault>;
  state?: StationState;
  odds?: Odds;
  replaced?: boolean;
}

// ---------------------------------------------------------------- views and dialogs

/** A key of the footer: its caps, its words, and the key it presses if the first cap is not it. */
export type FootKey = [caps: string | string[], words: string, key?: string];

/** What a view is shown with. */
export interface EnterArgs {
  draft?: WireDraft;
  again?: Paper;
  rewrite?: Paper;
  text?: string;
  waiting?: Payout;
  refund?: Paper;
  ticket?: number;
  code?: string;
}

/** The ticket on the counter of the Pay view. */
export interface OnCounter extends Paper {
  refund: boolean;
  amount_cents: number;
  supervised: boolean;
}

export interface View {
  name: string;
  element: HTMLElement;
  keys(): FootKey[];
  key(event: KeyboardEvent): boolean;
  state(state: StationState | null): void;
  focus(): void;
  enter(args: EnterArgs): void;
  leave(): void;
  scan(text: string): void;
  /** Called at the start of fast typing; gives the function that takes back what follows. */
  mark?(): () => void;
  /** Whether the view takes a key that would press the focused button. */
  takes?(event: KeyboardEvent): boolean;
  counter?(): OnCounter | null;
}

/** What a dialog is made of; `key` answers whether the dialog took the key. */
export interface DialogParts {
  element: HTMLElement;
  label?: string;
  first?: Element | null;
  key(event: KeyboardEvent): boolean;
  /** Whether Escape closes it although `key` did not take it; so it does unless this is false. */
  closable?: boolean;
}

/** One step of a dialog that goes through several. */
export type Step = Pick<DialogParts, 'element' | 'first' | 'key' | 'label'>;

export type Close<Value = unknown> = (value?: Value) => void;

/** The promise of the value a dialog closes with; `close` closes it from outside. */
export type Opened<Value> = Promise<Value | undefined> & { close: Close<Value> };

export type DialogMaker<Value, Rest extends unknown[]> = (
  app: App,
  close: Close<Value>,
  ...rest: Rest
) => DialogParts;

export type NoticeKind = 'good' | 'look' | 'no';
export type { SoundName };
