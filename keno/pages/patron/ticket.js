// A ticket's number and code, as the paper, its QR code or an address has them. Pure.

/** @import { HeldTicket } from './types.js' */

const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 16;
const SCANNED = new RegExp(`^(?:.*/)?([A-Z])-([0-9]{1,15})-([${SIGNS}]{${CODE_LENGTH}})$`);

/**
 * Read what a camera saw or an address holds; null if it is no ticket of ours.
 * @param {string} text
 * @returns {HeldTicket | null}
 */
export function readTicket(text) {
  const found = SCANNED.exec(String(text).trim());
  return found && { letter: found[1], ticket: Number(found[2]), code: found[3] };
}

/** A code as keyed: any grouping, small letters, O for 0, I and L for 1. @param {string} text */
export function tidyCode(text) {
  return String(text).toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}

/**
 * Read what was keyed into the three fields.
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
