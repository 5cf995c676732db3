// Labelled inputs: what they are called, how they refuse, and that a secret does not stay.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { choice, field, secondPerson, take } from '../../../keno/pages/shared/field.js';
import { find, findAll, freshDocument } from './fake-document.js';

beforeEach(freshDocument);

const says = (made, what) => find(made.element, what).textContent;

test('a label names its input; ids are different', () => {
  const [one, other] = [field('Name'), field('Password', { type: 'password' })];
  assert.notEqual(one.input.id, other.input.id);
  assert.equal(find(one.element, 'label').getAttribute('for'), one.input.id);
  assert.equal(says(one, 'label'), 'Name');
  assert.deepEqual([one.input.type, other.input.type], ['text', 'password']);
  assert.equal(one.input.autocomplete, 'off');
});

test('properties go to the input, classes of the wrapping element are apart', () => {
  const made = field('Why', { rows: 3, wrap: 'wide', class: 'input', spellcheck: false });
  assert.deepEqual(
    [made.input.tag, made.input.rows, made.input.className],
    ['textarea', 3, 'input'],
  );
  assert.equal(made.input.getAttribute('spellcheck'), 'false');
  assert.equal(made.element.className, 'field wide');
});

test('a refusal is shown beside the note, is read out, and goes when something is typed', () => {
  const made = field('Reason', { note: 'Kept in the record.' });
  const { id } = made.input;
  assert.equal(made.input.getAttribute('aria-describedby'), `${id}-no ${id}-note`);
  made.refuse('Say why first.');
  assert.deepEqual(
    [says(made, '.field-note'), says(made, '.field-no')],
    ['Kept in the record.', 'Say why first.'],
  );
  assert.equal(find(made.element, '.field-no').getAttribute('role'), 'alert');
  assert.equal(made.input.getAttribute('aria-invalid'), 'true');
  assert.equal(made.element.classList.contains('wrong'), true);
  assert.equal(document.activeElement, made.input);
  made.input.dispatchEvent(new Event('input'));
  assert.equal(says(made, '.field-no'), '');
  assert.equal(made.input.hasAttribute('aria-invalid'), false);
  assert.equal(made.element.className, 'field');
});

test('without a note there is no empty one', () => {
  const made = field('Reason');
  assert.deepEqual(findAll(made.element, '.field-note'), []);
  assert.equal(made.input.getAttribute('aria-describedby'), `${made.input.id}-no`);
});

test('a refusal instead of the note: the note comes back', () => {
  const made = field('Amount', { note: 'In dollars.', instead: true });
  assert.equal(made.input.getAttribute('aria-describedby'), `${made.input.id}-why`);
  made.refuse('Not an amount.');
  assert.equal(says(made, '.field-why'), 'Not an amount.');
  made.clear();
  assert.equal(says(made, '.field-why'), 'In dollars.');
  assert.deepEqual(findAll(made.element, '.field-no'), []);
});

test('a value is read as it is or trimmed; setting it takes a refusal back', () => {
  const made = field('Name');
  made.refuse('Who?');
  made.value = ' MAX ';
  assert.deepEqual([made.value, made.typed(), says(made, '.field-no')], [' MAX ', 'MAX', '']);
});

test('a choice has its options in order', () => {
  const made = choice(
    'Role',
    [
      ['writer', 'Writer'],
      ['manager', 'Manager'],
    ],
    { name: 'role' },
  );
  assert.deepEqual(
    findAll(made.input, 'option').map((each) => [each.value, each.textContent]),
    [
      ['writer', 'Writer'],
      ['manager', 'Manager'],
    ],
  );
  assert.equal(made.input.name, 'role');
});

test('a secret is read once', () => {
  const made = field('Password', { type: 'password' });
  made.value = ' s3cret ';
  assert.deepEqual([take(made), take(made)], [' s3cret ', '']);
});

test('a second person types both; the first that is missing is refused', () => {
  const [person, password, phrase] = [field('Name'), field('Password'), field('Passphrase')];
  const missing = { person: 'Whose name?', password: 'Their password.' };
  const second = secondPerson({ person, password, phrase, missing });
  assert.equal(second.complete(), false);
  assert.equal(says(person, '.field-no'), 'Whose name?');
  person.value = ' ANN ';
  assert.equal(second.complete(), false);
  assert.equal(says(password, '.field-no'), 'Their password.');
  password.value = ' p ';
  phrase.value = 'open';
  assert.equal(second.complete(), true);
  assert.deepEqual(second.read(), { person: 'ANN', password: ' p ' });
  assert.deepEqual(second.take(), { person: 'ANN', password: ' p ' });
  assert.deepEqual([password.value, second.takePhrase(), phrase.value], ['', 'open', '']);
});

test('wiping leaves the name', () => {
  const [person, password] = [field('Name'), field('Password')];
  const second = secondPerson({ person, password, missing: { person: '', password: '' } });
  person.value = 'ANN';
  password.value = 'p';
  second.wipe();
  assert.deepEqual([second.read(), second.takePhrase()], [{ person: 'ANN', password: '' }, '']);
});
