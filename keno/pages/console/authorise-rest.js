// Draws the middle of the floor while no request is open: the last answer, or an unlit lamp.

import { h, svg } from '../shared/dom.js';
import { money } from '../shared/format.js';
import { signWords } from './authorise-words.js';
import { stationName } from './floor-words.js';

/** @import { WaitingItem } from './types.js' */

/**
 * Draw the request that was just answered.
 * @param {{item: WaitingItem, approve: boolean}} done
 * @param {string} ticket its name
 * @param {HTMLElement} act the button that goes on
 */
export function answeredPicture({ item, approve }, ticket, act) {
  const amount = money(item.amount_cents);
  return h(
    'div',
    { class: 'decision-rest', role: 'status' },
    approve ? sign('M5 13l4.5 4.5L19 7', 'good') : sign('M6 6l12 12M18 6L6 18', 'bad'),
    h('h2', { id: 'decision-title' }, approve ? `Approved, ${amount}` : `Denied, ${amount}`),
    h(
      'p',
      { class: 'quiet' },
      approve ? signWords(item, ticket) : `Station ${stationName(item.station)} has your reason.`,
    ),
    act,
  );
}

/** @param {boolean} others whether requests wait for another supervisor */
export function calmPicture(others) {
  return h(
    'div',
    { class: 'decision-rest' },
    lampPicture(),
    h('h2', { id: 'decision-title' }, others ? 'Nothing waits for you' : 'Nothing waits'),
    h(
      'p',
      { class: 'quiet' },
      others
        ? 'What is below waits for another supervisor.'
        : 'A payout that needs a supervisor opens here, with a sound.',
    ),
  );
}

/**
 * @param {string} d a path
 * @param {string} kind
 */
function sign(d, kind) {
  return svg(
    'svg',
    {
      class: `rest-sign ${kind}`,
      width: 72,
      height: 72,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 1.6,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
      'aria-hidden': 'true',
    },
    svg('circle', { cx: 12, cy: 12, r: 11, 'stroke-width': 1 }),
    svg('path', { d }),
  );
}

/** Draw an unlit lamp, which means that no request waits. */
function lampPicture() {
  return svg(
    'svg',
    {
      class: 'rest-sign',
      width: 96,
      height: 96,
      viewBox: '0 0 96 96',
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 2.5,
      'aria-hidden': 'true',
    },
    svg('circle', { cx: 48, cy: 48, r: 45 }),
    svg('circle', {
      cx: 48,
      cy: 48,
      r: 30,
      'stroke-dasharray': '2 7.42',
      'stroke-linecap': 'round',
    }),
    svg('path', { d: 'M38 49l7 7 14-15', 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }),
  );
}
