// The panel in which a supervisor decides about a ticket that was printed and not issued (15.3(c)).

import { h } from '../shared/dom.js';
import { button, field, form, panel, reasonField, statusLine } from './frame.js';
import { isHeldNotIssued } from './tickets-words.js';

/** @import { TicketRecord } from '../shared/protocol.js' */
/** @import { Ask } from './types.js' */

/** Characters of a validation code. */
const CODE_LENGTH = 16;

/**
 * The validation code in what was keyed or scanned; '' if there is none.
 * @param {string} text
 */
function codeIn(text) {
  const plain = (text.split('/').at(-1) ?? '').toUpperCase().replace(/[^0-9A-Z]/g, '');
  return plain.length >= CODE_LENGTH ? plain.slice(-CODE_LENGTH) : '';
}

/**
 * Whether a supervisor can take a ticket's paper: it is live, its first game is settled, and it was
 * not declared or decided before.
 * @param {TicketRecord} found
 */
function mayBeTaken(found) {
  const first = found.games.find((game) => game.game === found.first_game);
  return found.state === 'live' && !found.not_issued && first?.state === 'settled';
}

/**
 * Create the panel; null if there is nothing to decide.
 * @param {TicketRecord} found
 * @param {Ask} ask
 * @param {(now: TicketRecord, done: string) => void} show
 */
export function notIssued(found, ask, show) {
  const held = isHeldNotIssued(found);
  if (!held && !mayBeTaken(found)) return null;
  const { location, ticket, name } = found;
  const code = field('Code on the paper', {
    class: 'input code',
    spellcheck: false,
    autocapitalize: 'characters',
    note: 'Scan the paper, or key its sixteen characters.',
  });
  const why = reasonField('What happened', {
    missing: 'Say what happened first. It is kept with the ticket.',
  });
  const status = statusLine();
  /**
   * @param {'confirm_not_issued' | 'take_not_issued'} request
   * @param {{issued?: boolean}} more
   * @param {string} done
   */
  const act = (request, more, done) => async () => {
    const keyed = codeIn(code.value);
    if (!keyed) return code.refuse('Without its paper nothing is decided. Key all 16 characters.');
    const reason = why.need();
    if (!reason) return undefined;
    try {
      await ask(request, { location, ticket, code: keyed, reason, ...more });
      code.value = '';
      return show(await ask('ticket_record', { location, ticket }), `${name} ${done}`);
    } catch (error) {
      return status.no(error);
    }
  };
  const declared = found.not_issued?.kind === 'declared';
  const confirm = act('confirm_not_issued', { issued: false }, 'has ended as not issued.');
  const issued = act('confirm_not_issued', { issued: true }, 'can be paid, with an authorisation.');
  const take = act('take_not_issued', {}, 'is held as not issued.');
  return panel(
    'Not issued',
    { class: 'dispute not-issued' },
    h('p', { class: 'running' }, says(held, declared)),
    form(
      {},
      held ? (declared ? confirm : issued) : take,
      code.element,
      why.element,
      held && declared && button('It was not issued', confirm),
      held && button('It was issued after all', issued),
      !held && button('Take the paper and hold it', take),
      status.element,
    ),
  );
}

/**
 * @param {boolean} held
 * @param {boolean} declared
 */
function says(held, declared) {
  if (!held) {
    return (
      'Found after its draw and not paid for: take the paper. It is held until its claim ends; ' +
      'its award is listed and never paid to its writer.'
    );
  }
  return declared
    ? 'With the paper in hand: it was not issued and ends, or a patron brought it and paid for it.'
    : 'Found after its draw, it does not end. If a patron proves that it was issued, let it go.';
}
