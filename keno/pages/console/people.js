// People and stations: who may sign in and as what, and which machines may sell. Administrators only.

import { h, put } from '../shared/dom.js';
import { count } from '../shared/format.js';
import { button, confirm, panel, refused, statusLine, table } from './frame.js';
import { addPerson, changePerson, enrolStation } from './people-sheets.js';
import { roleWords, stationWords } from './people-words.js';
import { copyable, toned } from './room-parts.js';

export const tab = { id: 'people', name: 'People and stations', roles: ['administrator'], open };

function open({ page, session, ask }) {
  const people = h('div', { class: 'people-side' });
  const stations = h('div', { class: 'people-side' });
  const [status, told] = [statusLine(), statusLine()];
  page.append(h('div', { class: 'people' }, people, stations));

  async function load() {
    try {
      const staff = await ask('staff');
      put(people, peoplePanel(staff), rolesPanel(staff));
      put(stations, stationsPanel(staff));
    } catch (error) {
      put(people, panel('People and stations', {}, refused(error)));
      put(stations);
    }
  }

  /** Say what was done beside what was done to; the focus goes where it was. */
  const done = (line, keep) => async (words) => {
    await load();
    for (const each of [status, told]) each.clear();
    line.good(words);
    setTimeout(() => page.querySelector(`[data-keep="${CSS.escape(keep)}"]`)?.focus());
  };
  const kept = (made, keep, label = '') => {
    made.dataset.keep = keep;
    if (label) made.setAttribute('aria-label', label);
    return made;
  };

  const peoplePanel = (staff) => {
    const active = staff.people.filter((each) => each.active).length;
    const columns = [
      { head: 'Name', cell: (row) => h('b', { class: row.active ? '' : 'inactive' }, row.name) },
      { head: 'Signs in as', cell: (row) => h('span', { class: 'code' }, row.person) },
      { head: 'Role', cell: (row) => roleWords(row.role) },
      {
        head: 'Signing key',
        cell: (row) =>
          row.has_key
            ? h('span', { class: 'good' }, 'Has one')
            : ['supervisor', 'manager'].includes(row.role)
              ? h('span', { class: 'look' }, 'None yet')
              : h('span', { class: 'quiet' }, '–'),
      },
      {
        head: 'May sign in',
        cell: (row) => (row.active ? 'Yes' : h('span', { class: 'quiet' }, 'No')),
      },
      {
        head: '',
        right: true,
        cell: (row) =>
          row.person === session.person
            ? h('span', { class: 'quiet' }, 'You. Nobody changes their own role.')
            : change(row),
      },
    ];
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
      table(columns, staff.people, { caption: 'People, by name', none: 'Nobody.' }),
      h(
        'div',
        { class: 'acts people-acts' },
        kept(
          button(
            'Add a person',
            () =>
              addPerson(
                ask,
                staff.roles.map((each) => each.role),
                done(status, 'add'),
              ),
            { go: true },
          ),
          'add',
        ),
        status.element,
      ),
    );
  };

  const change = (row) =>
    kept(
      button('Change', () => changePerson(ask, row, done(status, `change-${row.person}`))),
      `change-${row.person}`,
      `Change ${row.name}`,
    );

  const stationsPanel = (staff) => {
    const places = new Map(staff.locations.map((each) => [each.location, each]));
    const turn = async (station) => {
      const enabled = !station.enabled;
      const words = enabled
        ? `Station ${station.station} may connect and sell again.`
        : `Station ${station.station} is cut off at once and sells nothing until it is switched on again. A shift that is open stays open.`;
      if (
        !(await confirm({
          title: `${enabled ? 'Switch on' : 'Switch off'} station ${station.station}?`,
          words,
          act: enabled ? 'Switch on' : 'Switch off',
          grave: !enabled,
        }))
      )
        return;
      try {
        await ask('enable_station', { station: station.station, enabled });
        await done(
          told,
          `turn-${station.station}`,
        )(`Station ${station.station} is switched ${enabled ? 'on' : 'off'}.`);
      } catch (error) {
        told.no(error);
      }
    };
    return panel(
      'Stations',
      { aside: `${count(staff.stations.length, 'station')}` },
      staff.stations.length
        ? h(
            'ul',
            { class: 'station-list' },
            staff.stations.map((each) =>
              stationRow(
                each,
                places.get(each.location),
                kept(
                  button(each.enabled ? 'Switch off' : 'Switch on', () => turn(each)),
                  `turn-${each.station}`,
                  `${each.enabled ? 'Switch off' : 'Switch on'} station ${each.station}`,
                ),
              ),
            ),
          )
        : h('p', { class: 'nothing' }, 'No station is enrolled. Nothing can be sold.'),
      h(
        'div',
        { class: 'acts people-acts' },
        kept(
          button('Enrol a station', () => enrolStation(ask, staff.locations, done(told, 'enrol'))),
          'enrol',
        ),
        told.element,
      ),
    );
  };

  load();
  return () => {};
}

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
