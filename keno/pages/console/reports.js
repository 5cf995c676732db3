// The reports tab: the listings of the server's registry, by location and gaming day, on the
// screen, as PDF and as CSV.

import { h, put } from '../shared/dom.js';
import { count } from '../shared/format.js';
import { look } from './ask.js';
import { button, field, panel, refused } from './frame.js';
import { balls, cell, dayWords, groups, isoDay, side, stepDay, sums } from './reports-cells.js';
import { pickPlace, placeOf } from './room-parts.js';

/** @import { Fields, Tab, View } from './types.js' */
/** @import { Listing, Place, Row } from './reports-cells.js' */
/** @typedef {Fields<'listing'>} Asked */
/** @typedef {Place & {name: string}} NamedPlace */

/** @type {Tab} */
export const tab = {
  id: 'reports',
  name: 'Reports',
  roles: ['supervisor', 'manager', 'inspector', 'accounting'],
  open,
};

/** @param {View} view */
function open({ page, session, ask, stay }) {
  const place = () => placeOf(session, stay);
  /** @type {object | null} the load that was begun last */
  let waits = null;
  const day = () => (stay.day ??= place().gaming_day ?? isoDay(Date.now(), place().zone));
  const names = h('nav', { class: 'guide-list', 'aria-label': 'Listings' });
  const right = h('div', { class: 'report-page' });
  const days = dayField(day(), (to) => {
    stay.day = to;
    load();
  });
  const choice = panel(
    'Reports',
    { class: 'report-choice' },
    pickPlace(session, place().location, (location) => {
      stay.location = location;
      load();
    }),
    ...days,
    names,
  );
  page.append(h('div', { class: 'side-by-side' }, choice, right));

  /** @param {string} name */
  const choose = (name) => {
    stay.listing = name;
    load(); // its first step marks the chosen entry
    /** @type {HTMLElement | null} */
    const current = names.querySelector('[aria-current]');
    current?.focus();
  };
  const mark = () =>
    put(
      names,
      (stay.listings ?? []).map((each) =>
        entry(each, each.name === stay.listing, () => choose(each.name)),
      ),
    );

  async function load() {
    const now = (waits = {});
    let title = 'Reports';
    try {
      /** @type {Listing[]} */
      const listings = (stay.listings ??= await look('/api/listings'));
      stay.listing ??= listings[0].name;
      const listing = listings.find((each) => each.name === stay.listing) ?? listings[0];
      title = listing.title;
      if (waits !== now) return;
      mark();
      const asked = { location: place().location, listing: listing.name, day: day() };
      const rows = /** @type {Row[]} */ (await ask('listing', asked));
      if (waits === now) put(right, report(listing, asked, rows, { ...place(), day: asked.day }));
    } catch (error) {
      if (waits === now) put(right, panel(title, { class: 'report' }, refused(error)));
    }
  }
  load();
  return () => {
    waits = null;
  };
}

/**
 * Create the field for the gaming day, with buttons to the day before and after.
 * @param {string} at
 * @param {(day: string) => void} changed
 */
function dayField(at, changed) {
  const day = field('Gaming day', { type: 'date', value: at, class: 'input day-input' });
  /** @param {string | null} to */
  const go = (to) => {
    if (!to) return;
    at = to;
    day.value = to;
    changed(to);
  };
  day.input.addEventListener('change', () => go(day.value));
  const steps = h(
    'div',
    { class: 'day-steps' },
    button('Day before', () => go(stepDay(at, -1))),
    button('Day after', () => go(stepDay(at, 1))),
  );
  return [day.element, steps];
}

/** @param {Listing} listing @param {boolean} current @param {() => void} choose */
function entry(listing, current, choose) {
  return h(
    'button',
    {
      type: 'button',
      class: 'guide-entry',
      'aria-current': current ? 'true' : null,
      on: { click: choose },
    },
    h('span', {}, listing.title),
    listing.clause && h('span', { class: 'quiet clause' }, listing.clause),
  );
}

/** @param {Listing} listing @param {Asked} asked @param {Row[]} rows @param {NamedPlace} place */
function report(listing, asked, rows, place) {
  /** @param {string} kind */
  const path = (kind) =>
    `/api/listings/${encodeURIComponent(asked.location)}/${asked.listing}.${kind}?day=${asked.day}`;
  const links = h(
    'span',
    { class: 'report-links' },
    h('a', { class: 'file', href: path('pdf'), target: '_blank' }, 'PDF'),
    h('a', { class: 'file', href: path('csv'), download: '' }, 'CSV'),
  );
  const law = listing.clause && `N.J.A.C. 19:47-${listing.clause}`;
  return panel(
    listing.title,
    { class: 'report', aside: links },
    h(
      'p',
      { class: 'report-what' },
      `${place.name}, ${dayWords(asked.day)}`,
      rows.length > 0 && h('b', {}, count(rows.length, listing.one, listing.many)),
      h('span', { class: 'quiet' }, [law, listing.what].filter(Boolean).join('. ')),
    ),
    rows.length ? table(listing, rows, place) : nothing(listing, place),
  );
}

/**
 * Draw a listing without rows, with its location and day.
 * @param {Listing} listing @param {NamedPlace} place
 */
function nothing(listing, place) {
  const where = `${place.name}, ${dayWords(place.day)}`;
  return h(
    'div',
    { class: 'report-none' },
    h('p', {}, listing.none),
    h('p', { class: 'quiet' }, `${where}. The PDF says the same, for the file.`),
  );
}

/** @param {Listing} listing @param {Row[]} rows @param {NamedPlace} place */
function table(listing, rows, place) {
  const { columns, title } = listing;
  const heads = columns.map((each) => h('th', { scope: 'col', class: side(each) }, each.heading));
  const totals = sums(listing, rows).map((words, at) =>
    h('td', { class: side(columns[at]) }, at === 0 ? 'In all' : words),
  );
  return h(
    'div',
    { class: 'table', role: 'region', 'aria-label': title, tabIndex: 0 },
    h(
      'table',
      {},
      h('caption', { class: 'for-readers' }, `${title}, ${place.name}, ${place.day}`),
      h('thead', {}, h('tr', {}, heads)),
      groups(listing, rows).map((each) => group(listing, each, place)),
      columns.some((each) => each.summed) && h('tfoot', {}, h('tr', {}, totals)),
    ),
  );
}

/** @param {Listing} listing @param {{heading: string, rows: Row[]}} of @param {Place} place */
function group(listing, { heading, rows }, place) {
  const { columns } = listing;
  const line = (/** @type {Row} */ row) =>
    columns.map((each) =>
      h(
        'td',
        { class: side(each) },
        each.kind === 'numbers' && row[each.key] !== null
          ? ballList(row, each.key, place)
          : cell(each, row[each.key], place),
      ),
    );
  return h(
    'tbody',
    {},
    heading &&
      h(
        'tr',
        { class: 'group-head' },
        h('th', { colSpan: columns.length, scope: 'rowgroup' }, heading),
      ),
    rows.map((row) => h('tr', {}, line(row))),
  );
}

/** @param {Row} row @param {string} key @param {Place} place */
function ballList(row, key, place) {
  return h(
    'ol',
    { class: 'balls', 'aria-label': `Balls of ${place.letter}-${row.game} in their order` },
    balls(String(row[key])).map((each) => h('li', {}, each)),
  );
}
