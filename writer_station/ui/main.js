// Starts the page: makes the shell, joins the strip, the views and the dialogs, and connects.

import { h } from '../../keno/pages/shared/dom.js';
import { createApp } from './app.js';
import * as dialogs from './dialogs/index.js';
import { Link } from './link.js';
import { pay } from './pay.js';
import { sell } from './sell.js';
import { sheet } from './sheet.js';
import { createStrip } from './strip.js';

const AGAIN_MS = 400;

const places = {
  view: h('main', { class: 'view' }),
  keys: h('nav', { class: 'foot', 'aria-label': 'Keys' }),
  notice: h('p', { class: 'notice', role: 'status' }),
};

const link = new Link(() => new WebSocket(new URL('/page', location.href.replace(/^http/, 'ws'))), {
  state: (state) => app.heard(state),
  odds: (odds) => app.heardOdds(odds),
  up: () => app.changed(),
  down: () => app.changed(),
});

/** Keys that mean the same everywhere. */
const GLOBAL = {
  F1: () => app.show('sell'),
  F2: () => app.show('pay'),
  F3: () => open('messages'),
  F4: () => open('shiftMenu'),
  F6: () => open('voidTicket'),
  F7: () => open('ticketMenu'),
  F8: () => question(),
  F9: () => open('authorise'),
  F10: () => lock(),
  '?': () => app.dialog(sheet),
};

const app = createApp({
  link,
  places,
  global(event) {
    const act = GLOBAL[event.key];
    if (!act || event.ctrlKey || event.altKey || event.metaKey) return false;
    if (
      event.key === '?' &&
      event.target instanceof HTMLElement &&
      event.target.matches('input, textarea')
    )
      return false;
    if (!event.repeat) act();
    return true;
  },
});

function open(name, args) {
  return app.dialog(dialogs[name], args);
}

function question() {
  const [oldest] = app.state?.questions ?? [];
  if (oldest) open('question', oldest);
  else app.notice('There is nothing to answer: every ticket is accounted for.', 'good');
}

function lock() {
  if (!app.state?.shift) return;
  app.ask('lock').catch((no) => app.notice(no.message, 'no'));
}

// What must be done before anything else: sign in, open a shift, come back from a break.
let must = { name: '', close: null };

function needed(state) {
  if (!state?.place) return '';
  if (!state.writer) return 'signIn';
  if (!state.shift || state.shift.elsewhere) return 'openShift';
  return state.shift.locked ? 'locked' : '';
}

function insist(state) {
  const name = needed(state);
  if (name === must.name) return;
  const { close } = must;
  must = { name, close: null };
  close?.();
  if (!name) return;
  const mine = must;
  const done = app.dialog((...given) => ({ ...dialogs[name](...given), closable: false }));
  mine.close = done.close;
  done.then(() => {
    if (must !== mine) return;
    mine.close = null;
    setTimeout(() => {
      if (must !== mine) return;
      must = { name: '', close: null };
      insist(app.state);
    }, AGAIN_MS);
  });
}

const strip = createStrip(app);
document.body.append(strip.band, strip.top, strip.news, places.view, places.keys, places.notice);
app.register(sell);
app.register(pay);
app.on(insist);
app.show('sell');
strip.paint(null);
link.start();
