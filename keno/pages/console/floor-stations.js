// The right of the floor: the stations by location, and beneath them what is out of the ordinary.

import { attribute, h, say } from '../shared/dom.js';
import { count, money, time, timeExact } from '../shared/format.js';
import { button, confirm, facts, field, keyed, panel, sheet, statusLine } from './frame.js';
import { words } from './ask.js';
import {
  personName,
  stationMark,
  stationName,
  stationView,
  ticketName,
  unusual,
} from './floor-words.js';

const LISTED = 30;
const TEXT_MAX = 200;
const LEVELS = { ok: 0.82, low: 0.16, out: 0 };
const PAPER = {
  ok: 'Paper in order',
  low: 'Paper low',
  out: 'No paper',
  unknown: 'Paper not known',
};

export function createStations({ session, ask, watch, mayAct }) {
  const list = h('div', { class: 'stations' });
  const element = h('div', { class: 'column floor-side' }, list);
  const odd = h('ol', {
    class: 'odd-list',
    tabIndex: 0,
    'aria-label': 'Exceptions, the newest first',
    'aria-live': 'polite',
    'aria-relevant': 'additions',
  });
  const calm = h('p', { class: 'nothing' }, 'Nothing out of the ordinary.');
  element.append(panel('Exceptions', { class: 'odd' }, odd, calm));
  const since = new Map();
  const zone = (location) => session.locations?.find((each) => each.location === location)?.zone;
  const find = (name) => {
    const place = watch.floor.locations.find((each) =>
      each.stations.some((station) => station.station === name),
    );
    return place && { place, station: place.stations.find((each) => each.station === name) };
  };

  function paint() {
    const { floor } = watch;
    if (!floor) return;
    keyed(
      list,
      floor.locations,
      (place) => place.location,
      (place) => createPlace(place),
    );
    floor.locations.forEach((place, index) => paintPlace(list.children[index], place));
    const found = unusual(floor, session.person, watch.now(), since).slice(0, LISTED);
    calm.hidden = found.length > 0;
    keyed(
      odd,
      found,
      (each) => each.key,
      () => h('li', {}, h('time'), h('span', {}, h('b'), h('span'), h('q'))),
    );
    found.forEach((each, index) => paintOdd(odd.children[index], each));
  }

  function createPlace(place) {
    const head = h('div', { class: 'stations-head' }, h('h3', {}, place.name));
    if (mayAct)
      head.append(
        h(
          'button',
          { type: 'button', class: 'quiet-button', on: { click: () => tell(place.location) } },
          'Message',
          h('span', { class: 'for-readers' }, ` to ${place.name}`),
        ),
      );
    return h(
      'section',
      { 'aria-label': place.name },
      head,
      h('ul', { class: 'tiles' }),
      h('p', { class: 'nothing' }, 'No stations yet.'),
    );
  }

  function paintPlace(section, place) {
    const tiles = section.children[1];
    section.children[2].hidden = place.stations.length > 0;
    keyed(
      tiles,
      place.stations,
      (station) => station.station,
      (station) =>
        h(
          'li',
          {},
          createTile(() => look(station.station)),
        ),
    );
    place.stations.forEach((station, index) =>
      paintTile(tiles.children[index].firstChild, station),
    );
  }

  function paintTile(tile, station) {
    const seen = stationView(station, watch.floor.people, watch.now(), watch.signal);
    tile.dataset.kind = seen.kind;
    attribute(tile, 'data-look', seen.look ? '' : null);
    say(tile.children[0].lastChild, stationMark(station.station));
    say(tile.children[1].children[0], seen.name);
    say(tile.children[1].children[1], seen.note);
    const gauge = tile.children[2];
    gauge.dataset.paper = seen.paper;
    gauge.style.setProperty('--level', LEVELS[seen.paper] ?? 0);
    const waits = station.authorisations.length ? ', waits for a supervisor' : '';
    say(
      tile.children[3],
      `${waits}${seen.kind === 'closed' || seen.look === PAPER[seen.paper] ? '' : `, ${PAPER[seen.paper].toLowerCase()}`}`,
    );
  }

  function paintOdd(row, each) {
    row.dataset.kind = each.kind;
    say(row.children[0], timeExact(each.ms, session.locations?.[0]?.zone).replace(/ [AP]M$/, ''));
    const [about, rest, why] = row.children[1].children;
    say(about, each.about);
    say(rest, ` ${each.rest}`);
    say(why, each.reason);
    why.hidden = !each.reason;
  }

  /** A station in detail, and its switch. */
  function look(name) {
    const body = h('div', { class: 'form' });
    const said = statusLine();
    const acts = h('div', { class: 'acts' });
    const shown = sheet(`Station ${stationName(name)}`, body, acts, said.element);
    let drawn = '';
    const draw = () => {
      const found = find(name);
      if (!found) return;
      const rows = detailRows(found.station, found.place);
      const now = JSON.stringify([rows, found.station.enabled]);
      if (now === drawn) return;
      drawn = now;
      body.replaceChildren(facts(rows));
      if (mayAct)
        acts.replaceChildren(
          button(
            found.station.enabled ? 'Switch the station off' : 'Switch the station on',
            () => turn(found.station, said),
            { grave: found.station.enabled },
          ),
        );
    };
    watch.addEventListener('change', draw);
    shown.closed.then(() => watch.removeEventListener('change', draw));
    draw();
  }

  function detailRows(station, place) {
    const { people } = watch.floor;
    const lettered = watch.floor.locations.length > 1 ? place.letter : '';
    const { shift, unprinted } = station;
    const cents = Object.entries(shift?.expected_cents ?? {}).filter(([, each]) => each !== 0);
    const total = cents.reduce((sum, [, each]) => sum + each, 0);
    return [
      ['Location', place.name],
      [
        'Line',
        !station.enabled ? 'Switched off' : station.connected ? 'Connected' : 'Not connected',
      ],
      ['Signed in', station.writer ? personName(people, station.writer) : 'Nobody'],
      [
        'Drawer of',
        shift
          ? `${personName(people, shift.writer)}, since ${time(shift.opened_ms, zone(place.location))}`
          : 'No drawer open',
      ],
      shift && ['Drawer should hold', money(total)],
      ...(cents.length > 1
        ? cents.map(([kind, each]) => [`of that ${kind.replaceAll('_', ' ')}`, money(each)])
        : []),
      shift?.locked && ['Break', 'Locked for a break'],
      station.connected && [
        'Printer',
        `${station.printer === 'stopped' ? 'Stopped' : station.printer === 'ready' ? 'Ready' : 'Not known'}, ${PAPER[station.paper ?? 'unknown'].toLowerCase()}`,
      ],
      unprinted.count > 0 && [
        'Prints to confirm',
        `${count(unprinted.count, 'ticket')}, the oldest ${ticketName(unprinted.oldest_ticket, lettered)}, sold ${timeExact(unprinted.oldest_ms, zone(place.location))}`,
      ],
      ...station.authorisations.map((each) => [
        'Waits for you',
        `${money(each.amount_cents)}, ticket ${ticketName(each.ticket, lettered)}`,
      ]),
    ];
  }

  async function turn(station, said) {
    const on = !station.enabled;
    const name = `Station ${stationName(station.station)}`;
    const sure = await confirm(
      on
        ? {
            title: `Switch ${name} on?`,
            words: 'It may connect again with its own key; its writer signs in anew.',
            act: 'Switch it on',
          }
        : {
            title: `Switch ${name} off?`,
            words: [
              'Its line is cut at once: it sells nothing and pays nothing until it is switched on again.',
              station.shift
                ? 'Its drawer stays open; the writer can go on at another station.'
                : 'Nobody has a drawer there.',
            ],
            act: 'Switch it off',
            grave: true,
          },
    );
    if (!sure) return;
    try {
      await ask('enable_station', { station: station.station, enabled: on });
      said.good(on ? `${name} is switched on.` : `${name} is switched off.`);
      await watch.refresh();
    } catch (error) {
      said.no(error);
    }
  }

  /** A message to the stations of a location. */
  function tell(location) {
    const place = watch.floor.locations.find((each) => each.location === location);
    const reach = place.stations
      .filter((each) => each.enabled && each.connected)
      .map((each) => stationName(each.station));
    const missed = place.stations
      .filter((each) => each.enabled && !each.connected && each.shift)
      .map((each) => stationName(each.station));
    const text = field('Message', { rows: 3, maxLength: TEXT_MAX });
    const left = h('p', { class: 'field-note' }, `${TEXT_MAX} characters left`);
    text.input.addEventListener('input', () =>
      say(left, `${count(TEXT_MAX - text.value.length, 'character')} left`),
    );
    const to = reach.length
      ? `Goes to ${count(reach.length, 'station')} of ${place.name}: ${reach.join(', ')}.`
      : `No station of ${place.name} is connected now.`;
    const go = button(
      'Send the message',
      async () => {
        if (!text.value.trim()) return text.refuse('Write what the stations shall read.');
        try {
          await ask('tell', { location, text: text.value.trim() });
          const sent = h(
            'p',
            { class: 'status', role: 'status', data: { kind: 'good' } },
            reach.length
              ? `Sent to ${reach.join(', ')}.`
              : 'Sent; no station was there to read it.',
          );
          const done = button('Done', () => shown.close(true));
          body.replaceChildren(sent, h('div', { class: 'acts' }, done));
          return done.focus();
        } catch (error) {
          return text.refuse(words(error));
        }
      },
      { go: true },
    );
    const body = h(
      'div',
      { class: 'form' },
      h('p', { class: 'running' }, to, missed.length > 0 && ` Not reached: ${missed.join(', ')}.`),
      text.element,
      left,
      h('div', { class: 'acts' }, go),
    );
    const shown = sheet(`Message to ${place.name}`, body);
    text.focus();
  }

  return { element, paint, stop() {} };
}

function createTile(look) {
  return h(
    'button',
    { type: 'button', class: 'tile', on: { click: look } },
    h('span', { class: 'tile-mark' }, h('span', { class: 'for-readers' }, 'Station '), h('span')),
    h('span', { class: 'tile-words' }, h('b'), h('span')),
    h('span', { class: 'gauge' }, h('i')),
    h('span', { class: 'for-readers' }),
  );
}
