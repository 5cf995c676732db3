/*
 * The menu lines (F7) for a printed ticket that was not paid for (15.3(c)). Between lock-out and
 * draw one key declares it not issued. The decisions of a supervisor with the paper are here too.
 */
import { h } from '../../../keno/pages/shared/dom.js';
import { act, dialogForm, field, formKeys, nextEmpty, secondPerson } from './form.js';
import { ticketLine } from './find.js';
import { money, ticketNumber } from './show.js';

/**
 * @import { Second } from '../../../keno/pages/shared/protocol.js'
 * @import { App, Close, Look, Step } from '../types.js'
 * @import { MenuLine } from './menu.js'
 */

/** The state of a ticket's first game; 'open' if it is not listed. @param {Look} look */
function firstGameState(look) {
  return look.games.find((game) => game.game === look.first_game)?.state ?? 'open';
}

/**
 * The lines of the menu: declare not issued, supervisor takes the paper, issued after all.
 * @param {App} app
 * @param {Close} close
 * @param {Look} look
 * @param {(step: Step) => void} show
 * @param {{gone: string, never: string, open: boolean}} standing `never`: why this station cannot
 *   declare the ticket; `gone`: why no supervisor can decide; `open`: its first game is open
 * @returns {MenuLine[]}
 */
export function notIssuedLines(app, close, look, show, { gone, never, open }) {
  const held = look.why_not?.code === 'held_not_issued';
  const drawing = firstGameState(look) === 'drawing';
  const early = open ? 'Its game is still open: void it.' : '';
  return [
    {
      cap: 'N',
      words: 'Not issued',
      note: `Nobody paid for it. Your drawer owes ${money(look.price_cents)}.`,
      off:
        never ||
        early ||
        (held ? 'It is held as not issued.' : '') ||
        (drawing ? '' : 'Its game is drawn: give the paper to a supervisor.'),
      does: () => declare(app, close, look),
    },
    {
      cap: 'S',
      words: held ? 'Supervisor: it was not issued' : 'Supervisor takes the paper',
      note: held
        ? 'It ends, if it was declared before the draw.'
        : 'Found after the draw. It is held, and its award is not paid to you.',
      off: gone || early || (!held && drawing ? 'Its game is not drawn yet.' : ''),
      does: () => show(askSupervisor(app, close, look, held ? CONFIRM : TAKE)),
    },
    {
      cap: 'I',
      words: 'Supervisor: it was issued after all',
      note: 'Another writer pays it, with an authorisation.',
      off: gone || early || (held ? '' : 'It is not held as not issued.'),
      does: () => show(askSupervisor(app, close, look, ISSUED)),
    },
  ];
}

/**
 * Declare a ticket not issued without a further question, because the draw does not wait.
 * @param {App} app
 * @param {Close} close
 * @param {Look} look
 */
async function declare(app, close, look) {
  const name = `Ticket ${ticketNumber(look.ticket)}`;
  try {
    await app.ask('not_issued', { ticket: look.ticket });
    app.notice(
      `${name} is held as not issued. Your drawer owes ${money(look.price_cents)}. Give the ` +
        'paper to the supervisor.',
      'good',
    );
  } catch (error) {
    app.notice(`${name}: ${error instanceof Error ? error.message : error}`, 'no');
  }
  close(true);
}

/**
 * A decision of a supervisor about a ticket's paper: the request and its words.
 * @typedef {object} Decision
 * @property {'confirm_not_issued' | 'take_not_issued'} request
 * @property {boolean} issued
 * @property {string} heading
 * @property {string} says
 * @property {string} example what may have happened
 * @property {string} button
 * @property {string} done
 */

/** @type {Decision} */
const CONFIRM = {
  request: 'confirm_not_issued',
  issued: false,
  heading: 'was not issued',
  says: 'You have its paper. It ends, and no award is paid on it. The drawer owes its price.',
  example: 'The patron walked away.',
  button: 'It was not issued',
  done: 'has ended as not issued. Keep the paper.',
};

/** @type {Decision} */
const TAKE = {
  request: 'take_not_issued',
  issued: false,
  heading: 'was found not issued',
  says:
    'Its game is drawn, so it does not end. Take the paper: it is held until its claim ends, its ' +
    'award is listed, and the drawer owes its price.',
  example: 'It lay in the drawer at the count.',
  button: 'Take the paper',
  done: 'is held. Keep the paper.',
};

/** @type {Decision} */
const ISSUED = {
  request: 'confirm_not_issued',
  issued: true,
  heading: 'was issued after all',
  says:
    'The patron has its paper and paid for it. Another writer pays what it won, and a ' +
    'supervisor authorises it, whatever the amount.',
  example: 'The patron has the request and came back.',
  button: 'It was issued',
  done: 'can be paid, with an authorisation.',
};

/**
 * @param {App} app
 * @param {Close} close
 * @param {Look} look
 * @param {Decision} decision
 * @returns {Step}
 */
function askSupervisor(app, close, look, decision) {
  const name = `Ticket ${ticketNumber(look.ticket)}`;
  const reason = field('What happened', { maxlength: 200, placeholder: decision.example });
  const second = secondPerson('Supervisor with the paper');
  const go = () => {
    if (nextEmpty(reason, second.person, second.password)) return;
    if (!reason.typed()) {
      reason.refuse('A reason in a few words.');
      return;
    }
    if (!second.complete()) return;
    const signed = second.take();
    body.run('Writing it down…', () => send(signed), app);
  };
  /** @param {Second} signed */
  const send = async (signed) => {
    const { ticket, code, location } = look;
    const asked = { ticket, code, location, reason: reason.typed(), second: signed };
    if (decision.request === 'take_not_issued') await app.ask('take_not_issued', asked);
    else await app.ask('confirm_not_issued', { ...asked, issued: decision.issued });
    app.notice(`${name} ${decision.done}`, 'good');
    close(true);
  };
  const back = () => {
    second.wipe();
    close(null);
  };
  const body = dialogForm(
    `${name} ${decision.heading}`,
    [ticketLine(look), h('p', {}, decision.says), reason.element, second.element],
    [act(decision.button, go, { primary: true, cap: '↵' }), act('Back', back, { cap: 'Esc' })],
  );
  return {
    element: body.element,
    label: `${name} ${decision.heading}`,
    first: reason.input,
    key: (event) => formKeys(event, { enter: go, escape: back }),
  };
}
