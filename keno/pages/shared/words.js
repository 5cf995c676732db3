// Made by `python -m keno.protocol.typescript` from keno/protocol. Do not edit.

/** @type {Readonly<Record<import('./protocol.js').ShownGameState, string>>} */
export const SHOWN_GAME_STATES = {
  open: 'open',
  drawing: 'drawing',
  drawn: 'drawing',
  settled: 'settled',
  void: 'void',
};

/** @type {Readonly<Record<import('./protocol.js').TicketState, string>>} */
export const TICKET_STATES = {
  live: 'live',
  void: 'void',
  cancelled: 'cancelled',
  payout: 'paid',
  refund: 'refunded',
  surrender: 'surrendered',
  expiry: 'expired',
};

/** @type {Readonly<Record<import('./protocol.js').TicketCondition, string>>} */
export const TICKET_CONDITIONS = {
  held: 'held in dispute',
  not_issued: 'held as not issued',
  print_unconfirmed: 'print unconfirmed',
};

/** @type {Readonly<Record<import('./protocol.js').AuthorisationState, string>>} */
export const AUTHORISATION_STATES = {
  pending: 'asked',
  approved: 'approved',
  denied: 'denied',
  used: 'approved',
  lapsed: 'lapsed',
};

/** @type {Readonly<Record<import('./protocol.js').TenderKind, string>>} */
export const TENDER_KINDS = {
  currency: 'currency',
  coin: 'coin',
  gaming_chips: 'gaming chips',
  coupon: 'coupon',
  slot_tokens: 'slot tokens',
};

/** @type {Readonly<Record<import('./protocol.js').DrawerKind, string>>} */
export const DRAWER_KINDS = {
  cash: 'cash',
  gaming_chips: 'gaming chips',
  coupon: 'coupon',
  slot_tokens: 'slot tokens',
};

/** Why an authorisation lapsed. */
export const NOT_ANSWERED = 'No supervisor answered in time.';
