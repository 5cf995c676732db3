// Types of the console: what the page's own modules hand to each other, and under the last heading
// what the server answers, until protocol.d.ts is generated from the Python declarations.

import type { FloorWatch } from './floor-data.js';
import type { Listing, Row } from './reports-cells.js';
import type { Waiting } from './authorise-watch.js';
import type { BoardEvent, LocationState } from '../shared/types.js';

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
  /** Tickets: the one that is shown. */
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

/** What a tab gets when it is opened; see main.js. */
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
  /** Draws into `view.page`; returns what is called when the tab is left. */
  open(view: View): () => void;
}

/** What the three columns of the floor are made with. */
export interface FloorParts {
  session: Session;
  ask: Ask;
  watch: FloorWatch;
  waiting: Waiting;
  stay: Stay;
  mayAct: boolean;
}

/** An authorisation that is pending, with where it was asked for; see authorise-watch.js. */
export interface WaitingItem extends PendingAuthorisation {
  station: string;
  location: string;
  letter: string;
  place: string;
  detail: Authorisation | null;
  known: boolean;
  yours: string | null;
}

/** Sends a command of docs/wire.md; see ask.js. */
export type Ask = <Type extends keyof Answers>(
  type: Type,
  fields?: Record<string, unknown>,
  how?: { quiet?: boolean },
) => Promise<Answers[Type]>;

// ---------------------------------------------------------------- from the server

/** The answer to each command that the console sends. */
export interface Answers {
  add_user: unknown;
  authorisation: Authorisation;
  authorise: unknown;
  cards: Cards;
  change_user: unknown;
  check_card: CardReport;
  close_game: unknown;
  declare_void: unknown;
  draw_room: DrawRoom;
  enable_station: unknown;
  enrol_station: unknown;
  exposure: Exposure;
  floor: Floor;
  hold: unknown;
  listing: Row[];
  override: unknown;
  post_card: { location: string; card: string; first_game: number };
  set_password: unknown;
  set_signing_key: unknown;
  staff: Staff;
  tell: unknown;
  ticket_record: TicketRecord;
  void_quote: VoidQuote;
}

/** Each person's name, by what they sign in as. */
export type People = Record<string, string>;

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

/** Events that the console's websocket sends. */
export type ServerEvent =
  | BoardEvent
  | { type: 'authorisation_asked'; location: string; authorisation: number }
  | AuthorisationAnswered
  | { type: 'told'; location: string; text: string };

export interface AuthorisationAnswered {
  type: 'authorisation_answered';
  authorisation: number;
  location: string;
  state: string;
  answered_by: string;
}

export interface PendingAuthorisation {
  authorisation: number;
  ticket: number;
  amount_cents: number;
  asked_by: string;
  asked_ms: number;
}

export interface FloorShift {
  shift: number;
  writer: string;
  locked: boolean;
  opened_ms: number;
  expected_cents: Record<string, number>;
}

export interface FloorStation {
  station: string;
  enabled: boolean;
  connected: boolean;
  writer: string | null;
  printer: string | null;
  paper: string | null;
  shift: FloorShift | null;
  unprinted: { count: number; oldest_ticket: number | null; oldest_ms: number | null };
  authorisations: PendingAuthorisation[];
}

export interface FloorException {
  kind: string;
  override: string | null;
  seconds: number | null;
  game: number | null;
  ticket: number | null;
  cents: number | null;
  actor: string;
  second: string | null;
  reason: string | null;
  ms: number;
}

export interface FloorLocation {
  location: string;
  letter: string;
  name: string;
  state: LocationState | null;
  trouble: string | null;
  not_sold: string | null;
  stations: FloorStation[];
  exceptions: FloorException[];
}

export interface Floor {
  server_ms: number;
  locations: FloorLocation[];
  people: People;
}

export interface Exposure {
  location: string;
  game: number;
  tickets: number;
  handle_cents: number;
  maximum_cents: number;
  draws: number;
  p50_cents: number;
  p99_cents: number;
  largest_cents: number;
  reached_maximum: number;
}

/** The generator or the witness; null is not known. */
export interface Party {
  key: string | null;
  answering: boolean | null;
  since_ms: number | null;
  asked_ms: number | null;
  refused: string | null;
}

export interface Boot {
  boot: number;
  unlocked_ms: number;
  program: string;
  inspector: string;
  supervisor: string;
  verified: boolean;
}

export interface Commitment {
  game: number;
  name: string;
  commitment: string;
  generator: string;
  committed_ms: number;
}

export interface Draw {
  game: number;
  name: string;
  state: string;
  locked_ms: number | null;
  drawn_ms: number | null;
  voided_ms: number | null;
  tickets: number | null;
  steps: string[];
  numbers: number[] | null;
  verified: boolean | null;
}

export interface Alarm {
  step: string;
  message: string;
  cause: string;
  since_ms: number;
}

export interface RoomLocation {
  location: string;
  letter: string;
  name: string;
  chain: string | null;
  generator: Party;
  witness: Party;
  program: string | null;
  boots: Boot[];
  commitments: Commitment[];
  draws: Draw[];
  alarms: Alarm[];
  unknown: string[];
}

export interface DrawRoom {
  server_ms: number;
  locations: RoomLocation[];
}

export interface VoidQuote {
  location: string;
  game: number;
  name: string;
  state: string;
  locked_ms: number | null;
  possible: boolean;
  why_not: string | null;
  tickets: number;
  multi_race: number;
  returned_cents: number;
  coupon_cents: number;
  next_game: number | null;
  alarms: Alarm[];
}

export interface JudgedTicket {
  type: string;
  ways: number;
  price_cents: number;
}

export interface JudgedWager {
  rate: string;
  spots: number;
  tier_ways: number;
  wager_cents: number;
  ticket: JudgedTicket | null;
  house_advantage: string;
  house_advantage_percent: string;
  at_maximum_percent: string;
  verdict: string;
}

export interface CardFault {
  code: string;
  message: string;
}

export interface CardReport {
  ok: boolean;
  name: string | null;
  version: string | null;
  errors: CardFault[];
  wagers: JudgedWager[];
}

export interface Posting {
  card: string;
  first_game: number;
  name: string;
  posted_ms: number;
  posted_by: string;
  second: string | null;
  changes_maximum: boolean;
  state: string;
  not_sold: string | null;
}

export interface EarliestGame {
  game: number;
  name: string;
  opens_ms: number;
}

export interface Cards {
  in_force: string | null;
  two_people: boolean;
  earliest: EarliestGame;
  last_live_game: number;
  postings: Posting[];
}

export interface Person {
  person: string;
  name: string;
  role: string;
  active: boolean;
  has_key: boolean;
}

export interface Station {
  station: string;
  location: string;
  enabled: boolean;
  connected: boolean;
  public_key: string;
}

export interface Staff {
  people: Person[];
  stations: Station[];
  locations: SessionLocation[];
  roles: { role: string; may: { command: string; words: string }[] }[];
}

export interface Way {
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
  ways: Way[];
}

export interface Group {
  letter: string;
  numbers: number[];
}

export interface Paid {
  kind: string;
  actor: string;
  station: string | null;
  awards_cents: number;
  returns_cents: number;
  refund_cents: number;
  withheld_cents: number;
  cash_cents: number;
  check_cents: number;
  check_number: string | null;
  authorisation: number | null;
  ms: number;
}

export interface TicketEvent {
  kind: string;
  actor: string | null;
  second: string | null;
  reason: string | null;
  ms: number;
}

export interface TicketRecord {
  location: string;
  letter: string;
  ticket: number;
  name: string;
  state: string;
  held: boolean;
  why_held: string | null;
  printed: boolean;
  reprints: number;
  origin: string;
  card: string;
  station: string;
  writer: string;
  sold_ms: number;
  first_game: number;
  last_game: number;
  price_cents: number;
  type: string;
  text: string;
  conditioning: string;
  ways: number;
  rate: string;
  groups: Group[];
  games: PlayedGame[];
  paid: Paid | null;
  claim_until_ms: number | null;
  history: TicketEvent[];
}

export interface Check {
  check: string;
  ok: boolean | null;
  words: string;
}

export interface Authorisation {
  authorisation: number;
  refund: boolean;
  state: string;
  lapses_ms: number;
  answered_by: string | null;
  yours: string | null;
  checks: Check[];
  record: TicketRecord;
}
