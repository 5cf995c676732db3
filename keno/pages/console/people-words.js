// People and stations in words, and what must be right before the server is asked. Pure.

/** @typedef {{role: string, active: boolean}} PersonChange */
/** @import { Person, Station, Toned } from './types.js' */

/** The roles and what each is there for. @type {Record<string, string>} */
export const ROLES = {
  writer: 'Writer',
  supervisor: 'Supervisor',
  manager: 'Manager',
  accounting: 'Accounting',
  inspector: 'Inspector',
  administrator: 'Administrator',
};

/** A role's name for people. @param {string} role */
export function roleWords(role) {
  return ROLES[role] ?? `${String(role).charAt(0).toUpperCase()}${String(role).slice(1)}`;
}

const PASSWORD_MIN = 10;
const PASSWORD_MAX = 200;

/**
 * What is wrong with a new password typed twice; nothing if nothing is.
 * @param {string} password
 * @param {string} again
 */
export function passwordFault(password, again) {
  if (password.length < PASSWORD_MIN)
    return {
      field: 'password',
      fault: `A password has at least ${PASSWORD_MIN} characters; this has ${password.length}.`,
    };
  if (password.length > PASSWORD_MAX)
    return { field: 'password', fault: `A password has at most ${PASSWORD_MAX} characters.` };
  if (password !== again) return { field: 'again', fault: 'The two are not alike. Type it again.' };
  return null;
}

/**
 * What a change means, in sentences to read before it is done.
 * @param {Person} person
 * @param {PersonChange} to
 */
export function changeWords(person, to) {
  const words = [];
  if (to.role !== person.role)
    words.push(
      `${person.name} is ${roleWords(person.role).toLowerCase()} now ` +
        `and becomes ${roleWords(to.role).toLowerCase()}.`,
    );
  if (person.active && !to.active)
    words.push(
      `${person.name} cannot sign in any more. ` +
        'Nothing that they did is lost, and they can be let in again.',
    );
  if (!person.active && to.active)
    words.push(`${person.name} can sign in again, with the password they had.`);
  if (words.length)
    words.push(
      'They are signed out everywhere at once. The change is kept in the ledger with your name.',
    );
  return words;
}

/**
 * The same once it is done, as one short line.
 * @param {Person} person
 * @param {PersonChange} to
 */
export function changedWords(person, to) {
  const role = to.role !== person.role && `is ${roleWords(to.role).toLowerCase()} now`;
  const door = to.active !== person.active && (to.active ? 'may sign in again' : 'is locked out');
  return `${person.name} ${[role, door].filter(Boolean).join(' and ')}.`;
}

/** A public key as pasted: 64 hexadecimal digits; null if it is none. @param {string} text */
export function readKey(text) {
  const plain = String(text).replace(/\s/g, '').toLowerCase();
  return /^[0-9a-f]{64}$/.test(plain) ? plain : null;
}

/**
 * How a station stands.
 * @param {Station} station
 * @returns {Toned}
 */
export function stationWords(station) {
  if (!station.enabled) return { tone: 'quiet', word: 'Switched off' };
  return station.connected
    ? { tone: 'jade', word: 'Connected' }
    : { tone: 'ember', word: 'Not connected' };
}
