// The dialog (key `?`) that lists what every key does, by the place where the key is used.

import { h, keycap } from '../../keno/pages/shared/dom.js';

/** @type {Rows} */
const EVERYWHERE = [
  ['F1', 'sell'],
  ['F2', 'check and pay'],
  ['F3', 'messages of the supervisor'],
  ['F4', 'shift: fill, credit, close, sign out'],
  ['F6', 'void a ticket'],
  ['F7', 'refund, reprint, not issued'],
  ['F8', 'answer “Printed?”, the oldest first'],
  ['F9', 'a supervisor authorises here'],
  ['F10', 'lock for a break'],
  ['Esc', 'back'],
  ['?', 'this sheet'],
];

/** @type {Rows} */
const NUMBERS = [
  [['0', '–', '9'], 'two digits make a number: 07, 18, 33; 9 alone is nine'],
  [['.', 'Space'], 'end a number of one digit: 7 then .'],
  ['↵', 'end the group; on an empty group: print'],
  ['⌫', 'take back the last digit, number or group'],
  ['−', 'take the next number off the ticket: − 18'],
  ['K', 'the next number is a king'],
  ['Q', 'quick-pick: how many spots'],
];

/** @type {Rows} */
const TICKET = [
  ['/', 'conditioning: 3/8 1/12, or sets AB,CK1; 3/8@2.00 for a rate of its own'],
  ['*', 'rate: amount a way, with its mark behind it'],
  ['+', 'games; again: one more, − one fewer'],
  ['T', 'tender: kinds, coupons, amount given'],
  [['←', '→'], 'from field to field'],
  ['S', 'same again: the ticket sold last'],
  ['R', 'replay or change a ticket: scan or key it'],
  ['M', 'the patron marked the change on the old ticket'],
  ['C', 'clear the line'],
];

/** @type {Rows} */
const PAYING = [
  ['↵', 'the lit act: ask, sign, pay'],
  [['↑', '↓'], 'open another game'],
  ['+', 'add this ticket to one total'],
  ['T', 'pay the total'],
  ['C', 'part by check'],
  ['U', 'refund the undrawn games'],
  ['R', 'write it again'],
];

/**
 * @import { App, Close, DialogParts } from './types.js'
 * @typedef {[caps: string | string[], words: string][]} Rows
 */

/**
 * @param {App} _
 * @param {Close<void>} close
 * @returns {DialogParts}
 */
export function keyList(_, close) {
  const element = h(
    'div',
    { class: 'ask ask-wide' },
    h('h2', {}, 'All keys'),
    h(
      'div',
      { class: 'allkeys' },
      h('div', {}, part('Numbers', NUMBERS), part('On Pay', PAYING)),
      part('The ticket', TICKET),
      part('Everywhere', EVERYWHERE),
    ),
    h(
      'p',
      { class: 'allkeys-note' },
      'A scanner works at any time: scan a ticket or a patron’s request and it is looked up.',
    ),
    h(
      'div',
      { class: 'ask-acts' },
      h(
        'button',
        { type: 'button', class: 'button', on: { click: () => close() } },
        'Back',
        keycap('Esc'),
      ),
    ),
  );
  return {
    element,
    label: 'All keys',
    key(event) {
      if (event.key === '?') close();
      return event.key === '?';
    },
  };
}

/**
 * @param {string} title
 * @param {Rows} rows
 */
function part(title, rows) {
  return h(
    'section',
    {},
    h('h3', {}, title),
    h(
      'dl',
      {},
      rows.map(([caps, words]) => [
        h(
          'dt',
          {},
          [caps].flat().map((cap) => (cap === '–' ? '–' : keycap(cap))),
        ),
        h('dd', {}, words),
      ]),
    ),
  );
}
