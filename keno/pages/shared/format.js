// Formats amounts, odds, times and numbers for every page. Pure; tested in node.

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
 * The cents of a typed amount such as "20", "2.5" or "$1,000.00"; null if it is no amount.
 * @param {string | number} text
 */
export function parseMoney(text) {
  const plain = String(text).replace(/[$,\s]/g, '');
  const match = /^(\d{0,9})(?:\.(\d{0,2}))?$/.exec(plain);
  if (!match || plain === '' || plain === '.') return null;
  return Number(match[1] || '0') * 100 + Number((match[2] ?? '').padEnd(2, '0') || '0');
}

/** Odds against as text: "6.2 to 1"; whole from a hundred on. @param {number} against */
export function odds(against) {
  const shown = against >= 100 ? group(String(Math.round(against))) : against.toFixed(1);
  return `${shown} to 1`;
}

/**
 * Remaining milliseconds as m:ss, rounded up, so that 0:00 means that nothing is left.
 * @param {number} ms
 */
export function clock(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * A Unix time in ms as 9:08 PM, in the time zone of the machine or in `zone`.
 * @param {number} ms
 * @param {string} [zone]
 */
export function time(ms, zone) {
  return spoken(ms, { hour: 'numeric', minute: '2-digit' }, zone);
}

/**
 * A Unix time in ms as 9:08:44 PM.
 * @param {number} ms
 * @param {string} [zone]
 */
export function timeExact(ms, zone) {
  return spoken(ms, { hour: 'numeric', minute: '2-digit', second: '2-digit' }, zone);
}

/**
 * The day of a Unix time in ms as Nov 16, 2026.
 * @param {number} ms
 * @param {string} [zone]
 */
export function day(ms, zone) {
  return spoken(ms, { year: 'numeric', month: 'short', day: 'numeric' }, zone);
}

/**
 * A Unix time in ms with its day, as Nov 17, 2027, 5:59 AM.
 * @param {number} ms
 * @param {string} [zone]
 */
export function deadline(ms, zone) {
  return `${day(ms, zone)}, ${time(ms, zone)}`;
}

/**
 * A ticket's number in groups a person can read out: 4182276 is 418 2276.
 * @param {number | string} number
 */
export function ticketNumber(number) {
  return String(number).replace(/\B(?=(\d{4})+$)/g, ' ');
}

/**
 * A count with its noun: "1 spot", "8 spots".
 * @param {number} number
 * @param {string} one
 * @param {string} [many]
 */
export function count(number, one, many = `${one}s`) {
  return `${group(String(number))} ${number === 1 ? one : many}`;
}

/** A word with a capital first letter. @param {string} word */
export function sentence(word) {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** Words as a list in a sentence: "A, B and C". @param {Iterable<string>} words */
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
