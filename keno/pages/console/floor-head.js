// The header: tabs, the keys and the RNG's health, the house's time, the person and their menu.

import { attribute, h, put, say, svg } from '../shared/dom.js';
import { time } from '../shared/format.js';
import { every } from './frame.js';
import { healthOf } from './party-health.js';

/** @import { FloorWatch } from './floor-data.js' */
/** @import { Waiting } from './authorise-watch.js' */
/** @import { Ask, Session, Tab } from './types.js' */

const ROOM_MS = 15_000;

/**
 * @typedef {{session: Session, row: Tab[], menu: Tab[], ask: Ask, watch: FloorWatch | null,
 *   waiting: Waiting | null, home: string, signOut: () => void}} Head
 */

/**
 * The day of a Unix time in ms as "Sat Nov 14".
 * @param {number} ms
 * @param {string} [zone]
 */
export function dayOf(ms, zone) {
  return new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    timeZone: zone,
  })
    .format(new Date(ms))
    .replace(',', '');
}

/** @param {Head} of */
export function createHead({ session, row, menu, ask, watch, waiting, home, signOut }) {
  const zone = session.locations[0]?.zone;
  const links = new Map(
    row.map((tab, index) => [
      tab.id,
      h('a', { href: index ? `${home}/${tab.id}` : home }, tab.name),
    ]),
  );
  const count = h('span', { class: 'tab-count', hidden: true });
  links.get('floor')?.append(count);
  const health = createHealth(row.some((tab) => tab.id === 'room') ? `${home}/room` : '');
  const signal = h('span', { class: 'signal', role: 'status' });
  const date = h('span', { class: 'head-day' });
  const clock = h('b');
  const person = createMenu(session, menu, home, signOut);
  const element = h(
    'header',
    { class: 'head' },
    h('nav', { class: 'tabs', 'aria-label': 'Console' }, [...links.values()]),
    h('div', { class: 'head-space' }),
    signal,
    watch && health.element,
    h('span', { class: 'head-time' }, date, ' ', clock),
    person.element,
  );

  function paint() {
    const now = watch ? watch.now() : Date.now();
    say(date, dayOf(now, zone));
    say(clock, time(now, zone));
    const lostMs = watch?.lostMs ?? null;
    say(signal, lostMs === null ? '' : `No signal since ${time(lostMs, zone)}`);
    attribute(document.documentElement, 'data-signal', lostMs === null ? null : 'lost');
  }
  function paintCount() {
    const open = waiting?.forYou.length ?? 0;
    count.hidden = !open;
    if (open)
      put(
        count,
        open,
        h('span', { class: 'for-readers' }, open === 1 ? ' waits for you' : ' wait for you'),
      );
    document.title = open ? `(${open}) Console` : 'Console';
  }
  async function look() {
    if (watch) health.show(healthOf(await ask('draw_room', {}, { quiet: true })));
  }
  let troubles = '';
  function lookIfTroubled() {
    const now = JSON.stringify(watch?.floor?.locations.map((each) => each.trouble) ?? []);
    if (now !== troubles) look().catch(() => {});
    troubles = now;
  }
  const stops = [every(1_000, paint), every(ROOM_MS, look)];
  watch?.addEventListener('change', paint);
  watch?.addEventListener('change', lookIfTroubled);
  waiting?.addEventListener('change', paintCount);
  look().catch(() => {});
  paint();
  paintCount();
  return {
    element,
    /** @param {string} id */
    select(id) {
      for (const [name, link] of links)
        attribute(link, 'aria-current', name === id ? 'page' : null);
      person.close();
    },
    stop: () => stops.forEach((stop) => stop()),
  };
}

/** @param {string} href */
function createHealth(href) {
  const head = h('b', {}, 'RNG');
  const note = h('span', {}, 'not asked yet');
  const element = h(
    href ? 'a' : 'span',
    { class: 'health', ...(href ? { href } : {}), data: { kind: 'unknown' } },
    keys(),
    head,
    note,
  );
  return {
    element,
    /** @param {ReturnType<typeof healthOf>} of */
    show(of) {
      element.dataset.kind = of.kind;
      say(head, of.head);
      say(note, of.note);
    },
  };
}

function keys() {
  /** @param {number} x */
  const key = (x) => [
    svg('circle', { cx: x + 6, cy: 10, r: 4.2 }),
    svg('path', { d: `M${x + 10} 10h9M${x + 16} 10v5` }),
  ];
  return svg(
    'svg',
    {
      width: 44,
      height: 20,
      viewBox: '0 0 44 20',
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 2.6,
      'aria-hidden': 'true',
    },
    key(0),
    key(23),
  );
}

/**
 * @param {Session} session
 * @param {Tab[]} menu
 * @param {string} home
 * @param {() => void} signOut
 */
function createMenu(session, menu, home, signOut) {
  const id = 'person-menu';
  const links = menu.map((tab) =>
    h('a', { href: `${home}/${tab.id}` }, tab.id === 'me' ? 'My key and password' : tab.name),
  );
  const list = h(
    'div',
    { id, class: 'menu-list', hidden: true },
    h('p', {}, `${session.person}, ${session.role}`),
    links,
    h('button', { type: 'button', on: { click: signOut } }, 'Sign out'),
  );
  const open = h(
    'button',
    { type: 'button', class: 'menu-open', 'aria-expanded': 'false', 'aria-controls': id },
    session.name,
  );
  /** @param {boolean} shown */
  const turn = (shown) => {
    list.hidden = !shown;
    attribute(open, 'aria-expanded', String(shown));
  };
  open.addEventListener('click', () => turn(list.hidden === true));
  const element = h('div', { class: 'menu' }, open, list);
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || list.hidden) return;
    turn(false);
    open.focus();
  });
  element.addEventListener(
    'focusout',
    ({ relatedTarget: to }) => !(to instanceof Node && element.contains(to)) && turn(false),
  );
  return { element, close: () => turn(false) };
}
