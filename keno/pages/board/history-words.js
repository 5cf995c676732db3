// How the history page writes chances and means. Pure.

/** @import { Band } from './chances.js' */

/** A part (0 to 1) as a percentage, above 98.5% with a decimal. @param {number} part */
export function percent(part) {
  return `${(part * 100).toFixed(part > 0.985 ? 1 : 0).replace(/\.0$/, '')}%`;
}

/** A mean as text, with a decimal if it is under ten and not whole. @param {number} mean */
export function plain(mean) {
  return Number.isInteger(mean) ? String(mean) : mean.toFixed(mean < 10 ? 1 : 0);
}

/** A band in words. @param {Pick<Band, 'low' | 'high' | 'holds'>} band */
export function bandWords({ low, high, holds }) {
  return `by chance ${percent(holds)} of numbers come ${low} to ${high} times`;
}
