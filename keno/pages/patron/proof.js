// "Prove it": fetches the record of a game and the ticket's place in its sealed book, and verifies
// both in this very browser. A check mark never stands for less than all steps.

import { attribute, h, put, svg } from '../shared/dom.js';
import { Refused } from '../shared/ask.js';
import { ask, askText, wordsFor } from './ask.js';
import { announce, sheet } from './frame.js';
import { standing } from './verdict.js';

const HERE = (globalThis.innerWidth ?? 0) < 900 ? 'on this phone' : 'in this browser';
const HEADLINES = ['times', 'ticket', 'numbers', 'void', 'signed'];

/**
 * What may be said of a game and a ticket. Pure.
 * @param {object} report of verifyGame
 * @param {object} shown the game and ticket as this page has them
 * @returns {{state: 'proven'|'failed'|'unable', title: string, steps: object[]}}
 */
export function judge(report, { ticket, game, leaf }) {
  const steps = report.steps.map((step) => ({ ...step }));
  const say = (id, words) => {
    const step = steps.find((each) => each.id === id);
    if (step?.state === 'good') Object.assign(step, { state: 'failed', words });
  };
  if (game.numbers && report.numbers && !same(report.numbers, game.numbers))
    say('numbers', 'The proof has other numbers than this page.');
  if (leaf && !sameTicket(leaf, ticket))
    say('ticket', 'The sealed ticket is not the one on this page.');
  const states = steps.map((step) => step.state);
  if (!steps.length || states.includes('failed'))
    return { state: 'failed', title: 'Not proven', steps };
  if (
    states.some((state) => state !== 'good') ||
    report.proven !== true ||
    report.game !== game.game
  ) {
    return { state: 'unable', title: `Not proven ${HERE}`, steps };
  }
  return { state: 'proven', title: `Proven ${HERE}`, steps };
}

const same = (one, other) =>
  one.length === other.length && one.every((each, index) => each === other[index]);

function sameTicket(leaf, ticket) {
  const plain = ({ groups, kings, lines, games }) =>
    JSON.stringify([groups, kings, lines.map((line) => Object.entries(line).sort()), games]);
  return (
    leaf.ticket === ticket.ticket &&
    leaf.first === ticket.first_game &&
    leaf.last === ticket.last_game &&
    leaf.price_cents === ticket.price_cents &&
    plain(leaf.request) === plain(ticket.request)
  );
}

/** The steps that stand first, and the others; a fault brings all of them forward. Pure. */
export function arranged(steps, state) {
  if (state !== 'proven') return { first: steps, rest: [] };
  const first = HEADLINES.map((id) => steps.find((step) => step.id === id)).filter(Boolean);
  return { first, rest: steps.filter((step) => !first.includes(step)) };
}

/** Fetch and verify; gives {judged, files}. Throws `Refused` if the proof cannot be had. */
export async function prove(held, ticket, game) {
  const at = `/api/games/${encodeURIComponent(ticket.location)}/${game.game}`;
  const [record, line, told, { verifyGame }] = await Promise.all([
    askText(`${at}/proof`),
    askText('/api/tickets/proof', { ...held, game: game.game }),
    ask(at),
    import('../verify/proof.js'),
  ]);
  const asked = {
    ticket: line,
    state: standing(ticket, game),
    name: game.name,
    openedMs: told.opened_ms,
    zone: ticket.place.zone,
  };
  const report = await verifyGame(record, asked);
  const judged = judge(report, { ticket, game, leaf: leafOf(line) });
  return { judged, files: { record, line } };
}

function leafOf(line) {
  try {
    return JSON.parse(line).leaf;
  } catch {
    return null; // the verifier has said so
  }
}

// ---------------------------------------------------------------- the panel

/** The panel of one ticket; `show(game)` proves that game, once. */
export function proofPanel(held, ticket) {
  const panel = h('section', { class: 'proof', 'aria-label': 'Proof' });
  const done = new Map();
  let current = null;
  const show = async (game) => {
    current = game;
    const ended = ENDED[standing(ticket, game)];
    const over = game && ['settled', 'void'].includes(game.state);
    if (ended && !over) {
      aside(panel, game, ended);
      return;
    }
    if (!over) {
      panel.dataset.state = 'later';
      put(
        panel,
        heading('Proof', game && `game ${game.name}`),
        h('p', { class: 'quiet' }, 'It can be proven as soon as the game is over.'),
      );
      return;
    }
    if (!done.has(game)) done.set(game, prove(held, ticket, game));
    if (!panel.childElementCount || panel.dataset.state !== 'waiting') {
      panel.dataset.state = 'waiting';
      put(panel, heading('Proving …', `game ${game.name}`));
    }
    try {
      const found = await done.get(game);
      if (current === game) paint(panel, game, found);
    } catch (no) {
      done.delete(game);
      if (current !== game) return;
      // A game that was never closed has no list; whatever may pass is said and tried again.
      if (ended && no.code === 'not_possible_now') aside(panel, game, ended);
      else refused(panel, game, no, () => show(game));
    }
  };
  return {
    panel,
    show,
    files: async () =>
      current && done.has(current) ? { game: current, ...(await done.get(current)).files } : null,
  };
}

const ENDED = {
  void: 'Void before the draw: it plays in no game.',
  cancelled: 'Cancelled before the draw: it does not play this game.',
};

/** There is nothing to prove of a ticket that does not play: said calmly, and without a mark. */
function aside(panel, game, words) {
  panel.dataset.state = 'ended';
  put(panel, heading('Proof', game && `game ${game.name}`), h('p', { class: 'quiet' }, words));
}

function heading(title, aside) {
  return h('h2', {}, title, aside && h('span', {}, aside));
}

function paint(panel, game, { judged }) {
  panel.dataset.state = judged.state;
  const { first, rest } = arranged(judged.steps, judged.state);
  put(
    panel,
    heading(judged.title, `game ${game.name}`),
    h('ol', { class: 'steps' }, first.map(step)),
    rest.length > 0 &&
      h(
        'details',
        {},
        h('summary', {}, `All ${judged.steps.length} steps`),
        h('ol', { class: 'steps' }, rest.map(step)),
      ),
  );
  announce(`${judged.title}, game ${game.name}.`);
}

function refused(panel, game, no, again) {
  if (!(no instanceof Refused)) console.error(no);
  panel.dataset.state = 'unable';
  const words = no instanceof Refused ? wordsFor(no) : 'The proof could not be read.';
  const button = h(
    'button',
    { class: 'button small', type: 'button', on: { click: again } },
    'Try again',
  );
  put(
    panel,
    heading('Not proven yet', `game ${game.name}`),
    h('p', { class: 'quiet' }, words),
    button,
  );
}

const MARKS = {
  good: 'M4 13l5 5L20 6',
  failed: 'M6 6l12 12M18 6L6 18',
  'not reached': 'M6 12h12',
  'not possible': 'M6 12h12',
};
const SAID = {
  good: 'holds',
  failed: 'failed',
  'not reached': 'not reached',
  'not possible': 'not possible here',
};

function step({ id, title, state, words }) {
  const mark = svg(
    'svg',
    { viewBox: '0 0 24 24', width: 16, height: 16, 'aria-hidden': 'true' },
    svg('path', { d: MARKS[state] }),
  );
  const item = h(
    'li',
    { data: { state, id } },
    h('span', { class: 'mark' }, mark),
    h(
      'div',
      {},
      h('b', {}, title, h('span', { class: 'for-readers' }, `: ${SAID[state]}. `)),
      h('p', {}, words),
    ),
  );
  return item;
}

/** A sheet with both files to keep, and how to verify them elsewhere. */
export async function saveSheet(panel, ticket) {
  const found = await panel.files().catch(() => null);
  if (!found) {
    sheet(
      'Save the proof',
      h('p', { class: 'quiet' }, 'There is no proof to save yet: open a game that is over.'),
    );
    return;
  }
  const names = [
    `${found.game.name}.proof`,
    `${ticket.letter}-${ticket.ticket}-game-${found.game.game}.ticket`,
  ];
  const links = [found.record, found.line].map((text, index) => {
    const address = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }));
    const link = h(
      'a',
      { class: 'button', href: address, download: names[index] },
      index ? 'Save your ticket’s place' : 'Save the record of the game',
    );
    attribute(link, 'data-file', names[index]);
    return link;
  });
  const made = sheet(
    'Save the proof',
    h(
      'p',
      { class: 'quiet' },
      'Two files that anybody can verify on any computer, without this house:',
    ),
    h('div', { class: 'stack' }, ...links),
    h('p', { class: 'quiet' }, 'Then type:'),
    h('p', { class: 'command code' }, `keno verify ${names[0]} --part --ticket ${names[1]}`),
    standing(ticket, found.game) !== 'live' &&
      h(
        'p',
        { class: 'quiet' },
        'It answers that the ticket was ended before the game closed, which is so.',
      ),
    h(
      'p',
      { class: 'quiet' },
      'Whoever has the second file can see this ticket. Keep it as you keep the paper.',
    ),
  );
  made.addEventListener('close', () => links.forEach((link) => URL.revokeObjectURL(link.href)));
}
