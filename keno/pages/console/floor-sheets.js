// The dialogs of the floor: a station in detail with its switch, and a message to a location.

import { h, say } from '../shared/dom.js';
import { count } from '../shared/format.js';
import { approval, confirmApproved, STATION_KEEPERS } from './approval.js';
import { words } from './ask.js';
import { countDrawer } from './floor-drawer.js';
import { messageReach, stationFacts } from './floor-station-words.js';
import { stationName } from './floor-words.js';
import { button, facts, field, sheet, statusLine } from './frame.js';

/** @import { StatusLine } from './frame.js' */
/** @import { FloorWatch } from './floor-data.js' */
/** @import { FloorLocation, FloorStation } from '../shared/protocol.js' */
/** @import { FloorParts } from './types.js' */

/** Maximum characters of a message. */
const TEXT_MAX = 200;

/**
 * @param {FloorWatch} watch
 * @param {string} name
 */
function findStation(watch, name) {
  for (const place of watch.floor?.locations ?? []) {
    const station = place.stations.find((each) => each.station === name);
    if (station) return { place, station };
  }
  return null;
}

/**
 * Open the dialog of a station: its facts, and the button that switches it on or off.
 * @param {string} name
 * @param {FloorParts} parts
 */
export function openStation(name, parts) {
  const { session, watch, mayAct } = parts;
  const body = h('div', { class: 'form' });
  const status = statusLine();
  const acts = h('div', { class: 'acts' });
  const shown = sheet(`Station ${stationName(name)}`, [body, acts, status.element]);
  let drawn = '';
  const draw = () => {
    const found = findStation(watch, name);
    if (!found) return;
    const { place, station } = found;
    const rows = stationFacts(station, place, {
      people: watch.floor?.people ?? {},
      lettered: (watch.floor?.locations.length ?? 0) > 1,
      zone: session.locations.find((each) => each.location === place.location)?.zone,
    });
    const now = JSON.stringify([rows, station.enabled]);
    if (now === drawn) return;
    drawn = now;
    body.replaceChildren(facts(rows));
    if (mayAct) acts.replaceChildren(...stationActs(station, status, parts));
  };
  watch.addEventListener('change', draw);
  shown.closed.then(() => watch.removeEventListener('change', draw));
  draw();
}

/**
 * The buttons of a station: the switch, and the count of a drawer that its writer left.
 * @param {FloorStation} station
 * @param {StatusLine} status
 * @param {FloorParts} parts
 */
function stationActs(station, status, parts) {
  const { shift } = station;
  const flip = button(
    station.enabled ? 'Switch the station off' : 'Switch the station on',
    () => switchStation(station, status, parts),
    { grave: station.enabled },
  );
  if (!shift || shift.writer === parts.session.person) return [flip];
  return [button('Count and close the drawer', () => countDrawer(station, shift, parts)), flip];
}

/**
 * @param {FloorStation} station
 * @param {StatusLine} status
 * @param {FloorParts} parts
 */
function switchStation(station, status, { ask, session, watch }) {
  const on = !station.enabled;
  const name = `Station ${stationName(station.station)}`;
  const about = on ? switchOnWords(name) : switchOffWords(name, station);
  confirmApproved(about, approval(session, STATION_KEEPERS), async (given) => {
    await ask('enable_station', { station: station.station, enabled: on, ...given });
    status.good(on ? `${name} is switched on.` : `${name} is switched off.`);
    await watch.refresh();
  });
}

/** @param {string} name */
function switchOnWords(name) {
  return {
    title: `Switch ${name} on?`,
    words: ['It may connect again with its own key; its writer signs in anew.'],
    act: 'Switch it on',
    grave: false,
  };
}

/**
 * @param {string} name
 * @param {FloorStation} station
 */
function switchOffWords(name, station) {
  return {
    title: `Switch ${name} off?`,
    words: [
      'Its line is cut at once: it sells nothing and pays nothing until it is switched on again.',
      station.shift
        ? 'Its drawer stays open; the writer can go on at another station.'
        : 'Nobody has a drawer there.',
    ],
    act: 'Switch it off',
    grave: true,
  };
}

/**
 * Open the dialog that sends a message to the stations of a location.
 * @param {string} location
 * @param {FloorParts} parts
 */
export function openMessage(location, { ask, watch }) {
  const place = watch.floor?.locations.find((each) => each.location === location);
  if (!place) return;
  const { reached, missed } = messageReach(place);
  const text = field('Message', { rows: 3, maxLength: TEXT_MAX });
  const left = h('p', { class: 'field-note' }, `${TEXT_MAX} characters left`);
  text.input.addEventListener('input', () =>
    say(left, `${count(TEXT_MAX - text.value.length, 'character')} left`),
  );
  const send = async () => {
    if (!text.typed()) return text.refuse('Write what the stations shall read.');
    try {
      await ask('tell', { location, text: text.typed() });
      const done = button('Done', () => shown.close());
      body.replaceChildren(sentWords(reached), h('div', { class: 'acts' }, done));
      return done.focus();
    } catch (error) {
      return text.refuse(words(error));
    }
  };
  const body = h(
    'div',
    { class: 'form' },
    h(
      'p',
      { class: 'running' },
      reachWords(place, reached),
      missed.length > 0 && ` Not reached: ${missed.join(', ')}.`,
    ),
    text.element,
    left,
    h('div', { class: 'acts' }, button('Send the message', send, { go: true })),
  );
  const shown = sheet(`Message to ${place.name}`, body);
  text.focus();
}

/**
 * @param {FloorLocation} place
 * @param {string[]} reached
 */
function reachWords(place, reached) {
  return reached.length
    ? `Goes to ${count(reached.length, 'station')} of ${place.name}: ${reached.join(', ')}.`
    : `No station of ${place.name} is connected now.`;
}

/** @param {string[]} reached */
function sentWords(reached) {
  return h(
    'p',
    { class: 'status', role: 'status', data: { kind: 'good' } },
    reached.length ? `Sent to ${reached.join(', ')}.` : 'Sent; no station was there to read it.',
  );
}
