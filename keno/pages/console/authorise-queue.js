// Draws the list of authorisation requests that wait beside the open one.

import { attribute, h, say } from '../shared/dom.js';
import { money } from '../shared/format.js';
import { ago, queueWords } from './authorise-words.js';
import { keyedList } from './frame.js';

/** @import { FloorParts, WaitingItem } from './types.js' */

/**
 * @param {FloorParts} parts
 * @param {{isChoosable: (item: WaitingItem) => boolean, pick: (id: number) => void}} how
 */
export function createQueue(parts, { isChoosable, pick }) {
  const element = h('ul', { class: 'queue', 'aria-label': 'Also waiting' });
  const paintRows = keyedList(
    element,
    (/** @type {WaitingItem} */ item) => `${item.authorisation} ${isChoosable(item)}`,
    (item) => createRow(parts, isChoosable(item) ? () => pick(item.authorisation) : null),
  );
  return {
    element,
    /** @param {WaitingItem[]} items */
    paint(items) {
      paintRows(items);
      attribute(element, 'tabindex', element.scrollHeight > element.clientHeight ? 0 : null);
    },
  };
}

/**
 * @param {FloorParts} parts
 * @param {(() => void) | null} pick null if it cannot be opened
 */
function createRow({ session, watch, waiting, mayAct }, pick) {
  const amount = h('b', { class: 'queue-amount' });
  const [station, about, under] = [h('b'), h('span'), h('span')];
  const since = h('span', { class: 'queue-ago' });
  const inside = [amount, h('span', { class: 'queue-words' }, station, about, under), since];
  const row = pick
    ? h('button', { type: 'button', class: 'queue-row', on: { click: pick } }, inside)
    : h('div', { class: 'queue-row queue-not' }, inside);
  return {
    element: h('li', {}, row),
    /** @param {WaitingItem} item */
    paint(item) {
      const { people, locations } = watch.floor ?? { people: {}, locations: [] };
      const zone = session.locations.find((each) => each.location === item.location)?.zone;
      const seen = queueWords(item, people, locations.length > 1, zone);
      const isNew = mayAct && !item.yours && !waiting.isOpened(item.authorisation);
      attribute(row, 'data-unopened', isNew ? '' : null);
      say(amount, money(item.amount_cents));
      say(station, seen.station);
      say(about, seen.about);
      say(under, seen.under);
      say(since, ago(watch.now() - item.asked_ms));
    },
  };
}
