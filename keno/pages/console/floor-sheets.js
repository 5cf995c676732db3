// The sheets of the floor: a station in detail with its switch, and a message to a location.

import { h, say } from '../shared/dom.js';
import { count } from '../shared/format.js';
import { words } from './ask.js';
import { messageReach, stationFacts } from './floor-station-words.js';
import { stationName } from './floor-words.js';
import { button, confirm, facts, field, sheet, statusLine } from './frame.js';

/** @import { StatusLine } from './frame.js' */
/** @import { FloorWatch } from './floor-data.js' */
/** @import { FloorLocation, FloorParts, FloorStation } from './types.js' */

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
 * A station in detail, and its switch.
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
    if (mayAct)
      acts.replaceChildren(
        button(
          station.enabled ? 'Switch the station off' : 'Switch the station on',
          () => switchStation(station, status, parts),
          { grave: station.enabled },
        ),
      );
  };
  watch.addEventListener('change', draw);
  shown.closed.then(() => watch.removeEventListener('change', draw));
  draw();
}

/**
 * @param {FloorStation} station
 * @param {StatusLine} status
 * @param {FloorParts} parts
 */
async function switchStation(station, status, { ask, watch }) {
  const on = !station.enabled;
  const name = `Station ${stationName(station.station)}`;
  const sure = await confirm(on ? switchOnWords(name) : switchOffWords(name, station));
  if (!sure) return;
  try {
    await ask('enable_station', { station: station.station, enabled: on });
    status.good(on ? `${name} is switched on.` : `${name} is switched off.`);
    await watch.refresh();
  } catch (error) {
    status.no(error);
  }
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
 * A message to the stations of a location.
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
