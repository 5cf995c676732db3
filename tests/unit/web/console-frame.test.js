// What the console's tabs are made of: busy buttons, fields that must be filled in, timers, lists.

import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';

import { Refused } from '../../../keno/pages/shared/ask.js';
import { h } from '../../../keno/pages/shared/dom.js';
import * as frame from '../../../keno/pages/console/frame.js';
import { find, findAll, freshDocument } from './fake-document.js';

beforeEach(() => freshDocument());

const turn = () => new Promise((done) => setImmediate(done));

test('a busy button cannot be pressed twice', async () => {
  let release;
  let acts = 0;
  const button = frame.button('Send', () => {
    acts += 1;
    return new Promise((done) => (release = done));
  });
  button.click();
  button.click();
  assert.deepEqual([acts, button.getAttribute('aria-busy')], [1, 'true']);
  release();
  await turn();
  assert.equal(button.hasAttribute('aria-busy'), false);
  button.click();
  assert.equal(acts, 2);
});

test('a form runs its act and does not load the page', () => {
  let acts = 0;
  const form = frame.form({ class: 'finder' }, () => (acts += 1));
  const event = new Event('submit', { cancelable: true });
  form.dispatchEvent(event);
  assert.deepEqual([acts, event.defaultPrevented, form.className], [1, true, 'finder']);
});

test('a reason is needed, without spaces around it', () => {
  const reason = frame.reasonField('Reason', { missing: 'Why?' });
  reason.value = '  ';
  assert.equal(reason.need(), null);
  assert.equal(find(reason.element, '.field-no').textContent, 'Why?');
  assert.equal(document.activeElement, reason.input);
  reason.value = ' A bus is late. ';
  assert.equal(reason.need(), 'A bus is late.');
});

test('a second person has a name and a password', () => {
  const second = frame.secondFields('Inspector');
  const [name, password] = findAll(second.element, 'input');
  assert.equal(second.need(), null);
  assert.equal(document.activeElement, name);
  name.value = ' IVY ';
  assert.equal(second.need(), null);
  assert.equal(document.activeElement, password);
  password.value = 'three blind mice';
  assert.deepEqual(second.need(), { person: 'IVY', password: 'three blind mice' });
  second.clear();
  assert.deepEqual([name.value, password.value], [' IVY ', '']);
});

test('a status line says what came of an act', () => {
  const status = frame.statusLine();
  const said = () => [status.element.dataset.kind, status.element.textContent];
  status.good('Done.');
  assert.deepEqual(said(), ['good', 'Done.']);
  status.no(new Refused('held', 'It is held.'));
  assert.deepEqual(said(), ['no', 'It is held.']);
  status.no('No game is open here.');
  assert.deepEqual(said(), ['no', 'No game is open here.']);
  status.clear();
  assert.deepEqual(said(), ['', '']);
  assert.equal(frame.refused(new Refused('held', 'It is held.')).textContent, 'It is held.');
});

test('what is grave is asked before it is done', async () => {
  const about = { title: 'Switch off?', words: ['It sells nothing.'], act: 'Off', grave: true };
  const answers = async (press) => {
    const sure = frame.confirm(about);
    const dialog = find(document.body, 'dialog');
    assert.match(dialog.textContent, /Switch off\?.*It sells nothing\./);
    press(dialog);
    const answer = await sure;
    assert.equal(findAll(document.body, 'dialog').length, 0);
    return answer;
  };
  assert.equal(await answers((it) => find(it, 'form').dispatchEvent(new Event('submit'))), true);
  assert.equal(await answers((it) => findAll(it, 'button').at(-1).click()), false);
  assert.equal(await answers((it) => find(it, '.sheet-close').click()), false);
});

test('a table has a cell for each column, or says that there is nothing', () => {
  const columns = [
    { head: 'Game', cell: (row) => row.name },
    { head: 'Tickets', right: true, cell: (row) => row.tickets },
  ];
  const words = { caption: 'Draws', none: 'No draws.' };
  const table = frame.table(columns, [{ name: 'A-41', tickets: 3 }], words);
  assert.deepEqual(
    findAll(table, 'td').map((cell) => [cell.textContent, cell.className]),
    [
      ['A-41', ''],
      ['3', 'right'],
    ],
  );
  assert.equal(frame.table(columns, [], words).textContent, 'No draws.');
});

test('facts that are false are left out', () => {
  const list = frame.facts([['Sold', 'yes'], false, null, ['Paid', 0]]);
  assert.deepEqual(
    list.children.map((each) => each.textContent),
    ['Sold', 'yes', 'Paid', '0'],
  );
});

test('a round follows the end of the one before, and a refusal does not stop it', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let rounds = 0;
  const stop = frame.every(1_000, async () => {
    rounds += 1;
    throw new Refused('offline', 'x');
  });
  for (let second = 0; second < 3; second += 1) {
    mock.timers.tick(1_000);
    await turn();
  }
  assert.equal(rounds, 3);
  stop();
  mock.timers.tick(5_000);
  assert.equal(rounds, 3);
  mock.timers.reset();
});

test('several calls soon after each other are one', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let acts = 0;
  const nudge = frame.soon(150, () => (acts += 1));
  nudge();
  nudge();
  mock.timers.tick(150);
  assert.equal(acts, 1);
  nudge();
  mock.timers.tick(150);
  assert.equal(acts, 2);
  mock.timers.reset();
});

test('a list keeps its elements while their keys stay', () => {
  const parent = h('ul');
  const paint = frame.keyedList(
    parent,
    (item) => item.key,
    () => {
      const element = h('li');
      return { element, paint: ({ words }) => (element.textContent = words) };
    },
  );
  const words = () => parent.children.map((each) => each.textContent);
  paint([
    { key: 1, words: 'one' },
    { key: 2, words: 'two' },
    { key: 3, words: 'three' },
  ]);
  const [one, , three] = parent.children;
  paint([
    { key: 3, words: 'drei' },
    { key: 1, words: 'eins' },
    { key: 4, words: 'vier' },
  ]);
  assert.deepEqual(words(), ['drei', 'eins', 'vier']);
  assert.ok(parent.children[0] === three && parent.children[1] === one);
  paint([
    { key: 4, words: 'a' },
    { key: 4, words: 'b' },
  ]);
  assert.deepEqual(words(), ['a', 'b'], 'a key twice is shown twice');
  paint([]);
  assert.deepEqual(words(), []);
});
