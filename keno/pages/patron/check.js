// The page that checks a ticket by its QR code (the page's own address), by camera or keyed. The
// code is sent in the body of a request and is in no address that a log or a history keeps.

import { attribute, h, put } from '../shared/dom.js';
import { ticketNumber } from '../shared/format.js';
import { ask, wordsFor } from './ask.js';
import { ticketView } from './check-view.js';
import { announce, band, bar, foot, named, page, places, sheet, to, trouble } from './frame.js';
import { keyed, readTicket } from './ticket.js';

/** @import { CheckedTicket, HeldTicket, PlayedGame } from './types.js' */

const AGAIN_MS = 30_000;
let later = 0;

/**
 * @param {HeldTicket} held
 * @param {Promise<Response>} [started] a request that is already on its way
 */
async function check(held, started) {
  clearTimeout(later);
  /** @type {CheckedTicket} */
  const ticket = await ask('/api/tickets/check', held, started);
  show(held, ticket);
}

/**
 * @param {HeldTicket} held
 * @param {CheckedTicket} ticket
 */
function show(held, ticket) {
  document.title = `Ticket ${ticket.letter}-${ticket.ticket}`;
  band(ticket.place.value);
  named(ticket.place.casino);
  bar(`Ticket ${ticketNumber(ticket.ticket)}`);
  const place = h('div', { class: 'proof-place' });
  /** @type {ReturnType<typeof import('./proof.js').proofPanel> | null} */
  let proof = null;
  /** @type {PlayedGame | null} */
  let opened = null;
  const { view, verdict, sold } = ticketView(ticket, (game) => {
    opened = game;
    proof?.show(game);
  });
  const save = h('button', { class: 'button', type: 'button' }, 'Save the proof');
  const last =
    verdict.kind === 'won'
      ? h('button', { class: 'button go', type: 'button', on: { click: booths } }, 'Find a booth')
      : h('a', { class: 'button', href: to('/check') }, 'Check another');
  document.body.dataset.glow = verdict.kind === 'won' || verdict.kind === 'so far' ? 'yes' : 'no';
  const again =
    verdict.waits &&
    h(
      'button',
      { class: 'button small', type: 'button', on: { click: () => retry(held) } },
      'Look again',
    );
  put(
    page,
    h(
      'div',
      { class: 'checked' },
      view,
      h(
        'div',
        { class: 'beside' },
        again,
        place,
        sold,
        h('div', { class: 'pair cta' }, save, last),
      ),
    ),
    foot(),
  );
  /** @type {HTMLElement} */ (view.querySelector('.lead')).focus({ preventScroll: true });
  announce(`${verdict.lead}.`);
  if (verdict.waits) later = setTimeout(() => retry(held), AGAIN_MS);
  // The amount is shown first, the proof after it.
  import('./proof.js').then(({ proofPanel, saveSheet }) => {
    const made = proofPanel(held, ticket);
    proof = made;
    put(place, made.panel);
    save.addEventListener('click', () => saveSheet(made, ticket));
    made.show(opened);
  });
}

/** @param {HeldTicket} held */
async function retry(held) {
  if (document.hidden) {
    document.addEventListener('visibilitychange', () => retry(held), { once: true });
    return;
  }
  try {
    await check(held);
  } catch (error) {
    announce(wordsFor(error));
    later = setTimeout(() => retry(held), AGAIN_MS);
  }
}

async function booths() {
  const { all } = await places().catch(() => ({ all: [] }));
  sheet(
    'Where to go',
    h(
      'ul',
      { class: 'places' },
      all.map((each) => h('li', {}, h('b', {}, each.name), h('span', {}, 'keno booth'))),
    ),
    h(
      'p',
      { class: 'quiet' },
      'Bring the paper ticket: without it nothing can be paid. ' +
        'A large award may need identification.',
    ),
  );
}

// ---------------------------------------------------------------- keying

async function form(message = '') {
  document.body.dataset.glow = 'no';
  bar('Check a ticket');
  const where = await places();
  const choice =
    where.all.length > 1 &&
    h(
      'select',
      { name: 'letter' },
      where.all.map((each) => h('option', { value: each.letter }, `${each.letter}, ${each.name}`)),
    );
  if (choice) choice.value = where.here.letter;
  const number = h('input', {
    name: 'number',
    inputMode: 'numeric',
    autocomplete: 'off',
    required: true,
    id: 'number',
  });
  const code = h('input', {
    name: 'code',
    autocomplete: 'off',
    spellcheck: false,
    required: true,
    id: 'code',
    class: 'code',
  });
  attribute(code, 'autocapitalize', 'characters');
  attribute(code, 'aria-describedby', 'code-note fault');
  const fault = h('p', { class: 'fault', id: 'fault', role: 'alert' }, message);
  const fields = h(
    'form',
    { class: 'keying' },
    choice && h('label', {}, 'Letter before the number', choice),
    h('label', { for: 'number' }, 'Ticket number', number),
    h(
      'label',
      { for: 'code' },
      'Code',
      code,
      h('span', { class: 'note', id: 'code-note' }, '16 characters, beside the square code'),
    ),
    fault,
    h('button', { class: 'button go', type: 'submit' }, 'Check this ticket'),
  );
  fields.addEventListener('submit', async (event) => {
    event.preventDefault();
    const read = readTicket(code.value);
    const found = read
      ? { ticket: read, fault: '', field: '' }
      : keyed(choice ? choice.value : where.here.letter, number.value, code.value);
    fault.textContent = found.ticket ? '' : found.fault;
    if (!found.ticket) {
      (found.field === 'code' ? code : number).focus();
      return;
    }
    await check(found.ticket).catch((error) => {
      fault.textContent = wordsFor(error);
    });
  });
  put(
    page,
    h(
      'p',
      { class: 'intro' },
      'See what your ticket caught and won, and prove that the draw was honest.',
    ),
    await scanButton(fault),
    fields,
    foot(),
  );
}

/** @param {HTMLElement} fault */
async function scanButton(fault) {
  const { canScan, scan } = await import('./scan.js');
  if (!(await canScan())) return null;
  const look = async () => {
    const found = await scan();
    if (found) await check(found).catch((error) => (fault.textContent = wordsFor(error)));
  };
  return h(
    'button',
    { class: 'button scan', type: 'button', on: { click: look } },
    'Scan the square code',
  );
}

async function start() {
  const scanned = location.pathname.startsWith('/t/') ? location.pathname : '';
  const held = globalThis.early?.held ?? readTicket(scanned);
  // early.js removes the address if it sent the request; remove it here otherwise.
  if (scanned) history.replaceState(null, '', '/check');
  if (!held) return form();
  try {
    return await check(held, globalThis.early?.answer);
  } catch (error) {
    return form(wordsFor(error));
  }
}

start().catch((error) => trouble(wordsFor(error)));
