// Reports: the listings that the law names, by location and gaming day; on the screen, as PDF, as
// CSV.

import { h, put } from '../shared/dom.js';
import { count } from '../shared/format.js';
import { button, field, panel, refused } from './frame.js';
import {
  balls,
  cell,
  dayWords,
  FORMS,
  groups,
  isoDay,
  isRight,
  stepDay,
  sums,
} from './reports-forms.js';
import { pickPlace, placeOf } from './room-parts.js';

/**
 * @typedef {{location: string, listing: string, day: string}} Asked
 * @typedef {SessionLocation & {day: string}} Place
 */
/** @import { Column, Form } from './reports-forms.js' */
/** @import { ListingRow, SessionLocation, Tab, View } from './types.js' */

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
  /** What was asked for last, as JSON. */
  let waits = '';
  let listing = (stay.listing ??= Object.keys(FORMS)[0]);
  let on = (stay.day ??= place().gaming_day ?? isoDay(Date.now(), place().zone));
  const day = field('Gaming day', { type: 'date', value: on, class: 'input day-input' });
  const names = h('nav', { class: 'guide-list', 'aria-label': 'Listings' });
  const right = h('div', { class: 'report-page' });
  /** @param {string | null} to */
  const go = (to) => {
    if (!to) return;
    stay.day = on = to;
    day.value = to;
    load();
  };
  const side = panel(
    'Reports',
    { class: 'report-choice' },
    pickPlace(session, place().location, (location) => {
      stay.location = location;
      load();
    }),
    day.element,
    h(
      'div',
      { class: 'day-steps' },
      button('Day before', () => go(stepDay(on, -1))),
      button('Day after', () => go(stepDay(on, 1))),
    ),
    names,
  );
  page.append(h('div', { class: 'side-by-side' }, side, right));
  day.input.addEventListener('change', () => day.value && go(day.value));

  /** @param {[string, Form]} named */
  const entry = ([id, form]) => {
    const choose = () => {
      stay.listing = listing = id;
      load();
      /** @type {HTMLElement | null} */
      const chosen = names.querySelector('[aria-current]');
      chosen?.focus();
    };
    return h(
      'button',
      {
        type: 'button',
        class: 'guide-entry',
        'aria-current': id === listing ? 'true' : null,
        on: { click: choose },
      },
      h('span', {}, form.title),
      form.clause && h('span', { class: 'quiet clause' }, form.clause),
    );
  };

  async function load() {
    put(names, Object.entries(FORMS).map(entry));
    const asked = { location: place().location, listing, day: on };
    const now = JSON.stringify(asked);
    waits = now;
    try {
      const rows = await ask('listing', asked);
      if (waits === now) put(right, report(asked, rows, { ...place(), day: asked.day }));
    } catch (error) {
      if (waits === now)
        put(right, panel(FORMS[asked.listing].title, { class: 'report' }, refused(error)));
    }
  }
  load();
  return () => {
    waits = '';
  };
}

/**
 * @param {Asked} asked
 * @param {ListingRow[]} rows
 * @param {Place} place
 */
function report(asked, rows, place) {
  const form = FORMS[asked.listing];
  /** @param {string} kind */
  const path = (kind) =>
    `/api/listings/${encodeURIComponent(asked.location)}/${asked.listing}.${kind}?day=${asked.day}`;
  const links = h(
    'span',
    { class: 'report-links' },
    h('a', { class: 'file', href: path('pdf'), target: '_blank' }, 'PDF'),
    h('a', { class: 'file', href: path('csv'), download: '' }, 'CSV'),
  );
  return panel(
    form.title,
    { class: 'report', aside: links },
    h(
      'p',
      { class: 'report-what' },
      `${place.name}, ${dayWords(asked.day)}`,
      rows.length > 0 && h('b', {}, count(rows.length, form.one, form.many)),
      h(
        'span',
        { class: 'quiet' },
        [form.clause && `N.J.A.C. 19:47-${form.clause}`, form.what].filter(Boolean).join('. '),
      ),
    ),
    rows.length ? listing(form, rows, place) : nothing(form, place),
  );
}

/**
 * A day on which nothing of the kind happened: that is a finding too.
 * @param {Form} form
 * @param {Place} place
 */
function nothing(form, place) {
  return h(
    'div',
    { class: 'report-none' },
    h('p', {}, form.none),
    h(
      'p',
      { class: 'quiet' },
      `${place.name}, ${dayWords(place.day)}. The PDF says the same, for the file.`,
    ),
  );
}

/**
 * @param {Form} form
 * @param {ListingRow[]} rows
 * @param {Place} place
 */
function listing(form, rows, place) {
  /** @param {Column} column */
  const side = (column) => `${isRight(column) ? 'right' : ''}${column.wide ? ' wide' : ''}`.trim();
  /** @param {{heading: string, rows: ListingRow[]}} group */
  const body = ({ heading, rows: some }) =>
    h(
      'tbody',
      {},
      heading &&
        h(
          'tr',
          { class: 'group-head' },
          h('th', { colSpan: form.columns.length, scope: 'rowgroup' }, heading),
        ),
      some.map((row) =>
        h(
          'tr',
          {},
          form.columns.map((column) =>
            h(
              'td',
              { class: side(column) },
              column.kind === 'balls' ? ballList(row, place) : cell(column, row[column.key], place),
            ),
          ),
        ),
      ),
    );
  const adds = form.columns.some((column) => column.added);
  return h(
    'div',
    { class: 'table', role: 'region', 'aria-label': form.title, tabIndex: 0 },
    h(
      'table',
      {},
      h('caption', { class: 'for-readers' }, `${form.title}, ${place.name}, ${place.day}`),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          form.columns.map((column) => h('th', { scope: 'col', class: side(column) }, column.head)),
        ),
      ),
      groups(form, rows).map(body),
      adds &&
        h(
          'tfoot',
          {},
          h(
            'tr',
            {},
            sums(form, rows).map((words, at) =>
              h('td', { class: side(form.columns[at]) }, at === 0 ? 'In all' : words),
            ),
          ),
        ),
    ),
  );
}

/**
 * @param {ListingRow} row
 * @param {Place} place
 */
function ballList(row, place) {
  return h(
    'ol',
    { class: 'balls', 'aria-label': `Balls of ${place.letter}-${row.game} in their order` },
    balls(row.numbers).map((each) => h('li', {}, each)),
  );
}
