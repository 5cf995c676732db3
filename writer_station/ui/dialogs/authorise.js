/*
 * The dialog (F9) in which a supervisor approves or denies a payout at this station, with name,
 * password and the passphrase of their signing key. It is about one ticket and one amount.
 */
import { h } from '../../../keno/pages/shared/dom.js';
import { act, dialogForm, field, formKeys, nextEmpty, secondPerson } from './form.js';
import { notGiven, same, ticketWords } from '../pay-acts.js';
import { money } from './show.js';

/**
 * @import { App, Close, DialogParts, OnCounter, Payout } from '../types.js'
 * @typedef {Pick<Payout, 'ticket' | 'code' | 'amount_cents' | 'refund'> &
 *   {authorisation?: number, state?: Payout['state']}} Asked a payout, or the ticket on the counter
 *   for which no supervisor was asked yet
 * @typedef {'approved' | 'denied' | null} Outcome
 */

/**
 * Open the dialog about the ticket on the counter, also if no supervisor was asked about it yet;
 * else about the oldest payout that waits.
 * @param {App} app
 * @param {Close<Outcome>} close
 * @returns {DialogParts}
 */
export function authorise(app, close) {
  const asked = payoutMeant(app.state?.waiting ?? [], app.counter());
  return asked ? answerDialog(app, close, asked) : nothing(close);
}

/**
 * @param {App} app
 * @param {Close<Outcome>} close
 * @param {Asked} asked
 * @returns {DialogParts}
 */
function answerDialog(app, close, asked) {
  const takeBack = asked.state === 'approved';
  const second = secondPerson('Supervisor, not the writer who pays', { passphrase: !takeBack });
  const reason = field('Reason', { placeholder: 'The signature differs.' });
  let denying = takeBack;

  /** @param {boolean} approves */
  const answer = (approves) => {
    if (!complete(approves, second, reason)) return;
    const fields = {
      approve: approves,
      passphrase: approves ? second.takePhrase() : '',
      reason: approves ? '' : reason.typed(),
      second: second.take(),
    };
    second.wipe();
    const words = approves ? 'Signing…' : 'Denying…';
    body
      .run(words, () => send(app, close, asked, fields), app)
      .then(() => {
        if (body.element.isConnected) second.password.focus();
      });
  };
  const approve = () => {
    if (!nextEmpty(second.person, second.password, second.phrase)) answer(true);
  };
  const deny = () => {
    if (denying) answer(false);
    else beginDenying();
  };
  const denyNext = () => {
    if (!nextEmpty(second.person, second.password, reason)) answer(false);
  };
  const beginDenying = () => {
    denying = true;
    if (second.phrase) second.phrase.value = '';
    second.phrase?.element.replaceWith(reason.element);
    body.row.replaceChildren(...denyActs());
    (second.person.typed() ? reason : second.person).focus();
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
  const body = dialogForm(
    takeBack ? 'Take an approval back' : 'Authorise this payout',
    [about(asked, takeBack), second.element, takeBack ? reason.element : null],
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
      if (event.key !== 'F9')
        return formKeys(event, { enter: denying ? denyNext : approve, escape: back });
      event.preventDefault();
      deny();
      return true;
    },
  };
}

/**
 * Whether all required fields are filled; marks the first empty one as refused.
 * @param {boolean} approves
 * @param {ReturnType<typeof secondPerson>} second
 * @param {ReturnType<typeof field>} reason
 */
function complete(approves, second, reason) {
  if (!second.complete()) return false;
  if (approves && !second.phrase?.value) second.phrase?.refuse('It opens your signing key.');
  else if (!approves && !reason.typed()) reason.refuse('The writer reads this out.');
  else return true;
  return false;
}

/**
 * @param {App} app
 * @param {Close<Outcome>} close
 * @param {Asked} asked
 * @param {{approve: boolean, passphrase: string, reason: string,
 *   second: {person: string, password: string}}} fields
 */
async function send(app, close, asked, fields) {
  asked.authorisation ??= await askSupervisor(app, asked);
  await app.ask('authorise', { authorisation: asked.authorisation, ...fields });
  if (fields.approve) {
    const amount = money(asked.amount_cents);
    app.notice(`${amount} is approved. Sign the back of the ticket.`, 'good');
  } else app.notice('The payout is denied.', 'no');
  close(fields.approve ? 'approved' : 'denied');
}

/**
 * Request an authorisation for the ticket on the counter from the server; returns its number.
 * @param {App} app
 * @param {Asked} asked
 */
async function askSupervisor(app, { ticket, code, refund }) {
  const made = await app.ask('ask_supervisor', { ticket, code: code ?? '', refund });
  return made.authorisation;
}

/**
 * @param {Asked} asked
 * @param {boolean} takeBack
 */
function about(asked, takeBack) {
  return [
    h(
      'div',
      { class: 'authorise-what' },
      h('span', {}, `Ticket ${ticketWords(asked)}${asked.refund ? ', refund' : ''}`),
      h('b', {}, money(asked.amount_cents)),
    ),
    h(
      'p',
      { class: 'quiet' },
      takeBack
        ? 'The amount has changed since. Afterwards it can be asked for again.'
        : 'Compare the paper with the screen, then sign its back. The yes is for this ticket and ' +
            'this amount only.',
    ),
  ];
}

/**
 * The payout that the dialog is about: that of the counter, else the oldest that waits. Pure.
 * @param {readonly Payout[]} waiting
 * @param {OnCounter | null} counter
 * @returns {Asked | null}
 */
export function payoutMeant(waiting, counter) {
  const own =
    counter &&
    waiting.findLast(
      (one) => same(one, counter) && one.refund === counter.refund && !notGiven(one),
    );
  if (own) return { ...own };
  if (counter?.supervised) return { ...counter };
  const oldest = waiting.find((one) => one.state === 'pending');
  return oldest ? { ...oldest } : null;
}

/**
 * @param {Close<Outcome>} close
 * @returns {DialogParts}
 */
function nothing(close) {
  const back = () => close(null);
  const body = dialogForm(
    'Nothing waits for a supervisor',
    h('p', {}, 'Ask for a payout in the Pay view first (F2).'),
    act('Back', back, { primary: true, cap: '↵' }),
  );
  return {
    element: body.element,
    label: 'Nothing waits',
    first: body.firstAct,
    key: (event) => formKeys(event, { enter: back, escape: back }),
  };
}
