// Types of the console: what the page's own modules hand to each other, and under the last heading
// answers of the server that keno/protocol does not declare.

import type { FloorWatch } from './floor-data.js';
import type { Listing } from './reports-cells.js';
import type { Waiting } from './authorise-watch.js';
import type {
  AddUser,
  Answers,
  AuthorisationAnswered,
  AuthorisationAsked,
  AuthorisationRecord,
  Authorise,
  ChangeUser,
  CheckCard,
  CloseGame,
  CloseOtherShift,
  ConfirmClock,
  DeclareVoid,
  EnableStation,
  EnrolStation,
  FindCoupon,
  Floor,
  FloorAuthorisation,
  GetAuthorisation,
  GetCards,
  GetDrawStatus,
  GetExposure,
  GetFloor,
  GetHalts,
  GetStaff,
  GetTicketRecord,
  GetVoidQuote,
  ConfirmNotIssued,
  Hold,
  IssueCoupon,
  KeyPaper,
  Listing as GetListing,
  Override,
  PostCard,
  RegisterCoupons,
  ResumeHalt,
  SetPassword,
  SetSigningKey,
  TakeNotIssued,
  Tell,
  Told,
  VoidCoupon,
} from '../shared/protocol.js';
import type { BoardEvent } from '../shared/types.js';

// ---------------------------------------------------------------- the page

/** A word and the colour of what it means: jade, ember, stop, sky, lamp or quiet. */
export interface Toned {
  tone: string;
  word: string;
}

/** What a tab keeps while another one is open. */
export interface Stay {
  location?: string;
  /** Floor: the authorisation that is open, and reasons typed by location. */
  open?: number;
  reasons?: Record<string, string>;
  /** Tickets: the ticket that is shown. */
  ticket?: TicketKey;
  /** Games: the chosen matter, and the game to declare void. */
  matter?: string;
  game?: number;
  /** Cards: the text of a card that is not posted yet. */
  toml?: string;
  /** Reports: the listing and its gaming day. */
  listings?: Listing[];
  listing?: string;
  day?: string;
}

export interface TicketKey {
  location: string;
  letter: string;
  ticket: number;
}

/** Listens to the events of the server; see events.js. */
export type EventListening = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

/** What a tab is given when it is opened; see main.js. */
export interface View {
  page: HTMLElement;
  session: Session;
  ask: Ask;
  events: EventListening;
  stay: Stay;
  watch: FloorWatch | null;
  waiting: Waiting | null;
}

export interface Tab {
  id: string;
  name: string;
  roles: string[];
  /** Reached by the person's menu, not by the row of tabs. */
  menu?: boolean;
  /** Draws into `view.page`; returns the function to call when the tab is left. */
  open(view: View): () => void;
}

/** What the three columns of the floor need. */
export interface FloorParts {
  session: Session;
  ask: Ask;
  watch: FloorWatch;
  waiting: Waiting;
  stay: Stay;
  mayAct: boolean;
}

/** An authorisation that is pending, with where it was asked for; see authorise-watch.js. */
export interface WaitingItem extends FloorAuthorisation {
  station: string;
  location: string;
  letter: string;
  place: string;
  detail: AuthorisationRecord | null;
  known: boolean;
  yours: string | null;
}

/** The commands that the console sends. */
type Command =
  | AddUser
  | Authorise
  | ChangeUser
  | CheckCard
  | CloseGame
  | CloseOtherShift
  | ConfirmClock
  | DeclareVoid
  | EnableStation
  | EnrolStation
  | FindCoupon
  | GetAuthorisation
  | GetCards
  | GetDrawStatus
  | GetExposure
  | GetFloor
  | GetHalts
  | GetListing
  | GetStaff
  | GetTicketRecord
  | GetVoidQuote
  | ConfirmNotIssued
  | Hold
  | IssueCoupon
  | KeyPaper
  | Override
  | PostCard
  | RegisterCoupons
  | ResumeHalt
  | SetPassword
  | SetSigningKey
  | TakeNotIssued
  | Tell
  | VoidCoupon;

/** The fields of a command without type and request id. */
export type Fields<Type extends Command['type']> = Omit<
  Extract<Command, { type: Type }>,
  'type' | 'request_id'
>;

/** A row of the listing of coupons: those alike that are not used, or one that is. */
export interface CouponRow {
  serial: string;
  last: string;
  coupons: number;
  cents: number;
  total_cents: number;
  source: string;
  state: string;
  issued_by: string | null;
  second: string | null;
  given_for: string | null;
  until: string | null;
  used_on: string | null;
  void_reason: string | null;
}

/** Sends a command of docs/wire.md; see ask.js. */
export type Ask = <Type extends Command['type']>(
  type: Type,
  fields: Fields<Type>,
  how?: { quiet?: boolean },
) => Promise<Answers[Type]>;

/** Events that the console's websocket sends. */
export type ServerEvent = BoardEvent | AuthorisationAsked | AuthorisationAnswered | Told;

/** Each person's name, by what they sign in as. */
export type People = Floor['people'];

// ---------------------------------------------------------------- from the server

export interface SessionLocation {
  location: string;
  letter: string;
  name: string;
  zone?: string;
  gaming_day?: string;
}

export interface Session {
  person: string;
  name: string;
  role: string;
  has_key: boolean;
  casino: string;
  value: boolean;
  idle_seconds: number;
  locations: SessionLocation[];
}
