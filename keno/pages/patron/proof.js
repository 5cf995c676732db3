// Fetches the record of a game and the ticket's place in its sealed book, and verifies both in this
// browser. A check mark means that every step holds.

import { Refused } from '../shared/ask.js';
import { attribute, h, put, svg } from '../shared/dom.js';
import { ask, askText, wordsFor } from './ask.js';
import { announce, sheet } from './frame.js';
import { listedAs } from './verdict.js';

/**
 * @import { PublicGame } from '../shared/types.js'
 * @import { Report, Step, StepId, TicketState } from '../verify/types.js'
 * @import { CheckedTicket, HeldTicket, Judged, PlayedGame, RequestJson } from './types.js'
 */

/**
 * The leaf of a ticket in the sealed list, and the ticket, as far as they are compared.
 * @typedef {{ticket: number, first: number, last: number, price_cents: number,
 *   request: RequestJson}} Leaf
 * @typedef {'ticket' | 'first_game' | 'last_game' | 'price_cents' | 'request'} SoldPart
 * @typedef {Pick<CheckedTicket, SoldPart>} Sold
 */
/** @typedef {{judged: Judged, files: {record: string, line: string}}} Proof */
/** @typedef {ReturnType<typeof proofPanel>} ProofPanel */

const HERE = (globalThis.innerWidth ?? 0) < 900 ? 'on this phone' : 'in this browser';
/** @type {StepId[]} */
const HEADLINES = ['times', 'ticket', 'numbers', 'void', 'signed'];

/**
 * The verdict on a game and a ticket from the report of their verification. Pure.
 * @param {Pick<Report, 'steps' | 'numbers' | 'proven' | 'game'>} report
 * @param {{ticket: Sold, game: Pick<PlayedGame, 'game' | 'numbers'>, leaf: Leaf | null}} shown the
 *   game and ticket as this page has them
 * @returns {Judged}
 */
export function judge(report, { ticket, game, leaf }) {
  const steps = report.steps.map((step) => ({ ...step }));
  /** @type {(id: StepId, words: string) => void} */
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

/** @type {(one: number[], other: number[]) => boolean} */
const same = (one, other) =>
  one.length === other.length && one.every((each, index) => each === other[index]);

/**
 * @param {Leaf} leaf
 * @param {Sold} ticket
 */
function sameTicket(leaf, ticket) {
  /** @param {RequestJson} request */
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

/**
 * The steps that are shown first, and the rest; all are first unless everything is proven. Pure.
 * @param {Step[]} steps
 * @param {Judged['state']} state
 */
export function arranged(steps, state) {
  if (state !== 'proven') return { first: steps, rest: [] };
  const first = HEADLINES.flatMap((id) => steps.find((step) => step.id === id) ?? []);
  return { first, rest: steps.filter((step) => !first.includes(step)) };
}

/**
 * Fetch and verify the proof of a ticket in a game; throws `Refused` if it cannot be fetched.
 * @param {HeldTicket} held
 * @param {CheckedTicket} ticket
 * @param {PlayedGame} game
 * @returns {Promise<Proof>}
 */
export async function prove(held, ticket, game) {
  const at = `/api/games/${encodeURIComponent(ticket.location)}/${game.game}`;
  /** @type {[string, string, PublicGame, typeof import('../verify/proof.js')]} */
  const [record, line, view, { verifyGame }] = await Promise.all([
    askText(`${at}/proof`),
    askText('/api/tickets/proof', { ...held, game: game.game }),
    ask(at),
    import('../verify/proof.js'),
  ]);
  const asked = {
    ticket: line,
    state: listedAs(ticket, game),
    name: game.name,
    openedMs: view.opened_ms,
    zone: ticket.place.zone,
  };
  const report = await verifyGame(record, asked);
  const judged = judge(report, { ticket, game, leaf: leafOf(line) });
  return { judged, files: { record, line } };
}

/**
 * @param {string} line
 * @returns {Leaf | null}
 */
function leafOf(line) {
  try {
    return JSON.parse(line).leaf;
  } catch {
    return null; // the verifier has said so
  }
}

// ---------------------------------------------------------------- the panel

/**
 * The proof panel of a ticket; `show(game)` verifies that game, once.
 * @param {HeldTicket} held
 * @param {CheckedTicket} ticket
 */
export function proofPanel(held, ticket) {
  const panel = h('section', { class: 'proof', 'aria-label': 'Proof' });
  /** @type {Map<PlayedGame, Promise<Proof>>} */
  const done = new Map();
  /** @type {PlayedGame | null} */
  let current = null;
  /** @param {PlayedGame | null} game */
  const show = async (game) => {
    current = game;
    const ended = ENDED[listedAs(ticket, game)];
    const over = game && ['settled', 'void'].includes(game.state);
    if (ended && !over) {
      aside(panel, game, ended);
      return;
    }
    if (!game || !over) {
      panel.dataset.state = 'later';
      put(
        panel,
        heading('Proof', game && `game ${game.name}`),
        h('p', { class: 'quiet' }, 'It can be proven as soon as the game is over.'),
      );
      return;
    }
    const proof = done.get(game) ?? prove(held, ticket, game);
    done.set(game, proof);
    if (!panel.childElementCount || panel.dataset.state !== 'waiting') {
      panel.dataset.state = 'waiting';
      put(panel, heading('Proving …', `game ${game.name}`));
    }
    try {
      const found = await proof;
      if (current === game) paint(panel, game, found);
    } catch (error) {
      done.delete(game);
      if (current !== game) return;
      // A game that was never closed has no list; other refusals are shown and may be tried again.
      const never = error instanceof Refused && error.code === 'not_possible_now';
      if (ended && never) aside(panel, game, ended);
      else refused(panel, game, error, () => show(game));
    }
  };
  return {
    panel,
    show,
    /** The proof files of the game that is shown; null without one. */
    files: async () => {
      const proof = current && (await done.get(current));
      return current && proof ? { game: current, ...proof.files } : null;
    },
  };
}

/** @type {Partial<Record<TicketState, string>>} */
const ENDED = {
  void: 'Void before the draw: it plays in no game.',
  cancelled: 'Cancelled before the draw: it does not play this game.',
};

/**
 * Show, without a check mark, that there is nothing to prove of a ticket that does not play.
 * @param {HTMLElement} panel
 * @param {PlayedGame | null} game
 * @param {string} words
 */
function aside(panel, game, words) {
  panel.dataset.state = 'ended';
  put(panel, heading('Proof', game && `game ${game.name}`), h('p', { class: 'quiet' }, words));
}

/**
 * @param {string} title
 * @param {string | null} aside
 */
function heading(title, aside) {
  return h('h2', {}, title, aside && h('span', {}, aside));
}

/**
 * @param {HTMLElement} panel
 * @param {PlayedGame} game
 * @param {Proof} proof
 */
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

/**
 * @param {HTMLElement} panel
 * @param {PlayedGame} game
 * @param {unknown} error
 * @param {() => void} again
 */
function refused(panel, game, error, again) {
  if (!(error instanceof Refused)) console.error(error);
  panel.dataset.state = 'unable';
  const words = error instanceof Refused ? wordsFor(error) : 'The proof could not be read.';
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

/** @type {Record<Step['state'], string>} */
const MARKS = {
  good: 'M4 13l5 5L20 6',
  failed: 'M6 6l12 12M18 6L6 18',
  'not reached': 'M6 12h12',
  'not possible': 'M6 12h12',
};
/** @type {Record<Step['state'], string>} */
const SAID = {
  good: 'holds',
  failed: 'failed',
  'not reached': 'not reached',
  'not possible': 'not possible here',
};

/** @param {Step} step */
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

/**
 * Open a dialog with both proof files to save, and how to verify them elsewhere.
 * @param {ProofPanel} panel
 * @param {CheckedTicket} ticket
 */
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
    listedAs(ticket, found.game) !== 'live' &&
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
