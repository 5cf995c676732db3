// Every reason a ticket is not paid has a heading and a next step of its own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleWords, paperWords, whyWords } from '../../../writer_station/ui/pay-words.js';

const CODES = [
  'no_award',
  'drawing',
  'not_complete',
  'already_paid',
  'void',
  'not_issued',
  'cancelled',
  'expired',
  'held',
  'print_unconfirmed',
  'altered',
  'unknown_ticket',
  'malformed',
  'no_code',
  'other_location',
  'no_line',
  'link_lost',
];

test('each reason is named, and no two alike', () => {
  const headings = CODES.map((code) => whyWords(code).heading);
  assert.equal(new Set(headings).size, CODES.length);
  assert.ok(!headings.includes(whyWords('something new').heading));
});

test('no award is calm, and so is a game that is not over', () => {
  for (const code of ['no_award', 'drawing', 'not_complete'])
    assert.equal(whyWords(code).tone, 'calm');
  assert.equal(whyWords('already_paid').tone, 'no');
  assert.equal(whyWords('held').tone, 'held');
});

test('never an error, an OK or a submit', () => {
  for (const code of [...CODES, 'x']) {
    const { heading, next } = whyWords(code);
    assert.doesNotMatch(`${heading} ${next}`, /\b(error|OK|submit|invalid)\b/i);
  }
});

test('a ticket is keyed as on the papers of this location', () => {
  assert.equal(exampleWords({ letter: 'C' }), 'As on the paper: C-99 7QK2 M9XW 4RHD 3T8P');
});

test('the paper says what became of it', () => {
  const look = { state: 'live', why_not: null, printed: true };
  assert.deepEqual(paperWords(look), { good: true, words: 'Not paid yet, not void, not held' });
  assert.deepEqual(paperWords({ ...look, state: 'payout' }), { good: false, words: 'Paid' });
  assert.deepEqual(paperWords({ ...look, state: 'payout', just: true }), {
    good: true,
    words: 'Paid',
  });
  assert.equal(paperWords({ ...look, printed: false }).words, 'Print never confirmed');
  assert.equal(paperWords({ ...look, why_not: { code: 'held' } }).words, 'Held in dispute');
});
