// Made by `python -m keno.protocol.typescript` from keno/protocol. Do not edit.

/** Add a location, which has games of its own. */
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

/** Add a person with a role and a first password. */
export interface AddUser {
  type: "add_user";
  request_id: string;
  person: string;
  name: string;
  role: string;
  password: string;
  second?: Second | null;
  reason?: string;
}

/** A halt, or a step of a location's games that fails, shown to the staff. */
export interface Alarm {
  step: string;
  message: string;
  cause: string;
  since_ms: number;
}

/** A command that a role may send: its tag, and a sentence that says what it does. */
export interface AllowedCommand {
  command: string;
  words: string;
}

/** Event: a payout was approved, denied or lapsed (then `answered_by` is empty). */
export interface AuthorisationAnswered {
  type: "authorisation_answered";
  authorisation: number;
  location: string;
  ticket: number;
  state: AuthorisationState;
  answered_by: string;
  server_ms: number;
}

/** Event: a writer asked a supervisor to authorise a payout. */
export interface AuthorisationAsked {
  type: "authorisation_asked";
  authorisation: number;
  location: string;
  ticket: number;
  amount_cents: number;
  asked_by: string;
  server_ms: number;
}

/** The answer to `authorisation`: a payout's authorisation, its checks and its ticket. */
export interface AuthorisationRecord {
  authorisation: number;
  location: string;
  letter: string;
  name: string;
  station: string;
  ticket: number;
  amount_cents: number;
  refund: boolean;
  state: AuthorisationState;
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

/** The state of a supervisor's authorisation of a payout. */
export type AuthorisationState =
  | "pending"
  | "approved"
  | "denied"
  | "used"
  | "lapsed";

/** Approve a payout, signed with the supervisor's own key, or deny it with a reason. */
export interface Authorise {
  type: "authorise";
  request_id: string;
  authorisation: number;
  approve: boolean;
  passphrase?: string;
  reason?: string;
  second?: Second | null;
}

/** The answer to `request_authorisation` and `authorise`: the authorisation and its state. */
export interface Authorised {
  authorisation: number;
  location: string;
  ticket: number;
  amount_cents: number;
  state: AuthorisationState;
  supervisor: string | null;
  letter: string;
  asked_in: string;
}

/** A possible award and its exact probability. */
export interface AwardOdds {
  award_cents: number;
  probability: string;
}

/** Event: one more ball of a draw is shown. */
export interface Ball {
  type: "ball";
  location: string;
  game: number;
  index: number;
  number: number;
  server_ms: number;
}

/** A boot of the generator: the program, and the two people who unlocked it. */
export interface Boot {
  boot: number;
  unlocked_ms: number;
  program: string;
  inspector: string;
  supervisor: string;
  verified: boolean;
}

/** A posted card that is not in force yet, and its first game. */
export interface CardChange {
  card: string;
  first_game: number;
}

/** A fault of a card: a code and a sentence. */
export interface CardError {
  code: string;
  message: string;
}

/** A card posted at a location: version, first game, when and by whom posted, and its state. */
export interface CardPosting {
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

/** The answer to `cards`: a location's cards, newest first, and the conditions for a new one. */
export interface Cards {
  in_force: string | null;
  two_people: boolean;
  earliest: EarliestGame;
  last_live_game: number;
  postings: Array<CardPosting>;
}

/** Change a person's role, or deactivate or reactivate the account. */
export interface ChangeUser {
  type: "change_user";
  request_id: string;
  person: string;
  role: string;
  active: boolean;
  second?: Second | null;
  reason?: string;
}

/** Certify a card without posting it: its minimum wagers and faults. */
export interface CheckCard {
  type: "check_card";
  request_id: string;
  toml: string;
}

/** The answer to `check_card`: a card's certification, with every minimum wager and fault. */
export interface CheckedCard {
  name: string | null;
  version: string | null;
  ok: boolean;
  wagers: Array<JudgedWager>;
  errors: Array<CardError>;
}

/** The answer to `close_shift` and `close_other_shift`: the checkout sheet of the drawer. */
export interface CheckedOut {
  shift: number;
  expected_cents: Record<string, number>;
  counted_cents: Record<string, number>;
  over_short_cents: Record<string, number>;
  tickets: Array<number>;
  other_tickets: Array<string>;
  denominations: Record<string, number> | null;
}

/** The answer to `confirm_clock`: the chosen clock, and the time at which the ledger continues. */
export interface ClockConfirmed {
  step: number;
  choice: string;
  ms: number;
}

/** A clock step that a supervisor must confirm, with the ledger's and the machine's time. */
export interface ClockDoubt {
  step: number;
  what: string;
  found_ms: number;
  found_machine_ms: number;
  ledger_ms: number;
  machine_ms: number;
}

/** In manual mode: close the open game after the notice; a writer names the supervisor. */
export interface CloseGame {
  type: "close_game";
  request_id: string;
  location: string;
  game: number;
  second?: Second | null;
}

/** Count and close an abandoned drawer: a supervisor with a second person. */
export interface CloseOtherShift {
  type: "close_other_shift";
  request_id: string;
  shift: number;
  counted: Record<string, number>;
  reason: string;
  second: Second;
  denominations?: Record<string, number> | null;
}

/** Close one's shift with the counted drawer. */
export interface CloseShift {
  type: "close_shift";
  request_id: string;
  counted: Record<string, number>;
  second: Second;
  denominations?: Record<string, number> | null;
}

/** Event: notice that the open game closes soon (15.5(c)). */
export interface Closing {
  type: "closing";
  location: string;
  game: number;
  closes_in_ms: number;
  server_ms: number;
}

/** The answer to `close_game`: the game that closes after the notice. */
export interface ClosingGame {
  game: number;
}

/** The commitments of the generator (R) and the witness (W) for a game that is not drawn. */
export interface Commitment {
  game: number;
  name: string;
  commitment: string;
  generator: string;
  boot: number | null;
  committed_ms: number;
}

/** Confirm the time after a clock step: the `machine`'s as shown, or the `ledger`'s. */
export interface ConfirmClock {
  type: "confirm_clock";
  request_id: string;
  step: number;
  choice: string;
  machine_ms: number;
  password: string;
}

/** Decide with the paper whether a ticket was not issued and ends, or was issued after all. */
export interface ConfirmNotIssued {
  type: "confirm_not_issued";
  request_id: string;
  ticket: number;
  code: string;
  reason: string;
  issued?: boolean;
  location?: string;
  second?: Second | null;
}

/** Confirm that a ticket was printed. */
export interface ConfirmPrint {
  type: "confirm_print";
  request_id: string;
  ticket: number;
}

/** The answer to `register_coupons`: how many there are, from which serial to which, and value. */
export interface CouponBatch {
  coupons: number;
  first: string;
  last: string;
  cents: number;
  ends_ms: number;
  until: string;
}

/** The answer to `find_coupon` and `issue_coupon`: a coupon that can be used now. */
export interface CouponView {
  serial: string;
  cents: number;
  ends_ms: number | null;
  until: string;
}

/** The answer to `void_coupon`: the coupon, its value, and when it was declared void. */
export interface CouponVoided {
  serial: string;
  cents: number;
  voided_ms: number;
}

/** Take tender out of the drawer, before a second person; the answer is a numbered slip. */
export interface Credit {
  type: "credit";
  request_id: string;
  cents: number;
  second: Second;
  kind?: DrawerKind | null;
}

/** 15.3(c): declare a printed ticket unpaid and not issued, after lock-out, before the draw. */
export interface DeclareNotIssued {
  type: "declare_not_issued";
  request_id: string;
  ticket: number;
}

/** 15.7: declare a game void, with an inspector and the order both keyholders signed. */
export interface DeclareVoid {
  type: "declare_void";
  request_id: string;
  location: string;
  game: number;
  reason: string;
  second: Second;
  order: Record<string, unknown>;
}

/** The request was built on a phone; `submitted` is its text as submitted. */
export interface DigitalOrigin {
  kind: "digital";
  submitted: string;
}

/** A game that was locked out, the recorded steps of its draw, and its numbers once shown. */
export interface DrawRecord {
  game: number;
  name: string;
  state: ShownGameState;
  locked_ms: number | null;
  drawn_ms: number | null;
  voided_ms: number | null;
  tickets: number | null;
  root: string | null;
  steps: Array<string>;
  numbers: Array<number> | null;
  verified: boolean | null;
}

/** The answer to `draw_room`: generator, witness and draws of all locations at one moment. */
export interface DrawStatus {
  server_ms: number;
  locations: Array<LocationDraws>;
}

/** The kinds in which a drawer is counted and tender handed over; currency and coin are cash. */
export type DrawerKind =
  | "cash"
  | "gaming_chips"
  | "coupon"
  | "slot_tokens";

/** The game that is being drawn, with the balls shown so far only. */
export interface DrawingGame {
  game: number;
  name: string;
  balls: Array<number>;
}

/** The first game for which a card posted now could be in force. */
export interface EarliestGame {
  game: number;
  name: string;
  opens_ms: number;
}

/** The answer without fields, of commands that succeed and have nothing to return. */
export interface Empty {
}

/** Enable or disable a station. */
export interface EnableStation {
  type: "enable_station";
  request_id: string;
  station: string;
  enabled: boolean;
  second?: Second | null;
  reason?: string;
}

/** Enrol a station with its public key. */
export interface EnrolStation {
  type: "enrol_station";
  request_id: string;
  station: string;
  location: string;
  public_key: string;
  second?: Second | null;
  reason?: string;
}

/** The answer to `exposure`: the open game's tickets so far, and what they could win in total. */
export interface Exposure {
  location: string;
  game: number;
  name: string;
  card: string;
  tickets: number;
  handle_cents: number;
  maximum_cents: number;
  expected_cents: number;
  draws_asked: number;
  draws: number;
  mean_cents: number;
  standard_deviation_cents: number;
  p50_cents: number;
  p90_cents: number;
  p99_cents: number;
  largest_cents: number;
  reached_maximum: number;
  ms: number;
}

/** Put tender into the drawer, before a second person; the answer is a numbered slip. */
export interface Fill {
  type: "fill";
  request_id: string;
  cents: number;
  second: Second;
  kind?: DrawerKind | null;
}

/** Look a coupon up by its serial: what it is worth, or why it cannot be used now. */
export interface FindCoupon {
  type: "find_coupon";
  request_id: string;
  serial: string;
  rewrites?: number | null;
  location?: string;
}

/** The answer to `floor`: all locations, stations and people of the house at one moment. */
export interface Floor {
  server_ms: number;
  locations: Array<FloorLocation>;
  people: Record<string, string>;
  clock: ClockDoubt | null;
}

/** A payout that waits for a supervisor's authorisation. */
export interface FloorAuthorisation {
  authorisation: number;
  ticket: number;
  amount_cents: number;
  asked_by: string;
  asked_ms: number;
  letter: string;
}

/** A location on the live floor: its state, trouble, stations and recent exceptional events. */
export interface FloorLocation {
  location: string;
  letter: string;
  name: string;
  state: State | null;
  trouble: string | null;
  not_sold: string | null;
  stations: Array<FloorStation>;
  exceptions: Array<Unusual>;
}

/** The open shift at a station, and the cash, chips, coupons, tokens its drawer should hold. */
export interface FloorShift {
  shift: number;
  writer: string;
  locked: boolean;
  opened_ms: number;
  expected_cents: Record<string, number>;
}

/** A station on the live floor: its connection, shift, open prints and waiting payouts. */
export interface FloorStation {
  station: string;
  enabled: boolean;
  connected: boolean;
  writer: string | null;
  printer: string | null;
  paper: string | null;
  shift: FloorShift | null;
  unprinted: FloorUnprinted;
  authorisations: Array<FloorAuthorisation>;
}

/** The number of live tickets of a station whose print is unconfirmed, and the oldest. */
export interface FloorUnprinted {
  count: number;
  oldest_ticket: number | null;
  oldest_ms: number | null;
}

/** The answer of commands that change a game: the game, its state now, and when. */
export interface GameDone {
  location: string;
  game: number;
  state: GameState;
  ms: number;
}

/** The state of a game. A game never returns to an earlier state. */
export type GameState =
  | "open"
  | "locked"
  | "drawn"
  | "settled"
  | "void";

/** Show a payout that waits or waited for a supervisor: its ticket, catches and checks. */
export interface GetAuthorisation {
  type: "authorisation";
  request_id: string;
  authorisation: number;
}

/** List the versions of a location's card, and the first game a new one could begin at. */
export interface GetCards {
  type: "cards";
  request_id: string;
  location: string;
}

/** Show the generator, the witness and the last draws, as the server sees them. */
export interface GetDrawStatus {
  type: "draw_room";
  request_id: string;
}

/** Estimate what the open game could cost, over a number of simulated draws. */
export interface GetExposure {
  type: "exposure";
  request_id: string;
  location: string;
  draws?: number;
}

/** Show the live floor: every location, its stations and exceptional events. */
export interface GetFloor {
  type: "floor";
  request_id: string;
}

/** List halts in force and past, with what was found. */
export interface GetHalts {
  type: "halts";
  request_id: string;
}

/** Show the access listing: who may do what, and the stations. */
export interface GetStaff {
  type: "staff";
  request_id: string;
}

/** Show the writer's shift, last tickets, unconfirmed prints and authorisations. */
export interface GetStationOverview {
  type: "desk";
  request_id: string;
}

/** Show the whole record of a ticket, to settle a dispute, without its validation code. */
export interface GetTicketRecord {
  type: "ticket_record";
  request_id: string;
  location: string;
  ticket: number;
}

/** Show what would be returned if a game were declared void. */
export interface GetVoidQuote {
  type: "void_quote";
  request_id: string;
  location: string;
  game: number;
}

/** The answer to `halts`: all halts, those in force first. */
export interface HaltList {
  server_ms: number;
  halts: Array<HaltView>;
}

/** A halt as the console lists it: what was found and when, and who resumed it and why. */
export interface HaltView {
  halt: string;
  location: string;
  scope: string;
  fault: string;
  words: string;
  found: string;
  halted_ms: number;
  in_force: boolean;
  resumed_ms: number | null;
  resumed_by: string | null;
  second: string | null;
  reason: string | null;
  inspector_key: string | null;
  supervisor_key: string | null;
}

/** What was handed over when a ticket was paid, refunded or voided: by whom, where and when. */
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

/** The server's first message to a station: protocol, site, mode, and a nonce to sign. */
export interface Hello {
  type: "hello";
  protocol: string;
  site: string;
  mode: string;
  nonce: string;
  server_ms: number;
}

/** Hold a ticket in dispute until the end of a gaming day, or release it. */
export interface Hold {
  type: "hold";
  request_id: string;
  location: string;
  ticket: number;
  reason: string;
  release?: boolean;
  until_day?: string | null;
}

/** Issue one coupon, numbered by the house; in a live house a second person approves it. */
export interface IssueCoupon {
  type: "issue_coupon";
  request_id: string;
  location: string;
  cents: number;
  ends_day?: string | null;
  ends_ms?: number | null;
  second?: Second | null;
  reason?: string;
}

/** The smallest ticket that can be bought for a rate, spot count and tier. */
export interface JudgedTicket {
  type: string;
  ways: number;
  price_cents: number;
}

/** The lowest wager of a rate, spot count and tier, its house advantage and verdict. */
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

/** Check a ticket's paper: its code is computed again over all that the paper shows. */
export interface KeyPaper {
  type: "key_paper";
  request_id: string;
  location: string;
  ticket: number;
  code: string;
  card: string;
  first_game: number;
  price_cents: number;
  request: string;
  station: string;
  writer: string;
  sold: string;
}

/** An amount in cents of one kind that a drawer holds, handed over or to be handed over. */
export interface KindCents {
  kind: DrawerKind;
  cents: number;
}

/** Show the rows of a listing (by its name in the registry) of a location and gaming day. */
export interface Listing {
  type: "listing";
  request_id: string;
  location: string;
  listing: string;
  day: string;
}

/** A location's generator, witness, boots, commitments, last draws and alarms. */
export interface LocationDraws {
  location: string;
  letter: string;
  name: string;
  chain: string | null;
  mode: string | null;
  first_game: number | null;
  generator: PartyStatus;
  witness: PartyStatus;
  program: string | null;
  boots: Array<Boot>;
  commitments: Array<Commitment>;
  draws: Array<DrawRecord>;
  alarms: Array<Alarm>;
  unknown: Array<string>;
}

/** Lock one's shift for a break, or unlock it. */
export interface LockShift {
  type: "lock_shift";
  request_id: string;
  unlock?: boolean;
}

/** The answer to `lookup`: the ticket, what it is owed, and what a refund would pay. */
export interface LookedUp {
  ticket: TicketView;
  owed: Owed | null;
  refund: RefundQuote | null;
  refund_why_not: NoRefund | null;
}

/** Show a ticket, its games and what it is owed. This does not extend the claim period. */
export interface Lookup {
  type: "lookup";
  request_id: string;
  ticket: number;
  code: string;
  letter?: string | null;
}

/** Move one's open shift to this station. */
export interface MoveShift {
  type: "move_shift";
  request_id: string;
}

/** The answer of commands that add or change a person, location or station: its name. */
export interface Named {
  name: string;
}

/** A group or king of a ticket, with its letter and its numbers. */
export interface NamedGroup {
  letter: string;
  numbers: Array<number>;
}

/** Why a multi-race ticket cannot be refunded now: the refusal's code and sentence. */
export interface NoRefund {
  code: string;
  message: string;
}

/** A printed ticket that was not issued, and a supervisor's decision on its paper. */
export interface NotIssuedRecord {
  kind: string;
  actor: string;
  ms: number;
  decision: string | null;
  decided_by: string | null;
  decided_ms: number | null;
  on_top_cents: number;
}

/** The answer to `price`: price and exact odds of one game of a ticket. */
export interface OddsReport {
  type: string;
  ways: number;
  spots_marked: number;
  price_cents: number;
  house_advantage: string;
  house_advantage_percent: string;
  house_advantage_at_least: boolean;
  maximum: string | null;
  win_probability: string | null;
  mean_cents: string;
  standard_deviation_cents: string | null;
  award_max_cents: number;
  awards: Array<AwardOdds> | null;
  reason?: string | null;
}

/** Reply to a command that succeeded, with its answer. */
export interface Ok {
  type: "ok";
  request_id: string;
  answer: unknown;
}

/** The game that is being sold: name, card, commitment and time to its close. */
export interface OpenGame {
  game: number;
  name: string;
  card: string;
  commitment: string;
  closes_in_ms: number | null;
  closing: boolean;
  mode: string;
}

/** Open a shift with a drawer and its opening bank. */
export interface OpenShift {
  type: "open_shift";
  request_id: string;
  bank_cents: number;
  second?: Second | null;
}

/** When the sale of tickets begins again after closing time, as a time and in words. */
export interface Opening {
  opens_ms: number;
  words: string;
}

/** The open shift of another person at this station. */
export interface OtherShift {
  shift: number;
  writer: string;
  name: string;
  opened_ms: number;
}

/** Override the schedule: delay, hold, resume, close_early, manual or automatic. */
export interface Override {
  type: "override";
  request_id: string;
  location: string;
  kind: string;
  reason: string;
  seconds?: number | null;
}

/** What a ticket is owed in cents, and whether an authorisation or tax forms are needed first. */
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
  given_back: Array<KindCents>;
}

/** The answer to `redeem` and `refund`: the payment that was made, as its slip states it. */
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
  letter: string;
  location_name: string;
  owed_cents: number;
  authorisation: number | null;
  code: string;
  given_back: Array<KindCents>;
}

/** A coupon that paid a ticket, or a part of it. */
export interface PaidCoupon {
  serial: string;
  cents: number;
}

/** 15.4(a): the patron marked the request on paper. */
export interface PaperOrigin {
  kind: "paper";
}

/** The answer to `key_paper`: the verdict on a ticket's paper, and a sentence for the screen. */
export interface PaperRuling {
  location: string;
  ticket: number;
  verdict: string;
  words: string;
  ms: number;
}

/** The generator (R) or the witness (W) as the server sees it; None means unknown. */
export interface PartyStatus {
  key: string | null;
  answering: boolean | null;
  since_ms: number | null;
  asked_ms: number | null;
  refused: string | null;
}

/** How a payout is handed over: cash, check, and tax withheld. */
export interface Payment {
  cash_cents: number;
  check_cents?: number;
  check_number?: string | null;
  withheld_cents?: number;
  tax_form?: string | null;
}

/** One check of a payout to be authorised, and its result in words. */
export interface PayoutCheck {
  check: string;
  ok: boolean | null;
  words: string;
}

/** Post a new rate card that takes effect at a named game. */
export interface PostCard {
  type: "post_card";
  request_id: string;
  location: string;
  toml: string;
  first_game: number;
  second?: Second | null;
}

/** The answer to `post_card`: the posted card, its location and its first game. */
export interface PostedCard {
  location: string;
  card: string;
  first_game: number;
  posted_ms: number;
  changes_maximum: boolean;
}

/** 15.3(b): the patron presents a played ticket as the request for a new one. */
export interface PreviousOrigin {
  kind: "previous";
  ticket: number;
  code: string;
  change_confirmed?: boolean;
  letter?: string | null;
}

/** Show price, ways and exact odds of a request while it is being built; sells nothing. */
export interface Price {
  type: "price";
  request_id: string;
  request: Record<string, unknown>;
}

/** 15.1: the system chooses the spots, so the sale has no request. */
export interface QuickPickOrigin {
  kind: "quick_pick";
  spots: number;
  rate: string;
  wager_cents: number;
  games?: number;
}

/** A game of a ticket: numbers, award and winning ways, as far as they are published. */
export interface RecordedGame {
  game: number;
  name: string;
  state: ShownGameState;
  numbers: Array<number> | null;
  award_cents: number | null;
  ways: Array<WonWay>;
}

/** 15.6(a): pay a ticket of any location, once; also what an ended one still owes. */
export interface Redeem {
  type: "redeem";
  request_id: string;
  ticket: number;
  code: string;
  payment: Payment;
  letter?: string | null;
  in_cash?: boolean;
}

/** 15.4(d): cancel the undrawn games of a multi-race and pay what it has won so far. */
export interface Refund {
  type: "refund";
  request_id: string;
  ticket: number;
  code: string;
  payment: Payment;
}

/** What refunding a multi-race ticket would pay now, and the number of games it would cancel. */
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
  given_back: Array<KindCents>;
  games: number;
}

/** Reply to a refused command: a code, a sentence to read out, and the field at fault. */
export interface RefusedReply {
  type: "refused";
  request_id: string;
  code: string;
  message: string;
  where: string;
}

/** Register a batch of printed coupons of one value, by a range or by a list of serials. */
export interface RegisterCoupons {
  type: "register_coupons";
  request_id: string;
  location: string;
  cents: number;
  first?: string;
  last?: string;
  serials?: string;
  ends_day?: string | null;
  ends_ms?: number | null;
  second?: Second | null;
  reason?: string;
}

/** Print a ticket again, marked; if confirmed or locked out, only with a supervisor. */
export interface Reprint {
  type: "reprint";
  request_id: string;
  ticket: number;
  second?: Second | null;
}

/** 15.6(b): ask a supervisor to authorise a payout; sales go on meanwhile. */
export interface RequestAuthorisation {
  type: "request_authorisation";
  request_id: string;
  ticket: number;
  code: string;
  refund?: boolean;
  letter?: string | null;
}

/** State whether an unconfirmed ticket is on paper; if not, it is printed again. */
export interface ResolvePrint {
  type: "resolve_print";
  request_id: string;
  ticket: number;
  printed: boolean;
  second?: Second | null;
}

/** Event: all balls of a game are shown; the result may be announced and paid. */
export interface Result {
  type: "result";
  location: string;
  game: number;
  numbers: Array<number>;
  server_ms: number;
}

/** Ask after a lost connection what became of these requests. */
export interface Resume {
  type: "resume";
  request_id: string;
  requests: Array<string>;
}

/** 15.7: end a halt, with an inspector and the resume that both keyholders signed. */
export interface ResumeHalt {
  type: "resume_halt";
  request_id: string;
  halt: string;
  second: Second;
  order: Record<string, unknown>;
}

/** The answer to `resume_halt`: the halt that was ended, its location and scope. */
export interface Resumed {
  halt: string;
  location: string;
  scope: string;
  ms: number;
}

/** The answer to `void_and_rewrite`: the voided ticket and the ticket sold in its place. */
export interface Rewritten {
  voided: Voided;
  sold: Sold;
  net: Array<KindCents>;
}

/** A role and the commands that it may send. */
export interface RoleRights {
  role: string;
  may: Array<AllowedCommand>;
}

/** The second person who approves a command: sign-in name and that person's password. */
export interface Second {
  person: string;
  password: string;
}

/** Sell a ticket (15.4); refused if game, card or price are not as the writer saw them. */
export interface SellTicket {
  type: "sell_ticket";
  request_id: string;
  first_game: number;
  card_version: string;
  price_cents: number;
  origin: PaperOrigin | DigitalOrigin | PreviousOrigin | QuickPickOrigin;
  request: Record<string, unknown> | null;
  tender: Array<Tendered>;
  second?: Second | null;
}

/** Change one's own password; the old one is required. */
export interface SetPassword {
  type: "set_password";
  request_id: string;
  old: string;
  new: string;
}

/** Replace one's own signing key by a new one, sealed under a passphrase. */
export interface SetSigningKey {
  type: "set_signing_key";
  request_id: string;
  passphrase: string;
  second?: Second | null;
  reason?: string;
}

/** The answer to `open_shift`, `move_shift` and `lock_shift`: the shift after the command. */
export interface ShiftState {
  shift: number;
  location: string;
  writer: string;
  station: string;
  locked: boolean;
  expected_cents: Record<string, number>;
  opening: Slip | null;
}

/** A game with its numbers, all of which have been shown. */
export interface ShownGame {
  game: number;
  name: string;
  numbers: Array<number>;
}

/** The state of a game as it is published: drawing until its last ball is shown. */
export type ShownGameState =
  | "open"
  | "drawing"
  | "drawn"
  | "settled"
  | "void";

/** Sign a person in at a station that has proved its key, with the person's password. */
export interface SignIn {
  type: "sign_in";
  request_id: string;
  person: string;
  password: string;
}

/** Sign the writer out; the shift stays open. */
export interface SignOut {
  type: "sign_out";
  request_id: string;
}

/** The answer to `sign_in`: the person, their role, and their open shift. */
export interface SignedIn {
  person: string;
  name: string;
  role: string;
  shift: number;
}

/** The answer to `fill` and `credit`: the number, kind and amount of the slip. */
export interface Slip {
  location: string;
  slip: number;
  kind: string;
  cents: number;
  tender: DrawerKind;
}

/** The answer to `sell_ticket` and `reprint`: a ticket with all that is printed on it. */
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
  change_cents: number;
}

/** The answer to `staff`: the access listing of people, stations, locations and roles. */
export interface Staff {
  people: Array<StaffPerson>;
  stations: Array<StaffStation>;
  locations: Array<StaffLocation>;
  roles: Array<RoleRights>;
}

/** A location in the access listing: name, letter, display name and time zone. */
export interface StaffLocation {
  location: string;
  letter: string;
  name: string;
  zone: string;
}

/** A person in the access listing: sign-in name, full name, role and state of the account. */
export interface StaffPerson {
  person: string;
  name: string;
  role: string;
  active: boolean;
  has_key: boolean;
}

/** A station in the access listing: location, public key, whether enabled and connected. */
export interface StaffStation {
  station: string;
  location: string;
  enabled: boolean;
  connected: boolean;
  public_key: string;
}

/** The state of a location, sent on connecting and after every change. */
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
  closed: Opening | null;
  last_before: Opening | null;
}

/** An authorisation that the writer's shift asked for, in the answer to `desk`. */
export interface StationAuthorisation {
  authorisation: number;
  ticket: number;
  amount_cents: number;
  state: AuthorisationState;
  answered_by: string | null;
  reason: string | null;
  letter: string;
}

/** The answer to `desk`: the writer's shift, last tickets, prints and authorisations. */
export interface StationOverview {
  shift: WriterShift | null;
  tickets: Array<StationTicket>;
  unprinted: Array<UnprintedTicket>;
  authorisations: Array<StationAuthorisation>;
  other_shift: OtherShift | null;
}

/** Report the state of the station's printer and paper. */
export interface StationStatus {
  type: "station_status";
  request_id: string;
  printer: string;
  paper: string;
}

/** One of the last tickets that the station sold, with its state, print and reprints. */
export interface StationTicket {
  ticket: number;
  price_cents: number;
  first_game: number;
  last_game: number;
  sold_ms: number;
  state: TicketState;
  printed: boolean;
  reprints: number;
}

/** Always refused: 15.3(c), no ticket is ended by its number. Only old stations send it. */
export interface Surrender {
  type: "surrender";
  request_id: string;
  ticket: number;
  second: Second;
  reason: string;
}

/** Take and hold the paper of a ticket found not issued after its draw (a supervisor). */
export interface TakeNotIssued {
  type: "take_not_issued";
  request_id: string;
  ticket: number;
  code: string;
  reason: string;
  location?: string;
  second?: Second | null;
}

/** Send a message to the stations of a location. */
export interface Tell {
  type: "tell";
  request_id: string;
  location: string;
  text: string;
}

/** 15.3(b): the kinds of tender that a wager is accepted in. */
export type TenderKind =
  | "currency"
  | "coin"
  | "gaming_chips"
  | "coupon"
  | "slot_tokens";

/** What was received of one kind of tender for a ticket; a coupon has its serial. */
export interface Tendered {
  kind: TenderKind;
  cents: number;
  serial?: string | null;
}

/** Reasons why a live ticket cannot be paid, whatever its games won. */
export type TicketCondition =
  | "held"
  | "not_issued"
  | "print_unconfirmed";

/** The answer of a command that changes a ticket and prints nothing: the ticket, and when. */
export interface TicketDone {
  location: string;
  ticket: number;
  ms: number;
}

/** An event of a ticket: what was done, by whom, and who approved it. */
export interface TicketEvent {
  kind: string;
  actor: string;
  second: string | null;
  reason: string | null;
  ms: number;
}

/** A game of a ticket: its numbers, what each group caught, and the ticket's award. */
export interface TicketGame {
  game: number;
  name: string;
  state: ShownGameState;
  numbers: Array<number> | null;
  catches: Array<number> | null;
  award_cents: number | null;
}

/** The answer to `ticket_record`: a ticket's request, games, ending and history for a dispute. */
export interface TicketRecord {
  location: string;
  letter: string;
  ticket: number;
  name: string;
  state: TicketState;
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
  held_until_ms: number | null;
  hold_day: string;
  not_issued: NotIssuedRecord | null;
}

/** The state of a ticket as a wager; whether it was paid is kept apart. */
export type TicketState =
  | "live"
  | "void"
  | "cancelled"
  | "payout"
  | "refund"
  | "surrender"
  | "expiry";

/** The ticket in the answer to `lookup`: as sold, its games, and whether it can be paid now. */
export interface TicketView {
  location: string;
  letter: string;
  ticket: number;
  state: TicketState;
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
  held_until_ms: number | null;
  location_name: string;
  gives_back: Array<KindCents>;
  coupons: Array<PaidCoupon>;
  owed_cents: number;
}

/** Event: a supervisor's message to the stations of a location. */
export interface Told {
  type: "told";
  location: string;
  text: string;
  by: string;
  server_ms: number;
}

/** A live ticket of the station whose print is not confirmed. */
export interface UnprintedTicket {
  ticket: number;
  price_cents: number;
  first_game: number;
  request_id: string;
  reprints: number;
  game_state: GameState;
  gives_back: Array<KindCents>;
}

/** An exceptional event (override, reprint, change of access …): who, when and why. */
export interface Unusual {
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
  subject: string | null;
  station: string | null;
  letter: string | null;
}

/** Void a whole ticket before lock-out; without a code if its print is unconfirmed here. */
export interface Void {
  type: "void";
  request_id: string;
  ticket: number;
  code?: string | null;
  in_cash?: boolean;
}

/** Void a live ticket before lock-out and sell its correction: both or neither. */
export interface VoidAndRewrite {
  type: "void_and_rewrite";
  request_id: string;
  ticket: number;
  code: string;
  sale: SellTicket;
  in_cash?: boolean;
  second?: Second | null;
}

/** Declare an unused coupon void, with a reason; in a live house a second person approves it. */
export interface VoidCoupon {
  type: "void_coupon";
  request_id: string;
  serial: string;
  reason: string;
  second?: Second | null;
}

/** The answer to `void_quote`: whether a game can be declared void, and what is returned then. */
export interface VoidQuote {
  location: string;
  game: number;
  name: string;
  state: ShownGameState;
  locked_ms: number | null;
  possible: boolean;
  why_not: string | null;
  tickets: number;
  multi_race: number;
  returned_cents: number;
  coupon_cents: number;
  next_game: number | null;
  alarms: Array<Alarm>;
}

/** The answer to `void`: the ticket, and what is given back, as a new coupon and otherwise. */
export interface Voided {
  location: string;
  ticket: number;
  cash_cents: number;
  coupon_cents: number;
  coupon: string | null;
  voided_ms: number;
  given_back: Array<KindCents>;
  in_cash_cents: number;
  kept_cents: number;
  owed_cents: number;
  owed: Array<KindCents>;
  authorisation: number | null;
  code: string;
}

/** A winning way of a ticket in one game, with the spots it has and caught and its award. */
export interface WonWay {
  members: Array<string>;
  spots: number;
  caught: number;
  award_cents: number;
}

/** The writer's open shift, at this or another station, and what its drawer should hold. */
export interface WriterShift {
  shift: number;
  location: string;
  station: string;
  locked: boolean;
  opened_ms: number;
  expected_cents: Record<string, number>;
  holds_cents: Record<string, number>;
}

/** The answer to each command, by its type. */
export interface Answers {
  add_location: Named;
  add_user: Named;
  authorisation: AuthorisationRecord;
  authorise: Authorised;
  cards: Cards;
  change_user: Named;
  check_card: CheckedCard;
  close_game: ClosingGame;
  close_other_shift: CheckedOut;
  close_shift: CheckedOut;
  confirm_clock: ClockConfirmed;
  confirm_not_issued: TicketDone;
  confirm_print: TicketDone;
  credit: Slip;
  declare_not_issued: TicketDone;
  declare_void: GameDone;
  desk: StationOverview;
  draw_room: DrawStatus;
  enable_station: Named;
  enrol_station: Named;
  exposure: Exposure;
  fill: Slip;
  find_coupon: CouponView;
  floor: Floor;
  halts: HaltList;
  hold: TicketDone;
  issue_coupon: CouponView;
  key_paper: PaperRuling;
  listing: unknown;
  lock_shift: ShiftState;
  lookup: LookedUp;
  move_shift: ShiftState;
  open_shift: ShiftState;
  override: GameDone;
  post_card: PostedCard;
  price: OddsReport;
  redeem: Paid;
  refund: Paid;
  register_coupons: CouponBatch;
  reprint: Sold;
  request_authorisation: Authorised;
  resolve_print: TicketDone | Sold;
  resume: Record<string, Record<string, unknown> | null>;
  resume_halt: Resumed;
  sell_ticket: Sold;
  set_password: Empty;
  set_signing_key: Named;
  sign_in: SignedIn;
  sign_out: Empty;
  staff: Staff;
  station_status: Empty;
  surrender: TicketDone;
  take_not_issued: TicketDone;
  tell: Empty;
  ticket_record: TicketRecord;
  void: Voided;
  void_and_rewrite: Rewritten;
  void_coupon: CouponVoided;
  void_quote: VoidQuote;
}
