// Tickets: find one by its number, see all that the ledger has of it, hold it in dispute or let it go.
// A code is never needed here, never sent and never kept.

import { h, put } from '../shared/dom.js';
import { ticketNumber } from '../shared/format.js';
import { words } from './ask.js';
import { busy, button, choice, field, panel, reasonField, statusLine } from './frame.js';
import { gamesPanel, paper, standing, story } from './tickets-view.js';
import { placesOf } from './room-parts.js';
import { meant } from './tickets-read.js';

const HOLDS = ['supervisor', 'manager'];

export const tab = {
  id: 'tickets',
  name: 'Tickets',
  roles: ['supervisor', 'manager', 'inspector'],
  open,
};

function open({ page, session, ask, stay }) {
  const entry = field('Ticket', {
    class: 'input code ticket-input',
    hint: 'As on the paper: A-418. From a scan only letter and number are taken; the code is dropped.',
    spellcheck: false,
    autocapitalize: 'characters',
  });
  const places = choice(
    'Location, if no letter is keyed',
    placesOf(session).map((each) => [each.location, `${each.letter}, ${each.name}`]),
  );
  const find = button('Show ticket', null, { go: true, type: 'submit' });
  const record = h('div', { class: 'record' });
  const form = h(
    'form',
    {
      class: 'panel finder',
      'aria-label': 'Find a ticket',
      on: { submit: (event) => (event.preventDefault(), busy(find, look)) },
    },
    entry.element,
    session.locations.length > 1 && places.element,
    find,
  );
  page.append(h('div', { class: 'tickets' }, form, record));

  const look = async () => {
    const which = meant(entry.value, session.locations, places.value);
    if (which.fault) {
      entry.value = entry.value.length > 24 ? '' : entry.value;
      return entry.refuse(which.fault);
    }
    entry.value = `${which.letter}-${ticketNumber(which.ticket)}`;
    stay.ticket = which;
    let found;
    try {
      found = await ask('ticket_record', { location: which.location, ticket: which.ticket });
    } catch (error) {
      delete record.dataset.full;
      put(
        record,
        error.code === 'unknown_ticket' ? noRecord(entry.value) : nothing(h('h2', {}, 'Not shown')),
      );
      entry.refuse(words(error));
      entry.input.select();
      return undefined;
    }
    return show(found);
  };

  const show = (found) => {
    const place = session.locations.find((each) => each.location === found.location) ?? {
      zone: undefined,
      name: found.location,
    };
    put(
      record,
      paper(found, session, place),
      gamesPanel(found),
      h(
        'div',
        { class: 'record-side' },
        standing(found, place),
        dispute(found),
        story(found, place),
      ),
    );
    record.dataset.full = 'yes';
  };

  /** Hold or release, for those who may; whoever only looks sees none of it. */
  const dispute = (found) => {
    if (!HOLDS.includes(session.role)) return null;
    const release = Boolean(found.held);
    const why = reasonField(release ? 'Why it is released' : 'Why it is held', {
      missing: 'Say why first. The reason is kept with the ticket.',
    });
    const status = statusLine();
    const act = async () => {
      const reason = why.need();
      if (!reason) return;
      try {
        await ask('hold', { location: found.location, ticket: found.ticket, reason, release });
        const now = await ask('ticket_record', { location: found.location, ticket: found.ticket });
        show(now);
        record.querySelector('.dispute .input').focus();
        const said = record.querySelector('.dispute .status');
        said.dataset.kind = 'good';
        said.textContent = release
          ? `${found.name} is released.`
          : `${found.name} is held. It is paid nowhere until it is released.`;
      } catch (error) {
        status.no(error);
      }
    };
    const go = button(release ? 'Release ticket' : 'Hold in dispute', null, { type: 'submit' });
    return panel(
      'Dispute',
      { class: 'dispute' },
      h(
        'p',
        { class: 'running' },
        release
          ? 'Nobody is paid for this ticket while it is held.'
          : 'A held ticket is paid nowhere until a supervisor releases it.',
      ),
      h(
        'form',
        { class: 'form', on: { submit: (event) => (event.preventDefault(), busy(go, act)) } },
        why.element,
        go,
        status.element,
      ),
    );
  };

  const nothing = (...inside) =>
    h('section', { class: 'panel record-none', 'aria-label': 'No ticket' }, inside);
  const noRecord = (name) =>
    nothing(
      h('h2', {}, `No record of ${name}`),
      h(
        'p',
        { class: 'running' },
        'Compare letter and number with the paper. If they are right, the paper is not ours: pay nothing, keep it and call the inspector.',
      ),
    );
  put(
    record,
    nothing(
      h('h2', {}, 'No ticket is open'),
      h(
        'p',
        { class: 'running' },
        'Key or scan a ticket. You see it as it was sold, its games and awards, who sold and who paid it, and everything that was done to it.',
      ),
    ),
  );
  if (stay.ticket) {
    entry.value = `${stay.ticket.letter}-${ticketNumber(stay.ticket.ticket)}`;
    busy(find, look);
  }
  entry.focus();
  return () => {};
}
