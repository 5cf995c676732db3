// The texts of people and stations, and checks before the server is asked. Pure.

/** @typedef {Omit<Fields<'change_user'>, 'person'>} PersonChange */
/** @import { StaffPerson, StaffStation } from '../shared/protocol.js' */
/** @import { Fields, Toned } from './types.js' */

/** The names of the roles. @type {Record<string, string>} */
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
 * The fault of a new password that was typed twice, and its field; null if there is none.
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
 * Sentences on what a change of a person means, to read before it is done.
 * @param {StaffPerson} person
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
 * A change of a person in one line, after it was done.
 * @param {StaffPerson} person
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
 * The state of a station: a word and its colour.
 * @param {StaffStation} station
 * @returns {Toned}
 */
export function stationWords(station) {
  if (!station.enabled) return { tone: 'quiet', word: 'Switched off' };
  return station.connected
    ? { tone: 'jade', word: 'Connected' }
    : { tone: 'ember', word: 'Not connected' };
}
