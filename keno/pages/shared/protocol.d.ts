// Made by `python -m keno.protocol.typescript` from keno/protocol. Do not edit.

/** A place with games of its own. */
export interface AddLocation {
  type: 'add_location';
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
  type: 'add_user';
  request_id: string;
  person: string;
  name: string;
  role: string;
  password: string;
}

/** A supervisor has said yes or no, or nobody has answered in time (then by nobody). */
export interface AuthorisationAnswered {
  type: 'authorisation_answered';
  authorisation: number;
  location: string;
  ticket: number;
  state: string;
  answered_by: string;
  server_ms: number;
}

/** A payout waits for a supervisor. */
export interface AuthorisationAsked {
  type: 'authorisation_asked';
  authorisation: number;
  location: string;
  ticket: number;
  amount_cents: number;
  asked_by: string;
  server_ms: number;
}

/** A payout that waits or waited for a supervisor, and all there is to decide it by. */
export interface AuthorisationRecord {
  authorisation: number;
  location: string;
  letter: string;
  name: string;
  station: string;
  ticket: number;
  amount_cents: number;
  refund: boolean;
  state: string;
  asked_by: string;
  asked_ms: number;
  lapses_ms: number;
  answered_by: string | null;
  answered_ms: number | null;
  reason: string | null;
  yours: string | null;
  checks: Array<PayoutCheck>;
  record: TicketRecord;
}

/** Approve, signed with the supervisor's own key, or deny with a reason. */
export interface Authorise {
  type: 'authorise';
  request_id: string;
  authorisation: number;
  approve: boolean;
  passphrase?: string;
  reason?: string;
  second?: Second | null;
}

/** An authorisation and its state. */
export interface Authorised {
  authorisation: number;
  location: string;
  ticket: number;
  amount_cents: number;
  state: string;
  supervisor: string | null;
}

/** One more ball is on the board. */
export interface Ball {
  type: 'ball';
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
  type: 'cards';
  request_id: string;
  location: string;
}

/** Another role, or not active any more. */
export interface ChangeUser {
  type: 'change_user';
  request_id: string;
  person: string;
  role: string;
  active: boolean;
}

/** The certifier's table of a card that is not posted yet. */
export interface CheckCard {
  type: 'check_card';
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
  type: 'close_game';
  request_id: string;
  location: string;
  game: number;
  second?: Second | null;
}

/** The counted drawer, by kind. */
export interface CloseShift {
  type: 'close_shift';
  request_id: string;
  counted: Record<string, number>;
  second: Second;
}

/** The notice before the close (15.5(c)). */
export interface Closing {
  type: 'closing';
  location: string;
  game: number;
  closes_in_ms: number;
  server_ms: number;
}

/** The ticket is on paper. */
export interface ConfirmPrint {
  type: 'confirm_print';
  request_id: string;
  ticket: number;
}

/** Currency out of the drawer: a numbered slip and two persons. */
export interface Credit {
  type: 'credit';
  request_id: string;
  cents: number;
  second: Second;
}

/** 15.7: with an inspector, and the order that both keyholders signed at the generator. */
export interface DeclareVoid {
  type: 'declare_void';
  request_id: string;
  location: string;
  game: number;
  reason: string;
  second: Second;
  order: Record<string, unknown>;
}

/** What the writer has before them: shift, last tickets, unconfirmed prints, authorisations. */
export interface Desk {
  type: 'desk';
  request_id: string;
}

/** A request built on a phone, kept as it was submitted. */
export interface DigitalOrigin {
  kind: 'digital';
  submitted: string;
}

/** The generator, the witness and the last draws, as the server sees them. */
export interface DrawRoom {
  type: 'draw_room';
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
  type: 'enable_station';
  request_id: string;
  station: string;
  enabled: boolean;
}

/** A station and its public key. */
export interface EnrolStation {
  type: 'enrol_station';
  request_id: string;
  station: string;
  location: string;
  public_key: string;
}

/** What the open game could cost, over so many supposed draws. */
export interface Exposure {
  type: 'exposure';
  request_id: string;
  location: string;
  draws?: number;
}

/** Currency into the drawer: a numbered slip and two persons. */
export interface Fill {
  type: 'fill';
  request_id: string;
  cents: number;
  second: Second;
}

/** The live floor: every location, its stations, and what is out of the ordinary. */
export interface Floor {
  type: 'floor';
  request_id: string;
}

/** A payout that waits or waited for a supervisor: its ticket, what it caught, its checks. */
export interface GetAuthorisation {
  type: 'authorisation';
  request_id: string;
  authorisation: number;
}

/** All that the ledger has of a ticket, to settle a dispute; never its code. */
export interface GetTicketRecord {
  type: 'ticket_record';
  request_id: string;
  location: string;
  ticket: number;
}

/** How a ticket was paid, refunded or voided. */
export interface HandedOver {
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

/** The first word: what is spoken here, and a nonce to sign. */
export interface Hello {
  type: 'hello';
  protocol: string;
  site: string;
  mode: string;
  nonce: string;
  server_ms: number;
}

/** Hold a ticket in dispute, or release it. */
export interface Hold {
  type: 'hold';
  request_id: string;
  location: string;
  ticket: number;
  reason: string;
  release?: boolean;
}

/** The rows of a listing, by its name in the registry, of a location and gaming day. */
export interface Listing {
  type: 'listing';
  request_id: string;
  location: string;
  listing: string;
  day: string;
}

/** Lock for a break, or unlock. */
export interface LockShift {
  type: 'lock_shift';
  request_id: string;
  unlock?: boolean;
}

/** A presented ticket: as sold, what it is owed, and of a multi-race what a refund would pay. */
export interface LookedUp {
  ticket: TicketView;
  owed: Owed | null;
  refund: RefundQuote | null;
  refund_why_not: NoRefund | null;
}

/** A ticket as sold, its games, and what it is owed. Presenting it stops its clock. */
export interface Lookup {
  type: 'lookup';
  request_id: string;
  ticket: number;
  code: string;
}

/** Bring one's open shift to this station. */
export interface MoveShift {
  type: 'move_shift';
  request_id: string;
}

/** A group or a king of a ticket, with its name. */
export interface NamedGroup {
  letter: string;
  numbers: Array<number>;
}

/** Why a multi-race ticket cannot be refunded now. */
export interface NoRefund {
  code: string;
  message: string;
}

/** The command is done; this is its answer. */
export interface Ok {
  type: 'ok';
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
  type: 'open_shift';
  request_id: string;
  bank_cents: number;
}

/** delay (by `seconds`), hold, resume, close_early, manual or automatic. */
export interface Override {
  type: 'override';
  request_id: string;
  location: string;
  kind: string;
  reason: string;
  seconds?: number | null;
}

/** What a ticket pays and what must happen before. */
export interface Owed {
  location: string;
  ticket: number;
  awards_cents: number;
  returns_cents: number;
  refund_cents: number;
  coupon_of_returns_cents: number;
  coupon_of_refund_cents: number;
  needs_authorisation: boolean;
  tax_form_games: Array<number>;
}

/** What the payout slip or the refund document says. */
export interface Paid {
  location: string;
  ticket: number;
  kind: string;
  awards_cents: number;
  returns_cents: number;
  refund_cents: number;
  coupon_cents: number;
  coupon: string | null;
  withheld_cents: number;
  cash_cents: number;
  check_cents: number;
  check_number: string | null;
  authorised_by: string | null;
  paid_ms: number;
}

/** 15.4(a): a keno request that the patron marked on paper. */
export interface PaperOrigin {
  kind: 'paper';
}

/** How a payout is handed over; cash and check together are what is owed after withholding. */
export interface Payment {
  cash_cents: number;
  check_cents?: number;
  check_number?: string | null;
  withheld_cents?: number;
  tax_form?: string | null;
}

/** One check of a payout; `ok` is None if it cannot be checked yet. */
export interface PayoutCheck {
  check: string;
  ok: boolean | null;
  words: string;
}

/** A new rate card from a game on. */
export interface PostCard {
  type: 'post_card';
  request_id: string;
  location: string;
  toml: string;
  first_game: number;
  second?: Second | null;
}

/** 15.3(b): a drawn ticket as the request; a change needs the writer's confirmation. */
export interface PreviousOrigin {
  kind: 'previous';
  ticket: number;
  code: string;
  change_confirmed?: boolean;
}

/** Price, ways and exact odds of a request while it is being built; sells nothing. */
export interface Price {
  type: 'price';
  request_id: string;
  request: Record<string, unknown>;
}

/** 15.1: the system chooses the spots; the sale has no request. */
export interface QuickPickOrigin {
  kind: 'quick_pick';
  spots: number;
  rate: string;
  wager_cents: number;
  games?: number;
}

/** One game of a ticket, with the ways that won. */
export interface RecordedGame {
  game: number;
  name: string;
  state: string;
  numbers: Array<number> | null;
  award_cents: number | null;
  ways: Array<WonWay>;
}

/** Pay a ticket, once. */
export interface Redeem {
  type: 'redeem';
  request_id: string;
  ticket: number;
  code: string;
  payment: Payment;
}

/** 15.4(d): cancel the undrawn games of a multi-race and pay what it has won so far. */
export interface Refund {
  type: 'refund';
  request_id: string;
  ticket: number;
  code: string;
  payment: Payment;
}

/** What a refund would pay now, and how many games it would cancel. */
export interface RefundQuote {
  location: string;
  ticket: number;
  awards_cents: number;
  returns_cents: number;
  refund_cents: number;
  coupon_of_returns_cents: number;
  coupon_of_refund_cents: number;
  needs_authorisation: boolean;
  tax_form_games: Array<number>;
  games: number;
}

/** No: a code for programs, a sentence to read out, and the field it is about. */
export interface RefusedReply {
  type: 'refused';
  request_id: string;
  code: string;
  message: string;
  where: string;
}

/** Print again, marked; after lock-out only with a supervisor. */
export interface Reprint {
  type: 'reprint';
  request_id: string;
  ticket: number;
  second?: Second | null;
}

/** 15.6(b): ask for a supervisor; sales go on meanwhile. */
export interface RequestAuthorisation {
  type: 'request_authorisation';
  request_id: string;
  ticket: number;
  code: string;
  refund?: boolean;
}

/** The writer has looked: it is on paper after all, or it must be printed again. */
export interface ResolvePrint {
  type: 'resolve_print';
  request_id: string;
  ticket: number;
  printed: boolean;
  second?: Second | null;
}

/** All balls are shown; the result may be told and paid. */
export interface Result {
  type: 'result';
  location: string;
  game: number;
  numbers: Array<number>;
  server_ms: number;
}

/** After a lost connection: what became of these requests? */
export interface Resume {
  type: 'resume';
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
  type: 'sell_ticket';
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
  type: 'set_password';
  request_id: string;
  old: string;
  new: string;
}

/** Make one's signing key anew, sealed under a passphrase. */
export interface SetSigningKey {
  type: 'set_signing_key';
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
  type: 'sign_in';
  request_id: string;
  person: string;
  password: string;
}

/** The writer leaves; the shift stays open. */
export interface SignOut {
  type: 'sign_out';
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
  type: 'staff';
  request_id: string;
}

/** A location as it stands: sent on connecting and whenever something changes. */
export interface State {
  type: 'state';
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
  type: 'station_status';
  request_id: string;
  printer: string;
  paper: string;
}

/** After lock-out: a printed ticket that was not paid for; its price is owed. */
export interface Surrender {
  type: 'surrender';
  request_id: string;
  ticket: number;
  second: Second;
  reason: string;
}

/** A supervisor's message to the stations of a location. */
export interface Tell {
  type: 'tell';
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

/** What was done with a ticket, by whom, and who approved it. */
export interface TicketEvent {
  kind: string;
  actor: string;
  second: string | null;
  reason: string | null;
  ms: number;
}

/** One game of a ticket: what each group caught, and what it won. */
export interface TicketGame {
  game: number;
  name: string;
  state: string;
  numbers: Array<number> | null;
  catches: Array<number> | null;
  award_cents: number | null;
}

/** All that the ledger has of a ticket, but its code. */
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
  groups: Array<NamedGroup>;
  games: Array<RecordedGame>;
  paid: HandedOver | null;
  claim_until_ms: number | null;
  history: Array<TicketEvent>;
}

/** A ticket as sold, its games, and whether it can be paid now. */
export interface TicketView {
  location: string;
  letter: string;
  ticket: number;
  state: string;
  card: string;
  station: string;
  sold_ms: number;
  first_game: number;
  last_game: number;
  price_cents: number;
  request: Record<string, unknown>;
  printed: boolean;
  reprints: number;
  games: Array<TicketGame>;
  payable_cents: number | null;
  why_not: string | null;
  why_not_code: string | null;
  claim_until_ms: number | null;
  ended_game: number | null;
}

/** A message from the supervisor. */
export interface Told {
  type: 'told';
  location: string;
  text: string;
  by: string;
  server_ms: number;
}

/** Void a whole ticket before lock-out; without a code from the station's own list. */
export interface Void {
  type: 'void';
  request_id: string;
  ticket: number;
  code?: string | null;
}

/** Correct a live ticket before lock-out: both or neither. */
export interface VoidAndRewrite {
  type: 'void_and_rewrite';
  request_id: string;
  ticket: number;
  code: string;
  sale: SellTicket;
}

/** What would be returned if a game were declared void. */
export interface VoidQuote {
  type: 'void_quote';
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

/** One winning way of a game; its award is that before the maximum of the game is shared. */
export interface WonWay {
  members: Array<string>;
  spots: number;
  caught: number;
  award_cents: number;
}

/** The answer to each command, by its type. */
export interface Answers {
  add_location: unknown;
  add_user: unknown;
  authorisation: AuthorisationRecord;
  authorise: Authorised;
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
  lookup: LookedUp;
  move_shift: ShiftState;
  open_shift: ShiftState;
  override: unknown;
  post_card: unknown;
  price: unknown;
  redeem: Paid;
  refund: Paid;
  reprint: Sold;
  request_authorisation: Authorised;
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
  ticket_record: TicketRecord;
  void: Voided;
  void_and_rewrite: Rewritten;
  void_quote: unknown;
}
