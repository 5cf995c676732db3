// Reads a ticket's number and code from its QR code, from an address, or as keyed. Pure.

/** @import { HeldTicket } from './types.js' */

const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 16;
const SCANNED = new RegExp(`^(?:.*/)?([A-Z])-([0-9]{1,15})-([${SIGNS}]{${CODE_LENGTH}})$`);

/**
 * Letter, number and code from the text of a QR code or an address; null if it is no ticket.
 * @param {string} text
 * @returns {HeldTicket | null}
 */
export function readTicket(text) {
  const found = SCANNED.exec(String(text).trim());
  return found && { letter: found[1], ticket: Number(found[2]), code: found[3] };
}

/** A keyed code as printed: capitals, no spaces, 0 for O, 1 for I and L. @param {string} text */
export function tidyCode(text) {
  return String(text).toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}

/**
 * Read the three keyed fields: the ticket, or the fault and its field.
 * @param {string} letter
 * @param {string} number
 * @param {string} code
 * @returns {{ticket: HeldTicket | null, fault: string, field: string}}
 */
export function keyed(letter, number, code) {
  const digits = String(number)
    .replace(/^\s*[A-Za-z]\s*-/, '')
    .replace(/[\s-]/g, '');
  if (!/^[0-9]{1,15}$/.test(digits) || Number(digits) < 1) {
    return { ticket: null, field: 'number', fault: 'Key the ticket’s number, figures only.' };
  }
  const tidy = tidyCode(code);
  const wrong = [...tidy].find((sign) => !SIGNS.includes(sign));
  if (wrong) return { ticket: null, field: 'code', fault: `No code has the character ${wrong}.` };
  if (tidy.length !== CODE_LENGTH) {
    return {
      ticket: null,
      field: 'code',
      fault: `A code has ${CODE_LENGTH} characters; this has ${tidy.length}.`,
    };
  }
  return { ticket: { letter, ticket: Number(digits), code: tidy }, fault: '', field: '' };
}
