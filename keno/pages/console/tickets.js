// The tickets tab: finds a ticket by number, shows its record, holds it in dispute or releases it.
// A code is needed only to decide about a ticket that was not issued; it is never kept.

import { h, put } from '../shared/dom.js';
import { ticketNumber } from '../shared/format.js';
import { codeOf, words } from './ask.js';
import { busy, button, choice, field, form, panel, reasonField, statusLine } from './frame.js';
import { notIssued } from './tickets-not-issued.js';
import { heldWords } from './tickets-words.js';
import { gamesPanel, paper, standing, story } from './tickets-view.js';
import { placesOf } from './room-parts.js';
import { meant } from './tickets-read.js';

/** @import { TicketRecord } from '../shared/protocol.js' */
/** @import { Child } from '../shared/types.js' */
/** @import { Ask, Session, Tab, View } from './types.js' */

/** Roles that may hold a ticket in dispute. */
const HOLDS = ['supervisor', 'manager'];
/** Maximum characters of an entry that stays in its field after a refusal; a scan is longer. */
const KEPT_MAX = 24;

/** @type {Tab} */
export const tab = {
  id: 'tickets',
  name: 'Tickets',
  roles: ['supervisor', 'manager', 'inspector'],
  open,
};

/** @param {View} view */
function open({ page, session, ask, stay }) {
  const { entry, places, find, element: finder } = createFinder(session, () => look());
  const record = createRecord(session, ask);
  page.append(h('div', { class: 'tickets' }, finder, record.element));

  const look = async () => {
    const which = meant(entry.value, session.locations, places.value);
    if ('fault' in which) {
      entry.value = entry.value.length > KEPT_MAX ? '' : entry.value;
      return entry.refuse(which.fault);
    }
    entry.value = `${which.letter}-${ticketNumber(which.ticket)}`;
    stay.ticket = which;
    try {
      const { location, ticket } = which;
      return record.show(await ask('ticket_record', { location, ticket }));
    } catch (error) {
      record.empty(
        codeOf(error) === 'unknown_ticket' ? noRecord(entry.value) : h('h2', {}, 'Not shown'),
      );
      entry.refuse(words(error));
      return entry.input.select();
    }
  };

  if (stay.ticket) {
    entry.value = `${stay.ticket.letter}-${ticketNumber(stay.ticket.ticket)}`;
    busy(find, look);
  }
  entry.focus();
  return () => {};
}

/**
 * Create the form that finds a ticket.
 * @param {Session} session
 * @param {() => unknown} look
 */
function createFinder(session, look) {
  const entry = field('Ticket', {
    class: 'input code ticket-input',
    note:
      'As on the paper: A-418. From a scan only letter and number are taken; ' +
      'the code is dropped.',
    spellcheck: false,
    autocapitalize: 'characters',
  });
  const places = choice(
    'Location, if no letter is keyed',
    placesOf(session).map((each) => [each.location, `${each.letter}, ${each.name}`]),
  );
  const find = button('Show ticket', null, { go: true, type: 'submit' });
  const element = form(
    { class: 'panel finder', 'aria-label': 'Find a ticket' },
    look,
    entry.element,
    session.locations.length > 1 && places.element,
    find,
  );
  return { entry, places, find, element };
}

/**
 * Create the part that shows a ticket's record, or words in place of one.
 * @param {Session} session
 * @param {Ask} ask
 */
function createRecord(session, ask) {
  const element = h('div', { class: 'record' });
  const mayHold = HOLDS.includes(session.role);

  /** @param {...Child} words */
  const empty = (...words) => {
    delete element.dataset.full;
    put(element, h('section', { class: 'panel record-none', 'aria-label': 'No ticket' }, ...words));
  };
  /**
   * @param {TicketRecord} found
   * @param {string} [done] what was just done to it
   */
  const show = (found, done = '') => {
    /** @type {{zone?: string}} */
    const place = session.locations.find((each) => each.location === found.location) ?? {};
    const held = mayHold ? dispute(found, { ask, show, zone: place.zone }) : null;
    const paperPanel = mayHold ? notIssued(found, ask, show) : null;
    put(
      element,
      paper(found, session, place),
      gamesPanel(found),
      h(
        'div',
        { class: 'record-side' },
        standing(found, place),
        paperPanel,
        held?.element,
        story(found, place),
      ),
    );
    element.dataset.full = 'yes';
    if (done) held?.done(done);
  };
  empty(
    h('h2', {}, 'No ticket is open'),
    h(
      'p',
      { class: 'running' },
      'Key or scan a ticket. You see it as it was sold, its games and awards, who sold and who ' +
        'paid it, and everything that was done to it.',
    ),
  );
  return { element, show, empty };
}

/** @param {string} name */
function noRecord(name) {
  return [
    h('h2', {}, `No record of ${name}`),
    h(
      'p',
      { class: 'running' },
      'Compare letter and number with the paper. If they are right, the paper is not ours: ' +
        'pay nothing, keep it and call the inspector.',
    ),
  ];
}

/**
 * Create the form that holds a ticket in dispute or releases it.
 * @param {TicketRecord} found
 * @param {{ask: Ask, show: (now: TicketRecord, done: string) => void, zone?: string}} with_
 */
function dispute(found, { ask, show, zone }) {
  const { location, ticket, name, held: release } = found;
  const why = reasonField(release ? 'Why it is released' : 'Why it is held', {
    missing: 'Say why first. The reason is kept with the ticket.',
  });
  const last = field('Last gaming day of the hold', { type: 'date', value: found.hold_day });
  const status = statusLine();
  const act = async () => {
    const reason = why.need();
    if (!reason) return;
    if (!release && !last.value) return last.refuse('Say on which day the hold ends.');
    const until = release ? {} : { until_day: last.value };
    try {
      await ask('hold', { location, ticket, reason, release, ...until });
      const now = await ask('ticket_record', { location, ticket });
      show(now, release ? `${name} is released.` : `${name} ${heldWords(now, zone)}`);
    } catch (error) {
      status.no(error);
    }
  };
  const element = panel(
    'Dispute',
    { class: 'dispute' },
    h(
      'p',
      { class: 'running' },
      release
        ? 'Nobody is paid for this ticket while it is held. Released, it can be claimed to the ' +
            'end of the next gaming day at least.'
        : 'A held ticket is paid nowhere until a supervisor releases it. The hold ends by itself ' +
            'with its last gaming day.',
    ),
    form(
      {},
      act,
      why.element,
      release ? null : last.element,
      button(release ? 'Release ticket' : 'Hold in dispute', null, { type: 'submit' }),
      status.element,
    ),
  );
  /** @param {string} words */
  const done = (words) => {
    why.focus();
    status.good(words);
  };
  return { element, done };
}
