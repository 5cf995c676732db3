// Checks the form of values. A shape is a function that returns null for a value of its form, else
// the path of what is wrong in it: '' for the value itself, 'keys.R' for a field of a field.

import { isObject } from './canonical.js';
import { must } from './faults.js';

/** @import { Shape } from './types.js' */

/** @type {(is: (value: unknown) => boolean) => Shape} */
const test = (is) => (value) => (is(value) ? null : '');

/** A whole number within limits. @type {(least?: number, most?: number) => Shape} */
export const whole = (least = 0, most = Number.MAX_SAFE_INTEGER) =>
  test((value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most);

/** A number of bytes in lower-case hex. @type {(bytes: number) => Shape} */
export const hex = (bytes) =>
  test(
    (value) => typeof value === 'string' && value.length === 2 * bytes && /^[0-9a-f]*$/.test(value),
  );

/** Text of at least a number of characters. @type {(least?: number) => Shape} */
export const text = (least = 1) =>
  test((value) => typeof value === 'string' && value.length >= least);

/** One of these strings. @type {(...allowed: string[]) => Shape} */
export const word = (...allowed) => test((value) => allowed.some((each) => each === value));

/** A value of one of two shapes. @type {(one: Shape, other: Shape) => Shape} */
export const either = (one, other) => (value) => (one(value) === null ? null : other(value));

/** A list of things of one shape. @type {(each: Shape, least?: number, most?: number) => Shape} */
export const list =
  (each, least = 0, most = Infinity) =>
  (value) => {
    if (!Array.isArray(value) || value.length < least || value.length > most) return '';
    return firstWrong(value.keys(), (at) => each(value[at]));
  };

/**
 * An object whose names all have one shape and whose values another.
 * @type {(name: Shape, each: Shape) => Shape}
 */
export const mapOf = (name, each) => (value) => {
  if (!isObject(value)) return '';
  return firstWrong(Object.keys(value), (key) => name(key) ?? each(value[key]));
};

/** An object with exactly these fields. @type {(fields: Record<string, Shape>) => Shape} */
export const object = (fields) => (value) => {
  if (!isObject(value)) return '';
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) return unknown.slice(0, 40);
  return firstWrong(Object.keys(fields), (name) =>
    Object.hasOwn(value, name) ? fields[name](value[name]) : '',
  );
};

/**
 * Throw `Bad` unless a value has a shape.
 * @param {Shape} shape
 * @param {unknown} value
 * @param {string} what
 */
export function mustBe(shape, value, what) {
  const where = shape(value);
  must(where === null, `${what} is not as it must be${where ? `: ${where}` : ''}.`);
}

/**
 * @template {string | number} Name
 * @param {Iterable<Name>} names
 * @param {(name: Name) => string | null} wrongAt
 */
function firstWrong(names, wrongAt) {
  for (const name of names) {
    const inner = wrongAt(name);
    if (inner !== null) return inner === '' ? String(name) : `${name}.${inner}`;
  }
  return null;
}
