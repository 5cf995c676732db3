// The person's own tab: a new password and, for roles that sign payouts, the signing key.

import { h } from '../shared/dom.js';
import { ACCESS_APPROVERS, approval } from './approval.js';
import { codeOf, sessionEnd, words } from './ask.js';
import { button, field, form, panel, statusLine } from './frame.js';
import { passwordFault, roleWords } from './people-words.js';

/** @import { Ask, Session, Tab, View } from './types.js' */

const SIGNERS = ['supervisor', 'manager'];
const ALL = ['writer', 'supervisor', 'manager', 'accounting', 'inspector', 'administrator'];

/** @type {Tab} */
export const tab = { id: 'me', name: 'Password and key', roles: ALL, menu: true, open };

/** @param {View} view */
function open({ page, session, ask }) {
  page.append(
    h(
      'div',
      { class: 'me' },
      h(
        'header',
        { class: 'me-head' },
        h('h1', {}, session.name),
        h(
          'p',
          { class: 'quiet' },
          `Signs in as ${session.person}, ${roleWords(session.role).toLowerCase()}`,
        ),
      ),
      passwordPanel(ask),
      SIGNERS.includes(session.role) && keyPanel(ask, session),
    ),
  );
  return () => {};
}

/**
 * @param {string} label
 * @param {string} [note]
 * @param {string} [autocomplete]
 */
function secret(label, note = '', autocomplete = 'new-password') {
  return field(label, { type: 'password', autocomplete, note });
}

/** @param {Ask} ask */
function passwordPanel(ask) {
  const old = secret('Password now', '', 'current-password');
  const fresh = secret(
    'New password',
    'At least 10 characters. A sentence is easier to keep than a word.',
  );
  const again = secret('New password again');
  const status = statusLine();
  const go = button('Change password', null, { type: 'submit' });
  const act = async () => {
    status.clear();
    if (!old.value) return old.refuse('Type the password you have now.');
    const wrong = passwordFault(fresh.value, again.value);
    if (wrong) return (wrong.field === 'again' ? again : fresh).refuse(wrong.fault);
    try {
      await ask('set_password', { old: old.value, new: fresh.value });
    } catch (error) {
      if (codeOf(error) === 'sign_in_failed') return old.refuse('That is not your password now.');
      if (codeOf(error) === 'bad_password') return fresh.refuse(words(error));
      return status.no(error);
    }
    for (const each of [old, fresh, again]) each.value = '';
    status.good(
      'Your password is changed. You are signed out everywhere: sign in with the new one.',
    );
    sessionEnd.dispatchEvent(new Event('over'));
    return undefined;
  };
  return panel(
    'Password',
    {},
    h('p', { class: 'running' }, 'After a new password you are signed out everywhere, here too.'),
    form(
      {},
      act,
      old.element,
      fresh.element,
      again.element,
      h('div', { class: 'acts' }, go),
      status.element,
    ),
  );
}

/**
 * @param {Ask} ask
 * @param {Session} session
 */
function keyPanel(ask, session) {
  const phrase = secret(
    'Passphrase',
    'Not your password. You type it for every payout that you sign.',
  );
  const again = secret('Passphrase again');
  const approved = approval(session, ACCESS_APPROVERS);
  const status = statusLine();
  const had = h(
    'span',
    { class: session.has_key ? 'good' : 'look' },
    session.has_key ? 'You have one' : 'You have none yet',
  );
  const go = button(session.has_key ? 'Replace signing key' : 'Make signing key', null, {
    go: !session.has_key,
    type: 'submit',
  });
  const act = async () => {
    status.clear();
    const wrong = passwordFault(phrase.value, again.value);
    if (wrong)
      return (wrong.field === 'again' ? again : phrase).refuse(
        wrong.fault.replace('A password', 'A passphrase'),
      );
    const given = approved.need();
    if (!given) return undefined;
    try {
      await ask('set_signing_key', { passphrase: phrase.value, ...given });
    } catch (error) {
      if (approved.refused(error)) return undefined;
      return codeOf(error) === 'bad_password' ? phrase.refuse(words(error)) : status.no(error);
    }
    for (const each of [phrase, again]) each.value = '';
    approved.clear();
    session.has_key = true;
    had.className = 'good';
    had.textContent = 'You have one';
    go.textContent = 'Replace signing key';
    go.classList.remove('button-go');
    status.good('Your new signing key is made. It is in force from now on.');
    return undefined;
  };
  return panel(
    'Signing key',
    { aside: had },
    h(
      'p',
      { class: 'running' },
      'With it you sign payouts and refunds of $1,500.00 or more: your signature over location, ' +
        'ticket and amount. It is sealed under a passphrase that only you know. ' +
        'It opens no generator.',
    ),
    h(
      'p',
      { class: 'running' },
      'A new key replaces the old one at once. What the old one signed stays valid. ' +
        'If you forget the passphrase, make a new key.',
    ),
    form(
      {},
      act,
      phrase.element,
      again.element,
      approved.elements,
      h('div', { class: 'acts' }, go),
      status.element,
    ),
  );
}
