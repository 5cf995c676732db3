// Checks a genesis, which lists the keys whose signatures count in a chain, by itself and against
// the genesis whose chain it continues, if there is one.

import { checkSigned, PARTIES } from './records.js';
import { must } from './faults.js';

/** @import { Genesis, Role } from './types.js' */

/** @type {Role[]} */
const ROLES = ['R', 'W', 'S'];
const NONE = '0'.repeat(64);
/** @type {('mode' | 'jurisdiction' | 'site' | 'location')[]} */
const KEPT = ['mode', 'jurisdiction', 'site', 'location'];

/** Keys of small order, for which anyone can make signatures; the top bit (sign) is cleared. */
const SMALL_ORDER = new Set([
  '00'.repeat(32), // 0
  `01${'00'.repeat(31)}`, // 1
  `ec${'ff'.repeat(30)}7f`, // p - 1
  `ed${'ff'.repeat(30)}7f`, // p
  `ee${'ff'.repeat(30)}7f`, // p + 1
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]);

/** Whether a key is of small order, so that its signatures prove nothing. @param {string} key */
export function isSmallOrder(key) {
  const top = Number.parseInt(key.slice(62), 16) & 0x7f;
  return SMALL_ORDER.has(key.slice(0, 62) + top.toString(16).padStart(2, '0'));
}

/**
 * Whether a genesis lists these keys, one as inspector and one as supervisor.
 * @param {Genesis} genesis
 * @param {string} inspector
 * @param {string} supervisor
 */
export function lists(genesis, inspector, supervisor) {
  return (
    genesis.body.inspectors.includes(inspector) && genesis.body.supervisors.includes(supervisor)
  );
}

/**
 * Throw `Bad` unless a genesis is valid and may follow the one before it.
 * @param {Genesis} genesis
 * @param {Genesis | null} before the genesis in force so far
 * @returns {Promise<boolean>} false if this browser cannot check signatures
 */
export async function checkGenesis(genesis, before) {
  const { keys, inspectors, supervisors, prev } = genesis.body;
  const all = [keys.R, keys.W, keys.S, ...inspectors, ...supervisors];
  must(new Set(all).size === all.length, 'The genesis has the same key twice.');
  must(!all.some(isSmallOrder), 'The genesis has a key with which anybody could sign.');
  if (before) {
    for (const field of KEPT) {
      must(
        genesis.body[field] === before.body[field],
        `A new genesis has another ${field} than the one before.`,
      );
    }
  } else {
    must(prev === NONE, 'The genesis continues a chain that is not here.');
  }
  const roster = before ?? genesis;
  const parties = [keys.R, keys.W, keys.S];
  const people = Object.keys(genesis.sigs).filter((key) => !parties.includes(key));
  const [one, other] = people;
  const two = people.length === 2 && (lists(roster, one, other) || lists(roster, other, one));
  must(two, 'The genesis is not signed by one inspector and one supervisor.');
  const signers = Object.fromEntries([
    ...ROLES.map((role) => [keys[role], PARTIES[role]]),
    ...people.map((key) => [
      key,
      roster.body.inspectors.includes(key) ? 'the inspector' : 'the supervisor',
    ]),
  ]);
  return checkSigned(genesis, signers);
}
