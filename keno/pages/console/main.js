// The console: sign-in, who is here, the tabs, the header. A tab is a module that exports
//   tab = {id, name, roles, open(view), menu?}   `menu`: reached by the person's menu, not by the row
// `open(view)` draws into `view.page` and gives back what is called when the tab is left. The view:
//   page     an empty element
//   session  the answer of /api/session
//   ask      see ask.js
//   line     see line.js
//   stay     an object of this tab that stays when the tab is left and opened again
//   watch    the floor as it was last heard, for all tabs: floor-data.js; null if the role may not see it
//   waiting  the authorisations that wait: authorise-watch.js; null likewise
// A link to /supervisor/… opens that tab without loading the page anew.

import { Sounds } from '../shared/sounds.js';
import { ask, sessionEnd, signIn, signOut, whoIsHere, words } from './ask.js';
import { Waiting } from './authorise-watch.js';
import { busy, button, field, h, put, sheet } from './frame.js';
import { FloorWatch } from './floor-data.js';
import { createHead } from './floor-head.js';
import { READERS } from './floor-words.js';
import { Line, lineAddress } from './line.js';
import { tab as cards } from './cards.js';
import { tab as floor } from './floor.js';
import { tab as games } from './games.js';
import { tab as me } from './me.js';
import { tab as people } from './people.js';
import { tab as reports } from './reports.js';
import { tab as room } from './room.js';
import { tab as tickets } from './tickets.js';

const TABS = [floor, room, tickets, games, cards, reports, people, me];
const HOME = '/supervisor';
const sounds = new Sounds();

let here = null;

/** Which tab an address means: its id, or nothing for the first one. */
export function tabOf(path) {
  return /^\/supervisor\/([a-z]+)\/?$/.exec(path)?.[1] ?? '';
}

/** The tabs of a role, in their order; the person's own tab is in the menu. */
export function tabsOf(role, all) {
  const seen = all.filter((each) => each.roles.includes(role));
  return {
    row: seen.filter((each) => each.id !== 'me' && !each.menu),
    menu: seen.filter((each) => each.id === 'me' || each.menu),
  };
}

/** Why a role sees nothing at an address. */
export function notForYou(role, wanted, row) {
  const doing = {
    writer: 'A writer works at a station',
    administrator: 'An administrator works with people and stations',
  }[role];
  if (!row.length)
    return `The console is for supervisors, managers, inspectors, accounting and administrators. ${doing ?? 'Your role has no part of it'}.`;
  return `${wanted ? `${wanted.name} is` : 'There is nothing here'}${wanted ? ` not for the role ${role}` : ''}. Choose one of the tabs above.`;
}

function signInForm(person, done) {
  const name = field('Name', {
    autocomplete: 'username',
    autocapitalize: 'off',
    spellcheck: false,
    value: person,
    required: true,
  });
  const password = field('Password', {
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  const go = button('Sign in', null, { go: true, type: 'submit' });
  const enter = async () => {
    if (!name.value.trim()) return name.refuse('Type your name.');
    if (!password.value) return password.refuse('Type your password.');
    try {
      await signIn(name.value.trim(), password.value);
      const session = await whoIsHere();
      password.value = '';
      return await done(session);
    } catch (error) {
      password.value = '';
      return password.refuse(words(error));
    }
  };
  const submit = (event) => {
    event.preventDefault();
    sounds.wake();
    busy(go, enter);
  };
  const form = h(
    'form',
    { class: 'form', noValidate: true, on: { submit } },
    name.element,
    password.element,
    go,
  );
  return { form, focus: () => (name.value ? password : name).focus() };
}

function showSignIn() {
  const made = signInForm('', begin);
  document.title = 'Console';
  document.body.replaceChildren(
    h(
      'main',
      { class: 'door' },
      h(
        'section',
        { class: 'panel door-panel', 'aria-labelledby': 'door' },
        h('h1', { id: 'door' }, 'Console'),
        h('p', { class: 'quiet' }, 'Sign in to see the floor.'),
        made.form,
      ),
    ),
  );
  made.focus();
}

/** The session ended while the page was open: sign in over it, and everything typed is still there. */
function showSessionOver() {
  if (!here || here.asking) return;
  const { session } = here;
  here.watch?.stop();
  here.line?.close();
  const again = async (found) => {
    const same = found.person === session.person && found.role === session.role;
    here.asking = null;
    shown.close(true);
    if (!same) return begin(found);
    Object.assign(session, found);
    here.line?.open();
    here.watch?.start();
  };
  const made = signInForm(session.person, again);
  const shown = sheet(
    'Sign in again',
    h(
      'p',
      { class: 'running' },
      'Your session is over. What is on the screen, and what you typed, stays.',
    ),
    made.form,
  );
  shown.element.classList.add('sheet-must');
  shown.element.addEventListener('cancel', (event) => event.preventDefault());
  shown.element.addEventListener(
    'keydown',
    (event) => event.key === 'Escape' && event.preventDefault(),
  );
  shown.closed.then(() => {
    if (here?.asking !== shown) return;
    here.asking = null;
    showSessionOver();
  });
  here.asking = shown;
  made.focus();
}

function end() {
  here?.leave?.();
  here?.watch?.stop();
  here?.waiting?.stop();
  here?.head.stop();
  here?.line?.close();
  const asking = here?.asking;
  here = null;
  asking?.close();
}

async function leaveConsole() {
  await signOut().catch(() => {});
  end();
  history.replaceState(null, '', HOME);
  showSignIn();
}

function begin(session) {
  end();
  session.locations.sort((one, two) => one.letter.localeCompare(two.letter));
  const reads = READERS.includes(session.role);
  const line = reads ? new Line(lineAddress(location)) : null;
  const watch = reads ? new FloorWatch(ask, line) : null;
  const waiting = reads ? new Waiting(session, ask, line, watch, sounds) : null;
  const tabs = tabsOf(session.role, TABS);
  const head = createHead({
    session,
    ...tabs,
    ask,
    watch,
    waiting,
    home: HOME,
    signOut: leaveConsole,
  });
  const page = h('main', { id: 'page', tabIndex: -1 });
  here = { session, line, watch, waiting, tabs, head, page, stays: {}, leave: null, asking: null };
  const band =
    !session.value &&
    h(
      'p',
      { class: 'no-value' },
      'NO VALUE',
      h('span', {}, 'Demonstration. Tickets and awards here are worth nothing.'),
    );
  document.body.replaceChildren(...[band, head.element, page].filter(Boolean));
  line?.addEventListener('over', showSessionOver);
  line?.open();
  watch?.start();
  route();
}

function route() {
  const { session, tabs, head, waiting, watch, line, stays } = here;
  here.leave?.();
  here.leave = null;
  const id = tabOf(location.pathname);
  const all = [...tabs.row, ...tabs.menu];
  const found = id ? all.find((each) => each.id === id) : tabs.row[0];
  head.select(found?.id ?? '');
  const page = h('div', { class: 'page' });
  put(here.page, page);
  here.page.dataset.tab = found?.id ?? '';
  if (!found) {
    const text = notForYou(
      session.role,
      TABS.find((each) => each.id === id),
      tabs.row,
    );
    put(
      page,
      h(
        'section',
        { class: 'panel door-panel' },
        h('h1', {}, 'Not here'),
        h('p', { class: 'running', role: 'status' }, text),
        !tabs.row.length && button('Sign out', leaveConsole),
      ),
    );
    return;
  }
  stays[found.id] ??= {};
  if (!found.menu) page.append(h('h1', { class: 'for-readers' }, found.name));
  here.leave =
    found.open({
      page,
      session,
      ask,
      line: line ?? new EventTarget(),
      stay: stays[found.id],
      watch,
      waiting,
    }) ?? null;
}

/** Go to a tab; the person's own tab may have changed the session. */
async function go(address) {
  const from = tabOf(location.pathname);
  history.pushState(null, '', address);
  if (!here) return;
  if (from === 'me') Object.assign(here.session, await whoIsHere().catch(() => null));
  route();
  if (!here.page.contains(document.activeElement)) here.page.focus({ preventScroll: true });
}

function follow(event) {
  const link = event.target.closest?.('a[href]');
  if (
    !link ||
    event.defaultPrevented ||
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    link.target ||
    link.hasAttribute('download')
  )
    return;
  const to = new URL(link.href, location.href);
  if (
    to.origin !== location.origin ||
    !(to.pathname === HOME || to.pathname.startsWith(`${HOME}/`))
  )
    return;
  event.preventDefault();
  go(to.pathname + to.search);
}

async function boot() {
  try {
    const session = await whoIsHere();
    if (session) begin(session);
    else showSignIn();
  } catch (error) {
    const text = h('p', { class: 'running', role: 'alert' }, words(error));
    document.body.replaceChildren(
      h(
        'main',
        { class: 'door' },
        h('section', { class: 'panel door-panel' }, h('h1', {}, 'Console'), text),
      ),
    );
    setTimeout(boot, 2_000);
  }
}

if (globalThis.document) {
  sessionEnd.addEventListener('over', showSessionOver);
  addEventListener('popstate', () => here && route());
  addEventListener('click', follow);
  for (const gesture of ['pointerdown', 'keydown'])
    addEventListener(gesture, () => sounds.wake(), { passive: true });
  boot();
}
