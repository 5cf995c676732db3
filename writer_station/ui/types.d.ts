// Messages between the page and its station (docs/station.md), and the parts of the page that
// views and dialogs are made of.

import type {
  CardChange,
  CheckedOut,
  DigitalOrigin,
  DrawerKind,
  DrawingGame,
  NamedGroup,
  OpenGame as ServerGame,
  PaidCoupon,
  PaperOrigin,
  KindCents,
  Payment as AnyPayment,
  PreviousOrigin,
  RecordedGame,
  Second,
  ShownGame,
  Tendered,
  TicketView,
  Voided,
} from '../../keno/pages/shared/protocol.js';
import type { Count } from '../../keno/pages/shared/count.js';
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

export interface OpenGame extends Omit<ServerGame, 'commitment'> {
  mode: 'automatic' | 'manual' | 'held' | 'halted';
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
  drawer: Partial<Record<DrawerKind, number>>;
  elsewhere: boolean;
}

/** The shift of another writer that is open at this station. */
export interface OtherDrawer {
  shift: number;
  writer: string;
  name: string;
  opened_ms: number;
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

/** A question to the writer about a ticket that is not known to be printed. */
export interface Question {
  ticket: number;
  price_cents: number;
  first_game: number;
  last_game?: number;
  kind: 'unknown' | 'unprinted';
  reason: string;
  voidable: boolean;
  supervisor: boolean;
  /** What a void gives back, kind for kind. */
  gives_back: KindCents[];
}

/** An authorisation of a payout or refund, for which a supervisor was asked. */
export interface Payout {
  authorisation: number;
  ticket: number;
  letter: string;
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
  drawing: DrawingGame | null;
  last: ShownGame | null;
  trouble: string | null;
  /** When the house opens, in words, while it is closed by its hours. */
  closed: string | null;
  changes: CardChange[];
  card: Card | null;
  printer: Printer;
  writer: Writer | null;
  shift: Shift | null;
  other_shift: OtherDrawer | null;
  tickets: LastTicket[];
  questions: Question[];
  waiting: Payout[];
  told: Told[];
}

// ---------------------------------------------------------------- drafts and sales

export type Origin = PaperOrigin | DigitalOrigin | PreviousOrigin;

/** A draft in messages to and from the station. */
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

/** The station's answer about a draft: price, ways, faults and what is missing. */
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

/** A ticket's number and the code on its paper. */
export interface Paper {
  ticket: number;
  code: string;
  /** Letter of the location that sold it if that is another one; else empty or missing. */
  letter?: string;
}

/** A live ticket that is rewritten, and what came in for it, the coupon's part included. */
export interface LiveTicket extends Paper {
  paid: KindCents[];
  coupons: PaidCoupon[];
}

/** A coupon of the house's register that can be used now. */
export interface FoundCoupon {
  serial: string;
  cents: number;
  /** Until when it is good, in words. */
  until: string;
}

/** A supervisor's decision about the paper of a ticket that was declared not issued. */
interface PaperDecision {
  ticket: number;
  code: string;
  location: string;
  reason: string;
  second: Second;
}

interface Sale {
  draft: WireDraft;
  game: number;
  price_cents: number;
  tender: Tendered[];
  /** The supervisor whom large change for chips or tokens needs. */
  second: Second | null;
}

/** The answer to a sale; a rewrite has `net`, what changes hands in all. */
export interface SoldAnswer {
  ticket: number;
  game: number;
  change_cents: number;
  net?: KindCents[] | null;
  /** What of a rewrite waits for a supervisor. */
  owed_cents?: number;
}

// ---------------------------------------------------------------- tickets to pay

export interface Need {
  kind: 'supervisor' | 'signature' | 'tax_form' | 'check';
  done: boolean;
  text: string;
}

/** What is due for a ticket or its refund, and what the payout needs. */
export interface Due {
  total_cents: number;
  cash_cents: number;
  coupon_cents: number;
  needs: Need[];
}

export interface RefundDue extends Due {
  games: number | number[];
}

export interface WhyNot {
  code: string;
  message: string;
}

/** The fields of the server's ticket that the station passes on unchanged. */
type AsSold = Pick<
  TicketView,
  | 'ticket'
  | 'state'
  | 'card'
  | 'station'
  | 'sold_ms'
  | 'first_game'
  | 'last_game'
  | 'price_cents'
  | 'claim_until_ms'
  | 'held_until_ms'
  | 'printed'
  | 'reprints'
>;

/** A ticket that was looked up, as the Pay view shows it. */
export interface Look extends AsSold, Due {
  code: string;
  letter: string;
  /** Name of the location that sold it if that is another one, else empty. */
  sold_in: string;
  /** The server's id of the location that sold it if that is another one, else empty. */
  location: string;
  name: string;
  type: string;
  ways: number;
  rate: string;
  conditioning: string;
  groups: NamedGroup[];
  games: RecordedGame[];
  done: number;
  /** What a void gives back, kind for kind; empty if none is possible. */
  gives_back: KindCents[];
  why_not: WhyNot | null;
  refund: RefundDue | null;
  /** Set by the page if the ticket was paid or refunded here just now. */
  just?: boolean;
}

/** A game of a ticket, also one that has not begun. */
export type ListedGame = Omit<RecordedGame, 'state'> & { state: RecordedGame['state'] | 'to come' };

/** A payment with every field, as the page sends it. */
export type Payment = Required<AnyPayment>;

export interface PaidTicket {
  ticket: number;
  letter?: string;
  total_cents: number;
  /** What of a refund waits for a supervisor. */
  owed_cents?: number;
}

export interface PayAnswer {
  paid: PaidTicket[];
  refused: { ticket: number; letter?: string; code: string; message: string }[];
}

// ---------------------------------------------------------------- what the page asks

export type Returned = Pick<Voided, 'given_back' | 'coupon'> & { owed_cents?: number };

export type Checkout = Omit<CheckedOut, 'shift'>;

export type Found = ({ kind: 'ticket' } & Paper) | { kind: 'request'; draft: WireDraft };

type Empty = Record<string, never>;

/** The fields of each request by the name in `do`. */
export interface Requests {
  sign_in: { person: string; password: string };
  sign_out: Empty;
  open_shift: { bank_cents: number; second: Second | null };
  move_shift: Empty;
  lock: Empty;
  unlock: { password: string };
  fill: { cents: number; kind: DrawerKind; second: Second };
  credit: { cents: number; kind: DrawerKind; second: Second };
  close_shift: Count & { second: Second };
  close_other_shift: Count & { shift: number; reason: string; second: Second };
  draft: { draft: WireDraft };
  sell: Sale;
  rewrite: Sale & Paper & { in_cash: boolean };
  coupon: { serial: string; rewrites: number | null };
  find: { text: string; pay?: boolean };
  look: Paper;
  again: Paper;
  pay: { payments: (Paper & { payment: Payment; in_cash?: boolean })[] };
  refund: Paper & { payment: Payment };
  ask_supervisor: Paper & { refund: boolean };
  authorise: {
    authorisation: number;
    approve: boolean;
    passphrase: string;
    reason: string;
    second: Second;
  };
  void: { ticket: number; code: string | null; in_cash: boolean };
  not_issued: { ticket: number };
  confirm_not_issued: PaperDecision & { issued: boolean };
  take_not_issued: PaperDecision;
  reprint: { ticket: number; second: Second | null };
  resolve: { ticket: number; printed: boolean; second: Second | null };
  test_page: Empty;
  seen: { ms: number };
}

/** The answers that have fields, by the name of the request. */
interface Answers {
  fill: { slip?: number };
  credit: { slip?: number };
  close_shift: Checkout;
  close_other_shift: Checkout;
  draft: DraftAnswer;
  sell: SoldAnswer;
  rewrite: SoldAnswer;
  coupon: FoundCoupon;
  find: Found;
  look: Look;
  again: { draft: WireDraft; live: boolean; paid: KindCents[]; coupons: PaidCoupon[] };
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

/** What a view may be given when it is shown. */
export interface EnterArgs {
  draft?: WireDraft;
  again?: Paper;
  rewrite?: Paper;
  text?: string;
  waiting?: Payout;
  refund?: Paper;
  paper?: Paper;
}

/** The ticket that the Pay view is dealing with. */
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
  /** Called at the start of fast typing; returns the function that undoes what follows. */
  mark?(): () => void;
  /** Whether the view takes a key that would press the focused button. */
  takes?(event: KeyboardEvent): boolean;
  counter?(): OnCounter | null;
}

/** The parts of a dialog; `key` handles a key and returns whether the dialog took it. */
export interface DialogParts {
  element: HTMLElement;
  label?: string;
  first?: Element | null;
  key(event: KeyboardEvent): boolean;
  /** False if Escape does not close the dialog. */
  closable?: boolean;
  /** Returns whether the writer must read the dialog before another replaces it. */
  stays?: () => boolean;
}

/** One step of a dialog of several steps. */
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
