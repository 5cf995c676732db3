// Made by `python -m keno.protocol.typescript` from keno/protocol. Do not edit.

/** A place with games of its own. */
export interface AddLocation {
  type: "add_location";
  request_id: string;
  location: string;
  letter: string;
  name: string;
  zone: string;
  day_starts?: string;
  digital_requests?: boolean;
}

/** A person with a role, and a first password. */
export interface AddUser {
  type: "add_user";
  request_id: string;
  person: string;
  name: string;
  role: string;
  password: string;
}

/** A payout that waits or waited for a supervisor: its ticket, what it caught, its checks. */
export interface Authorisation {
  type: "authorisation";
  request_id: string;
  authorisation: number;
}

/** A supervisor has said yes or no, or nobody has answered in time (then by nobody). */
export interface AuthorisationAnswered {
  type: "authorisation_answered";
  authorisation: number;
  location: string;
  ticket: number;
  state: string;
  answered_by: string;
  server_ms: number;
}

/** A payout waits for a supervisor. */
export interface AuthorisationAsked {
  type: "authorisation_asked";
  authorisation: number;
  location: string;
  ticket: number;
  amount_cents: number;
  asked_by: string;
  server_ms: number;
}

/** Yes, signed with the supervisor's own key, or no with a reason. */
export interface Authorise {
  type: "authorise";
  request_id: string;
  authorisation: number;
  approve: boolean;
  passphrase?: string;
  reason?: string;
  second?: Second | null;
}

/** One more ball is on the board. */
export interface Ball {
  type: "ball";
  location: string;
  game: number;
  index: number;
  number: number;
  server_ms: number;
}

/** A card that will be in force. */
export interface CardChange {
  card: string;
  first_game: number;
}

/** The versions of a location's card, and from which game a new one could be in force. */
export interface Cards {
  type: "cards";
  request_id: string;
  location: string;
}

/** Another role, or not active any more. */
export interface ChangeUser {
  type: "change_user";
  request_id: string;
  person: string;
  role: string;
  active: boolean;
}

/** The certifier's table of a card that is not posted yet. */
export interface CheckCard {
  type: "check_card";
  request_id: string;
  toml: string;
}

/** The checkout sheet: expected, counted, over or short, and the paper to surrender. */
export interface CheckedOut {
  shift: number;
  expected_cents: Record<string, number>;
  counted_cents: Record<string, number>;
  over_short_cents: Record<string, number>;
  tickets: Array<number>;
}

/** In manual mode: close the open game after the notice; a writer names the supervisor. */
export interface CloseGame {
  type: "close_game";
  request_id: string;
  location: string;
  game: number;
  second?: Second | null;
}

/** The counted drawer, by kind. */
export interface CloseShift {
  type: "close_shift";
  request_id: string;
  counted: Record<string, number>;
  second: Second;
}

/** The notice before the close (15.5(c)). */
export interface Closing {
  type: "closing";
  location: string;
  game: number;
  closes_in_ms: number;
  server_ms: number;
}

/** The ticket is on paper. */
export interface ConfirmPrint {
  type: "confirm_print";
  request_id: string;
  ticket: number;
}

/** Currency out of the drawer: a numbered slip and two persons. */
export interface Credit {
  type: "credit";
  request_id: string;
  cents: number;
  second: Second;
}

/** 15.7: with an inspector, and the order that both keyholders signed at the generator. */
export interface DeclareVoid {
  type: "declare_void";
  request_id: string;
  location: string;
  game: number;
  reason: string;
  second: Second;
  order: Record<string, unknown>;
}

/** What the writer has before them: shift, last tickets, unconfirmed prints, authorisations. */
export interface Desk {
  type: "desk";
  request_id: string;
}

/** A request built on a phone, kept as it was submitted. */
export interface DigitalOrigin {
  kind: "digital";
  submitted: string;
}

/** The generator, the witness and the last draws, as the server sees them. */
export interface DrawRoom {
  type: "draw_room";
  request_id: string;
}

/** The game that is being drawn: only the balls that are on the board. */
export interface DrawingGame {
  game: number;
  name: string;
  balls: Array<number>;
}

/** Switch a station on or off. */
export interface EnableStation {
  type: "enable_station";
  request_id: string;
  station: string;
  enabled: boolean;
}

/** A station and its public key. */
export interface EnrolStation {
  type: "enrol_station";
  request_id: string;
  station: string;
  location: string;
  public_key: string;
}

/** What the open game could cost, over so many supposed draws. */
export interface Exposure {
  type: "exposure";
  request_id: string;
  location: string;
  draws?: number;
}

/** Currency into the drawer: a numbered slip and two persons. */
export interface Fill {
  type: "fill";
  request_id: string;
  cents: number;
  second: Second;
}

/** The live floor: every location, its stations, and what is out of the ordinary. */
export interface Floor {
  type: "floor";
  request_id: string;
}

/** The first word: what is spoken here, and a nonce to sign. */
export interface Hello {
  type: "hello";
  protocol: string;
  site: string;
  mode: string;
  nonce: string;
  server_ms: number;
}

/** Hold a ticket in dispute, or release it. */
export interface Hold {
  type: "hold";
  request_id: string;
  location: string;
  ticket: number;
  reason: string;
  release?: boolean;
}

/** winning_numbers, voids, overrides, large_payouts, exceptions or approvals of a gaming day, */
export interface Listing {
  type: "listing";
  request_id: string;
  location: string;
  listing: string;
  day: string;
}

/** Lock for a break, or unlock. */
export interface LockShift {
  type: "lock_shift";
  request_id: string;
  unlock?: boolean;
}

/** A ticket as sold, its games, and what it is owed. */
export interface Lookup {
  type: "lookup";
  request_id: string;
  ticket: number;
  code: string;
}

/** Bring one's open shift to this station. */
export interface MoveShift {
  type: "move_shift";
  request_id: string;
}

/** The command is done; this is its answer. */
export interface Ok {
  type: "ok";
  request_id: string;
  answer: unknown;
}

/** The game that is being sold. */
export interface OpenGame {
  game: number;
  name: string;
  card: string;
  commitment: string;
  closes_in_ms: number | null;
  closing: boolean;
  mode: string;
}

/** Take a drawer with its opening bank. */
export interface OpenShift {
  type: "open_shift";
  request_id: string;
  bank_cents: number;
}

/** delay (by `seconds`), hold, resume, close_early, manual or automatic. */
export interface Override {
  type: "override";
  request_id: string;
  location: string;
  kind: string;
  reason: string;
  seconds?: number | null;
}

/** 15.4(a): a keno request that the patron marked on paper. */
export interface PaperOrigin {
  kind: "paper";
}

/** How an amount is handed over. */
export interface Payment {
  cash_cents: number;
  check_cents?: number;
  check_number?: string | null;
  withheld_cents?: number;
  tax_form?: string | null;
}

/** A new rate card from a game on. */
export interface PostCard {
  type: "post_card";
  request_id: string;
  location: string;
  toml: string;
  first_game: number;
  second?: Second | null;
}

/** 15.3(b): a drawn ticket as the request; a change needs the writer's confirmation. */
export interface PreviousOrigin {
  kind: "previous";
  ticket: number;
  code: string;
  change_confirmed?: boolean;
}

/** Price, ways and exact odds of a request while it is being built; sells nothing. */
export interface Price {
  type: "price";
  request_id: string;
  request: Record<string, unknown>;
}

/** 15.1: the system chooses the spots; the sale has no request. */
export interface QuickPickOrigin {
  kind: "quick_pick";
  spots: number;
  rate: string;
  wager_cents: number;
  games?: number;
}

/** Pay a ticket, once. */
export interface Redeem {
  type: "redeem";
  request_id: string;
  ticket: number;
  code: string;
  payment: Payment;
}

/** Cancel the undrawn games of a multi-race and pay what is due. */
export interface Refund {
  type: "refund";
  request_id: string;
  ticket: number;
  code: string;
  payment: Payment;
}

/** No: a code for programs, a sentence to read out, and the field it is about. */
export interface RefusedReply {
  type: "refused";
  request_id: string;
  code: string;
  message: string;
  where: string;
}

/** Print again, marked; after lock-out only with a supervisor. */
export interface Reprint {
  type: "reprint";
  request_id: string;
  ticket: number;
  second?: Second | null;
}

/** 15.6(b): ask for a supervisor. */
export interface RequestAuthorisation {
  type: "request_authorisation";
  request_id: string;
  ticket: number;
  code: string;
  refund?: boolean;
}

/** The writer has looked: it is on paper after all, or it must be printed again. */
export interface ResolvePrint {
  type: "resolve_print";
  request_id: string;
  ticket: number;
  printed: boolean;
  second?: Second | null;
}

/** All balls are shown; the result may be told and paid. */
export interface Result {
  type: "result";
  location: string;
  game: number;
  numbers: Array<number>;
  server_ms: number;
}

/** After a lost connection: what became of these requests? */
export interface Resume {
  type: "resume";
  request_id: string;
  requests: Array<string>;
}

/** A voided ticket and its successor. */
export interface Rewritten {
  voided: Voided;
  sold: Sold;
}

/** A second person who approves, with their own password. */
export interface Second {
  person: string;
  password: string;
}

/** A sale as the writer saw it (15.4): if the game, card or price changed, it is refused. */
export interface SellTicket {
  type: "sell_ticket";
  request_id: string;
  first_game: number;
  card_version: string;
  price_cents: number;
  origin: PaperOrigin | DigitalOrigin | PreviousOrigin | QuickPickOrigin;
  request: Record<string, unknown> | null;
  tender: Array<Tendered>;
}

/** One's own password; the old one comes along. */
export interface SetPassword {
  type: "set_password";
  request_id: string;
  old: string;
  new: string;
}

/** Make one's signing key anew, sealed under a passphrase. */
export interface SetSigningKey {
  type: "set_signing_key";
  request_id: string;
  passphrase: string;
}

/** A shift after a command. */
export interface ShiftState {
  shift: number;
  location: string;
  writer: string;
  station: string;
  locked: boolean;
  expected_cents: Record<string, number>;
}

/** A game whose last ball is on the board. */
export interface ShownGame {
  game: number;
  name: string;
  numbers: Array<number>;
}

/** A writer at a station that has proved its key. */
export interface SignIn {
  type: "sign_in";
  request_id: string;
  person: string;
  password: string;
}

/** The writer leaves; the shift stays open. */
export interface SignOut {
  type: "sign_out";
  request_id: string;
}

/** A numbered fill or credit slip. */
export interface Slip {
  location: string;
  slip: number;
  kind: string;
  cents: number;
}

/** Everything a station needs to print the ticket. */
export interface Sold {
  location: string;
  ticket: number;
  code: string;
  first_game: number;
  last_game: number;
  card: string;
  station: string;
  writer: string;
  sold_ms: number;
  price_cents: number;
  request_json: string;
  commitment: string;
  reprints: number;
}

/** Who may do what, and the stations: the access listing. */
export interface Staff {
  type: "staff";
  request_id: string;
}

/** A location as it stands: sent on connecting and whenever something changes. */
export interface State {
  type: "state";
  location: string;
  site: string;
  value: boolean;
  server_ms: number;
  open: OpenGame | null;
  drawing: DrawingGame | null;
  last: ShownGame | null;
  trouble: string | null;
  changes: Array<CardChange>;
}

/** What the station knows of its printer and its paper. */
export interface StationStatus {
  type: "station_status";
  request_id: string;
  printer: string;
  paper: string;
}

/** After lock-out: a printed ticket that was not paid for; its price is owed. */
export interface Surrender {
  type: "surrender";
  request_id: string;
  ticket: number;
  second: Second;
  reason: string;
}

/** A supervisor's message to the stations of a location. */
export interface Tell {
  type: "tell";
  request_id: string;
  location: string;
  text: string;
}

/** One kind of tender towards a price; a coupon has its serial. */
export interface Tendered {
  kind: string;
  cents: number;
  serial?: string | null;
}

/** It is done; there is nothing to print. */
export interface TicketDone {
  location: string;
  ticket: number;
  ms: number;
}

/** All that the ledger has of a ticket, for whoever settles a dispute; never its code. */
export interface TicketRecord {
  type: "ticket_record";
  request_id: string;
  location: string;
  ticket: number;
}

/** A message from the supervisor. */
export interface Told {
  type: "told";
  location: string;
  text: string;
  by: string;
  server_ms: number;
}

/** Void a whole ticket before lock-out; without a code from the station's own list. */
export interface Void {
  type: "void";
  request_id: string;
  ticket: number;
  code?: string | null;
}

/** Correct a live ticket before lock-out: both or neither. */
export interface VoidAndRewrite {
  type: "void_and_rewrite";
  request_id: string;
  ticket: number;
  code: string;
  sale: SellTicket;
}

/** What would be returned if a game were declared void. */
export interface VoidQuote {
  type: "void_quote";
  request_id: string;
  location: string;
  game: number;
}

/** What the void slip says and the drawer pays back. */
export interface Voided {
  location: string;
  ticket: number;
  cash_cents: number;
  coupon_cents: number;
  coupon: string | null;
  voided_ms: number;
}

/** The answer to each command, by its type. */
export interface Answers {
  add_location: unknown;
  add_user: unknown;
  authorisation: unknown;
  authorise: unknown;
  cards: unknown;
  change_user: unknown;
  check_card: unknown;
  close_game: unknown;
  close_shift: CheckedOut;
  confirm_print: TicketDone;
  credit: Slip;
  declare_void: unknown;
  desk: unknown;
  draw_room: unknown;
  enable_station: unknown;
  enrol_station: unknown;
  exposure: unknown;
  fill: Slip;
  floor: unknown;
  hold: TicketDone;
  listing: unknown;
  lock_shift: ShiftState;
  lookup: unknown;
  move_shift: ShiftState;
  open_shift: ShiftState;
  override: unknown;
  post_card: unknown;
  price: unknown;
  redeem: unknown;
  refund: unknown;
  reprint: Sold;
  request_authorisation: unknown;
  resolve_print: TicketDone | Sold;
  resume: unknown;
  sell_ticket: Sold;
  set_password: unknown;
  set_signing_key: unknown;
  sign_in: unknown;
  sign_out: unknown;
  staff: unknown;
  station_status: unknown;
  surrender: TicketDone;
  tell: unknown;
  ticket_record: unknown;
  void: Voided;
  void_and_rewrite: Rewritten;
  void_quote: unknown;
}
