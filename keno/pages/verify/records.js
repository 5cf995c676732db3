// The records of the protocol keno-draw/1: the fields of each, how a message is read, and how its
// signatures are checked. A message is {body, sigs}; read here it also has its digest.

import { digest, encode } from './canonical.js';
import { bytesOf, canCheckSignatures, isSignature, sha256, toHex } from './crypto.js';
import { must } from './faults.js';
import { either, hex, list, mapOf, mustBe, object, text, whole, word } from './shape.js';

/** @import { Bodies, Message, Role, Shape } from './types.js' */

const PROTOCOL = 'keno-draw/1';
const hash = hex(32);
const key = hex(32);
const secret = hex(32);
const game = { chain: hash, game: whole(1) };

/** @type {Record<keyof Bodies, Record<string, Shape>>} */
const FIELDS = {
  genesis: {
    mode: word('live', 'test'),
    jurisdiction: text(),
    site: text(),
    location: text(),
    first_game: whole(1),
    keys: object({ R: key, W: key, S: key }),
    inspectors: list(key, 1),
    supervisors: list(key, 1),
    prev: hash,
    time_ms: whole(),
  },
  unlock: {
    boot: whole(1),
    code: hash,
    key,
    inspector: key,
    supervisor: key,
    heads: mapOf(hash, hash),
    time_ms: whole(),
  },
  'commit-r': { ...game, hash, unlock: hash, sealed: hex(60) },
  'commit-w': { ...game, hash, peer: hash, time_ms: whole() },
  close: {
    ...game,
    commit: hash,
    prev: hash,
    root: hash,
    leaves: whole(),
    tickets: whole(),
    handle_cents: whole(),
    last_ticket: whole(),
    salt: hex(32),
    time_ms: whole(),
  },
  countersign: { ...game, close: hash, secret, time_ms: whole() },
  result: { ...game, countersign: hash, secret, numbers: list(whole(1, 80), 20, 20) },
  attest: { ...game, result: hash },
  void: {
    ...game,
    commit: hash,
    last_ticket: whole(),
    countersign: either(word(''), hash),
    prev: hash,
    inspector: key,
    supervisor: key,
    reason: text(),
    time_ms: whole(),
  },
  reveal: { ...game, role: word('R', 'W'), secret, void: hash },
};

/** @type {Record<string, Shape>} */
const SHAPES = Object.fromEntries(
  Object.entries(FIELDS).map(([name, fields]) => [
    name,
    object({ body: object({ ...fields, type: word(typeOf(name)) }), sigs: mapOf(key, hex(64)) }),
  ]),
);

/** The name of each record in messages for people. @type {Record<keyof Bodies, string>} */
const TITLES = {
  genesis: 'The genesis',
  unlock: 'The unlock of the generator',
  'commit-r': 'The generator’s seal',
  'commit-w': 'The witness’s seal',
  close: 'The closing of the list',
  countersign: 'The witness’s countersignature',
  result: 'The result',
  attest: 'The witness’s attestation',
  void: 'The order to void the game',
  reveal: 'The revealed secret',
};
/** @type {Record<Role, string>} */
export const PARTIES = { R: 'the generator', W: 'the witness', S: 'the house' };

/** The `type` that a record of this name carries. @param {string} name */
export function typeOf(name) {
  return `${PROTOCOL}/${name}`;
}

/**
 * Read a message of a known type; throws `Bad` unless it has exactly its fields. Its signatures
 * are not checked yet.
 * @template {keyof Bodies} Name
 * @param {unknown} value
 * @param {Name} name
 * @returns {Promise<Message<Name>>}
 */
export async function readMessage(value, name) {
  mustBe(SHAPES[name], value, TITLES[name]);
  const { body, sigs } = /** @type {Pick<Message<Name>, 'body' | 'sigs'>} */ (value);
  const bytes = bytesOf(encode(body));
  return { title: TITLES[name], body, sigs, bytes, digest: toHex(await sha256(bytes)) };
}

/**
 * Throw `Bad` unless a message has valid signatures by exactly these signers.
 * @param {Message<keyof Bodies>} message
 * @param {Record<string, string>} signers keys, and what a person calls their holders
 * @returns {Promise<boolean>} false if this browser cannot tell whether the signatures are right
 */
export async function checkSigned(message, signers) {
  const keys = Object.keys(signers);
  const all = keys.every((each) => Object.hasOwn(message.sigs, each));
  const exact = all && keys.length === Object.keys(message.sigs).length;
  must(exact, `${message.title} is not signed by exactly those who must sign it.`);
  if (!(await canCheckSignatures())) return false;
  const signed = new Uint8Array([...bytesOf(`${PROTOCOL}\n`), ...message.bytes]);
  const answers = await Promise.all(
    keys.map((each) => isSignature(each, message.sigs[each], signed)),
  );
  const wrong = keys[answers.indexOf(false)];
  must(wrong === undefined, `${message.title}: the signature of ${signers[wrong]} is wrong.`);
  return true;
}

/**
 * The digest that a seal commits to: that of the record of a secret, which is never sent itself.
 * @param {Role} role
 * @param {{chain: string, game: number}} body
 * @param {string} opened
 */
export function secretDigest(role, body, opened) {
  return digest({
    type: typeOf('secret'),
    chain: body.chain,
    game: body.game,
    role,
    secret: opened,
  });
}
