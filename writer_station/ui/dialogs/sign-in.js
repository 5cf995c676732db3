/*
 * Signing in, opening a shift or bringing it here, and the screen that covers everything on a break.
 */
import { checkout, outcome } from './close-shift.js';
import { act, el, field, formKeys, nextEmpty, sheet, take } from './form.js';
import { money, parseMoney, placeWords, timeWords } from './show.js';

/** Who is at this station. */
export function signIn(app, close) {
  const person = field('Your name', { max: 64, autocomplete: 'off' });
  const password = field('Password', { type: 'password' });
  const go = () => {
    if (nextEmpty(person, password)) return;
    if (!person.value()) {
      person.fault('Type the name you sign in with.');
      return;
    }
    if (!password.input.value) {
      password.fault('Type your password.');
      return;
    }
    const secret = take(password);
    body
      .run(
        'Signing in…',
        async () => {
          await app.ask('sign_in', { person: person.value(), password: secret });
          close(true);
        },
        app,
      )
      .then(() => {
        if (body.element.isConnected) password.input.focus();
      });
  };
  const body = sheet(
    'Sign in',
    [el('p.quiet', placeWords(app.state?.place)), person.element, password.element],
    [act('Sign in', go, { primary: true, cap: '↵' })],
  );
  return {
    element: body.element,
    label: 'Sign in',
    first: person.input,
    key: (event) => formKeys(event, { enter: go, escape: () => {} }),
    keys: [['↵', 'next, then sign in']],
  };
}

/** Open a shift with its bank, or bring the one that is open at another station. */
export function openShift(app, close) {
  if (checkout.answer) return afterCheckout(app, close);
  const create = () => (app.state?.shift?.elsewhere ? bringShift : newShift);
  const element = el('div.steps');
  let made = create();
  let now = made(app, close);
  element.append(now.element);
  // The station may learn only now that the shift is open elsewhere.
  const stop = app.on(() => {
    if (!element.isConnected) {
      stop();
      return;
    }
    if (create() === made) return;
    made = create();
    now = made(app, close);
    element.replaceChildren(now.element);
    now.first.focus();
  });
  return { element, label: now.label, first: now.first, key: (event) => now.key(event) };
}

/** The shift was closed a moment ago: its outcome is read before the next one is opened. */
function afterCheckout(app, close) {
  const element = el('div.steps');
  const { answer } = checkout;
  checkout.answer = null;
  checkout.close?.();
  let now = null;
  const show = (step) => {
    now = step;
    element.replaceChildren(step.element);
    if (element.isConnected) step.first?.focus();
  };
  const open = () => show(newShift(app, close));
  const body = sheet('Closing the shift…', [], [], { wide: true });
  show({ element: body.element, key: () => true });
  answer.then((told) => {
    const done = outcome(told, open);
    body.element.replaceChildren(...done.children);
    show({
      element: body.element,
      first: done.go,
      key: (event) => formKeys(event, { enter: open, escape: open }),
    });
  }, open);
  return { element, label: 'Your shift', first: null, key: (event) => now.key(event) };
}

function newShift(app, close) {
  const bank = field('Bank in the drawer', {
    inputmode: 'decimal',
    note: 'Count it before you open; for example 500.00.',
    class: 'big',
  });
  const go = () => {
    const bankCents = parseMoney(bank.value());
    if (bankCents === null) {
      bank.fault('An amount in dollars, such as 500.00.');
      return;
    }
    body.run(
      'Opening…',
      async () => {
        await app.ask('open_shift', { bank_cents: bankCents });
        app.notice(`Your shift is open with ${money(bankCents)}.`, 'good');
        close(true);
      },
      app,
    );
  };
  const out = () =>
    body.run(
      'Signing out…',
      async () => {
        await app.ask('sign_out', {});
        close(false);
      },
      app,
    );
  const body = sheet(
    'Open your shift',
    [
      el('p.quiet', `${app.state?.writer?.name ?? 'You'}, a shift is you and your drawer.`),
      bank.element,
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

function bringShift(app, close) {
  const { shift } = app.state;
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
  const out = () =>
    body.run(
      'Signing out…',
      async () => {
        await app.ask('sign_out', {});
        close(false);
      },
      app,
    );
  const since = shift.opened_ms ? ` since ${timeWords(shift.opened_ms, app.state.place)}` : '';
  const body = sheet(
    'Your shift is open at another station',
    [
      el(
        'p',
        `Shift ${shift.shift} has been open there${since}. Bring your drawer with you: ` +
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
    first: body.row.firstElementChild,
    key: (event) => formKeys(event, { enter: go, escape: out }),
  };
}

/** Covers the screen on a break; only the writer's own password opens it. */
export function locked(app, close) {
  const name = app.state?.writer?.name ?? 'the writer';
  const password = field(`Password of ${name}`, { type: 'password', class: 'big' });
  const go = () => {
    if (!password.input.value) {
      password.fault('Type your password.');
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
        if (body.element.isConnected) password.input.focus();
      });
  };
  const body = sheet(
    'Back in a moment',
    [
      el('p.quiet', `${name} is on a break. This station is locked, and the drawer with it.`),
      password.element,
    ],
    [act('Unlock', go, { primary: true, cap: '↵' })],
  );
  body.element.classList.add('covering');
  return {
    element: body.element,
    label: 'Locked for a break',
    covers: true,
    first: password.input,
    key: (event) => formKeys(event, { enter: go, escape: () => {} }),
  };
}
