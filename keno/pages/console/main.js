// The console: sign-in, the session, the tabs, the header. A tab is a module that exports
//   tab = {id, name, roles, open(view), menu?}   `menu`: reached by the person's menu
// `open(view)` draws into `view.page` and returns what is called when the tab is left. The view:
//   page     an empty element
//   session  the answer of /api/session
//   ask      see ask.js
//   events   see events.js
//   stay     an object of this tab that stays when the tab is left and opened again
//   watch    the floor as last received, for all tabs: floor-data.js; null if the role may not
//   waiting  the pending authorisations: authorise-watch.js; null likewise
// A link to /supervisor/… opens that tab without loading the page again.

import { Refused } from '../shared/ask.js';
import { socketAddress } from '../shared/connection.js';
import { h, put } from '../shared/dom.js';
import { Sounds } from '../shared/sounds.js';
import { ask, sessionEnd, signIn, signOut, whoIsHere, words } from './ask.js';
import { Waiting } from './authorise-watch.js';
import { ServerEvents } from './events.js';
import { button, field, form, sheet } from './frame.js';
import { createClockBand } from './clock.js';
import { FloorWatch } from './floor-data.js';
import { createHead } from './floor-head.js';
import { READERS } from './floor-words.js';
import { tab as cards } from './cards.js';
import { tab as coupons } from './coupons.js';
import { tab as floor } from './floor.js';
import { tab as games } from './games.js';
import { tab as me } from './me.js';
import { tab as people } from './people.js';
import { tab as reports } from './reports.js';
import { tab as room } from './room.js';
import { tab as tickets } from './tickets.js';

/** @import { Session, Stay, Tab } from './types.js' */

/** @type {Tab[]} */
const TABS = [floor, room, tickets, games, cards, coupons, reports, people, me];
const HOME = '/supervisor';
const sounds = new Sounds();

/**
 * What the page holds while a person is signed in. `leave` is called when the tab is left; `asking`
 * is the dialog that asks to sign in again.
 * @typedef {{session: Session, events: ServerEvents | null, watch: FloorWatch | null,
 *   waiting: Waiting | null, tabs: ReturnType<typeof tabsOf>, head: ReturnType<typeof createHead>,
 *   page: HTMLElement, stays: Record<string, Stay>, leave: (() => void) | null,
 *   asking: import('../shared/sheet.js').Sheet<void> | null}} Here
 */

/** @type {Here | null} */
let here = null;

/** The id of the tab that an address names; '' for the first tab. @param {string} path */
export function tabOf(path) {
  return /^\/supervisor\/([a-z]+)\/?$/.exec(path)?.[1] ?? '';
}

/**
 * The tabs of a role in order: those in the row, and those in the person's menu.
 * @param {string} role
 * @param {Tab[]} all
 */
export function tabsOf(role, all) {
  const seen = all.filter((each) => each.roles.includes(role));
  return {
    row: seen.filter((each) => each.id !== 'me' && !each.menu),
    menu: seen.filter((each) => each.id === 'me' || each.menu),
  };
}

/**
 * The words on why a role cannot see the tab of an address.
 * @param {string} role
 * @param {Tab | undefined} wanted
 * @param {Tab[]} row
 */
export function notForYou(role, wanted, row) {
  if (!row.length) {
    const doing = role === 'writer' ? 'A writer works at a station' : 'Your role has no part of it';
    return (
      'The console is for supervisors, managers, inspectors, accounting and administrators. ' +
      `${doing}.`
    );
  }
  const why = wanted ? `${wanted.name} is not for the role ${role}` : 'There is nothing here';
  return `${why}. Choose one of the tabs above.`;
}

/**
 * @param {string} person
 * @param {(session: Session) => unknown} done
 */
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
  const enter = async () => {
    sounds.wake();
    if (!name.value.trim()) return name.refuse('Type your name.');
    if (!password.value) return password.refuse('Type your password.');
    try {
      await signIn(name.value.trim(), password.value);
      const session = await whoIsHere();
      password.value = '';
      if (!session) throw new Refused('not_signed_in', 'No session was opened.');
      return await done(session);
    } catch (error) {
      password.value = '';
      return password.refuse(words(error));
    }
  };
  const element = form(
    { noValidate: true },
    enter,
    name.element,
    password.element,
    button('Sign in', null, { go: true, type: 'submit' }),
  );
  return { element, focus: () => (name.value ? password : name).focus() };
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
        made.element,
      ),
    ),
  );
  made.focus();
}

/** Ask to sign in again over the page after the session ended; what was typed stays. */
function showSessionOver() {
  if (!here || here.asking) return;
  const now = here;
  const { session, watch, events } = now;
  watch?.stop();
  events?.close();
  /** @param {Session} found */
  const again = (found) => {
    const same = found.person === session.person && found.role === session.role;
    now.asking = null;
    shown.close();
    if (!same) return begin(found);
    Object.assign(session, found);
    events?.open();
    return watch?.start();
  };
  const made = signInForm(session.person, again);
  const words = 'Your session is over. What is on the screen, and what you typed, stays.';
  const shown = sheet('Sign in again', [h('p', { class: 'running' }, words), made.element], {
    mustAnswer: true,
  });
  now.asking = shown;
  made.focus();
}

function end() {
  here?.leave?.();
  here?.watch?.stop();
  here?.waiting?.stop();
  here?.head.stop();
  here?.events?.close();
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

/** @param {Session} session */
function begin(session) {
  end();
  session.locations.sort((one, two) => one.letter.localeCompare(two.letter));
  const reads = READERS.includes(session.role);
  const events = reads ? new ServerEvents(socketAddress(location, '/ws/console')) : null;
  const watch = events && new FloorWatch(ask, events);
  const waiting = events && watch && new Waiting(session, ask, events, watch, sounds);
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
  const rest = { stays: {}, leave: null, asking: null };
  here = { session, events, watch, waiting, tabs, head, page, ...rest };
  const band =
    !session.value &&
    h(
      'p',
      { class: 'no-value' },
      'NO VALUE',
      h('span', {}, 'Demonstration. Tickets and awards here are worth nothing.'),
    );
  const clock = watch && createClockBand({ session, ask, watch });
  put(document.body, band, head.element, clock?.element, page);
  events?.addEventListener('over', showSessionOver);
  events?.open();
  watch?.start();
  route();
}

function route() {
  if (!here) return;
  const { session, tabs, head, waiting, watch, events, stays } = here;
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
    const wanted = TABS.find((each) => each.id === id);
    put(page, notHere(notForYou(session.role, wanted, tabs.row), !tabs.row.length));
    return;
  }
  stays[found.id] ??= {};
  if (!found.menu) page.append(h('h1', { class: 'for-readers' }, found.name));
  here.leave = found.open({
    page,
    session,
    ask,
    events: events ?? new EventTarget(),
    stay: stays[found.id],
    watch,
    waiting,
  });
}

/**
 * @param {string} why
 * @param {boolean} leaves whether there is no tab to go to
 */
function notHere(why, leaves) {
  return h(
    'section',
    { class: 'panel door-panel' },
    h('h1', {}, 'Not here'),
    h('p', { class: 'running', role: 'status' }, why),
    leaves && button('Sign out', leaveConsole),
  );
}

/** Open the tab of an address; leaving the own tab reloads the session. @param {string} address */
async function go(address) {
  const from = tabOf(location.pathname);
  history.pushState(null, '', address);
  if (!here) return;
  if (from === 'me') Object.assign(here.session, await whoIsHere().catch(() => null));
  route();
  if (!here.page.contains(document.activeElement)) here.page.focus({ preventScroll: true });
}

/** Open a link to a tab here instead of loading the page. @param {MouseEvent} event */
function follow(event) {
  const { target, button: which, metaKey, ctrlKey, shiftKey } = event;
  /** @type {HTMLAnchorElement | null} */
  const link = target instanceof Element ? target.closest('a[href]') : null;
  if (!link || link.target || link.hasAttribute('download')) return;
  if (event.defaultPrevented || which || metaKey || ctrlKey || shiftKey) return;
  const to = new URL(link.href, location.href);
  const isTab = to.pathname === HOME || to.pathname.startsWith(`${HOME}/`);
  if (to.origin !== location.origin || !isTab) return;
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
