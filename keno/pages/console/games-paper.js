// The form for a ticket's paper that disagrees with the ledger (15.7): what the paper shows is
// keyed, and the server decides.

import { h, put } from '../shared/dom.js';
import { button, choice, field, form, panel, statusLine } from './frame.js';

/** @import { View } from './types.js' */
/** @typedef {Pick<View, 'session' | 'ask'>} Asking */
/** @typedef {[name: string, label: string, example: string]} PaperField */

/** @type {PaperField[]} */
const FIELDS = [
  ['ticket', 'Ticket number', '2276'],
  ['code', 'Code', '3F7K 9M2Q 4R6T 8W1X'],
  ['first_game', 'First game', '42'],
  ['request', 'Numbers, conditioning, games', '1 2 3/4 5 6: 1/6@1.00 x5'],
  ['price', 'Price in dollars', '5.00'],
  ['card', 'Rate card', '26-3'],
  ['station', 'Station', '01'],
  ['writer', 'Writer', 'ANNA'],
  ['sold', 'Date and time', '2026-11-16 02:00:05'],
];
const WHOLE = new Set(['ticket', 'first_game']);

/**
 * The fields of the request to the server, or the first wrong field and its words. Pure.
 * @param {Record<string, string>} keyed
 * @returns {{asked: Record<string, string | number>} | {wrong: string, words: string}}
 */
function readPaper(keyed) {
  /** @type {Record<string, string | number>} */
  const asked = {};
  for (const [name, label] of FIELDS) {
    const text = (keyed[name] ?? '').trim();
    if (!text) return { wrong: name, words: `${label} is on every ticket: key it.` };
    if (WHOLE.has(name) && !/^[0-9]{1,15}$/.test(text))
      return { wrong: name, words: 'Key the number alone, without its letter.' };
    if (name === 'price') {
      const dollars = /^\$?([0-9]{1,9})\.([0-9]{2})$/.exec(text);
      if (!dollars) return { wrong: name, words: 'Key dollars and cents: 5.00.' };
      asked.price_cents = Number(dollars[1]) * 100 + Number(dollars[2]);
    } else asked[name] = WHOLE.has(name) ? Number(text) : text;
  }
  return { asked };
}

/**
 * Draw the form into `target`; returns the function to call when it is left.
 * @param {HTMLElement} target
 * @param {Asking} view
 */
export function keyPaper(target, { session, ask }) {
  const status = statusLine();
  const place = choice(
    'Location',
    session.locations.map((each) => [each.location, each.name]),
  );
  const fields = Object.fromEntries(
    FIELDS.map(([name, label, example]) => [name, field(label, { placeholder: example })]),
  );
  const send = async () => {
    status.clear();
    const values = Object.fromEntries(FIELDS.map(([name]) => [name, fields[name].input.value]));
    const read = readPaper(values);
    if ('wrong' in read) {
      fields[read.wrong].refuse(read.words);
      return;
    }
    try {
      const asked = /** @type {any} */ ({ location: place.input.value, ...read.asked });
      const { verdict, words } = await ask('key_paper', asked);
      if (verdict === 'agrees') status.good(words);
      else status.no(new Error(words));
    } catch (error) {
      status.no(error);
    }
  };
  const words =
    'Key everything as the paper shows it. Its code is computed again over all of it; if it ' +
    'fits, the book that the witness countersigned decides between the paper and the ledger.';
  put(
    target,
    panel(
      'Key a paper',
      { class: 'halt' },
      h('p', { class: 'running' }, words),
      form(
        { class: 'halt-steps paper-fields' },
        send,
        place.element,
        FIELDS.map(([name]) => fields[name].element),
        h('div', { class: 'acts' }, button('Rule on it', null, { go: true, type: 'submit' })),
      ),
      status.element,
    ),
  );
  return () => {};
}
