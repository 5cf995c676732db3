// Draws the right of the floor: the stations by location, and beneath them the exceptions.

import { attribute, h, say } from '../shared/dom.js';
import { timeExact } from '../shared/format.js';
import { keyedList, panel } from './frame.js';
import { openMessage, openStation } from './floor-sheets.js';
import { paperWords } from './floor-station-words.js';
import { stationMark, stationView, unusual } from './floor-words.js';

/** @import { Exceptional } from './floor-words.js' */
/** @import { FloorLocation, FloorStation } from '../shared/protocol.js' */
/** @import { FloorParts } from './types.js' */

/** Maximum exceptions that are listed. */
const LISTED = 30;
/** Level of the gauge, 0 to 1, by a station's paper. @type {Record<string, number>} */
const LEVELS = { ok: 0.82, low: 0.16, out: 0 };

/** @param {FloorParts} parts */
export function createStations(parts) {
  const { watch } = parts;
  const list = h('div', { class: 'stations' });
  const exceptions = createExceptions(parts);
  const element = h('div', { class: 'column floor-side' }, list, exceptions.element);
  const paintList = keyedList(
    list,
    (/** @type {FloorLocation} */ place) => place.location,
    (place) => createPlace(place, parts),
  );
  return {
    element,
    paint() {
      if (!watch.floor) return;
      paintList(watch.floor.locations);
      exceptions.paint();
    },
    stop() {},
  };
}

/**
 * Create the tiles of a location's stations.
 * @param {FloorLocation} of
 * @param {FloorParts} parts
 */
function createPlace(of, parts) {
  const head = h('div', { class: 'stations-head' }, h('h3', {}, of.name));
  const tiles = h('ul', { class: 'tiles' });
  const none = h('p', { class: 'nothing' }, 'No stations yet.');
  if (parts.mayAct)
    head.append(
      h(
        'button',
        {
          type: 'button',
          class: 'quiet-button',
          on: { click: () => openMessage(of.location, parts) },
        },
        'Message',
        h('span', { class: 'for-readers' }, ` to ${of.name}`),
      ),
    );
  const paintTiles = keyedList(
    tiles,
    (/** @type {FloorStation} */ station) => station.station,
    (station) => createTile(station, parts),
  );
  return {
    element: h('section', { 'aria-label': of.name }, head, tiles, none),
    /** @param {FloorLocation} place */
    paint(place) {
      none.hidden = place.stations.length > 0;
      paintTiles(place.stations);
    },
  };
}

/**
 * @param {FloorStation} of
 * @param {FloorParts} parts
 */
function createTile(of, parts) {
  const { watch } = parts;
  const mark = h('span');
  const name = h('b');
  const note = h('span');
  const gauge = h('span', { class: 'gauge' }, h('i'));
  const more = h('span', { class: 'for-readers' });
  const tile = h(
    'button',
    { type: 'button', class: 'tile', on: { click: () => openStation(of.station, parts) } },
    h('span', { class: 'tile-mark' }, h('span', { class: 'for-readers' }, 'Station '), mark),
    h('span', { class: 'tile-words' }, name, note),
    gauge,
    more,
  );
  return {
    element: h('li', {}, tile),
    /** @param {FloorStation} station */
    paint(station) {
      const seen = stationView(station, watch.floor?.people, watch.now(), watch.signal);
      const paper = paperWords(seen.paper);
      const isSaid = seen.kind === 'closed' || seen.look === paper;
      tile.dataset.kind = seen.kind;
      attribute(tile, 'data-look', seen.look ? '' : null);
      say(mark, stationMark(station.station));
      say(name, seen.name);
      say(note, seen.note);
      gauge.dataset.paper = seen.paper;
      gauge.style.setProperty('--level', String(LEVELS[seen.paper] ?? 0));
      const waits = station.authorisations.length ? ', waits for a supervisor' : '';
      say(more, `${waits}${isSaid ? '' : `, ${paper.toLowerCase()}`}`);
    },
  };
}

/**
 * Create the list of exceptions, newest first.
 * @param {FloorParts} parts
 */
function createExceptions({ session, watch }) {
  const list = h('ol', {
    class: 'odd-list',
    tabIndex: 0,
    'aria-label': 'Exceptions, the newest first',
    'aria-live': 'polite',
    'aria-relevant': 'additions',
  });
  const calm = h('p', { class: 'nothing' }, 'Nothing out of the ordinary.');
  const since = new Map();
  const paintList = keyedList(
    list,
    (/** @type {Exceptional} */ each) => each.key,
    () => createException(session.locations[0]?.zone),
  );
  return {
    element: panel('Exceptions', { class: 'odd' }, list, calm),
    paint() {
      if (!watch.floor) return;
      const found = unusual(watch.floor, session.person, watch.now(), since).slice(0, LISTED);
      calm.hidden = found.length > 0;
      paintList(found);
    },
  };
}

/** @param {string | undefined} zone */
function createException(zone) {
  const when = h('time');
  const about = h('b');
  const rest = h('span');
  const why = h('q');
  const element = h('li', {}, when, h('span', {}, about, rest, why));
  return {
    element,
    /** @param {Exceptional} each */
    paint(each) {
      element.dataset.kind = each.kind;
      say(when, timeExact(each.ms, zone).replace(/ [AP]M$/, ''));
      say(about, each.about);
      say(rest, ` ${each.rest}`);
      say(why, each.reason);
      why.hidden = !each.reason;
    },
  };
}
