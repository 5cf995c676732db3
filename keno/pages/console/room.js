// The RNG room: generator, witness, keys, seals and the last draws, as this server sees them. It
// only shows. Keys are presented at the generator's own console.

import { h } from '../shared/dom.js';
import { count, day, time, timeExact } from '../shared/format.js';
import { onServerEvent } from './events.js';
import { every, facts, panel, refused, soon, table } from './frame.js';
import { copyable, repaint, tips, toned } from './room-parts.js';
import { causeWords, drawWords, partyWords, roomWord, stepMarks, stepWords } from './room-words.js';

/**
 * @import { Boot, Commitment, DrawRecord, DrawStatus, LocationDraws,
 *   PartyStatus } from '../shared/protocol.js'
 * @import { Tab, View } from './types.js'
 */

const REFRESH_MS = 5_000;
/** @import { Child } from '../shared/types.js' */
/** @import { Fact } from './frame.js' */

/** Events after which the room is fetched again. */
const TOLD = new Set(['state', 'result']);

/** @type {Tab} */
export const tab = {
  id: 'room',
  name: 'RNG room',
  roles: ['supervisor', 'manager', 'inspector', 'accounting'],
  open,
};

/** @param {View} view */
function open({ page, session, ask, events, stay }) {
  const list = h('div', { class: 'room-list' });
  const detail = h(
    'div',
    { class: 'room-detail' },
    h('p', { class: 'nothing', role: 'status' }, 'Asking for the generator and the witness …'),
  );
  page.append(h('div', { class: 'side-by-side room' }, list, detail), tips(page));
  /** @type {DrawStatus | null} */
  let room = null;
  let seen = '';

  /** @param {DrawStatus} now */
  const paint = (now) => {
    const places = [...now.locations].sort((one, other) => (one.letter < other.letter ? -1 : 1));
    const place =
      places.find((each) => each.location === stay.location) ??
      places.find((each) => each.alarms.length) ??
      places[0];
    repaint(
      list,
      places.map((each) => placeCard(each, each === place, () => choose(each.location))),
      keysNote(),
      place && unknownNote(place),
    );
    const zone = session.locations.find((each) => each.location === place?.location)?.zone;
    repaint(
      detail,
      place
        ? placeDetail(place, zone, now.server_ms)
        : panel('RNG room', {}, h('p', { class: 'nothing' }, 'This house has no location yet.')),
    );
  };
  /** @param {string} location */
  const choose = (location) => {
    stay.location = location;
    if (room) paint(room);
  };
  /** @param {boolean} quiet */
  const load = async (quiet) => {
    try {
      room = await ask('draw_room', {}, { quiet });
    } catch (error) {
      if (!room) repaint(detail, refused(error));
      return;
    }
    const now = fingerprint(room);
    if (now !== seen) paint(room);
    seen = now;
  };
  const again = soon(500, () => load(true));
  const stopListening = onServerEvent(events, ({ type }) => TOLD.has(type) && again());
  const stop = every(REFRESH_MS, () => load(true));
  load(false);
  return () => {
    stop();
    stopListening();
  };
}

/** A room as text, without times of polling; a change repaints it. @param {DrawStatus} room */
function fingerprint(room) {
  return JSON.stringify(room.locations, (key, value) => (key === 'asked_ms' ? undefined : value));
}

/**
 * @param {LocationDraws} place
 * @param {boolean} chosen
 * @param {() => void} choose
 */
function placeCard(place, chosen, choose) {
  const said = roomWord(place);
  return h(
    'button',
    {
      type: 'button',
      class: 'panel place',
      'aria-pressed': String(chosen),
      data: { keep: `place-${place.location}`, tone: said.tone },
      on: { click: choose },
    },
    h('b', {}, place.name),
    toned(said),
    h(
      'span',
      { class: 'quiet' },
      place.commitments.length ? `${place.commitments[0].name} is open` : 'No game is open',
    ),
  );
}

function keysNote() {
  return panel(
    'Keys',
    { class: 'note' },
    h(
      'p',
      { class: 'running' },
      'This page shows and changes nothing. An inspector and a supervisor present their keys at ' +
        'the generator’s own console, and nowhere else.',
    ),
    h(
      'p',
      { class: 'running' },
      'A proof file is verified on any machine, without a line: ',
      h('span', { class: 'code command' }, 'keno verify --part FILE'),
    ),
  );
}

/** @param {LocationDraws} place */
function unknownNote(place) {
  if (!place.unknown.length) return null;
  return panel(
    'What this server cannot know',
    { class: 'note' },
    h(
      'ul',
      { class: 'sentences' },
      place.unknown.map((each) => h('li', {}, each)),
    ),
  );
}

/**
 * @param {LocationDraws} place
 * @param {string | undefined} zone
 * @param {number} nowMs
 */
function placeDetail(place, zone, nowMs) {
  return [
    place.alarms.length > 0 && alarms(place, zone),
    h(
      'div',
      { class: 'room-parties' },
      party('Generator', place.generator, zone, [
        ['Program', copyable(place.program, 'Program of the generator')],
      ]),
      party('Witness', place.witness, zone, [
        ['Chain', copyable(place.chain, 'Chain of this location')],
      ]),
      lastBoot(place, zone, nowMs),
      seals(place, zone),
    ),
    draws(place, zone),
  ];
}

/**
 * @param {LocationDraws} place
 * @param {string | undefined} zone
 */
function alarms(place, zone) {
  return panel(
    place.alarms.length === 1
      ? 'One step does not go on'
      : `${place.alarms.length} steps do not go on`,
    { class: 'alarms', aside: h('a', { href: '/supervisor/games' }, 'What to do') },
    h(
      'ul',
      { class: 'alarm-list' },
      place.alarms.map((each) =>
        h(
          'li',
          {},
          h('span', { class: 'quiet' }, timeExact(each.since_ms, zone)),
          h(
            'div',
            {},
            h('b', {}, each.message),
            h(
              'p',
              { class: 'quiet' },
              `${causeWords(each.cause)} Step: ${each.step.replaceAll('_', ' ')}.`,
            ),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {string} name
 * @param {PartyStatus} of
 * @param {string | undefined} zone
 * @param {Fact[]} more
 */
function party(name, of, zone, more) {
  const said = partyWords(of, zone);
  return panel(
    name,
    { aside: toned(said) },
    h('p', { class: 'party-since' }, said.since || 'It was not asked since this server started.'),
    said.no && h('p', { class: 'party-no' }, said.no),
    facts([['Key', copyable(of.key, `Key of the ${name.toLowerCase()}`)], ...more]),
  );
}

/**
 * @param {LocationDraws} place
 * @param {string | undefined} zone
 * @param {number} nowMs
 */
function lastBoot(place, zone, nowMs) {
  const [last, ...before] = place.boots;
  if (!last)
    return panel('Both keys', {}, h('p', { class: 'nothing' }, 'No unlock is in the record yet.'));
  const verified = last.verified
    ? { tone: 'jade', word: '✓ Verified' }
    : { tone: 'stop', word: 'Does not verify' };
  return panel(
    'Both keys',
    { aside: toned(verified) },
    h('p', { class: 'party-since' }, `Unlock ${last.boot}, ${when(last.unlocked_ms, zone, nowMs)}`),
    facts([
      ['Inspector', copyable(last.inspector, 'Key of the inspector')],
      ['Supervisor', copyable(last.supervisor, 'Key of the supervisor')],
    ]),
    before.length > 0 &&
      h(
        'details',
        { class: 'earlier', data: { keep: `boots-${place.location}` } },
        h('summary', {}, `${count(before.length, 'earlier unlock')}`),
        before.map((each) => earlier(each, zone, nowMs)),
      ),
  );
}

/**
 * @param {Boot} boot
 * @param {string | undefined} zone
 * @param {number} nowMs
 */
function earlier(boot, zone, nowMs) {
  const words = boot.verified ? '' : ', does not verify';
  return facts([
    [
      `Unlock ${boot.boot}, ${when(boot.unlocked_ms, zone, nowMs)}${words}`,
      copyable(boot.program, `Program of unlock ${boot.boot}`),
    ],
    ['Inspector', copyable(boot.inspector, `Inspector of unlock ${boot.boot}`)],
    ['Supervisor', copyable(boot.supervisor, `Supervisor of unlock ${boot.boot}`)],
  ]);
}

/**
 * @param {LocationDraws} place
 * @param {string | undefined} zone
 */
function seals(place, zone) {
  const rows = place.commitments;
  if (!rows.length)
    return panel(
      'Sealed',
      {},
      h('p', { class: 'nothing' }, 'Nothing is sealed yet: no game can open.'),
    );
  /** @param {Commitment} each */
  const named = (each) => `${each.name}, ${each === rows[0] ? 'open' : 'next'}`;
  return panel(
    'Sealed',
    {},
    h('p', { class: 'party-since' }, `On the tickets since ${time(rows[0].committed_ms, zone)}`),
    facts(
      rows.map((each) => [named(each), copyable(each.commitment, `Commitment of ${each.name}`)]),
    ),
    h(
      'details',
      { class: 'earlier', data: { keep: `seals-${place.location}` } },
      h('summary', {}, 'The generator’s own'),
      facts(
        rows.map((each) => [
          named(each),
          copyable(each.generator, `Generator’s commitment of ${each.name}`),
        ]),
      ),
    ),
  );
}

/**
 * @param {LocationDraws} place
 * @param {string | undefined} zone
 */
function draws(place, zone) {
  /** @type {{head: string, right?: boolean, cell: (row: DrawRecord) => Child}[]} */
  const columns = [
    { head: 'Game', cell: (row) => h('b', {}, row.name) },
    { head: 'Locked', right: true, cell: (row) => timeOr(row.locked_ms, zone) },
    { head: 'Drawn', right: true, cell: (row) => timeOr(row.drawn_ms, zone) },
    {
      head: 'Tickets',
      right: true,
      cell: (row) => (row.tickets === null ? '–' : row.tickets.toLocaleString('en-US')),
    },
    { head: 'Steps', cell: marks },
    { head: 'Numbers in ball order', cell: numbers },
    { head: '', cell: (row) => toned(drawWords(row)) },
    { head: '', right: true, cell: (row) => proofLink(place, row) },
  ];
  return panel(
    'Last ten draws',
    { class: 'draws' },
    table(columns, place.draws, {
      caption: `Last draws at ${place.name}`,
      none: 'No game has been locked here yet.',
    }),
  );
}

/**
 * @param {number | null} ms
 * @param {string | undefined} zone
 */
function timeOr(ms, zone) {
  return ms === null ? '–' : timeExact(ms, zone);
}

/**
 * @param {number} ms
 * @param {string | undefined} zone
 * @param {number} nowMs
 */
function when(ms, zone, nowMs) {
  return day(ms, zone) === day(nowMs, zone)
    ? time(ms, zone)
    : `${day(ms, zone)}, ${time(ms, zone)}`;
}

/** @param {DrawRecord} draw */
function marks(draw) {
  const words = stepWords(draw);
  return h(
    'span',
    {
      class: 'marks',
      tabIndex: 0,
      role: 'img',
      'aria-label': words,
      data: { tip: words, keep: `marks-${draw.name}` },
    },
    stepMarks(draw).map((each) => h('i', { class: each.made ? 'made' : '' })),
  );
}

/** @param {DrawRecord} draw */
function numbers(draw) {
  if (draw.numbers)
    return h(
      'ol',
      { class: 'balls', 'aria-label': `Balls of ${draw.name} in their order` },
      draw.numbers.map((each) => h('li', {}, each)),
    );
  if (draw.state === 'void')
    return h(
      'span',
      { class: 'quiet' },
      draw.voided_ms
        ? 'No result. Every wager on this game goes back with its ticket.'
        : 'No result',
    );
  return h('span', { class: 'quiet' }, 'Told with the last ball');
}

/**
 * @param {LocationDraws} place
 * @param {DrawRecord} draw
 */
function proofLink(place, draw) {
  if (draw.state === 'drawing') return '';
  return h(
    'a',
    {
      class: 'file',
      href: `/api/games/${encodeURIComponent(place.location)}/${draw.game}/proof`,
      download: `${draw.name}.proof`,
      'aria-label': `Proof file of ${draw.name}`,
      data: { keep: `proof-${draw.name}` },
    },
    'Proof',
  );
}
