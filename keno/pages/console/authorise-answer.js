// The answer to a request: a passphrase and yes, or a reason and no. What is typed stays until it is
// used or refused.

import { h, put, say } from '../shared/dom.js';
import { busy, button, field, reasonField } from './frame.js';
import { words } from './ask.js';
import { whyNot } from './authorise-words.js';

export function createAnswer({ item, session, ask, mayAct, answered }) {
  const element = h('div', { class: 'answer' });
  const passphrase = field('Passphrase of your signing key', {
    type: 'password',
    autocomplete: 'off',
    spellcheck: false,
  });
  const lapse = h('span');
  const reason = reasonField('Reason for denying', {
    missing: 'Say why it is denied; the writer reads it.',
  });
  let drawn = '';
  let denying = false;

  async function send(approve, fields, refuse) {
    try {
      await ask('authorise', {
        authorisation: item.authorisation,
        approve,
        passphrase: '',
        reason: '',
        second: null,
        ...fields,
      });
      answered({ item, approve });
    } catch (error) {
      refuse(words(error));
    }
  }
  const approve = () => {
    if (!passphrase.value) return passphrase.refuse('Type the passphrase of your key.');
    const typed = passphrase.value;
    return send(true, { passphrase: typed }, (said) => {
      passphrase.value = '';
      passphrase.refuse(said);
    });
  };
  const deny = () => {
    const why = reason.need();
    return why === null ? undefined : send(false, { reason: why }, (said) => reason.refuse(said));
  };

  function form(name, act, ...children) {
    const submit = (event) => {
      event.preventDefault();
      busy(event.submitter ?? event.target, act);
    };
    return h('form', { class: name, noValidate: true, on: { submit } }, ...children);
  }
  function turn(to) {
    denying = to;
    draw(drawn);
    (to ? reason : passphrase).focus();
  }

  function note(...children) {
    return h('p', { class: 'answer-note' }, h('span', {}, ...children), lapse);
  }

  function denial() {
    return form(
      'answer-form',
      deny,
      reason.element,
      button('Deny payout', null, { grave: true, type: 'submit' }),
      button('Back', () => turn(false)),
      note('The ticket stays unpaid, and the reason is kept.'),
    );
  }

  function draw(why) {
    if (why === 'key') {
      const make = [
        'You have no signing key yet. ',
        h('a', { href: '/supervisor/me' }, 'Make your key'),
        ', then come back.',
      ];
      put(element, denying ? denial() : [button('Deny', () => turn(true)), note(...make)]);
      return;
    }
    if (why || !mayAct) {
      put(element, note(why));
      return;
    }
    put(
      element,
      denying
        ? denial()
        : form(
            'answer-form',
            approve,
            passphrase.element,
            button('Sign and approve', null, { go: true, type: 'submit' }),
            button('Deny', () => turn(true)),
            note('Then sign the back of the ticket, in ink.'),
          ),
    );
  }

  return {
    element,
    lapse: (said) => say(lapse, said),
    paint(now) {
      const why = whyNot(now, session.role, session.has_key);
      if (element.firstChild && why === drawn) return;
      drawn = why;
      draw(why);
    },
  };
}
