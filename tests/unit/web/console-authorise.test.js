// Authorisations in words, the queue, the line of the console, and who sees which tab.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { words } from '../../../keno/pages/console/ask.js';
import { Waiting, waitingOn } from '../../../keno/pages/console/authorise-watch.js';
import {
  ago,
  askedWords,
  chipsOf,
  gameChip,
  goneWords,
  groupWords,
  lapseWords,
  deniedWords,
  queueWords,
  signWords,
  titleWords,
  shownGame,
  spotSize,
  wayRows,
  whyNot,
} from '../../../keno/pages/console/authorise-words.js';
import { ServerEvents } from '../../../keno/pages/console/events.js';
import { notForYou, tabOf, tabsOf } from '../../../keno/pages/console/main.js';
import { Refused } from '../../../keno/pages/shared/ask.js';

const NOON = Date.UTC(2026, 10, 16, 17, 0);
const PEOPLE = { SUE: 'M. Okafor', DRE: 'D. Reyes' };
const way = (members, spots, caught, award_cents) => ({
  members: [...members],
  spots,
  caught,
  award_cents,
});
const GAMES = [
  {
    game: 1180,
    name: 'A-1180',
    state: 'settled',
    numbers: [1],
    award_cents: 1_400,
    ways: [way('AB', 8, 4, 1_400)],
  },
  { game: 1181, name: 'A-1181', state: 'settled', numbers: [1], award_cents: 0, ways: [] },
  {
    game: 1182,
    name: 'A-1182',
    state: 'settled',
    numbers: [7, 18],
    award_cents: 409_000,
    ways: [
      way('ABCK', 12, 10, 100_000),
      way('AB', 8, 7, 150_000),
      way('ACK', 8, 7, 150_000),
      way('BCK', 8, 6, 9_000),
    ],
  },
  { game: 1183, name: 'A-1183', state: 'open', numbers: null, award_cents: null, ways: [] },
];
const ITEM = {
  authorisation: 7,
  ticket: 4182276,
  amount_cents: 420_000,
  asked_by: 'DRE',
  asked_ms: NOON,
  station: '4',
  location: 'main',
  letter: 'A',
  place: 'Main Floor',
  known: true,
  yours: null,
  detail: { record: { sold_ms: NOON, games: GAMES } },
};

test('who asked, how long ago, and when it lapses', () => {
  assert.equal(askedWords(ITEM, PEOPLE, NOON + 32_400), 'Asked 0:32 ago by Station 04, D. Reyes');
  assert.equal(ago(3_850_000), '1:04:10');
  assert.equal(ago(-5), '0:00');
  assert.equal(
    lapseWords({ lapses_ms: NOON + 900_000 }, NOON, 'America/New_York'),
    'Lapses at 12:15 PM',
  );
  assert.equal(lapseWords({ lapses_ms: NOON + 90_000 }, NOON), 'Lapses in 1:30');
  assert.equal(lapseWords(null, NOON), '');
});

test('the queue says what it is about, and whose it is', () => {
  assert.deepEqual(queueWords(ITEM, PEOPLE, true), {
    station: 'Station 04',
    about: ', D. Reyes',
    under: 'Ticket A-418 2276, 7 of 8',
  });
  const sold = queueWords({ ...ITEM, yours: 'sold' }, PEOPLE, false, 'America/New_York');
  assert.deepEqual(
    [sold.about, sold.under],
    [', ticket sold by you at 12:00 PM', 'Waits for another supervisor'],
  );
  assert.equal(queueWords({ ...ITEM, yours: 'asked' }, PEOPLE, false).about, ', asked for by you');
});

test('15.6(b): the money of a void is named a void, and its slip is signed, not the ticket', () => {
  assert.ok(ITEM.detail?.record);
  const record = { ...ITEM.detail.record, state: /** @type {const} */ ('void') };
  const item = { ...ITEM, detail: { ...ITEM.detail, record } };
  assert.equal(titleWords(item), 'Authorise money of a void');
  assert.equal(titleWords(ITEM), 'Authorise payout');
  assert.match(queueWords(item, PEOPLE, false).under, /^Void of ticket /);
  assert.match(signWords(item, '7'), /sign the void slip of ticket 7/);
  assert.match(signWords(ITEM, '7'), /sign the back of ticket 7/);
  assert.match(deniedWords(item), /stays owed/);
});

test('the winning game is shown, its ways under their conditioning', () => {
  const record = ITEM.detail.record;
  assert.equal(shownGame(record, null).game, 1182);
  assert.equal(shownGame(record, 1180).game, 1180);
  assert.deepEqual(
    wayRows(GAMES[2], '3/8 1/12').map((row) => [row.label, row.spots, row.award_cents]),
    [
      ['3/8', 8, 150_000],
      ['', 8, 150_000],
      ['', 8, 9_000],
      ['1/12', 12, 100_000],
    ],
  );
  assert.equal(wayRows(GAMES[0], '')[0].label, '');
  assert.deepEqual(
    chipsOf(GAMES, GAMES[3]).shown.map((game) => game.game),
    [1182, 1180, 1183],
  );
  assert.deepEqual(
    chipsOf(GAMES, GAMES[2]).rest.map((game) => game.game),
    [1183],
  );
  assert.deepEqual(GAMES.map(gameChip), ['$14', 'no award', '$4,090', 'open']);
});

test('a group is read out with what it caught', () => {
  assert.equal(
    groupWords({ letter: 'A', numbers: [7, 18, 33] }, [7, 18, 1]),
    'group A: 7, 18, 33; caught 7 and 18',
  );
  assert.equal(groupWords({ letter: 'K', numbers: [55] }, [1]), 'king: 55; none caught');
  assert.equal(groupWords({ letter: 'K', numbers: [55] }, null), 'king: 55; not drawn yet');
  assert.equal(spotSize([{ numbers: [1, 2, 3] }]), 'large');
  assert.equal(spotSize([{ numbers: Array(21).fill(1) }]), 'small');
});

test('who may answer, and what became of one that is gone', () => {
  assert.equal(whyNot(ITEM, 'supervisor', true), '');
  assert.equal(whyNot(ITEM, 'supervisor', false), 'key');
  assert.equal(
    whyNot({ ...ITEM, yours: 'sold' }, 'manager', true),
    'Waits for another supervisor.',
  );
  assert.equal(whyNot(ITEM, 'inspector', false), 'A supervisor or manager answers this.');
  const gone = (state, by) => goneWords({ item: ITEM, state, by }, PEOPLE, 'IVY', false);
  assert.equal(gone('approved', 'SUE'), '$4,200.00, ticket 418 2276: approved by M. Okafor.');
  assert.equal(gone('denied', 'SUE'), '$4,200.00, ticket 418 2276: denied by M. Okafor.');
  assert.equal(gone('lapsed', null), '$4,200.00, ticket 418 2276: the request lapsed.');
  assert.equal(
    goneWords({ item: ITEM, state: 'approved', by: 'IVY' }, PEOPLE, 'IVY', false),
    '',
    'one knows what one did',
  );
});

function floorOf(...asked) {
  const station = (name, authorisations) => ({ station: name, authorisations });
  return {
    locations: [
      {
        location: 'main',
        letter: 'A',
        name: 'Main Floor',
        stations: [station('4', asked), station('5', [])],
      },
    ],
  };
}

test('what waits is heard at once and every 20 seconds until a person opens it', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const clock = mock.method(performance, 'now', () => at);
  let at = 0;
  const played = [];
  const watch = Object.assign(new EventTarget(), { floor: null, now: () => NOON });
  const details = {
    7: { state: 'pending', yours: null, lapses_ms: NOON + 9e5 },
    8: { state: 'pending', yours: 'sold', lapses_ms: NOON + 9e5 },
  };
  const ask = async (_, { authorisation }) => details[authorisation];
  const waiting = new Waiting(
    { person: 'SUE', role: 'supervisor' },
    ask,
    new EventTarget(),
    watch,
    { play: (name) => played.push([name, at]) },
  );
  const asked = (authorisation, ms) => ({
    authorisation,
    ticket: 1,
    amount_cents: 2,
    asked_by: 'DRE',
    asked_ms: NOON + ms,
  });
  watch.floor = floorOf(asked(8, 0), asked(7, 5));
  watch.dispatchEvent(new Event('change'));
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(
    waiting.items.map((each) => [each.authorisation, each.yours, each.known]),
    [
      [8, 'sold', true],
      [7, null, true],
    ],
  );
  assert.deepEqual(
    waiting.forYou.map((each) => each.authorisation),
    [7],
  );
  for (let second = 0; second < 45; second += 1) {
    at += 1_000;
    mock.timers.tick(1_000);
  }
  assert.deepEqual(played, [
    ['waiting', 0],
    ['waiting', 20_000],
    ['waiting', 40_000],
  ]);
  waiting.open(7);
  for (let second = 0; second < 45; second += 1) {
    at += 1_000;
    mock.timers.tick(1_000);
  }
  assert.equal(played.length, 3);
  const gone = [];
  waiting.addEventListener('gone', ({ detail }) =>
    gone.push([detail.item.authorisation, detail.state]),
  );
  details[7] = { state: 'denied', answered_by: 'MAX' };
  watch.floor = floorOf(asked(8, 0));
  watch.dispatchEvent(new Event('change'));
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(gone, [[7, 'denied']]);
  waiting.stop();
  clock.mock.restore();
  mock.timers.reset();
});

test('the oldest waits first', () => {
  const asked = (authorisation, asked_ms) => ({ authorisation, asked_ms });
  assert.deepEqual(
    waitingOn(floorOf(asked(9, 5), asked(7, 9), asked(8, 5))).map((each) => each.authorisation),
    [8, 9, 7],
  );
  assert.deepEqual(waitingOn(null), []);
});

test('a lost connection is opened again after a second, unless the session is over', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const sockets = [];
  const make = () => {
    const socket = { close() {} };
    sockets.push(socket);
    return socket;
  };
  const events = new ServerEvents('ws://x', { make });
  const told = [];
  for (const name of ['up', 'down', 'over']) events.addEventListener(name, () => told.push(name));
  events.open();
  sockets[0].onmessage({ data: '{"type":"state"}' });
  sockets[0].onclose({ code: 1006 });
  assert.equal(events.isUp, false);
  mock.timers.tick(1_000);
  assert.equal(sockets.length, 2);
  sockets[1].onmessage({ data: '{"type":"state"}' });
  mock.timers.tick(25_000);
  mock.timers.tick(1_000);
  assert.equal(sockets.length, 3, 'silence counts as lost');
  sockets[2].onclose({ code: 4001 });
  mock.timers.tick(5_000);
  assert.equal(sockets.length, 3);
  assert.deepEqual(told, ['up', 'down', 'up', 'down', 'over']);
  mock.timers.reset();
});

test('tabs and who may not be here', () => {
  assert.equal(tabOf('/supervisor'), '');
  assert.equal(tabOf('/supervisor/cards'), 'cards');
  const all = [
    { id: 'floor', name: 'Floor', roles: ['supervisor'] },
    { id: 'people', name: 'People', roles: ['administrator'] },
    { id: 'me', name: 'Me', roles: ['supervisor', 'writer'] },
  ];
  assert.deepEqual(
    tabsOf('supervisor', all).row.map((tab) => tab.id),
    ['floor'],
  );
  assert.deepEqual(
    tabsOf('supervisor', all).menu.map((tab) => tab.id),
    ['me'],
  );
  assert.match(notForYou('writer', undefined, []), /A writer works at a station\.$/);
  assert.match(notForYou('supervisor', all[1], [all[0]]), /People is not for the role supervisor/);
  assert.equal(words(new Refused('own_act', 'Another one must.')), 'Another one must.');
  assert.match(words(new TypeError('x')), /did not work/);
});
