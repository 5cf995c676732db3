// What the right of the Pay view offers, and keys that were pressed while the station was asked.

import assert from 'node:assert/strict';
import test from 'node:test';

import { clearCounter, halfDone, newCounter } from '../../../writer_station/ui/pay-counter.js';
import { takenCheck, takenForm } from '../../../writer_station/ui/pay-forms.js';
import { KeysAhead } from '../../../writer_station/ui/pay-keys.js';
import { actsOf, footKeys, needWords, panelOf } from '../../../writer_station/ui/pay-panel.js';

const need = (kind, done = false) => ({ kind, done, text: `${kind} text` });
const LOOK = {
  ticket: 7,
  code: 'X',
  state: 'payout due',
  first_game: 1,
  last_game: 1,
  done: 1,
  total_cents: 300,
  coupon_cents: 0,
  needs: [],
  why_not: null,
  refund: null,
};
const PAYOUT = { authorisation: 4, ticket: 7, amount_cents: 300, refund: false };
const on = (more) => ({ ...newCounter(), look: LOOK, ...more });
const acts = (counter, waiting = []) =>
  actsOf(panelOf(counter, waiting), counter).map((one) => [one.cap, one.name]);

test('an empty counter offers nothing, a batch its total', () => {
  assert.deepEqual(acts(newCounter()), []);
  const batch = { ...newCounter(), batch: [LOOK, { ...LOOK, ticket: 8 }] };
  assert.equal(actsOf(panelOf(batch, []), batch)[0].words, 'Pay $6.00 for 2 tickets');
  assert.deepEqual(acts(batch), [
    ['↵', 'payBatch'],
    ['Esc', 'handBack'],
  ]);
});

test('a ticket that pays is paid by Enter, alone or in one total', () => {
  assert.deepEqual(acts(on()), [
    ['↵', 'pay'],
    ['C', 'choose'],
    ['+', 'add'],
  ]);
  assert.deepEqual(acts(on({ batch: [{ ...LOOK, ticket: 8 }] })), [
    ['↵', 'payBatch'],
    ['+', 'add'],
    ['Esc', 'handBack'],
  ]);
  assert.deepEqual(acts(on({ choosing: true })), [
    ['↵', 'takeCheck'],
    ['Esc', 'noCheck'],
  ]);
});

test('each need has its own Enter, and nothing is paid before the last', () => {
  const look = { ...LOOK, needs: ['supervisor', 'signature', 'tax_form'].map((k) => need(k)) };
  const asked = (state) => [{ ...PAYOUT, state }];
  assert.deepEqual(acts(on({ look })), [
    ['↵', 'askSupervisor'],
    ['F9', 'authoriseHere'],
  ]);
  assert.deepEqual(acts(on({ look }), asked('pending')), [
    ['F9', 'authoriseHere'],
    ['F1', 'keepSelling'],
  ]);
  assert.equal(acts(on({ look }), asked('denied'))[0][1], 'askSupervisor');
  assert.equal(acts(on({ look }), asked('approved'))[0][1], 'signed');
  const signed = on({ look, progress: { signature: true } });
  assert.equal(acts(signed, asked('approved'))[0][1], 'takeForm');
});

test('a ticket that is not paid has no primary act', () => {
  const held = on({ look: { ...LOOK, why_not: { code: 'held', message: 'Held.' } } });
  const offered = actsOf(panelOf(held, []), held);
  assert.ok(offered.every((one) => one.quiet));
  assert.equal(offered.at(-1).words, 'Keep it here, go on');
  const refused = { ...newCounter(), refusal: { code: 'altered', message: 'No.' } };
  assert.equal(panelOf(refused, []).kind, 'not paid');
  assert.deepEqual(acts(refused), [['Esc', 'handBack']]);
});

test('no two acts of a panel have the same key', () => {
  const look = { ...LOOK, refund: { ...LOOK, games: 2 }, why_not: { code: 'not_complete' } };
  const batch = [{ ...LOOK, ticket: 8 }];
  for (const counter of [on(), on({ batch }), on({ look }), on({ look, batch, refund: true })]) {
    const caps = acts(counter).map(([cap]) => cap);
    assert.equal(new Set(caps).size, caps.length, caps.join(' '));
  }
});

test('the footer shows no key that an act shows', () => {
  const counter = on();
  const offered = actsOf(panelOf(counter, []), counter);
  assert.ok(footKeys(counter, offered).some(([cap]) => cap === 'Esc'));
  const paid = on({ outcome: { paid: [], refused: [], parts: [], refund: false } });
  assert.ok(!footKeys(paid, actsOf(panelOf(paid, []), paid)).some(([cap]) => cap === '↵'));
});

test('what is written under a need follows from what was done', () => {
  const step = { kind: 'supervisor', text: 'Ask.', at: 'now', approval: 'ask' };
  const payout = { ...PAYOUT, answered_by: 'Sue', reason: 'No.' };
  assert.equal(needWords(step, {}, undefined), 'Ask.');
  assert.equal(needWords({ ...step, approval: 'yes' }, {}, payout), 'Sue approved it.');
  assert.equal(needWords({ ...step, approval: 'denied' }, {}, payout), 'Sue said no: No.');
  assert.match(needWords({ ...step, approval: 'differs' }, {}, payout), /\$3\.00/);
  const done = { kind: 'check', text: '', at: 'done', approval: null };
  assert.equal(needWords(done, { check: { number: '77', cents: 100 } }), '77, $1.00');
});

test('a ticket whose needs are being dealt with is not pushed off', () => {
  assert.equal(halfDone(on()), false);
  const begun = on({ progress: { signature: true } });
  assert.equal(halfDone(begun), true);
  clearCounter(begun);
  assert.deepEqual([begun.look, begun.progress, halfDone(begun)], [null, {}, false]);
});

function fields(texts) {
  const refused = [];
  const made = (name) => ({ typed: () => texts[name] ?? '', refuse: () => refused.push(name) });
  const names = ['form', 'withheld', 'checkNumber', 'checkAmount'];
  return { refused, ...Object.fromEntries(names.map((name) => [name, made(name)])) };
}

test('form and check are taken whole, or the wrong field is refused', () => {
  const due = { total_cents: 1000, coupon_cents: 200 };
  assert.deepEqual(takenForm(fields({ form: 'W1' }), due, {}), { number: 'W1', withheld_cents: 0 });
  assert.deepEqual(takenCheck(fields({ checkNumber: '9' }), due, {}), { number: '9', cents: 800 });
  for (const [take, texts, name] of [
    [takenForm, {}, 'form'],
    [takenForm, { form: 'W1', withheld: 'x' }, 'withheld'],
    [takenForm, { form: 'W1', withheld: '8.01' }, 'withheld'],
    [takenCheck, {}, 'checkNumber'],
    [takenCheck, { checkNumber: '9', checkAmount: '0' }, 'checkAmount'],
    [takenCheck, { checkNumber: '9', checkAmount: '8.01' }, 'checkAmount'],
  ]) {
    const given = fields(texts);
    assert.equal(take(given, due, {}), null);
    assert.deepEqual(given.refused, [name]);
  }
});

/** What the keys mean once the station has answered. */
function taken(keys, onCounter) {
  const ahead = new KeysAhead();
  for (const key of keys) ahead.add(key);
  return [ahead.take(onCounter), ahead.take(onCounter)];
}

test('no key that was pressed ahead is lost, and none means two things', () => {
  assert.deepEqual(taken([...'A-7', 'Enter', 'r'], true), [{ find: 'A-7' }, { press: 'r' }]);
  assert.deepEqual(taken([...'A-7', 'Enter', ...'A-8', 'Enter'], false), [
    { find: 'A-7' },
    { find: 'A-8' },
  ]);
  assert.deepEqual(taken(['r'], true), [{ press: 'r' }, {}]);
  assert.deepEqual(taken(['r'], false), [{ type: 'r' }, {}]);
  assert.deepEqual(taken([...'418'], true), [{ type: '418' }, {}]);
});

test('an Enter that bounced, and a key without a character, mean nothing', () => {
  assert.deepEqual(taken(['Enter', 'Shift', 'F2'], true), [{}, {}]);
  assert.equal(new KeysAhead().add('Tab'), false);
});
