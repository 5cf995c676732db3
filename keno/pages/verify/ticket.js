// Checks the proof of a ticket: {code, game, index, leaf, path}. The leaf describes the ticket, the
// path leads to the root that was sealed before the draw, the code shows that the leaf is the
// holder's.

import { decodeLine, digest, encode } from './canonical.js';
import { bytesOf, fromHex, toHex } from './crypto.js';
import { must } from './faults.js';
import { typeOf } from './records.js';
import { either, hex, list, mustBe, object, text, whole, word } from './shape.js';
import { leafHash, rootFrom } from './tree.js';

/** @import { Game, Genesis, TicketProof, TicketState } from './types.js' */

const CODE_CHARACTERS = 16; // 80 bits of 32 signs; fewer could be guessed from the seal

const wager = { rate: text(), wager_cents: whole(1) };
const line = either(
  object({ ...wager, ways: whole(1), spots: whole(1, 80) }),
  object({ ...wager, sets: list(list(whole(), 1), 1) }),
);
const number = whole(1, 80);
const LEAF = object({
  type: word(typeOf('ticket')),
  site: text(),
  location: text(),
  ticket: whole(1),
  first: whole(1),
  last: whole(1),
  card: text(),
  station: text(),
  writer: text(),
  sold_ms: whole(),
  price_cents: whole(1),
  request: object({
    games: whole(1),
    groups: list(list(number, 1)),
    kings: list(number),
    lines: list(line, 1),
  }),
  seal: hex(32),
  state: word('live', 'void', 'cancelled'),
});
const PROOF = object({
  code: text(CODE_CHARACTERS),
  game: whole(1),
  index: whole(),
  leaf: LEAF,
  path: list(hex(32), 0, 64),
});

/** @type {Record<TicketState, string>} */
const STATES = { live: 'was still to play', void: 'was void', cancelled: 'had been refunded' };

/** The digest that a leaf has in place of the validation code. @param {string} code */
export function sealOf(code) {
  return digest({ type: typeOf('seal'), code });
}

/** Read a holder's proof, one line; throws `Bad` if it has not its form. @param {string} written */
export function readTicket(written) {
  const value = decodeLine(written);
  mustBe(PROOF, value, 'The ticket’s proof');
  const proof = /** @type {TicketProof} */ (value);
  const { first, last, price_cents: price, request } = proof.leaf;
  const games = last - first + 1;
  must(games === request.games, 'The ticket plays another number of games than it asks for.');
  must(price % games === 0, 'The ticket’s price does not divide by its games.');
  /** @param {number[]} group */
  const ascends = (group) => group.every((each, at) => at === 0 || group[at - 1] < each);
  must(request.groups.every(ascends), 'The ticket’s numbers are not in order.');
  return proof;
}

/**
 * Throw `Bad` unless a ticket was in the list of a game, in this state, when that was sealed.
 * @param {TicketProof} proof
 * @param {Game} game a game that is sound
 * @param {Genesis} genesis of its chain
 * @param {TicketState} state
 */
export async function checkTicket(proof, game, genesis, state) {
  const { leaf, index, code } = proof;
  const { close } = game.made;
  must(close, 'The game was never closed, so there is no sealed list.');
  const here = leaf.site === genesis.body.site && leaf.location === genesis.body.location;
  must(here, 'The ticket is of another place.');
  must(
    leaf.first <= game.number && game.number <= leaf.last,
    'The ticket does not play this game.',
  );
  const hash = await leafHash(bytesOf(encode(leaf)));
  const root = await rootFrom(hash, index, close.body.leaves, proof.path.map(fromHex));
  must(
    root && toHex(root) === close.body.root,
    'The ticket is not in the sealed list at this place.',
  );
  must((await sealOf(code)) === leaf.seal, 'The validation code is not this ticket’s.');
  must(leaf.state === state, `The ticket ${STATES[leaf.state]} when the list was sealed.`);
}
