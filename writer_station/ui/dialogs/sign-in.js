/*
 * The required dialogs: sign in, open a shift or move it here, and the locked screen on a break.
 */
import { checkout, outcome } from './close-shift.js';
import { otherDrawer } from './other-drawer.js';
import { h } from '../../../keno/pages/shared/dom.js';
import {
  act,
  dialogForm,
  field,
  focusOn,
  formKeys,
  nextEmpty,
  secondPerson,
  signOut,
  take,
} from './form.js';
import { money, parseMoney, placeWords, timeWords } from './show.js';

/** @import { App, Checkout, Close, DialogParts, Step } from '../types.js' */

/**
 * The dialog in which a person signs in.
 * @param {App} app
 * @param {Close<boolean | null>} close
 * @returns {DialogParts}
 */
export function signIn(app, close) {
  const person = field('Your name', { maxlength: 64 });
  const password = field('Password', { type: 'password' });
  const go = () => {
    if (nextEmpty(person, password)) return;
    if (!person.typed()) {
      person.refuse('Type the name you sign in with.');
      return;
    }
    if (!password.value) {
      password.refuse('Type your password.');
      return;
    }
    const secret = take(password);
    body
      .run(
        'Signing in…',
        async () => {
          await app.ask('sign_in', { person: person.typed(), password: secret });
          close(true);
        },
        app,
      )
      .then(() => {
        if (body.element.isConnected) password.focus();
      });
  };
  const body = dialogForm(
    'Sign in',
    [h('p', { class: 'quiet' }, placeWords(app.state?.place)), person.element, password.element],
    [act('Sign in', go, { primary: true, cap: '↵' })],
  );
  return {
    element: body.element,
    label: 'Sign in',
    first: person.input,
    key: (event) => formKeys(event, { enter: go, escape: () => {} }),
  };
}

/**
 * The dialog that opens a shift with its bank, or moves here the one open at another station.
 * @param {App} app
 * @param {Close<boolean | null>} close
 * @returns {DialogParts}
 */
export function openShift(app, close) {
  if (checkout.answer) return afterCheckout(app, close, checkout.answer);
  const create = () => {
    if (app.state?.other_shift) return otherDrawer;
    return app.state?.shift?.elsewhere ? bringShift : newShift;
  };
  const element = h('div', { class: 'steps' });
  let made = create();
  let now = made(app, close);
  element.append(now.element);
  // The station may learn only now that a shift is open elsewhere, or another one here.
  const stop = app.on(() => {
    if (!element.isConnected) {
      stop();
      return;
    }
    if (create() === made || now.stays?.()) return;
    made = create();
    now = made(app, close);
    element.replaceChildren(now.element);
    focusOn(now.first);
  });
  return { element, label: now.label, first: now.first, key: (event) => now.key(event) };
}

/**
 * Show the outcome of the shift just closed before the next one is opened.
 * @param {App} app
 * @param {Close<boolean | null>} close
 * @param {Promise<Checkout>} answer
 * @returns {DialogParts}
 */
function afterCheckout(app, close, answer) {
  const element = h('div', { class: 'steps' });
  checkout.answer = null;
  checkout.close?.();
  /** @type {Step} */
  let now;
  /** @param {Step} step */
  const show = (step) => {
    now = step;
    element.replaceChildren(step.element);
    if (element.isConnected) focusOn(step.first);
  };
  const open = () => show(newShift(app, close));
  const body = dialogForm('Closing the shift…', [], [], { wide: true });
  show({ element: body.element, key: () => true });
  answer.then((closed) => {
    const done = outcome(closed, open);
    body.element.replaceChildren(...done.children);
    show({
      element: body.element,
      first: done.go,
      key: (event) => formKeys(event, { enter: open, escape: open }),
    });
  }, open);
  return { element, label: 'Your shift', first: null, key: (event) => now.key(event) };
}

/**
 * @param {App} app
 * @param {Close<boolean | null>} close
 * @returns {DialogParts}
 */
function newShift(app, close) {
  const bank = field('Bank in the drawer', {
    inputmode: 'decimal',
    note: 'Count it before you open; for example 500.00.',
    wrap: 'big',
  });
  // In a house with no value one person suffices; the house decides.
  const second = app.state?.place?.no_value ? null : secondPerson('Supervisor who brings the bank');
  const go = () => {
    const bankCents = parseMoney(bank.typed());
    if (bankCents === null) {
      bank.refuse('An amount in dollars, such as 500.00.');
      return;
    }
    const signs = bankCents ? second : null;
    if (signs && (nextEmpty(signs.person, signs.password) || !signs.complete())) return;
    const signed = signs?.take() ?? null;
    body
      .run(
        'Opening…',
        async () => {
          await app.ask('open_shift', { bank_cents: bankCents, second: signed });
          app.notice(`Your shift is open with ${money(bankCents)}.`, 'good');
          close(true);
        },
        app,
      )
      .then(() => {
        if (signs && body.element.isConnected) signs.password.focus();
      });
  };
  const out = () => {
    second?.wipe();
    return signOut(body, app, close);
  };
  const body = dialogForm(
    'Open your shift',
    [
      h(
        'p',
        { class: 'quiet' },
        `${app.state?.writer?.name ?? 'You'}, a shift is you and your drawer.`,
      ),
      bank.element,
      second?.element,
    ],
    [act('Open the shift', go, { primary: true, cap: '↵' }), act('Sign out', out, { cap: 'Esc' })],
  );
  return {
    element: body.element,
    label: 'Open your shift',
    first: bank.input,
    key: (event) => formKeys(event, { enter: go, escape: out }),
  };
}

/**
 * @param {App} app
 * @param {Close<boolean | null>} close
 * @returns {DialogParts}
 */
function bringShift(app, close) {
  const shift = app.state?.shift;
  const go = () =>
    body.run(
      'Bringing it here…',
      async () => {
        await app.ask('move_shift', {});
        app.notice('Your shift is at this station now.', 'good');
        close(true);
      },
      app,
    );
  const out = () => signOut(body, app, close);
  const since = shift?.opened_ms ? ` since ${timeWords(shift.opened_ms, app.state?.place)}` : '';
  const body = dialogForm(
    'Your shift is open at another station',
    [
      h(
        'p',
        {},
        `Shift ${shift?.shift} has been open there${since}. Bring your drawer with you: ` +
          'the other station then sells nothing on it.',
      ),
    ],
    [
      act('Bring my shift here', go, { primary: true, cap: '↵' }),
      act('Sign out', out, { cap: 'Esc' }),
    ],
  );
  return {
    element: body.element,
    label: 'Bring your shift here',
    first: body.firstAct,
    key: (event) => formKeys(event, { enter: go, escape: out }),
  };
}

/**
 * The dialog that covers the screen on a break until the writer's password is typed.
 * @param {App} app
 * @param {Close<boolean | null>} close
 * @returns {DialogParts}
 */
export function locked(app, close) {
  const name = app.state?.writer?.name ?? 'the writer';
  const password = field(`Password of ${name}`, { type: 'password', wrap: 'big' });
  const go = () => {
    if (!password.value) {
      password.refuse('Type your password.');
      return;
    }
    const secret = take(password);
    body
      .run(
        'Unlocking…',
        async () => {
          await app.ask('unlock', { password: secret });
          close(true);
        },
        app,
      )
      .then(() => {
        if (body.element.isConnected) password.focus();
      });
  };
  const body = dialogForm(
    'Back in a moment',
    [
      h(
        'p',
        { class: 'quiet' },
        `${name} is on a break. This station is locked, and the drawer with it.`,
      ),
      password.element,
    ],
    [act('Unlock', go, { primary: true, cap: '↵' })],
  );
  body.element.classList.add('covering');
  return {
    element: body.element,
    label: 'Locked for a break',
    first: password.input,
    key: (event) => formKeys(event, { enter: go, escape: () => {} }),
  };
}
