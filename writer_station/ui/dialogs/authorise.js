/*
 * F9: the supervisor answers at this station, with their own name, password and the passphrase of
 * their signing key. They approve one ticket and one amount, or deny it with a reason.
 */
import { act, el, field, formKeys, nextEmpty, secondPerson, sheet } from './form.js';
import { notGiven } from '../pay-acts.js';
import { money, ticketNumber } from './show.js';

/**
 * `args` may be a payout ({authorisation, …}). Else the ticket on the counter is meant, also if
 * nobody was asked about it yet, and else the oldest payout that waits.
 */
export function authorise(app, close, args) {
  const asked = meant(app, args);
  if (!asked) return nothing(close);
  const takeBack = asked.state === 'approved';
  const second = secondPerson('Supervisor, not the writer who pays', { passphrase: !takeBack });
  const reason = field('Reason', { max: 200, placeholder: 'The signature differs.' });
  let denying = takeBack;

  const answer = (approve) => {
    if (second.missing()) return;
    if (approve && !second.phrase.input.value) {
      second.phrase.fault('It opens your signing key.');
      return;
    }
    if (!approve && !reason.value()) {
      reason.fault('The writer reads this out.');
      return;
    }
    const signed = second.take();
    const passphrase = second.takePhrase();
    body
      .run(
        approve ? 'Signing…' : 'Denying…',
        async () => {
          await app.ask('authorise', {
            authorisation: await numberOf(app, asked),
            approve,
            passphrase: approve ? passphrase : '',
            reason: approve ? '' : reason.value(),
            second: signed,
          });
          app.notice(
            approve
              ? `${money(asked.amount_cents)} is approved. Sign the back of the ticket.`
              : 'The payout is denied.',
            approve ? 'good' : 'no',
          );
          close(approve ? 'approved' : 'denied');
        },
        app,
      )
      .then(() => {
        if (body.element.isConnected) second.password.input.focus();
      });
  };
  const approve = () => {
    if (nextEmpty(second.person, second.password, second.phrase)) return;
    answer(true);
  };
  const deny = () => {
    if (denying) {
      answer(false);
      return;
    }
    denying = true;
    second.phrase.input.value = '';
    second.phrase.element.replaceWith(reason.element);
    body.row.replaceChildren(...denyActs());
    (second.person.value() ? reason.input : second.person.input).focus();
  };
  const back = () => {
    second.wipe();
    close(null);
  };
  const denyActs = () => [
    act(takeBack ? 'Take the approval back' : 'Deny with this reason', () => answer(false), {
      primary: true,
      cap: '↵',
    }),
    act('Back', back, { cap: 'Esc' }),
  ];
  const body = sheet(
    takeBack ? 'Take an approval back' : 'Authorise this payout',
    [
      el(
        'div.authorise-what',
        el('span', `Ticket ${ticketNumber(asked.ticket)}${asked.refund ? ', refund' : ''}`),
        el('b', money(asked.amount_cents)),
      ),
      el(
        'p.quiet',
        takeBack
          ? 'The amount has changed since. Afterwards it can be asked for again.'
          : 'Compare the paper with the screen, then sign its back. The yes is for this ticket and ' +
              'this amount only.',
      ),
      second.element,
      takeBack ? reason.element : null,
    ],
    takeBack
      ? denyActs()
      : [
          act('Sign and approve', approve, { primary: true, cap: '↵' }),
          act('Deny', deny, { cap: 'F9' }),
          act('Back', back, { cap: 'Esc', kind: 'quiet-act' }),
        ],
  );
  return {
    element: body.element,
    label: 'Authorise this payout',
    first: second.person.input,
    key(event) {
      if (event.key === 'F9') {
        event.preventDefault();
        deny();
        return true;
      }
      return formKeys(event, { enter: denying ? denyNext : approve, escape: back });
    },
  };

  function denyNext() {
    if (!nextEmpty(second.person, second.password, reason)) answer(false);
  }
}

function meant(app, args) {
  const waiting = app.state?.waiting ?? [];
  const named = waiting.find((one) => one.authorisation === args?.authorisation);
  if (named || args) return { ...(named ?? args) };
  const counter = app.counter?.();
  const own =
    counter &&
    waiting.findLast(
      (one) =>
        one.ticket === counter.ticket && Boolean(one.refund) === counter.refund && !notGiven(one),
    );
  const found =
    own ?? (counter?.supervised ? counter : waiting.find((one) => one.state === 'pending'));
  return found ? { ...found } : null;
}

/** The number of the authorisation; the house is asked for one if it was not before. */
async function numberOf(app, asked) {
  if (!asked.authorisation) {
    const made = await app.ask('ask_supervisor', {
      ticket: asked.ticket,
      code: asked.code,
      refund: asked.refund,
    });
    asked.authorisation = made.authorisation;
  }
  return asked.authorisation;
}

function nothing(close) {
  const body = sheet(
    'Nothing waits for a supervisor',
    [el('p', 'Ask for a payout in the Pay view first (F2).')],
    [act('Back', () => close(null), { primary: true, cap: '↵' })],
  );
  return {
    element: body.element,
    label: 'Nothing waits',
    first: body.row.firstElementChild,
    key: (event) => formKeys(event, { enter: () => close(null), escape: () => close(null) }),
  };
}
