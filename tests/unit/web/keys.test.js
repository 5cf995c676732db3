// A scanner is recognised by its pace and by what it types.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Burst, looksScanned } from '../../../writer_station/ui/keys.js';

function feed(text, step, burst = new Burst()) {
  let undone = 0;
  let now = 1000;
  const meant = [...text, 'Enter'].map((key) =>
    burst.feed(key, (now += step), () => () => (undone += 1)),
  );
  return { meant, undone };
}

test('a scanned ticket is one text, and what was echoed is taken back once', () => {
  const { meant, undone } = feed('A-4182276-7K3M9Q2XWZ4HB6RT', 4);
  assert.deepEqual(meant.at(-1), { scan: 'A-4182276-7K3M9Q2XWZ4HB6RT' });
  assert.equal(undone, 1);
});

test('an address, JSON and the text form of a request are scans', () => {
  for (const text of [
    'https://keno.example/t/A-418-7K3M',
    '{"groups": [[1]]}',
    '1 2 3 4/5 6: 1/4@1.00 x5',
  ]) {
    assert.deepEqual(feed(text, 3).meant.at(-1), { scan: text }, text);
  }
});

test('the same at a person’s pace is typing', () => {
  assert.ok(feed('A-4182276-7K3M', 200).meant.every((each) => each === 'typed'));
});

test('digits are typing, however fast', () => {
  assert.ok(feed('071833616870', 1).meant.every((each) => each === 'typed'));
  assert.equal(looksScanned('07183361'), false);
  assert.equal(looksScanned('3/8 1/12'), false);
});
