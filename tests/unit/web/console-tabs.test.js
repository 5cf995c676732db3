// The console's tabs beside the floor: what is read, what is said, and what never leaves the page.

import assert from 'node:assert/strict';
import test from 'node:test';

import * as room from '../../../keno/pages/console/room-words.js';
import { meant, readNumber } from '../../../keno/pages/console/tickets-read.js';
import * as tickets from '../../../keno/pages/console/tickets-words.js';
import { MATTERS, matter } from '../../../keno/pages/console/games-guide.js';
import * as voids from '../../../keno/pages/console/games-void.js';
import * as cards from '../../../keno/pages/console/cards-words.js';
import * as reports from '../../../keno/pages/console/reports-cells.js';
import * as people from '../../../keno/pages/console/people-words.js';

const ZONE = 'America/New_York';
const NINE_PM = Date.parse('2026-11-16T21:08:00-05:00');
const PLACES = [
  { location: 'main', letter: 'A' },
  { location: 'lounge', letter: 'B' },
];
const party = (changes = {}) => ({
  key: 'ab',
  answering: true,
  since_ms: NINE_PM,
  asked_ms: NINE_PM,
  refused: null,
  ...changes,
});
const draw = (changes = {}) => ({
  game: 41,
  name: 'A-41',
  state: 'settled',
  locked_ms: 1,
  drawn_ms: 2,
  voided_ms: null,
  tickets: 3,
  numbers: [1],
  verified: true,
  steps: ['commit_r', 'commit_w', 'close', 'countersign', 'result', 'attest'],
  ...changes,
});

test('generator and witness: answering, silent, locked, not known', () => {
  assert.deepEqual(room.partyWords(party(), ZONE), {
    tone: 'jade',
    word: 'Answers',
    since: 'since 9:08 PM',
    no: '',
  });
  assert.deepEqual(
    [
      room.partyWords(party({ answering: false }), ZONE).tone,
      room.partyWords(party({ answering: null, since_ms: null }), ZONE).word,
    ],
    ['stop', 'Not known'],
  );
  assert.match(
    room.partyWords(party({ refused: 'locked' }), ZONE).no,
    /inspector and a supervisor/,
  );
  assert.match(
    room.partyWords(party({ refused: 'bad_secret' }), ZONE).no,
    /^It last said no: a secret is not the one that was sealed\.$/,
  );
  assert.match(room.noWords('something_new'), /something new/);
});

test('a location’s word is that of its worst part', () => {
  const place = (generator, witness, alarms = []) =>
    room.roomWord({ generator, witness, alarms }).word;
  assert.equal(place(party(), party()), 'Both answer');
  assert.equal(place(party({ refused: 'locked' }), party()), 'Locked');
  assert.equal(place(party(), party({ answering: false })), 'No answer');
  assert.equal(place(party({ answering: false }), party(), [{}, {}]), '2 alarms');
});

test('every cause of an alarm is a sentence', () => {
  for (const cause of ['fault', 'not_verified', 'refused: locked', 'refused: another', 'odd'])
    assert.match(room.causeWords(cause), /^[A-Z“].*\.$/);
});

test('the steps of a draw, as marks and as words', () => {
  assert.deepEqual(
    room.stepMarks(draw()).map((each) => each.made),
    [true, true, true, true, true, true],
  );
  const waits = draw({
    state: 'drawing',
    steps: ['commit_r', 'commit_w', 'close', 'countersign'],
    drawn_ms: null,
    verified: null,
  });
  assert.match(room.stepWords(waits), /^A-41, 4 of 6 steps: .*; waits until the generator drew\.$/);
  const ended = draw({
    state: 'void',
    steps: ['commit_r', 'commit_w', 'void', 'reveal_w', 'reveal_r'],
    numbers: null,
  });
  assert.deepEqual(
    room.stepMarks(ended).map((each) => each.step),
    ['commit_r', 'commit_w', 'void', 'reveal_w', 'reveal_r'],
  );
});

test('only what was checked gets the mark', () => {
  assert.deepEqual(room.drawWords(draw()), { tone: 'jade', word: '✓ Verified' });
  assert.equal(room.drawWords(draw({ verified: false })).tone, 'stop');
  assert.doesNotMatch(room.drawWords(draw({ verified: null })).word, /✓/);
  assert.equal(
    room.drawWords(draw({ state: 'drawing', drawn_ms: null, verified: null })).word,
    'Not drawn yet',
  );
  assert.equal(room.drawWords(draw({ state: 'void', verified: true })).word, 'Void, verified');
  assert.equal(room.short('0123456789abcdef'), '012345…cdef');
});

test('a ticket is read by letter and number; a code is dropped, however it is keyed', () => {
  const whole = { letter: 'A', ticket: 4182276 };
  for (const text of [
    'A-4182276',
    'a 418 2276',
    'A-418 2276 7QK2 M9XW 4RHD 3T8P',
    'https://keno.example/t/A-4182276-7QK2M9XW4RHD3T8P',
    'A-4182276-7QK2M9XW4RHD3T8P',
    'A-418 2276 1234 5678 9012 3456',
  ]) {
    assert.deepEqual(readNumber(text), whole, text);
  }
  assert.deepEqual(readNumber('418 2276'), { letter: null, ticket: 4182276 });
  for (const text of ['', 'A', 'A-0', '7QK2 M9XW 4RHD 3T8P', 'A-41X', 'AB-41', '<b>'])
    assert.equal(readNumber(text), null, text);
});

test('the letter says the location, else the choice does', () => {
  assert.deepEqual(meant('B-7', PLACES, 'main'), { location: 'lounge', letter: 'B', ticket: 7 });
  assert.deepEqual(meant('7', PLACES, 'lounge'), { location: 'lounge', letter: 'B', ticket: 7 });
  assert.match(meant('Z-7', PLACES, 'main').fault, /letter Z/);
  assert.match(meant('hello', PLACES, 'main').fault, /A-418/);
});

test('how a ticket stands', () => {
  const record = (changes = {}) => ({
    state: 'live',
    held: false,
    printed: true,
    games: [{ award_cents: null, state: 'open' }],
    ...changes,
  });
  const over = (cents) => [{ award_cents: cents, state: 'settled', numbers: [1] }];
  assert.equal(tickets.stateWords(record()).word, 'Live');
  assert.equal(tickets.stateWords(record({ held: true })).tone, 'sky');
  assert.equal(tickets.stateWords(record({ printed: false })).word, 'Print not confirmed');
  assert.equal(tickets.stateWords(record({ games: over(0) })).word, 'No award');
  assert.equal(tickets.stateWords(record({ games: over(100) })).word, 'Waits to be paid');
  assert.equal(tickets.stateWords(record({ state: 'payout', games: over(100) })).word, 'Paid');
  assert.deepEqual(tickets.gameWords({ award_cents: 409_000, numbers: [1] }), {
    words: '$4,090.00',
    won: true,
  });
  assert.equal(
    tickets.gameWords({ award_cents: null, numbers: null, state: 'drawing' }).words,
    'Drawing',
  );
  assert.equal(
    tickets.spanWords({ letter: 'A', first_game: 1180, last_game: 1184 }),
    'A-1180 to A-1184',
  );
});

test('a payment shows only its parts', () => {
  const paid = {
    awards_cents: 420_000,
    returns_cents: 0,
    refund_cents: 0,
    withheld_cents: 0,
    cash_cents: 120_000,
    check_cents: 300_000,
    check_number: '20417',
  };
  assert.deepEqual(tickets.paidLines(paid), [
    ['Awards', '$4,200.00'],
    ['In cash', '$1,200.00'],
    ['By check 20417', '$3,000.00'],
  ]);
});

test('the guide: each matter has a rule, what the system does, and what to do', () => {
  assert.deepEqual(
    MATTERS.map((each) => each.id),
    ['silent', 'unproven', 'board', 'crash', 'paper', 'halted'],
  );
  for (const each of MATTERS) {
    assert.ok(each.rule && each.system.length && each.next.length >= 3);
    const words = [each.rule, ...each.system, ...each.next.map((step) => step.words ?? step)].join(
      ' ',
    );
    assert.doesNotMatch(words, /\b(error|OK|submit|invalid|click)\b/i);
  }
  assert.deepEqual(
    MATTERS.filter((each) => each.next.some((step) => step.open === 'void')).map((each) => each.id),
    ['silent', 'unproven'],
  );
  assert.equal(matter('nothing'), null);
});

const QUOTE = {
  name: 'A-41',
  game: 41,
  tickets: 612,
  multi_race: 88,
  returned_cents: 341_850,
  coupon_cents: 2_500,
  next_game: 42,
};

test('a void is told beforehand, and no ticket slides on', () => {
  assert.deepEqual(
    voids.quoteLines(QUOTE).map(([, value]) => value),
    ['612 tickets', '$3,418.50', '$25.00', '88 tickets'],
  );
  assert.match(
    voids.quoteWords(QUOTE).join(' '),
    /No ticket moves to the next game\. A-42 is another game/,
  );
  assert.doesNotMatch(
    voids.quoteWords({ ...QUOTE, multi_race: 0, next_game: undefined }).join(' '),
    /several games|A-42/,
  );
});

test('games without a result come first', () => {
  const found = voids.choices([
    draw({ game: 42, name: 'A-42' }),
    draw({ game: 41, state: 'drawing', drawn_ms: null, numbers: null }),
  ]);
  assert.deepEqual(
    found.map((each) => each.words),
    ['A-41, closed, no result', 'A-42, drawn'],
  );
});

test('one need after the other, and a supervisor starts it', () => {
  assert.deepEqual(voids.needs({ taken: false, order: null }), ['now', 'later', 'later']);
  assert.deepEqual(voids.needs({ taken: true, order: null }), ['done', 'now', 'later']);
  assert.deepEqual(voids.needs({ taken: true, order: {} }), ['done', 'done', 'now']);
  assert.deepEqual(['supervisor', 'manager', 'inspector', 'administrator'].map(voids.mayStart), [
    true,
    true,
    false,
    false,
  ]);
});

test('an order is read, or it is said what the file is instead', () => {
  const order = {
    body: { type: 'keno-draw/1/void', game: 41, reason: 'The generator was destroyed.' },
    sigs: { a: '1', b: '2' },
  };
  assert.deepEqual(voids.readOrder(JSON.stringify(order), QUOTE), {
    order,
    reason: 'The generator was destroyed.',
    signers: 2,
  });
  assert.match(voids.readOrder('no json', QUOTE).fault, /cannot be read/);
  assert.match(voids.readOrder('{"genesis":{}}', QUOTE).fault, /request, not the order/);
  assert.match(voids.readOrder('[]', QUOTE).fault, /no order/);
  assert.match(
    voids.readOrder(JSON.stringify({ ...order, body: { ...order.body, game: 40 } }), QUOTE).fault,
    /game 40, not for A-41/,
  );
  assert.match(
    voids.readOrder(JSON.stringify({ body: { type: 'keno-draw/1/close', game: 41 } }), QUOTE).fault,
    /another kind/,
  );
});

test('what the certifier found: faults first, then every minimum with its ticket', () => {
  const ticket = { type: 'split', ways: 10, price_cents: 250 };
  const wager = (verdict) => ({
    rate: 'regular',
    spots: 2,
    tier_ways: 10,
    wager_cents: 25,
    ticket,
    house_advantage: '145/316',
    house_advantage_percent: '45.886076',
    at_maximum_percent: '45.886076',
    verdict,
  });
  const report = cards.certified({
    ok: false,
    name: 'Larkspur Keno',
    version: '26-4',
    wagers: [wager('ok'), wager('over_limit')],
    errors: [{ code: 'over_limit', message: 'Too much.' }],
  });
  assert.deepEqual(
    [report.certified, report.title, report.version, report.faults.length],
    [false, 'Larkspur Keno, 26-4', '26-4', 1],
  );
  assert.deepEqual(
    [report.wagers[0].percent, report.wagers[0].exact, report.wagers[0].wager],
    ['45.89%', '145/316', '$0.25'],
  );
  assert.deepEqual(
    [report.wagers[0].from, report.wagers[0].ticket],
    ['10', 'split, 10 ways, $2.50'],
  );
  assert.deepEqual(
    [cards.ticketWords({ type: 'straight', ways: 1, price_cents: 100 }), cards.ticketWords(null)],
    ['straight, 1 way, $1.00', 'cannot be bought'],
  );
  assert.deepEqual(
    cards.arranged(report.wagers).map((each) => each.verdict),
    ['over_limit', 'ok'],
  );
  assert.deepEqual(
    ['25.000000', '30.000000', '30.000001', '29.999999', '-1.5'].map(cards.percent),
    ['25.00%', '30.00%', '30.000001%', '29.999999%', '-1.50%'],
  );
  assert.equal(
    cards.certified({ ok: false, name: null, version: null, wagers: [], errors: [] }).title,
    'This card',
  );
});

test('a game is keyed with or without its own letter', () => {
  assert.deepEqual(
    ['60', 'A-60', ' a - 60 ', 'B-60', '0', 'x', ''].map((text) => cards.readGame(text, 'A')),
    [60, 60, 60, null, null, null, null],
  );
  assert.equal(cards.versionWords({ state: 'announced', not_sold: null }).word, 'Announced');
  assert.deepEqual(cards.versionWords({ state: 'in_force', not_sold: 'It keeps 31%.' }), {
    word: 'In force, sales stopped',
    tone: 'stop',
  });
  assert.match(
    cards.earliestWords({ game: 33, name: 'A-33', opens_ms: NINE_PM }, ZONE),
    /A-33 .* 9:08 PM/,
  );
});

test('cells of a listing', () => {
  const place = { letter: 'A', zone: ZONE, day: '2026-11-16' };
  const words = { close_early: 'close early' };
  const at = (kind, value) =>
    reports.cell({ key: 'x', heading: 'x', kind, summed: false, words }, value, place);
  assert.equal(at('time', NINE_PM), '9:08:00 PM');
  assert.equal(at('time', NINE_PM + 86_400_000), 'Nov 17, 9:08:00 PM');
  assert.deepEqual(
    [
      at('cents', 0),
      at('cents', null),
      at('ticket', 318),
      at('game', 7),
      at('word', 'close_early'),
      at('word', 'delay'),
      at('number', 7),
    ],
    ['$0.00', '', 'A-318', 'A-7', 'close early', 'delay', '7'],
  );
  assert.deepEqual(reports.balls('[12, 31,22]'), [12, 31, 22]);
  assert.deepEqual(
    ['cents', 'number', 'sentence', 'text'].map((kind) => reports.side({ kind })),
    ['right', 'right', 'wide', ''],
  );
});

test('voids stand by station and add up', () => {
  const voids = {
    one: 'ticket voided',
    many: 'tickets voided',
    group_key: 'voided_at',
    group_heading: 'Station',
    columns: [
      { key: 'ticket', kind: 'ticket', summed: false },
      { key: 'price_cents', kind: 'cents', summed: true },
    ],
  };
  const rows = [
    { voided_at: '1', price_cents: 100 },
    { voided_at: '2', price_cents: 250 },
    { voided_at: '1', price_cents: 50 },
  ];
  assert.deepEqual(
    reports.groups(voids, rows).map((each) => [each.heading, each.rows.length]),
    [
      ['Station 1: 2 tickets voided', 2],
      ['Station 2: 1 ticket voided', 1],
    ],
  );
  assert.deepEqual(reports.groups({ ...voids, group_key: '' }, rows), [{ heading: '', rows }]);
  assert.deepEqual(reports.sums(voids, rows), ['', '$4.00']);
});

test('days', () => {
  assert.equal(reports.isoDay(NINE_PM, ZONE), '2026-11-16');
  assert.equal(reports.isoDay(NINE_PM, 'UTC'), '2026-11-17');
  assert.deepEqual(
    [reports.stepDay('2026-03-01', -1), reports.stepDay('2026-12-31', 1), reports.stepDay('', 1)],
    ['2026-02-28', '2027-01-01', null],
  );
  assert.equal(reports.dayWords('2026-11-16'), 'Monday, Nov 16, 2026');
});

test('a change of a person is said in words, and nothing if nothing changes', () => {
  const ben = { person: 'BEN', name: 'Ben', role: 'writer', active: true };
  assert.deepEqual(people.changeWords(ben, { role: 'writer', active: true }), []);
  assert.match(
    people.changeWords(ben, { role: 'supervisor', active: true })[0],
    /Ben is writer now and becomes supervisor/,
  );
  assert.match(
    people.changeWords(ben, { role: 'writer', active: false })[0],
    /cannot sign in any more/,
  );
  assert.equal(
    people.changedWords(ben, { role: 'supervisor', active: false }),
    'Ben is supervisor now and is locked out.',
  );
  assert.match(
    people.changeWords({ ...ben, active: false }, { role: 'writer', active: true }).at(-1),
    /signed out everywhere/,
  );
});

test('passwords and keys are looked at before they are sent', () => {
  assert.equal(people.passwordFault('five gold rings', 'five gold rings'), null);
  assert.equal(people.passwordFault('short', 'short').field, 'password');
  assert.equal(people.passwordFault('five gold rings', 'five gold ring').field, 'again');
  assert.equal(people.passwordFault('x'.repeat(201), 'x'.repeat(201)).field, 'password');
  assert.equal(
    people.readKey(` ${'AB'.repeat(16)}\n${'cd'.repeat(16)} `),
    `${'ab'.repeat(16)}${'cd'.repeat(16)}`,
  );
  assert.equal(people.readKey('03a1'), null);
});
