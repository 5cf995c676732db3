// The approval of a change of people, keys or stations: in a live house a second person and a
// reason. In a house without value no approval is needed.

import { h } from '../shared/dom.js';
import { codeOf, words } from './ask.js';
import { formSheet, reasonField, secondFields } from './frame.js';

/** @import { Second } from '../shared/protocol.js' */
/** @import { Session } from './types.js' */
/** @typedef {{second?: Second, reason?: string}} Approved fields of a command */

/**
 * The fields of an approval, none in a house without value. `need()` returns their values for the
 * command, or null after marking a missing one. `refused(error)` clears the password; it returns
 * true if the refusal is about the reason, and shows it there.
 * @param {Session} session
 * @param {string} who who may be the second person
 */
export function approval(session, who) {
  if (!session.value)
    return { elements: [], need: () => ({}), refused: () => false, clear: () => {} };
  const reason = reasonField('Reason', {
    missing: 'Say why. It is kept with the change and listed among the exceptions.',
  });
  const second = secondFields('Second person');
  const note = h(
    'p',
    { class: 'field-note' },
    `This house is live: two people make this change. The second is ${who}.`,
  );
  return {
    elements: [reason.element, second.element, note],
    /** @returns {Approved | null} */
    need() {
      const why = reason.need();
      const person = why && second.need();
      return why && person ? { second: person, reason: why } : null;
    },
    /** @param {unknown} error */
    refused(error) {
      second.clear();
      if (codeOf(error) !== 'reason_empty') return false;
      reason.refuse(words(error));
      return true;
    },
    clear: () => second.clear(),
  };
}

/**
 * Open the dialog that confirms a change, with its approval if one is needed.
 * @param {{title: string, words: string[], act: string, grave: boolean}} about
 * @param {ReturnType<typeof approval>} approved
 * @param {(given: Approved) => Promise<void>} change
 */
export function confirmApproved({ title, words: sentences, act, grave }, approved, change) {
  const run = async () => {
    const given = approved.need();
    if (!given) return false;
    try {
      await change(given);
      return true;
    } catch (error) {
      if (!approved.refused(error)) throw error;
      return false;
    }
  };
  const asked = sentences.map((each) => h('p', { class: 'running' }, each));
  const go = formSheet(title, [...asked, ...approved.elements], act, run, grave);
  if (!approved.elements.length) go.focus();
}

/** Who approves a change of people and keys, and a new station. */
export const ACCESS_APPROVERS = 'a manager or another administrator';
/** Who approves that a station is switched on or off. */
export const STATION_KEEPERS = 'a supervisor, a manager or an administrator';
