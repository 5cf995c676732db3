// Why a ticket is not sold now, and what the panels say meanwhile.

import assert from 'node:assert/strict';
import test from 'node:test';

import { payoutMeant } from '../../../writer_station/ui/dialogs/authorise.js';
import { keyOfCap } from '../../../writer_station/ui/foot-keys.js';
import { requiredDialog } from '../../../writer_station/ui/required.js';
import { DraftAnswers, refusedAnswer } from '../../../writer_station/ui/sell-answers.js';
import { EMPTY } from '../../../writer_station/ui/sell-draft.js';
import { numberLabel, roomy, seenTwice } from '../../../writer_station/ui/sell-line-words.js';
import { newGroup, toggle } from '../../../writer_station/ui/sell-press.js';
import { goWords, sumWords } from '../../../writer_station/ui/sell-price.js';
import { EXACT } from '../../../writer_station/ui/sell-tender.js';
import { obstacle } from '../../../writer_station/ui/sell-words.js';
import { newsOf, printerWords, ringOf } from '../../../writer_station/ui/strip-words.js';

const DRAFT = toggle(EMPTY, 7);
const GOOD = { ...refusedAnswer(1, {}), sellable: true, faults: [], price_cents: 2000, sum: '$' };
const STATE = { line: { up: true }, game: { game: 5, name: 'A-5' } };

test('what is in the way is said in its order, with its field', () => {
  const why = (draft, answer, tender, state) => obstacle(draft, answer, tender, state)?.words;
  assert.equal(obstacle(DRAFT, GOOD, EXACT, STATE), null);
  assert.match(why(EMPTY, GOOD, EXACT, STATE), /numbers first/);
  assert.match(why(DRAFT, GOOD, EXACT, { ...STATE, line: { up: false } }), /No line/);
  assert.match(why(DRAFT, null, EXACT, STATE), /not answered yet/);
  assert.match(
    why(DRAFT, { ...GOOD, sellable: false, missing: 'Type more.' }, EXACT, STATE),
    /more/,
  );
  assert.match(why(DRAFT, GOOD, { given: 100, parts: [] }, STATE), /still to be paid/);
  assert.match(why(DRAFT, GOOD, EXACT, { ...STATE, game: null }), /No game is open/);
  const refused = refusedAnswer(1, { code: 'x', message: 'Too low.', where: 'rate' });
  const fault = obstacle(DRAFT, refused, EXACT, STATE);
  assert.deepEqual(fault, { words: 'Too low.', kind: 'no', field: 'rate' });
  const changed = { ...DRAFT, origin: { kind: 'previous', ticket: 1, change_confirmed: false } };
  assert.match(why(changed, { ...GOOD, changed: true }, EXACT, STATE), /Press M/);
});

test('under the price: the change, what is missing, or what it comes from', () => {
  assert.deepEqual(sumWords(GOOD, EXACT), { kind: '', words: '$' });
  assert.equal(sumWords(GOOD, { given: 5000, parts: [] }).words, 'Change $30.00');
  assert.equal(sumWords(GOOD, { given: 500, parts: [] }).kind, 'no');
  assert.equal(sumWords(null, EXACT).words, 'Nothing to sell yet');
});

test('the button names the game if it is another than the writer saw', () => {
  const shown = { busy: false, draft: DRAFT, seen: { game: 4 }, game: STATE.game };
  assert.equal(goWords(shown), 'Sell for A-5');
  assert.equal(goWords({ ...shown, seen: STATE.game }), 'Print ticket');
  assert.equal(goWords({ ...shown, busy: true }), 'Selling…');
  assert.equal(goWords({ ...shown, draft: { ...DRAFT, live: {} } }), 'Void and rewrite');
});

test('the line labels its groups and finds numbers that are there twice', () => {
  assert.equal(numberLabel(DRAFT, 'g0', [7]), '1 spot');
  assert.equal(numberLabel(EMPTY, 'g0', []), 'Numbers');
  assert.equal(numberLabel(newGroup(DRAFT), 'g1', []), 'or ↵');
  assert.deepEqual([...seenTwice({ groups: [[7, 8], [7]], kings: [8] })], [7, 8]);
  assert.deepEqual([roomy(EMPTY, 1200), roomy(EMPTY, 400)], [true, false]);
});

/** An app that answers drafts when the test wants it. */
function answering(linked = true) {
  const asked = [];
  const app = {
    linked,
    state: { card: {} },
    onOdds: (watcher) => (app.odds = watcher),
    ask: (_, { draft }) =>
      new Promise((resolve, reject) => asked.push({ number: draft.number, resolve, reject })),
  };
  return { app, asked };
}

test('a late answer and late odds are dropped', async () => {
  const { app, asked } = answering();
  const answers = new DraftAnswers(app, () => {});
  answers.ask(DRAFT);
  answers.ask(toggle(DRAFT, 8));
  asked[0].resolve({ number: 1 });
  await null;
  assert.equal(answers.answer, null);
  app.odds({ draft: 1 });
  assert.equal(answers.odds, null);
  asked[1].resolve({ number: 2 });
  assert.deepEqual(await answers.settled(), { number: 2 });
  app.odds({ draft: 2 });
  assert.deepEqual(answers.odds, { draft: 2 });
});

test('a refused draft shows its refusal, a lost one is asked again', async () => {
  const { app, asked } = answering();
  const answers = new DraftAnswers(app, () => {});
  answers.ask(DRAFT);
  asked[0].reject({ code: 'no_card', message: 'No card.', where: '' });
  assert.equal((await answers.settled()).faults[0].message, 'No card.');
  app.linked = false;
  answers.refresh(DRAFT);
  app.linked = true;
  answers.refresh(DRAFT);
  assert.equal(asked.length, 2);
  asked[1].reject({ code: 'link_lost', message: '', where: '' });
  assert.equal((await answers.settled()).faults[0].message, 'No card.');
});

test('what has to be answered before anything else', () => {
  const place = { station: 4 };
  const shift = { locked: false, elsewhere: false };
  assert.equal(requiredDialog(null), '');
  assert.equal(requiredDialog({ place: null }), '');
  assert.equal(requiredDialog({ place }), 'signIn');
  assert.equal(requiredDialog({ place, writer: {} }), 'openShift');
  assert.equal(
    requiredDialog({ place, writer: {}, shift: { ...shift, elsewhere: true } }),
    'openShift',
  );
  assert.equal(requiredDialog({ place, writer: {}, shift: { ...shift, locked: true } }), 'locked');
  assert.equal(requiredDialog({ place, writer: {}, shift }), '');
});

test('a supervisor is asked about the ticket on the counter before any other', () => {
  const payout = (ticket, state) => ({ authorisation: ticket, ticket, state, refund: false });
  const waiting = [payout(1, 'denied'), payout(2, 'pending'), payout(3, 'pending')];
  const counter = (ticket, supervised) => ({ ticket, code: 'X', refund: false, supervised });
  assert.equal(payoutMeant(waiting, null).ticket, 2);
  assert.equal(payoutMeant(waiting, counter(3, true)).ticket, 3);
  assert.equal(payoutMeant(waiting, counter(1, true)).authorisation, undefined);
  assert.equal(payoutMeant(waiting, counter(9, false)).ticket, 2);
  assert.equal(payoutMeant([], counter(9, false)), null);
});

test('the strip sounds the last call and the lock-out, each once', () => {
  const at = (state, game = 5) => ({ state, game });
  assert.equal(ringOf(at('open'), at('closing')), 'minute');
  assert.equal(ringOf(at('closing'), at('closing')), '');
  assert.equal(ringOf(at('closing'), at('locked')), 'lockout');
  assert.equal(ringOf(at('locked'), at('drawing')), '');
  assert.equal(ringOf(at('open'), at('open', 6)), 'lockout');
  assert.equal(ringOf({ state: '', game: undefined }, at('open')), '');
});

test('the printer in the strip', () => {
  const words = (ok, paper) => printerWords({ ok, paper });
  assert.deepEqual(
    [words(true, 'ok').kind, words(true, 'low').kind, words(false, 'ok').kind],
    ['good', 'look', 'no'],
  );
  assert.deepEqual([words(true, 'out').kind, words(true, 'out').low], ['no', true]);
});

test('news: trouble first, then the newest message, then the next card', () => {
  const state = {
    line: { up: true },
    place: { letter: 'A', zone: 'UTC' },
    trouble: 'Stopped.',
    printer: { ok: true, words: 'Ready.' },
    told: [
      { text: 'Tea.', by: 'Sue', ms: 0 },
      { text: 'Hm.', by: 'Sue', ms: 1 },
    ],
    changes: [{ card: 'B', first_game: 9 }],
  };
  assert.deepEqual(
    newsOf(state, true).map((one) => one.text),
    ['Stopped.', 'Sue: Tea.', 'Rate card B from game A-9.'],
  );
  assert.match(newsOf(state, true)[1].note, /, 1 more$/);
  assert.match(newsOf(state, false)[0].text, /lost its station/);
});

test('a cap in the footer presses its key', () => {
  assert.deepEqual(['↵', 'Esc', '⌫', 'F2', '/'].map(keyOfCap), [
    'Enter',
    'Escape',
    'Backspace',
    'F2',
    '/',
  ]);
});
