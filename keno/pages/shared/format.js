// How amounts, odds, clocks and numbers are written on every page. Pure; tested in node.

/** Whole cents as money, always with cents: 420000 is $4,200.00. @param {number} cents */
export function money(cents) {
  const whole = Math.abs(Math.trunc(cents));
  const dollars = String(Math.floor(whole / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0 ? '−' : ''}$${dollars}.${String(whole % 100).padStart(2, '0')}`;
}

/** Money on a chip or a chart: even dollars drop their cents: $40, $2.50. @param {number} cents */
export function shortMoney(cents) {
  return money(cents).replace(/\.00$/, '');
}

/**
 * What somebody typed as an amount, in cents: "20", "2.5", "$1,000.00"; null if it is none.
 * @param {string | number} text
 */
export function parseMoney(text) {
  const plain = String(text).replace(/[$,\s]/g, '');
  const match = /^(\d{0,9})(?:\.(\d{0,2}))?$/.exec(plain);
  if (!match || plain === '' || plain === '.') return null;
  return Number(match[1] || '0') * 100 + Number((match[2] ?? '').padEnd(2, '0') || '0');
}

/** "6.2 to 1" from 6.2; whole numbers from a hundred on, with commas. @param {number} against */
export function odds(against) {
  const shown = against >= 100 ? group(String(Math.round(against))) : against.toFixed(1);
  return `${shown} to 1`;
}

/**
 * Milliseconds that are left as a clock m:ss. It shows 0:00 only when nothing is left.
 * @param {number} ms
 */
export function clock(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * A moment as 9:08 PM, by the clock of the machine or of `zone`.
 * @param {number} ms
 * @param {string} [zone]
 */
export function time(ms, zone) {
  return spoken(ms, { hour: 'numeric', minute: '2-digit' }, zone);
}

/**
 * A moment as 9:08:44 PM.
 * @param {number} ms
 * @param {string} [zone]
 */
export function timeExact(ms, zone) {
  return spoken(ms, { hour: 'numeric', minute: '2-digit', second: '2-digit' }, zone);
}

/**
 * A day as Nov 16, 2026.
 * @param {number} ms
 * @param {string} [zone]
 */
export function day(ms, zone) {
  return spoken(ms, { year: 'numeric', month: 'short', day: 'numeric' }, zone);
}

/**
 * A ticket's number in groups a person can read out: 4182276 is 418 2276.
 * @param {number | string} number
 */
export function ticketNumber(number) {
  return String(number).replace(/\B(?=(\d{4})+$)/g, ' ');
}

/**
 * "1 spot", "8 spots": a count with its word.
 * @param {number} number
 * @param {string} one
 * @param {string} [many]
 */
export function count(number, one, many = `${one}s`) {
  return `${group(String(number))} ${number === 1 ? one : many}`;
}

/** "A", "A and B", "A, B and C". @param {Iterable<string>} words */
export function listed(words) {
  const all = [...words];
  const last = all.pop() ?? '';
  return all.length ? `${all.join(', ')} and ${last}` : last;
}

/** @param {string} digits */
function group(digits) {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/**
 * @param {number} ms
 * @param {Intl.DateTimeFormatOptions} parts
 * @param {string} [zone]
 */
function spoken(ms, parts, zone) {
  const form = new Intl.DateTimeFormat('en-US', { ...parts, timeZone: zone });
  return form.format(new Date(ms)).replace(/[\u202f\u00a0]/g, ' ');
}
