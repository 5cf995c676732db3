// What each key does to the ticket being typed.

import assert from 'node:assert/strict';
import test from 'node:test';

import * as draft from '../../../writer_station/ui/sell-draft.js';
import * as keys from '../../../writer_station/ui/sell-press.js';

const edit = { ...draft, ...keys };
const { EMPTY, press, toWire } = edit;

/** Type a text of keys; names in braces: '{Enter}'. */
function typed(keys, from = EMPTY, known = {}) {
  const acts = [];
  let draft = from;
  for (const [, name, char] of keys.matchAll(/\{(\w+)\}|(.)/gs)) {
    const done = press(draft, name ?? char, known);
    draft = done.draft;
    if (done.act) acts.push(done.act);
  }
  return { draft, acts, keys: [...keys.matchAll(/\{\w+\}|./gs)].length };
}

test('a six-spot straight ticket at the default rate takes 14 keys', () => {
  const done = typed('071833616870{Enter}{Enter}', EMPTY, { sellable: true });
  assert.equal(done.keys, 14);
  assert.deepEqual(done.acts, ['print']);
  assert.deepEqual(toWire(done.draft, 1).groups, [[7, 18, 33, 61, 68, 70]]);
});

test('the ticket of the pictures', () => {
  const { draft, acts } = typed(
    '07183361{Enter}12264970{Enter}043877k55/3/8 1/12{Enter}+5{Enter}{Enter}',
    EMPTY,
    { sellable: true },
  );
  assert.deepEqual(acts, ['print']);
  assert.deepEqual(toWire(draft, 3), {
    number: 3,
    groups: [
      [7, 18, 33, 61],
      [12, 26, 49, 70],
      [4, 38, 77],
    ],
    kings: [55],
    conditioning: '3/8 1/12',
    rate: '',
    games: '5',
    quick_pick: null,
    origin: { kind: 'paper' },
  });
});

test('two digits are a number; 9 is one at once; a separator ends a single digit', () => {
  assert.deepEqual(typed('9').draft.groups, [[9]]);
  assert.deepEqual(typed('7.').draft.groups, [[7]]);
  assert.deepEqual(typed('7 ').draft.groups, [[7]]);
  assert.deepEqual(typed('7{Enter}').draft.groups, [[7]]);
  assert.deepEqual(typed('80').draft.groups, [[80]]);
  const begun = typed('8').draft;
  assert.deepEqual([begun.groups, begun.digit], [[[]], '8']);
});

test('there is no 85 and no 00: refused with the reason, nothing lost', () => {
  const wrong = typed('07185', typed('8').draft);
  assert.deepEqual(typed('0785').acts, ['refused']);
  const { draft } = typed('0785');
  assert.match(draft.fault, /85/);
  assert.deepEqual([draft.groups, draft.digit], [[[7]], '8']);
  assert.deepEqual(typed('{Backspace}', draft).draft.digit, '');
  assert.deepEqual(typed('00').acts, ['refused']);
  assert.ok(wrong);
});

test('every number from 1 to 80 can be typed, and only those', () => {
  for (let number = 1; number <= 80; number += 1) {
    const { draft } = typed(String(number).padStart(2, '0').replace('09', '9'));
    assert.deepEqual(draft.groups, [[number]]);
  }
});

test('backspace takes back a digit, a number, a group, to the beginning', () => {
  let { draft } = typed('0718{Enter}26');
  const seen = [];
  for (let i = 0; i < 6; i += 1) {
    draft = press(draft, 'Backspace').draft;
    seen.push(JSON.stringify(draft.groups));
  }
  assert.deepEqual(seen, ['[[7,18],[]]', '[[7,18]]', '[[7]]', '[[]]', '[[]]', '[[]]']);
});

test('Enter on an empty group: conditioning if several groups have none', () => {
  assert.equal(typed('0718{Enter}26{Enter}{Enter}').draft.at, 'conditioning');
  assert.deepEqual(typed('0718{Enter}26{Enter}{Enter}').acts, []);
  assert.deepEqual(typed('{Enter}').acts, ['refused']);
});

test('K makes only the next number a king', () => {
  const { draft } = typed('0718k5526');
  assert.deepEqual([draft.groups, draft.kings], [[[7, 18, 26]], [55]]);
  assert.deepEqual(typed('k5{Enter}').draft.kings, [5]);
  assert.deepEqual(typed('07k{Escape}18').draft.groups, [[7, 18]]);
});

test('minus takes a number off and stays in its group: one number is changed in five keys', () => {
  const { draft } = typed('0718{Enter}2633');
  const changed = typed('-1819', draft).draft;
  assert.deepEqual(changed.groups, [
    [7, 19],
    [26, 33],
  ]);
  assert.equal(changed.at, 'g0');
  assert.deepEqual(typed('-44', draft).acts, ['refused']);
  const ready = edit.fromWire({
    groups: [[7, 18]],
    kings: [55],
    conditioning: '1/3',
    rate: '',
    games: '2',
    quick_pick: null,
  });
  assert.deepEqual(typed('-1819', ready).draft.groups, [[7, 19]]);
  assert.deepEqual(typed('-5556', ready).draft.kings, [56]);
});

test('conditioning is text: letters, sets, rates of their own, the point as a space', () => {
  assert.equal(typed('0718{Enter}26/ab,ck1').draft.conditioning, 'AB,CK1');
  assert.equal(typed('07/3/8.1/12').draft.conditioning, '3/8 1/12');
  assert.equal(typed('07/3/8@2.50 1/12').draft.conditioning, '3/8@2.50 1/12');
  assert.equal(typed('07/3/8{Backspace}9').draft.conditioning, '3/9');
});

test('rate and games: typing replaces what was there, plus and minus step', () => {
  assert.equal(typed('07*2.50').draft.rate, '2.50');
  assert.equal(typed('07*2.50{Enter}*3').draft.rate, '3');
  assert.equal(typed('07*1.25s', EMPTY, { marks: ['S'] }).draft.rate, '1.25S');
  assert.equal(typed('07+5').draft.games, '5');
  assert.equal(typed('07+5{Enter}+12').draft.games, '12');
  assert.equal(typed('07+++').draft.games, '3');
  assert.equal(typed('07+++--').draft.games, '1');
  assert.equal(typed('07+--').draft.games, '1');
});

test('a fault in a text field keeps Enter there', () => {
  const done = typed('07*1.03{Enter}', EMPTY, { faultAt: 'rate' });
  assert.deepEqual([done.draft.at, done.acts], ['rate', ['refused']]);
});

test('quick-pick: Q, the spots, Enter, Enter', () => {
  const done = typed('q6{Enter}{Enter}');
  assert.deepEqual(done.acts, ['print']);
  assert.equal(toWire(done.draft, 1).quick_pick, 6);
  assert.deepEqual(toWire(done.draft, 1).groups, []);
  assert.deepEqual(typed('07q').acts, ['quick']);
  assert.equal(typed('q{Backspace}').draft.quick, null);
  assert.equal(typed('q{Escape}').draft.quick, null);
});

test('touch: a number goes into the active group, and off the ticket again', () => {
  let draft = edit.toggle(EMPTY, 18);
  draft = edit.toggle(edit.newGroup(draft), 26);
  assert.deepEqual(draft.groups, [[18], [26]]);
  assert.deepEqual(edit.toggle(draft, 18).groups, [[], [26]]);
  assert.deepEqual(edit.toggle(edit.king(draft), 55).kings, [55]);
  assert.deepEqual(edit.toggle(edit.king(draft), 18), {
    ...edit.toggle(edit.king(draft), 18),
    kings: [18],
    groups: [[], [26]],
  });
  assert.deepEqual(edit.toggle(edit.visit(draft, 'games'), 30).groups, [[18], [26, 30]]);
});

test('an empty group is never sent, and faults find their group all the same', () => {
  const draft = edit.toggle(edit.toggle(edit.newGroup(edit.toggle(EMPTY, 18)), 26), 18);
  assert.deepEqual(toWire(draft, 1).groups, [[26]]);
  assert.equal(edit.fieldOf(draft, 'groups[0]'), 'g1');
  assert.equal(edit.fieldOf(draft, 'kings[0]'), 'kings');
  assert.equal(edit.fieldOf(draft, ''), '');
});

test('chips of conditioning go in and out', () => {
  const draft = edit.toggleWays(edit.toggleWays(EMPTY, '3/8'), '1/12');
  assert.equal(draft.conditioning, '3/8 1/12');
  assert.equal(edit.toggleWays(draft, '3/8').conditioning, '1/12');
});

test('arrows walk through the fields in typing order', () => {
  let { draft } = typed('0718{Enter}26');
  const seen = [draft.at];
  for (let i = 0; i < 4; i += 1) seen.push((draft = press(draft, 'ArrowRight').draft).at);
  assert.deepEqual(seen, ['g1', 'conditioning', 'rate', 'games', 'ready']);
  assert.equal(press(draft, 'ArrowLeft').draft.at, 'games');
});

test('a found ticket comes ready, and remembers what it replaces', () => {
  const origin = { kind: 'previous', ticket: 5, code: 'X', change_confirmed: false };
  const draft = edit.fromWire(
    {
      groups: [[1, 2]],
      kings: [],
      conditioning: '',
      rate: '1.00',
      games: '1',
      quick_pick: null,
      origin,
    },
    { ticket: 5, code: 'X' },
  );
  assert.equal(draft.at, 'ready');
  assert.equal(edit.confirmChange(draft).origin.change_confirmed, true);
  assert.equal(edit.confirmChange(EMPTY), EMPTY);
  assert.deepEqual(draft.live, { ticket: 5, code: 'X' });
});

test('no sequence of keys breaks a draft', () => {
  const keys = [
    ...'0123456789',
    'Enter',
    'Backspace',
    ' ',
    '.',
    '/',
    '*',
    '+',
    '-',
    'k',
    'q',
    'ArrowLeft',
    'ArrowRight',
    'Escape',
    'A',
    '@',
    ',',
  ];
  let seed = 7;
  const next = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (let round = 0; round < 300; round += 1) {
    let draft = EMPTY;
    for (let i = 0; i < 60; i += 1) {
      draft = press(draft, keys[Math.floor(next() * keys.length)]).draft;
      const wire = toWire(draft, 0);
      for (const number of [...wire.groups.flat(), ...wire.kings])
        assert.ok(number >= 1 && number <= 80);
      assert.ok(draft.groups.length >= 1);
      assert.ok(
        draft.at === 'ready' || edit.fields(draft).includes(draft.at),
        `${draft.at} of ${edit.fields(draft)}`,
      );
    }
  }
});
