// The tones are the guide's.

import assert from 'node:assert/strict';
import test from 'node:test';

import { TONES } from '../../../keno/pages/shared/sounds.js';

test('every sound of the floor is there, short and not too loud', () => {
  for (const name of [
    'ball',
    'minute',
    'lockout',
    'printed',
    'refused',
    'award',
    'low',
    'waiting',
  ]) {
    assert.ok(TONES[name]?.length, name);
    for (const { at, ms, loud } of TONES[name])
      assert.ok(at + ms <= 1500 && loud > 0 && loud <= 0.5, name);
  }
});

test('the pitches', () => {
  const pitches = (name) => TONES[name].map(({ pitch }) => Math.round(pitch));
  assert.deepEqual(pitches('ball'), [440, 659]);
  assert.deepEqual(pitches('minute'), [523, 659, 784]);
  assert.deepEqual(pitches('award'), [440, 523, 659]);
  assert.equal(pitches('lockout')[0], 196);
});
