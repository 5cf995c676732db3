// How the history page writes chances and means. Pure.

/** @import { Band } from './chances.js' */

/** A part of all as a percentage; one decimal only where it says more. @param {number} part */
export function percent(part) {
  return `${(part * 100).toFixed(part > 0.985 ? 1 : 0).replace(/\.0$/, '')}%`;
}

/** A mean: whole if it is whole, else with a decimal under ten. @param {number} mean */
export function plain(mean) {
  return Number.isInteger(mean) ? String(mean) : mean.toFixed(mean < 10 ? 1 : 0);
}

/** What a band means. @param {Pick<Band, 'low' | 'high' | 'holds'>} band */
export function bandWords({ low, high, holds }) {
  return `by chance ${percent(holds)} of numbers come ${low} to ${high} times`;
}
