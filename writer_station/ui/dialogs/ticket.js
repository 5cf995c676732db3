/*
 * What can be done to a ticket that is sold: void it (F6), and everything else (F7): refund its
 * undrawn games, print it again, surrender it after the close, or change it while its game is open.
 */
import { act, el, field, formKeys, nextEmpty, secondPerson, settled, sheet } from './form.js';
import { firstGameOpen, ticketField, ticketLine } from './find.js';
import { menu } from './menu.js';
import { money, ticketNumber } from './show.js';

/** F6. `given` is a ticket of the list whose paper never came ({ticket, price_cents, …}), or none. */
export function voidTicket(app, close, given) {
  const args = given ?? app.counter?.();
  return steps(close, (show) => {
    if (args?.ticket && !args.code) show(askVoid(app, close, args, null));
    else
      show(
        askTicket(
          app,
          close,
          'Void a ticket',
          'Before its first game closes, with its paper.',
          args,
          (look) => show(askVoid(app, close, look, look.code)),
        ),
      );
  });
}

/** F7. `given` may be a ticket ({ticket, code}); else the one on the counter of the Pay view. */
export function ticketMenu(app, close, given) {
  const args = given ?? app.counter?.();
  return steps(close, (show) =>
    show(
      askTicket(
        app,
        close,
        'What about this ticket?',
        'Refund, print again, surrender or change.',
        args,
        (look) => show(ticketChoices(app, close, look, show)),
      ),
    ),
  );
}

/** A dialog that goes through steps: each one is a dialog of its own, shown in the same place. */
function steps(close, begin) {
  const element = el('div.steps');
  let now = null;
  begin((step) => {
    now = step;
    element.replaceChildren(step.element);
    if (element.isConnected) step.first?.focus();
  });
  return {
    element,
    label: now.label,
    get first() {
      return now.first;
    },
    key: (event) => now.key(event),
  };
}

function askTicket(app, close, heading, words, args, found) {
  const entry = ticketField(app, found);
  const body = sheet(
    heading,
    [el('p.quiet', words), entry.element],
    [
      act('Find the ticket', entry.go, { primary: true, cap: '↵' }),
      act('Back', () => close(null), { cap: 'Esc' }),
    ],
  );
  if (args?.code) {
    entry.set(`${args.ticket} ${args.code}`);
    entry.go();
  }
  return {
    element: body.element,
    label: heading,
    first: entry.input,
    key: (event) => formKeys(event, { enter: entry.go, escape: () => close(null) }),
  };
}

function askVoid(app, close, ticket, code) {
  const late = code && !firstGameOpen(ticket);
  const go = () =>
    body.run(
      'Voiding…',
      async () => {
        const back = await app.ask('void', { ticket: ticket.ticket, code });
        app.notice(`Ticket ${ticketNumber(ticket.ticket)} is void. ${returned(back)}`, 'good');
        close(back);
      },
      app,
    );
  const say = late
    ? 'Its first game is closed, so it can no longer be voided. F7 shows what can still be done.'
    : 'The whole ticket is taken back and plays in no game.';
  const body = sheet(
    late ? 'Too late to void' : `Void ticket ${ticketNumber(ticket.ticket)}?`,
    [
      ticketLine(ticket),
      late
        ? null
        : el('p.returned', el('span', 'To give back'), el('b', money(ticket.price_cents))),
      el('p', say),
    ],
    late
      ? [act('Back', () => close(null), { cap: 'Esc' })]
      : [
          act('Void this ticket', go, { primary: true, cap: '↵' }),
          act('Leave it', () => close(null), { cap: 'Esc' }),
        ],
  );
  const enter = late ? () => close(null) : settled(go);
  return {
    element: body.element,
    label: 'Void a ticket',
    first: body.row.firstElementChild,
    key: (event) => formKeys(event, { enter, escape: () => close(null) }),
  };
}

function returned(back) {
  const parts = [];
  if (back.cash_cents) parts.push(`${money(back.cash_cents)} in cash`);
  if (back.coupon_cents) {
    parts.push(`a coupon of ${money(back.coupon_cents)}${back.coupon ? `, ${back.coupon}` : ''}`);
  }
  return parts.length ? `Give back ${parts.join(' and ')}.` : 'Nothing is to be given back.';
}

function ticketChoices(app, close, look, show) {
  const open = firstGameOpen(look);
  const live = look.state === 'live';
  const paper = { ticket: look.ticket, code: look.code };
  const gone = live ? '' : 'This ticket is no longer in play.';
  const leave = (view, args) => () => {
    close(null);
    app.show(view, args);
  };
  const shown = menu(
    `Ticket ${ticketNumber(look.ticket)}`,
    [
      {
        cap: 'C',
        words: 'Change it',
        note: 'It is voided and written anew in one act.',
        off: gone || (open ? '' : 'Its first game is closed.'),
        does: leave('sell', { rewrite: paper }),
      },
      {
        cap: 'V',
        words: 'Void it',
        note: `${money(look.price_cents)} goes back.`,
        off: gone || (open ? '' : 'Its first game is closed.'),
        does: () => show(askVoid(app, close, look, look.code)),
      },
      {
        cap: 'U',
        words: 'Refund the undrawn games',
        note: look.refund ? `${money(look.refund.total_cents)}, and the ticket ends.` : '',
        off: gone || (look.refund ? '' : 'There is nothing to refund now.'),
        does: leave('pay', { refund: paper }),
      },
      {
        cap: 'P',
        words: 'Print it again',
        note: 'The second paper is marked as a reprint.',
        off: gone,
        does: () => show(askReprint(app, close, look, look.printed || !open)),
      },
      {
        cap: 'S',
        words: 'Surrender it',
        note: 'Nobody paid for it and its game is closed.',
        off: gone || (open ? 'Its game is still open: void it.' : ''),
        does: () => show(askSurrender(app, close, look)),
      },
    ],
    close,
    [ticketLine(look)],
  );
  return shown;
}

function askReprint(app, close, look, needsSecond) {
  const second = needsSecond ? secondPerson('Supervisor') : null;
  const go = () => {
    if (second && nextEmpty(second.person, second.password)) return;
    if (second?.missing()) return;
    const signed = second ? second.take() : null;
    body.run(
      'Printing…',
      async () => {
        await app.ask('reprint', { ticket: look.ticket, second: signed });
        app.notice(`Ticket ${ticketNumber(look.ticket)} is printing again, marked.`, 'good');
        close(true);
      },
      app,
    );
  };
  const enter = second ? go : settled(go);
  const back = () => {
    second?.wipe();
    close(null);
  };
  const body = sheet(
    `Print ticket ${ticketNumber(look.ticket)} again?`,
    [
      ticketLine(look),
      el(
        'p',
        needsSecond
          ? 'A second paper needs a supervisor. Take the first one if it is there.'
          : 'It comes out marked as a reprint.',
      ),
      second?.element,
    ],
    [act('Print it again', go, { primary: true, cap: '↵' }), act('Back', back, { cap: 'Esc' })],
  );
  return {
    element: body.element,
    label: 'Print a ticket again',
    first: second?.person.input ?? body.row.firstElementChild,
    key: (event) => formKeys(event, { enter, escape: back }),
  };
}

function askSurrender(app, close, look) {
  const reason = field('What happened', { max: 200, placeholder: 'The patron walked away.' });
  const second = secondPerson('Supervisor who takes it');
  const go = () => {
    if (nextEmpty(reason, second.person, second.password)) return;
    if (!reason.value()) {
      reason.fault('A reason in a few words.');
      return;
    }
    if (second.missing()) return;
    const signed = second.take();
    body.run(
      'Surrendering…',
      async () => {
        await app.ask('surrender', { ticket: look.ticket, second: signed, reason: reason.value() });
        app.notice(
          `Ticket ${ticketNumber(look.ticket)} is surrendered. Give the paper to the ` +
            'supervisor.',
          'good',
        );
        close(true);
      },
      app,
    );
  };
  const back = () => {
    second.wipe();
    close(null);
  };
  const body = sheet(
    `Surrender ticket ${ticketNumber(look.ticket)}`,
    [
      ticketLine(look),
      el(
        'p',
        `Your drawer owes its price, ${money(look.price_cents)}, and no award is paid on it.`,
      ),
      reason.element,
      second.element,
    ],
    [act('Surrender it', go, { primary: true, cap: '↵' }), act('Back', back, { cap: 'Esc' })],
  );
  return {
    element: body.element,
    label: 'Surrender a ticket',
    first: reason.input,
    key: (event) => formKeys(event, { enter: go, escape: back }),
  };
}
