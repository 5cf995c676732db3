/*
 * F8: what only the writer can answer. A print that may or may not have come out, or one that did
 * not, the oldest first and one at a time, so that no ticket is doubled and none vanishes.
 */
import { act, el, formKeys, nextEmpty, secondPerson, sheet } from './form.js';
import { ticketLine } from './find.js';
import { money, ticketNumber } from './show.js';

export function question(app, close) {
  const element = el('div.steps');
  let now = null;
  const shown = new Set();
  const show = (step) => {
    now = step;
    element.replaceChildren(step.element);
    if (element.isConnected) step.first.focus();
  };
  const next = () => {
    const asked = (app.state?.questions ?? []).find((one) => !shown.has(one.ticket));
    if (!asked) {
      close(true);
      return;
    }
    const left = app.state.questions.filter((one) => !shown.has(one.ticket)).length;
    show(
      ask(app, asked, {
        show,
        left,
        done: () => {
          shown.add(asked.ticket);
          next();
        },
        close,
      }),
    );
  };
  const first = (app.state?.questions ?? [])[0];
  if (first) next();
  else show(nothing(close));
  return {
    element,
    label: first ? 'A ticket to settle' : 'Nothing to settle',
    get first() {
      return now.first;
    },
    key: (event) => now.key(event),
  };
}

function nothing(close) {
  const body = sheet(
    'Every ticket is settled',
    [el('p', 'All papers of this station came out, or were voided.')],
    [act('Back to selling', () => close(null), { primary: true, cap: '↵' })],
  );
  return {
    element: body.element,
    first: body.row.firstElementChild,
    key: (event) => formKeys(event, { enter: () => close(null), escape: () => close(null) }),
  };
}

function ask(app, asked, flow) {
  const unknown = asked.kind === 'unknown';
  const number = ticketNumber(asked.ticket);
  const settle = (printed, second, words) =>
    body.run(
      words,
      async () => {
        await app.ask('resolve', { ticket: asked.ticket, printed, second });
        app.notice(
          printed
            ? `Ticket ${number} is confirmed.`
            : `Ticket ${number} is printing${unknown ? ' again, marked' : ''}.`,
          'good',
        );
        flow.done();
      },
      app,
    );
  const again = () => {
    if (asked.supervisor) flow.show(askSupervisor(app, asked, flow));
    else settle(false, null, 'Printing…');
  };
  const lines = unknown
    ? [
        ['Y', 'Yes, it is here', () => settle(true, null, 'Noting it…')],
        [
          'N',
          asked.supervisor ? 'No, print it with a supervisor' : 'No, print it again, marked',
          again,
        ],
      ]
    : [['P', asked.supervisor ? 'Print it with a supervisor' : 'Print it now', again]];
  if (asked.voidable) lines.push(['V', 'Void it', () => flow.show(askVoid(app, asked, flow))]);
  const left = flow.left > 1 ? `${flow.left} tickets are to be settled; this is the oldest.` : '';
  const body = sheet(
    unknown ? `Did ticket ${number} come out?` : `Ticket ${number} did not come out`,
    [
      ticketLine({ ...asked, last_game: asked.last_game ?? asked.first_game }),
      asked.reason ? el('p', asked.reason) : null,
      unknown
        ? el('p', 'Look at the printer and on the counter. The patron may have it in hand.')
        : null,
      asked.voidable ? null : el('p.quiet', 'Its game is closed, so it cannot be voided any more.'),
      left ? el('p.quiet', left) : null,
    ],
    lines
      .map(([cap, words, f]) => act(words, f, { cap }))
      .concat(act('Later', () => flow.close(null), { cap: 'Esc', kind: 'quiet-act' })),
  );
  body.row.classList.add('stacked');
  return {
    element: body.element,
    first: body.row.firstElementChild,
    key(event) {
      const line = lines.find(([cap]) => cap.toLowerCase() === event.key.toLowerCase());
      if (line && !event.ctrlKey && !event.altKey) {
        event.preventDefault();
        line[2]();
        return true;
      }
      return formKeys(event, { escape: () => flow.close(null) });
    },
  };
}

function askSupervisor(app, asked, flow) {
  const second = secondPerson('Supervisor');
  const go = () => {
    if (nextEmpty(second.person, second.password) || second.missing()) return;
    const signed = second.take();
    body.run(
      'Printing…',
      async () => {
        await app.ask('resolve', { ticket: asked.ticket, printed: false, second: signed });
        app.notice(`Ticket ${ticketNumber(asked.ticket)} is printing.`, 'good');
        flow.done();
      },
      app,
    );
  };
  const back = () => {
    second.wipe();
    flow.show(ask(app, asked, flow));
  };
  const body = sheet(
    `Print ticket ${ticketNumber(asked.ticket)}`,
    [el('p', 'Its game is closed, so a supervisor allows the paper.'), second.element],
    [act('Print it', go, { primary: true, cap: '↵' }), act('Back', back, { cap: 'Esc' })],
  );
  return {
    element: body.element,
    first: second.person.input,
    key: (event) => formKeys(event, { enter: go, escape: back }),
  };
}

function askVoid(app, asked, flow) {
  const go = () =>
    body.run(
      'Voiding…',
      async () => {
        const given = await app.ask('void', { ticket: asked.ticket, code: null });
        const coupon = given.coupon_cents ? ` and a coupon of ${money(given.coupon_cents)}` : '';
        app.notice(
          `Ticket ${ticketNumber(asked.ticket)} is void. Give back ` +
            `${money(given.cash_cents)} in cash${coupon}.`,
          'good',
        );
        flow.done();
      },
      app,
    );
  const back = () => flow.show(ask(app, asked, flow));
  const body = sheet(
    `Void ticket ${ticketNumber(asked.ticket)}?`,
    [
      el('p.returned', el('span', 'To give back'), el('b', money(asked.price_cents))),
      el('p', 'If its paper turns up later, it is worth nothing.'),
    ],
    [act('Void it', go, { primary: true, cap: '↵' }), act('Back', back, { cap: 'Esc' })],
  );
  return {
    element: body.element,
    first: body.row.firstElementChild,
    key: (event) => formKeys(event, { enter: go, escape: back }),
  };
}
