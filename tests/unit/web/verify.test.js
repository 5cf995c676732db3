// A whole verification in node: the vector's game, its steps in words, what happens at a fault, and
// where a browser cannot compute. Games of every kind come from Python: test_browser_verifier.py.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { verifyGame } from '../../../keno/pages/verify/proof.js';
import {
  CODES,
  LEAF_HASHES,
  LEAVES,
  NUMBERS,
  RECORDS,
  THIRD_PATH,
  vectorLines,
  vectorTicket,
} from './verify-vector.js';

const LINES = vectorLines();
const GENESIS = RECORDS.genesis.digest;
const SEAL = RECORDS['commit-w'].digest;
const SEALED_MS = 1794794520000;
const states = ({ steps }) => Object.fromEntries(steps.map(({ id, state }) => [id, state]));
const failed = ({ steps }) => steps.filter(({ state }) => state === 'failed').map(({ id }) => id);
const words = ({ steps }, id) => steps.find((step) => step.id === id).words;

const own = Object.getOwnPropertyDescriptor(globalThis, 'crypto');
afterEach(() => Object.defineProperty(globalThis, 'crypto', own));

test('the steps of a drawn game, in the order of the protocol and in plain words', async () => {
  const asked = {
    ticket: vectorTicket(),
    genesis: GENESIS,
    commitment: SEAL.slice(0, 32),
    openedMs: SEALED_MS,
    name: 'A-1',
    zone: 'UTC',
  };
  const report = await verifyGame(LINES, asked);
  assert.equal(report.proven, true);
  assert.deepEqual(
    report.steps.map(({ step, title, state, words: said }) => [step, state, title, said]),
    [
      [
        1,
        'good',
        'The keys are those that are posted',
        'TEST: NO VALUE. All who may sign for this house are those whose digest is posted.',
      ],
      [
        2,
        'good',
        'The record of game A-1 is complete',
        'Every line is written in the one way that is allowed.',
      ],
      [
        3,
        'good',
        'Signed by generator, witness and house',
        'Unlocked by an inspector and a supervisor, for the 1st time.',
      ],
      [
        4,
        'good',
        'Nothing was exchanged: each record seals the one before it',
        'The seal printed on the ticket is this game’s. No game is missing since the first one.',
      ],
      [
        5,
        'good',
        'Both secrets are the ones that were sealed',
        'And neither is used twice in this file.',
      ],
      [
        6,
        'good',
        'Sealed before game A-1 opened',
        'Sealed 2:02:00 AM, opened 2:02:00 AM, closed 2:07:00 AM.',
      ],
      [
        7,
        'good',
        'The twenty numbers follow from the sealed secrets',
        'Computed again here: 20 of 20 agree, in their order.',
      ],
      [
        9,
        'good',
        'Your ticket is in the sealed list',
        'Number 3 of 3, sealed before the numbers existed.',
      ],
    ],
  );
  const { steps: _, proven: __, ...rest } = report;
  assert.deepEqual(rest, {
    game: 1, state: 'drawn', numbers: NUMBERS, suppressed: null, mode: 'test', genesis: GENESIS,
    commitment: SEAL, head: RECORDS.result.digest, boot: 1,
  }); // prettier-ignore
});

test('without a ticket, a name or a posted digest there are fewer words', async () => {
  const report = await verifyGame(LINES.join(''), { ticket: null, genesis: undefined });
  assert.equal(report.proven, true);
  assert.deepEqual(
    report.steps.map(({ id }) => id),
    ['genesis', 'form', 'signed', 'links', 'secrets', 'times', 'numbers'],
  );
  assert.match(words(report, 'genesis'), new RegExp(`posted at the booth: ${GENESIS}`));
  assert.equal(report.steps[5].title, 'Sealed before game 1 closed');
});

test('after a failed step the later ones are not reached, and nothing is proven', async () => {
  const forged = LINES[2].replace(/("countersign":\{"body":.*?"sigs":\{".{64}":")./, '$10');
  assert.notEqual(forged, LINES[2]);
  const report = await verifyGame([...LINES.slice(0, 2), forged], { ticket: vectorTicket() });
  assert.equal(report.proven, false);
  assert.equal(report.numbers, null);
  assert.deepEqual(states(report), {
    genesis: 'good', form: 'good', signed: 'failed', links: 'not reached', secrets: 'not reached',
    times: 'not reached', numbers: 'not reached', ticket: 'not reached',
  }); // prettier-ignore
  assert.equal(
    words(report, 'signed'),
    'The witness’s countersignature: the signature of the witness is wrong.',
  );
});

test('another posted digest, another printed seal, a seal after the opening', async () => {
  assert.deepEqual(failed(await verifyGame(LINES, { genesis: '00'.repeat(32) })), ['genesis']);
  assert.deepEqual(failed(await verifyGame(LINES, { genesis: '' })), ['genesis']);
  for (const commitment of ['00'.repeat(16), SEAL.slice(0, 31), '', SEAL.slice(1)]) {
    assert.deepEqual(failed(await verifyGame(LINES, { commitment })), ['links']);
  }
  assert.equal(
    (
      await verifyGame(LINES, {
        commitment: SEAL.slice(0, 32).toUpperCase().replace(/.{8}/g, '$& '),
      })
    ).proven,
    true,
  );
});

test('15.5(d): a game dated before its seal is listed and judged by the record', async () => {
  /** @param {number} openedMs */
  const times = async (openedMs) => {
    const { proven, steps } = await verifyGame(LINES, { openedMs });
    const { title, words } = steps.find(({ id }) => id === 'times');
    return { proven, title, words };
  };
  const near = await times(SEALED_MS - 5000);
  assert.equal(near.proven, true);
  assert.match(near.title, /opened$/);
  assert.doesNotMatch(near.words, /clock/);
  const off = await times(SEALED_MS - 5001);
  assert.equal(off.proven, true);
  assert.match(off.title, /closed$/);
  assert.match(off.words, /house’s clock was off when the game opened/);
});

const second = JSON.parse(LEAVES[1]);
const BAD_TICKETS = {
  'another code': vectorTicket({ code: CODES[1] }),
  'a short code': vectorTicket({ code: CODES[2].slice(0, 15) }),
  'another place': vectorTicket({ index: 1 }),
  'no such place': vectorTicket({ index: 3 }),
  'no path': vectorTicket({ path: [] }),
  'a longer path': vectorTicket({ path: [...THIRD_PATH, ...THIRD_PATH] }),
  'another path': vectorTicket({ path: ['11'.repeat(32)] }),
  'another leaf': vectorTicket({ leaf: second }),
  'another game': vectorTicket({ game: 2 }),
  'no leaf': vectorTicket({ leaf: {} }),
  'no line feed': vectorTicket().trimEnd(),
  'no proof': '{}\n',
  nothing: '',
};

for (const [name, ticket] of Object.entries(BAD_TICKETS)) {
  test(`a ticket with ${name} is not proven, and the draw still is`, async () => {
    const report = await verifyGame(LINES, { ticket });
    assert.deepEqual([report.proven, failed(report)], [false, ['ticket']]);
    assert.deepEqual(report.numbers, NUMBERS);
  });
}

test('a void ticket is found in the list and said to be void', async () => {
  const ticket = vectorTicket({
    code: CODES[1],
    index: 1,
    leaf: second,
    path: [LEAF_HASHES[0], LEAF_HASHES[2]],
  });
  const report = await verifyGame(LINES, { ticket });
  assert.equal(words(report, 'ticket'), 'The ticket was void when the list was sealed.');
  assert.equal(report.proven, false);
});

test('a ticket that is called void is proven by its void leaf, and by nothing else', async () => {
  const voided = vectorTicket({
    code: CODES[1],
    index: 1,
    leaf: second,
    path: [LEAF_HASHES[0], LEAF_HASHES[2]],
  });
  const report = await verifyGame(LINES, { ticket: voided, state: 'void' });
  assert.equal(report.proven, true);
  assert.equal(report.steps.at(-1).title, 'Void before the draw, and the sealed list says so');
  const other = await verifyGame(LINES, { ticket: voided, state: 'cancelled' });
  assert.deepEqual([other.proven, failed(other)], [false, ['ticket']]);
  const live = await verifyGame(LINES, { ticket: vectorTicket(), state: 'void' });
  assert.deepEqual([live.proven, failed(live)], [false, ['ticket']]);
  assert.equal(words(live, 'ticket'), 'The ticket was still to play when the list was sealed.');
});

test('files that are no proof at all', async () => {
  const files = [
    [[], 'genesis'], ['', 'genesis'], ['hello', 'genesis'], [LINES.slice(1), 'genesis'],
    [[LINES[2]], 'genesis'],
    [LINES.slice(0, 2), 'form'], [[...LINES, '\n'], 'form'], [[...LINES, LINES[2]], 'form'],
  ]; // prettier-ignore
  for (const [lines, step] of files) {
    const report = await verifyGame(lines);
    assert.deepEqual([report.proven, failed(report)], [false, [step]]);
  }
});

test('an open game is not proven, though nothing about it is wrong', async () => {
  const made = JSON.parse(LINES[2]);
  const course = ['commit_r', 'commit_w', 'close', 'countersign', 'result'];
  for (const length of course.keys()) {
    const names = course.slice(0, length + 1).sort();
    const line = `${JSON.stringify(Object.fromEntries(names.map((name) => [name, made[name]])))}\n`;
    const report = await verifyGame([...LINES.slice(0, 2), line]);
    assert.deepEqual(
      [report.proven, report.state, failed(report), report.numbers],
      [false, 'open', [], null],
    );
    assert.equal(states(report).numbers, 'not reached');
  }
});

function without(...names) {
  const { subtle } = own.get.call(globalThis);
  const less = new Proxy(subtle, {
    get:
      (_, name) =>
      async (...given) => {
        const asked = JSON.stringify(
          given.filter((each) => typeof each === 'string' || each?.name),
        );
        if (names.some((each) => asked.includes(each)))
          throw new DOMException('Unrecognized name.', 'NotSupportedError');
        return subtle[name](...given);
      },
  });
  Object.defineProperty(globalThis, 'crypto', { configurable: true, value: { subtle: less } });
}

test('a browser without Ed25519 does what it can and proves nothing', async () => {
  without('Ed25519');
  const report = await verifyGame(LINES, { ticket: vectorTicket() });
  assert.equal(report.proven, false);
  assert.deepEqual(states(report), {
    genesis: 'not possible', form: 'good', signed: 'not possible', links: 'good', secrets: 'good',
    times: 'good', numbers: 'good', ticket: 'good',
  }); // prettier-ignore
  assert.deepEqual(report.numbers, NUMBERS);
  assert.match(words(report, 'signed'), /cannot check signatures.*keno verify/);
});

test('without Ed25519 what can be seen to be wrong is still wrong', async () => {
  without('Ed25519');
  const forged = LINES[2].replace('"numbers":[1,50', '"numbers":[50,1');
  assert.deepEqual(failed(await verifyGame([...LINES.slice(0, 2), forged])), ['links']);
  const unsigned = LINES[1].replace(/"sigs":.*/, '"sigs":{}}');
  assert.deepEqual(failed(await verifyGame([LINES[0], unsigned, LINES[2]])), ['signed']);
});

test('a browser whose Ed25519 takes every signature is not believed', async () => {
  const { subtle } = own.get.call(globalThis);
  const gullible = new Proxy(subtle, {
    get:
      (_, name) =>
      async (...given) =>
        name === 'verify' ? true : subtle[name](...given),
  });
  Object.defineProperty(globalThis, 'crypto', { configurable: true, value: { subtle: gullible } });
  const report = await verifyGame(LINES);
  assert.deepEqual([report.proven, states(report).signed], [false, 'not possible']);
});

test('on a page that is not secure nothing is possible', async () => {
  for (const value of [undefined, {}]) {
    Object.defineProperty(globalThis, 'crypto', { configurable: true, value });
    const report = await verifyGame(LINES, { ticket: vectorTicket() });
    assert.equal(report.proven, false);
    assert.equal(report.steps.length, 8);
    assert.deepEqual(new Set(report.steps.map(({ state }) => state)), new Set(['not possible']));
    assert.match(words(report, 'numbers'), /https.*keno verify/);
  }
});

test('a game is verified in well under a tenth of a second', async () => {
  const times = [];
  for (let time = 0; time < 10; time += 1) {
    const start = performance.now();
    await verifyGame(LINES, { ticket: vectorTicket() });
    times.push(performance.now() - start);
  }
  const median = times.sort((one, other) => one - other)[5];
  assert.ok(median < 100, `${median} ms`);
});
