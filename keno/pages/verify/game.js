// Checks one game by itself: its records, their signatures and links, the secrets, and the order to
// void it, if there is one. Checks that need earlier games are in chain.js.

import { isObject } from './canonical.js';
import { must } from './faults.js';
import { lists } from './genesis.js';
import { checkSigned, PARTIES, readMessage, secretDigest } from './records.js';

/**
 * @import { Bodies, Game, GameState, Genesis, Made, Message, Role } from './types.js'
 */

/** @typedef {'commit_r' | 'commit_w' | 'close' | 'countersign' | 'result' | 'attest'} Ordinary */

/** The records of a game in their order, and who signs each. @type {Record<Ordinary, Role>} */
const COURSE = {
  commit_r: 'R',
  commit_w: 'W',
  close: 'S',
  countersign: 'W',
  result: 'R',
  attest: 'W',
};
const ORDER = /** @type {Ordinary[]} */ (Object.keys(COURSE));
/** @type {('R' | 'W')[]} */
const REVEALERS = ['R', 'W'];
const VOID_NEEDS = ['commit_r', 'commit_w', 'void'];
const VOID_ALLOWS = [...VOID_NEEDS, 'close', 'countersign', 'result', 'reveal_r', 'reveal_w'];
/** Which field of a record is the digest of which other. @type {[Ordinary, string, Ordinary][]} */
const LINKS = [
  ['commit_w', 'peer', 'commit_r'],
  ['close', 'commit', 'commit_w'],
  ['countersign', 'close', 'close'],
  ['result', 'countersign', 'countersign'],
  ['attest', 'result', 'result'],
];

/**
 * Step 2: read a game's line, decoded; throws `Bad` unless it is one of this chain.
 * @param {unknown} value
 * @param {Genesis} genesis
 * @returns {Promise<Game>}
 */
export async function readGame(value, genesis) {
  must(isObject(value), 'A line is no game.');
  const names = Object.keys(value);
  must(
    isCourse(names),
    'A line has not the records of a game that was drawn, is void or still open.',
  );
  const made = /** @type {Made} */ ({});
  for (const name of names) {
    const kind = name.startsWith('reveal') ? 'reveal' : name.replace('_', '-');
    const message = await readMessage(value[name], /** @type {keyof Bodies} */ (kind));
    Object.assign(made, { [name]: message });
  }
  const number = made.commit_r.body.game;
  for (const { title, body } of Object.values(made)) {
    must(body.chain === genesis.digest, `${title} is of another chain.`);
    must(body.game === number, `${title} is of another game.`);
  }
  return { number, made, state: stateOf(made), boot: 0, numbers: null };
}

/** @param {string[]} names */
function isCourse(names) {
  /** @param {string} name */
  const has = (name) => names.includes(name);
  if (!has('void')) return names.length > 0 && ORDER.slice(0, names.length).every(has);
  if (!VOID_NEEDS.every(has) || !names.every((name) => VOID_ALLOWS.includes(name))) return false;
  return (has('close') || !has('countersign')) && (has('countersign') || !has('result'));
}

/**
 * @param {Made} made
 * @returns {GameState}
 */
function stateOf(made) {
  if (made.void) return 'void';
  return made.attest ? 'drawn' : 'open';
}

/**
 * The record that ends a game, which the next game must follow; undefined while it is open.
 * @param {Game} game
 */
export function endOf(game) {
  return { void: game.made.void, drawn: game.made.result, open: undefined }[game.state];
}

/**
 * Step 3: check that each record is signed by its party; throws `Bad`.
 * @param {Game} game
 * @param {Genesis} genesis
 * @returns {Promise<boolean>} false if this browser cannot tell
 */
export async function checkSignatures({ made }, genesis) {
  const checks = ORDER.map((name) => signedBy(made[name], COURSE[name], genesis));
  const done = await Promise.all(checks);
  return done.every(Boolean);
}

/**
 * @param {Message<keyof Bodies> | undefined} message
 * @param {Role} role
 * @param {Genesis} genesis
 */
async function signedBy(message, role, genesis) {
  return !message || checkSigned(message, { [genesis.body.keys[role]]: PARTIES[role] });
}

/** Step 4: check that each record has the digest of the one before it. @param {Game} game */
export function checkLinks({ made }) {
  for (const [name, field, to] of LINKS) {
    const message = made[name];
    if (!message) continue;
    const named = Reflect.get(message.body, field);
    must(named === made[to]?.digest, `${message.title} belongs to other records.`);
  }
}

/** Step 5: check that the revealed secrets are those that were sealed. @param {Game} game */
export async function checkSecrets({ made }) {
  if (made.countersign) await mustOpen(made, 'W', made.countersign);
  if (made.result) await mustOpen(made, 'R', made.result);
}

/**
 * @param {Made} made
 * @param {'R' | 'W'} role
 * @param {{body: {secret: string}}} holder
 */
async function mustOpen(made, role, holder) {
  const commit = role === 'R' ? made.commit_r : made.commit_w;
  must(commit, `There is no seal of ${PARTIES[role]}.`);
  const { body } = commit;
  const promised = await secretDigest(role, body, holder.body.secret);
  must(promised === body.hash, `The secret of ${PARTIES[role]} is not the one it sealed.`);
}

/** The secrets that are known of a game: {r, w}, in hex or undefined. @param {Game} game */
export function secretsOf({ made }) {
  return {
    r: (made.result ?? made.reveal_r)?.body.secret,
    w: (made.countersign ?? made.reveal_w)?.body.secret,
  };
}

/**
 * Step 8: check who ordered a void, which game it names, and the secrets revealed by then.
 * @param {Game} game
 * @param {Genesis} genesis
 * @returns {Promise<boolean>} false if this browser cannot tell
 */
export async function checkVoid({ made }, genesis) {
  const { void: order, close, countersign } = made;
  must(order, 'The game is not void.');
  const { inspector, supervisor } = order.body;
  must(
    lists(genesis, inspector, supervisor),
    'The void is not ordered by a listed inspector and a listed supervisor.',
  );
  let checked = await checkSigned(order, {
    [inspector]: 'the inspector',
    [supervisor]: 'the supervisor',
  });
  must(order.body.commit === made.commit_w?.digest, 'The void is of another seal.');
  const named = order.body.countersign === (countersign?.digest ?? '');
  must(named, 'The void does not name the countersignature that is here.');
  if (close)
    must(close.body.prev === order.body.prev, 'The void and the closing follow different games.');
  const reveals = { R: made.reveal_r, W: made.reveal_w };
  const used = { R: made.result, W: made.countersign };
  for (const role of REVEALERS) {
    const reveal = reveals[role];
    if (!reveal) continue;
    checked = (await signedBy(reveal, role, genesis)) && checked;
    const meant = reveal.body.role === role && reveal.body.void === order.digest;
    must(meant, `What ${PARTIES[role]} reveals is not for this void.`);
    await mustOpen(made, role, reveal);
    const same = !used[role] || used[role].body.secret === reveal.body.secret;
    must(same, `What ${PARTIES[role]} reveals is another secret than it used.`);
  }
  return checked;
}
