// What the patron's pages show of a checked ticket, of a request and of its chances.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';

import { buildView, paint } from '../../../keno/pages/patron/build-view.js';
import { chancesView } from '../../../keno/pages/patron/chances.js';
import { ticketView } from '../../../keno/pages/patron/check-view.js';
import { begin, newGroup, toggle, toggleTotal } from '../../../keno/pages/patron/draft.js';
import { foot, placeChoice, sheet } from '../../../keno/pages/patron/frame.js';
import { proofPanel } from '../../../keno/pages/patron/proof.js';
import { codeSheet, examplesSheet, termsSheet } from '../../../keno/pages/patron/sheets.js';
import { spotRows } from '../../../keno/pages/patron/spots.js';
import { h } from '../../../keno/pages/shared/dom.js';
import { find, findAll, freshDocument } from './fake-document.js';

beforeEach(() => {
  freshDocument();
  globalThis.location = { pathname: '/check', search: '?at=main' };
});
afterEach(() => mock.restoreAll());

const texts = (element, what) => findAll(element, what).map((each) => each.textContent);
const labels = (element, what) =>
  findAll(element, what).map((each) => each.getAttribute('aria-label'));

const won = {
  game: 1,
  name: 'A-1',
  state: 'settled',
  numbers: [9, 2, 30],
  award_cents: 300,
  ways: [{ members: 'A', spots: 3, caught: 2, award_cents: 300 }],
  more: 0,
};
const coming = { ...won, game: 2, name: 'A-2', state: 'open', numbers: null, award_cents: null };

function ticket(changes = {}) {
  return {
    location: 'main',
    letter: 'A',
    ticket: 4182276,
    state: 'live',
    card: '26-3',
    station: 'B1',
    sold_ms: Date.UTC(2026, 10, 17, 2, 6),
    first_game: 1,
    last_game: 2,
    price_cents: 200,
    games: [won, { ...coming, ways: [] }],
    payable_cents: null,
    why_not: null,
    why_not_code: 'not_complete',
    claim_until_ms: null,
    ended_game: null,
    kind: 'straight',
    ways: 1,
    conditioning: ['1/3 @1.00'],
    groups: [{ letter: 'A', numbers: [1, 2, 9] }],
    signed_from_cents: 150_000,
    place: { zone: 'America/New_York' },
    ...changes,
  };
}

test('a ticket shows its amount, its games and what the best one caught', () => {
  const opened = [];
  const { view, sold } = ticketView(ticket(), (game) => opened.push(game.name));
  assert.deepEqual(
    [find(view, '.lead').textContent, find(view, '.amount').textContent],
    ['Won so far', '$3.00'],
  );
  assert.deepEqual(texts(view, '.game'), ['Game A-1, $3.00A-1$3', 'Game A-2, still openA-2open']);
  assert.deepEqual(labels(view, '.group'), ['group A: 1 2 9, caught 2 9']);
  assert.equal(find(view, '.sum').textContent, '2 of 3 caught');
  assert.deepEqual(texts(find(view, '.ways'), 'li'), ['2 of 3$3']);
  assert.deepEqual(texts(find(view, '.balls'), 'b'), ['9', '2'], 'what was caught is strong');
  assert.deepEqual(texts(sold, 'dd').slice(0, 4), [
    'A-418 2276',
    'Straight, 1 way',
    '1/3 @1.00',
    'A-1 to A-2',
  ]);
  assert.deepEqual(opened, ['A-1']);
});

test('choosing a game shows it', () => {
  const opened = [];
  const { view } = ticketView(ticket(), (game) => opened.push(game.name));
  const [first, second] = findAll(view, '.game');
  second.click();
  assert.deepEqual(
    [first, second].map((each) => each.getAttribute('aria-pressed')),
    ['false', 'true'],
  );
  assert.deepEqual(labels(view, '.group'), ['group A: 1 2 9']);
  assert.equal(find(view, '.sum').textContent, '3 numbers');
  assert.deepEqual(opened, ['A-1', 'A-2']);
});

test('a ticket that was ended plays no game and catches nothing', () => {
  const { view } = ticketView(ticket({ state: 'void', ended_game: 1 }), () => {});
  assert.deepEqual(texts(view, '.game'), ['Game A-1, not playedA-1–', 'Game A-2, not playedA-2–']);
  assert.deepEqual(findAll(view, '.sum'), []);
});

test('a shared maximum and ways that are not listed are said', () => {
  const less = { ...won, award_cents: 200 };
  assert.match(
    find(ticketView(ticket({ games: [less] }), () => {}).view, '.drawn').textContent,
    /maximum was shared: this ticket’s part is \$2\.00/,
  );
  const more = { ...won, more: 3 };
  assert.match(
    find(ticketView(ticket({ games: [more] }), () => {}).view, '.drawn').textContent,
    /And 3 smaller ways/,
  );
});

test('numbers of a request are read out by their groups', () => {
  assert.deepEqual(labels(spotRows({ groups: [[7, 18], [12]], kings: [55] }), '.group'), [
    'group A: 7 18',
    'group B: 12',
    'king: 55',
  ]);
});

const RATES = [
  { code: 'regular', name: 'Regular', shown_cents: 100, min_cents: 100, max_cents: 500, only: '' },
  { code: 'special', name: 'Special', shown_cents: 125, min_cents: 125, max_cents: 1000, only: '' },
].map((rate) => ({ ...rate, step_cents: 100, minimum: '$1.00' }));
const EXAMPLE = {
  name: 'A straight ticket',
  note: 'The simplest.',
  quick: false,
  conditioning: ['1/2 @1.00'],
  arithmetic: '1 × $1.00',
  price_cents: 100,
  request: { groups: [[3, 4]], kings: [], games: 1, lines: [] },
  totals: [{ spots: 2, rate: 'regular', wager_cents: 100 }],
};
const CARD = {
  default_rate: 'regular',
  rates: RATES,
  games_max: 20,
  examples: [EXAMPLE, { ...EXAMPLE, name: 'Sets', totals: null }, { ...EXAMPLE, quick: true }],
};

test('the builder shows groups, totals and price', () => {
  const chosen = [];
  const acts = {
    digital: true,
    newGroup() {},
    go: (at) => chosen.push(at),
    total: (spots) => chosen.push(spots),
  };
  const view = buildView({ ...acts, pick() {}, terms() {}, show() {} });
  view.grid.show = (seen) => (view.grid.seen = seen);
  document.activeElement.closest = () => null;
  let draft = newGroup([7, 18].reduce(toggle, begin(CARD)));
  draft = toggleTotal(toggle(draft, 12), 3);
  const choices = [
    { spots: 2, ways: 1 },
    { spots: 3, ways: 1 },
  ];
  const answer = { choices, ways: 1, price_cents: 100, game_cents: 100, odds: null, why_not: null };
  paint(view, draft, answer, acts);
  assert.deepEqual(
    findAll(view.tabs, '.tab').map((tab) => tab.getAttribute('aria-pressed')),
    ['false', 'true', 'false', null],
  );
  assert.deepEqual(
    findAll(view.chips, '.chip').map((chip) => chip.getAttribute('aria-pressed')),
    ['false', 'true'],
  );
  assert.equal(find(view.chips, '.for-readers').textContent, '1 way of 2 numbers');
  assert.deepEqual([view.price.textContent, view.show.disabled], ['$1.00', false]);
  assert.equal(find(view.terms, '.sum').textContent, '1×$1.00×1');
  assert.equal(view.grid.seen.marks.get(12), 'B');
  findAll(view.tabs, '.tab')[2].click();
  findAll(view.chips, '.chip')[0].click();
  assert.deepEqual(chosen, ['K', 2]);
  paint(view, begin(CARD), null, { ...acts, digital: false });
  assert.deepEqual([view.price.textContent, view.show.disabled], ['–', true]);
  assert.equal(view.show.textContent, 'Print the filled-in form');
  assert.match(view.said.textContent, /Pick your numbers/);
});

test('chances: a hundred dots, the bands, the advantage', () => {
  const odds = { house_advantage_percent: '27.91', house_advantage_at_least: false };
  const band = { low_cents: 100, high_cents: 100, odds: '6.2 to 1', against: 6.2 };
  const picture = { of_100: 14, more_of_100: 5, any: '6.2 to 1', bands: [band, band] };
  const all = h('section', {}, chancesView({ odds: { ...odds, maximum: 'At most.' }, picture }));
  assert.match(find(all, 'h2').textContent, /about 14 pay/);
  assert.deepEqual(
    [findAll(all, '.more').length, findAll(all, '.less').length, findAll(all, 'i').length],
    [5, 9, 100],
  );
  assert.equal(
    find(all, '.dots').getAttribute('aria-label'),
    '14 of 100 games pay something, 5 of them more than the game costs',
  );
  assert.deepEqual(
    findAll(all, 's').map((dot) => dot.className),
    ['band-0', 'band-4'],
  );
  assert.match(all.textContent, /House advantage 27\.9%At most\.$/);
  const none = h('section', {}, chancesView({ odds, picture: null }));
  assert.match(none.textContent, /^Too intricate to list/);
});

test('an example starts a draft; one that totals cannot say has no button', async () => {
  const started = [];
  examplesSheet(CARD, begin(CARD), (draft) => started.push(draft.groups));
  const buttons = findAll(document.body, 'button').slice(1);
  assert.deepEqual(
    buttons.map((button) => button.textContent),
    ['Start from this', 'Let chance pick'],
  );
  buttons.forEach((button) => button.click());
  assert.deepEqual(started[0], [[3, 4]]);
  assert.equal(started[1][0].length, 2);
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(findAll(document.body, 'dialog'), []);
});

test('terms: rate, wager and games change the draft and are shown again', () => {
  let draft = toggleTotal([1, 2].reduce(toggle, begin(CARD)), 2);
  termsSheet(CARD, { draft: () => draft, change: (next) => (draft = next) });
  const press = (name) =>
    findAll(document.body, 'button')
      .find((button) => button.getAttribute('aria-label') === name)
      .click();
  press('A way: more');
  press('Games: more');
  assert.deepEqual([draft.wager_cents, draft.games], [200, 2]);
  assert.equal(find(document.body, 'output').textContent, '$2.00');
  press('A way: less');
  assert.equal(draft.wager_cents, 100);
  const choice = find(document.body, 'select');
  choice.value = 'special';
  choice.dispatchEvent(new Event('change'));
  assert.deepEqual([draft.rate, draft.totals[0].rate], ['special', 'special']);
});

test('the code for a writer: what it holds, what it costs, the form beside it', () => {
  codeSheet('main', { text: '1 2: 1/2@1.00 =1.00', price_cents: 100, rows: ['11', '01'] });
  const shown = find(document.body, 'dialog');
  assert.equal(find(shown, '.qr').getAttribute('viewBox'), '-4 -4 10 10');
  assert.match(shown.textContent, /takes \$1\.00\. Only the ticket you get then is a wager\./);
  assert.match(find(shown, 'a').href, /^\/request\.pdf\?location=main&text=/);
});

test('a sheet has a title and a button that closes it', () => {
  const shown = sheet('Where to go', 'words');
  assert.equal(shown.getAttribute('aria-label'), 'Where to go');
  assert.equal(shown.textContent, 'Where to goClosewords');
  find(shown, 'button').click();
  assert.equal(shown.isConnected, false);
});

test('a place is chosen only where there are several; links lead to the other pages', () => {
  const here = { location: 'main', name: 'Main' };
  assert.equal(placeChoice({ all: [here], here }), null);
  const choice = placeChoice({ all: [{ location: 'lounge', name: 'Lounge' }, here], here });
  assert.deepEqual([choice.value, texts(choice, 'option')], ['main', ['Lounge', 'Main']]);
  const [links] = foot();
  assert.deepEqual(
    findAll(links, 'a').map((link) => link.href),
    ['/build?at=main', '/results?at=main', '/ratecard?at=main', '/guide?at=main'],
  );
});

test('a proof waits for the end of the game, is refused in words, and is tried again', async () => {
  const { panel, show, files } = proofPanel({ letter: 'A', ticket: 1, code: 'x' }, ticket());
  await show(coming);
  assert.deepEqual([panel.dataset.state, await files()], ['later', null]);
  const { mock: called } = mock.method(
    globalThis,
    'fetch',
    async () => new Response('{"code":"too_fast","message":"x"}', { status: 429 }),
  );
  await show(won);
  assert.equal(panel.dataset.state, 'unable');
  assert.match(panel.textContent, /^Not proven yetgame A-1That was often in a short time/);
  const before = called.callCount();
  find(panel, 'button').click();
  assert.equal(called.callCount(), before + 3, 'all three are asked for again');
});

test('of a ticket that was ended there is nothing to prove', async () => {
  const ended = ticket({ state: 'void', ended_game: 1 });
  const { panel, show } = proofPanel({ letter: 'A', ticket: 1, code: 'x' }, ended);
  await show(coming);
  assert.equal(panel.dataset.state, 'ended');
  assert.match(panel.textContent, /it plays in no game/);
});
