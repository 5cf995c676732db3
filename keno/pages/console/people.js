// The tab of people and stations: who may sign in and with which role, and which stations may sell.
// Administrators only.

import { h, put } from '../shared/dom.js';
import { count } from '../shared/format.js';
import { approval, confirmApproved, STATION_KEEPERS } from './approval.js';
import { button, panel, refused, statusLine, table } from './frame.js';
import { addPerson, changePerson, enrolStation } from './people-sheets.js';
import { roleWords, stationWords } from './people-words.js';
import { copyable, toned } from './room-parts.js';

/** @import { StatusLine } from './frame.js' */
/**
 * @import { Staff, StaffLocation, StaffPerson, StaffStation } from '../shared/protocol.js'
 * @import { Ask, Session, Tab, View } from './types.js'
 */

/**
 * What both panels need. `done(keep)` returns the function to call with the words for what was
 * done; it then focuses the element with that `data-keep`.
 * @typedef {{ask: Ask, session: Session, status: StatusLine,
 *   done: (keep: string) => (words: string) => Promise<void>}} Side
 */

/** @type {Tab} */
export const tab = { id: 'people', name: 'People and stations', roles: ['administrator'], open };

/** Roles that sign payouts. */
const SIGNERS = ['supervisor', 'manager'];

/** @param {View} view */
function open({ page, session, ask }) {
  const people = h('div', { class: 'people-side' });
  const stations = h('div', { class: 'people-side' });
  const lines = [statusLine(), statusLine()];
  page.append(h('div', { class: 'people' }, people, stations));

  async function load() {
    try {
      const staff = await ask('staff', {});
      put(people, peoplePanel(staff, sides[0]), rolesPanel(staff));
      put(stations, stationsPanel(staff, sides[1]));
    } catch (error) {
      put(people, panel('People and stations', {}, refused(error)));
      put(stations);
    }
  }

  /** @type {Side[]} */
  const sides = lines.map((status) => ({
    ask,
    session,
    status,
    done: (keep) => async (words) => {
      await load();
      for (const each of lines) each.clear();
      status.good(words);
      setTimeout(() => {
        /** @type {HTMLElement | null} */
        const kept = page.querySelector(`[data-keep="${CSS.escape(keep)}"]`);
        kept?.focus();
      });
    },
  }));
  load();
  return () => {};
}

/**
 * Mark an element so that it gets the focus back.
 * @param {HTMLElement} made
 * @param {string} keep
 * @param {string} [label]
 */
function kept(made, keep, label = '') {
  made.dataset.keep = keep;
  if (label) made.setAttribute('aria-label', label);
  return made;
}

/**
 * @param {Staff} staff
 * @param {Side} side
 */
function peoplePanel(staff, side) {
  const { session, status, done } = side;
  const active = staff.people.filter((each) => each.active).length;
  const roles = staff.roles.map((each) => each.role);
  const add = button('Add a person', () => addPerson(side, roles, done('add')), { go: true });
  /** @param {StaffPerson} row */
  const change = (row) =>
    kept(
      button('Change', () => changePerson(side, row, done(`change-${row.person}`))),
      `change-${row.person}`,
      `Change ${row.name}`,
    );
  /** @param {StaffPerson} row */
  const acts = (row) =>
    row.person === session.person
      ? h('span', { class: 'quiet' }, 'You. Nobody changes their own role.')
      : change(row);
  return panel(
    'People',
    {
      aside: h(
        'span',
        { class: 'report-links' },
        h('span', { class: 'quiet' }, `${count(active, 'person', 'people')} may sign in`),
        h('a', { class: 'file', href: '/api/access.csv', download: '' }, 'Access listing, CSV'),
      ),
    },
    table([...PERSON_COLUMNS, { head: '', right: true, cell: acts }], staff.people, {
      caption: 'People, by name',
      none: 'Nobody.',
    }),
    h('div', { class: 'acts people-acts' }, kept(add, 'add'), status.element),
  );
}

/** @type {{head: string, cell: (row: StaffPerson) => HTMLElement | string}[]} */
const PERSON_COLUMNS = [
  { head: 'Name', cell: (row) => h('b', { class: row.active ? '' : 'inactive' }, row.name) },
  { head: 'Signs in as', cell: (row) => h('span', { class: 'code' }, row.person) },
  { head: 'Role', cell: (row) => roleWords(row.role) },
  { head: 'Signing key', cell: keyWords },
  {
    head: 'May sign in',
    cell: (row) => (row.active ? 'Yes' : h('span', { class: 'quiet' }, 'No')),
  },
];

/** @param {StaffPerson} row */
function keyWords(row) {
  if (row.has_key) return h('span', { class: 'good' }, 'Has one');
  return SIGNERS.includes(row.role)
    ? h('span', { class: 'look' }, 'None yet')
    : h('span', { class: 'quiet' }, '–');
}

/**
 * @param {Staff} staff
 * @param {Side} side
 */
function stationsPanel(staff, side) {
  const { status, done } = side;
  const places = new Map(staff.locations.map((each) => [each.location, each]));
  /** @param {StaffStation} each */
  const row = (each) => {
    const words = each.enabled ? 'Switch off' : 'Switch on';
    const flip = button(words, () => switchStation(each, side));
    kept(flip, `turn-${each.station}`, `${words} station ${each.station}`);
    return stationRow(each, places.get(each.location), flip);
  };
  const enrol = button('Enrol a station', () => enrolStation(side, staff.locations, done('enrol')));
  return panel(
    'Stations',
    { aside: `${count(staff.stations.length, 'station')}` },
    staff.stations.length
      ? h('ul', { class: 'station-list' }, staff.stations.map(row))
      : h('p', { class: 'nothing' }, 'No station is enrolled. Nothing can be sold.'),
    h('div', { class: 'acts people-acts' }, kept(enrol, 'enrol'), status.element),
  );
}

/**
 * Switch a station on or off, once it is confirmed.
 * @param {StaffStation} station
 * @param {Side} side
 */
function switchStation({ station, enabled: isOn }, { ask, session, done }) {
  const enabled = !isOn;
  const act = enabled ? 'Switch on' : 'Switch off';
  const words = enabled
    ? `Station ${station} may connect and sell again.`
    : `Station ${station} is cut off at once and sells nothing until it is switched on again. ` +
      'A shift that is open stays open.';
  const title = `${act} station ${station}?`;
  const approved = approval(session, STATION_KEEPERS);
  confirmApproved({ title, words: [words], act, grave: !enabled }, approved, async (given) => {
    await ask('enable_station', { station, enabled, ...given });
    await done(`turn-${station}`)(`Station ${station} is switched ${enabled ? 'on' : 'off'}.`);
  });
}

/** @param {Staff} staff */
function rolesPanel(staff) {
  return panel(
    'What each role may do',
    { class: 'roles' },
    staff.roles.map(({ role, may }) =>
      h(
        'details',
        { class: 'role' },
        h(
          'summary',
          {},
          h('b', {}, roleWords(role)),
          h('span', { class: 'quiet' }, count(may.length, 'command')),
        ),
        h(
          'ul',
          { class: 'role-may' },
          may.map((each) =>
            h(
              'li',
              {},
              h('span', {}, each.words),
              h('span', { class: 'code quiet' }, each.command),
            ),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {StaffStation} station
 * @param {StaffLocation | undefined} place
 * @param {HTMLElement} flip the button that switches it
 */
function stationRow(station, place, flip) {
  return h(
    'li',
    { class: 'station-row', data: { enabled: String(station.enabled) } },
    h(
      'div',
      {},
      h('b', {}, station.station),
      h('span', { class: 'quiet' }, place?.name ?? station.location),
    ),
    h(
      'div',
      {},
      toned(stationWords(station)),
      copyable(station.public_key, `Public key of ${station.station}`),
    ),
    flip,
  );
}
