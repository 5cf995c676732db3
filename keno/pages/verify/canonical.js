// Reads and writes canonical JSON, in which every object has exactly one text. A line is parsed,
// written again and compared, so that two readers cannot read the same bytes differently.

import { bytesOf, sha256, toHex } from './crypto.js';
import { must } from './faults.js';

/** @import { Bytes } from './types.js' */

const LINE_BYTES = 65536; // with the line feed
const DEPTH = 16; // no record is nested half as deep
const PLAIN = /^[ !#-[\]-~]*$/; // printable ASCII without the quote and the backslash
const LINE = /^[ -~]*\n$/;

/**
 * Whether a value is a JSON object.
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The canonical text of a value; it is ASCII, so its bytes are its characters.
 * @param {unknown} value
 * @returns {string}
 */
export function encode(value, depth = DEPTH) {
  if (typeof value === 'string') {
    must(PLAIN.test(value), 'A text has a sign that is not allowed.');
    return `"${value}"`;
  }
  if (typeof value === 'number') {
    must(
      Number.isSafeInteger(value) && value >= 0,
      'A number is not whole, is negative or too large.',
    );
    return String(value);
  }
  must(
    typeof value === 'object' && value !== null,
    'There is something that is no text, number, list or object.',
  );
  must(depth > 0, 'It is nested too deep.');
  if (Array.isArray(value)) return `[${value.map((each) => encode(each, depth - 1)).join(',')}]`;
  const fields = Object.keys(value).sort();
  /** @param {string} name */
  const pair = (name) => `${encode(name, 0)}:${encode(Reflect.get(value, name), depth - 1)}`;
  return `{${fields.map(pair).join(',')}}`;
}

/** SHA-256 of the canonical bytes, in hex. @param {unknown} value */
export async function digest(value) {
  return toHex(await sha256(bytesOf(encode(value))));
}

/**
 * Read one line with its line feed; throws `Bad` unless its bytes are the canonical ones.
 * @param {string} line
 * @returns {unknown}
 */
export function decodeLine(line) {
  must(LINE.test(line), 'A line has a sign that is not allowed, or does not end as a line does.');
  must(line.length <= LINE_BYTES, 'A line is too long.');
  const text = line.slice(0, -1);
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    must(false, 'A line cannot be read.');
  }
  must(encode(value) === text, 'A line is not written in the one way that is allowed.');
  return value;
}

/**
 * The lines of a file, each with its line feed; text after the last line feed is a line without.
 * @param {string | Bytes | ArrayBuffer | (string | Bytes)[]} given a file, or its lines
 * @returns {string[]}
 */
export function linesOf(given) {
  if (Array.isArray(given)) return given.map(textOf);
  return textOf(given).match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * The text of bytes with one character for each byte; bytes above ASCII become characters above it.
 * @param {string | Bytes | ArrayBuffer} given
 */
function textOf(given) {
  return typeof given === 'string' ? given : new TextDecoder('latin1').decode(given);
}
