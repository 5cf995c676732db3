// The form that answers an authorisation: a passphrase to approve it, or a reason to deny it. What
// is typed stays until it is used or refused.

import { h, put, say } from '../shared/dom.js';
import { words } from './ask.js';
import { deniedWords, isOfVoid, signWords, whyNot } from './authorise-words.js';
import { button, field, form, reasonField } from './frame.js';

/** @import { Child } from '../shared/types.js' */
/** @import { Ask, Fields, Session, WaitingItem } from './types.js' */
/** @typedef {{item: WaitingItem, approve: boolean}} Answered */

/**
 * @param {{item: WaitingItem, session: Session, ask: Ask, mayAct: boolean,
 *   answered: (result: Answered) => void}} how
 */
export function createAnswer({ item, session, ask, mayAct, answered }) {
  const element = h('div', { class: 'answer' });
  const lapse = h('span');
  let why = '';
  let denying = false;
  let last = item;

  /**
   * @param {boolean} approve
   * @param {SignedOrWhy} fields
   */
  async function send(approve, fields) {
    const { authorisation } = item;
    /** @type {Fields<'authorise'>} */
    const answer = { authorisation, approve, passphrase: '', reason: '', second: null, ...fields };
    await ask('authorise', answer);
    answered({ item: last, approve });
  }

  /** @param {boolean} to whether it is to be denied */
  function turn(to) {
    denying = to;
    draw();
    (to ? denial : approval).focus();
  }

  /** @param {...Child} children */
  const note = (...children) => h('p', { class: 'answer-note' }, h('span', {}, ...children), lapse);
  const approval = createApproval({ send, note, now: () => last, deny: () => turn(true) });
  const denial = createDenial({ send, note, now: () => last, back: () => turn(false) });

  function draw() {
    if (why && why !== 'key') put(element, note(why));
    else if (why === 'key' || mayAct) put(element, denying ? denial.form() : asked());
    else put(element, note());
  }
  function asked() {
    if (why !== 'key') return approval.form();
    const make = h('a', { href: '/supervisor/me' }, 'Make your key');
    return [
      button('Deny', () => turn(true)),
      note('You have no signing key yet. ', make, ', then come back.'),
    ];
  }

  return {
    element,
    lapse: (/** @type {string} */ said) => say(lapse, said),
    /** @param {WaitingItem} now */
    paint(now) {
      const found = whyNot(now, session.role, session.has_key);
      const other = isOfVoid(now) !== isOfVoid(last);
      last = now;
      if (element.firstChild && found === why && !other) return;
      why = found;
      draw();
    },
  };
}

/**
 * @typedef {Pick<Fields<'authorise'>, 'passphrase' | 'reason'>} SignedOrWhy
 * @typedef {(approve: boolean, fields: SignedOrWhy) => Promise<void>} Send
 * @typedef {(...children: Child[]) => HTMLElement} Note makes the line under the buttons
 */

/** @param {{send: Send, note: Note, now: () => WaitingItem, deny: () => void}} how */
function createApproval({ send, note, now, deny }) {
  const passphrase = field('Passphrase of your signing key', {
    type: 'password',
    autocomplete: 'off',
    spellcheck: false,
  });
  const approve = async () => {
    if (!passphrase.value) return passphrase.refuse('Type the passphrase of your key.');
    try {
      return await send(true, { passphrase: passphrase.value });
    } catch (error) {
      passphrase.value = '';
      return passphrase.refuse(words(error));
    }
  };
  return {
    focus: () => passphrase.focus(),
    form: () =>
      form(
        { class: 'answer-form', noValidate: true },
        approve,
        passphrase.element,
        button('Sign and approve', null, { go: true, type: 'submit' }),
        button('Deny', deny),
        note(signWords(now())),
      ),
  };
}

/** @param {{send: Send, note: Note, now: () => WaitingItem, back: () => void}} how */
function createDenial({ send, note, now, back }) {
  const reason = reasonField('Reason for denying', {
    missing: 'Say why it is denied; the writer reads it.',
  });
  const deny = async () => {
    const why = reason.need();
    if (why === null) return;
    try {
      await send(false, { reason: why });
    } catch (error) {
      reason.refuse(words(error));
    }
  };
  return {
    focus: () => reason.focus(),
    form: () =>
      form(
        { class: 'answer-form', noValidate: true },
        deny,
        reason.element,
        button(isOfVoid(now()) ? 'Deny it' : 'Deny payout', null, { grave: true, type: 'submit' }),
        button('Back', back),
        note(deniedWords(now())),
      ),
  };
}
