// Starts the page: creates shell, strip, views and dialogs, and connects to the station.

import { socketAddress } from '../../keno/pages/shared/connection.js';
import { h } from '../../keno/pages/shared/dom.js';
import { App } from './app.js';
import * as dialogs from './dialogs/index.js';
import { keyList } from './key-list.js';
import { inInput } from './keys.js';
import { Link } from './link.js';
import { requiredDialog } from './required.js';
import { pay } from './pay.js';
import { sell } from './sell.js';
import { createStrip } from './strip.js';

/** @import { Close, StationState } from './types.js' */

/** Milliseconds before a required dialog that was closed is opened again. */
const AGAIN_MS = 400;

const places = {
  view: h('main', { class: 'view' }),
  keys: h('nav', { class: 'foot', 'aria-label': 'Keys' }),
  notice: h('p', { class: 'notice', role: 'status' }),
};

const link = new Link(socketAddress(location, '/page'), {
  onState: (state) => app.setState(state),
  onOdds: (odds) => app.setOdds(odds),
  onChange: () => app.changed(),
});

/** The actions of keys that mean the same in every view. @type {Record<string, () => unknown>} */
const GLOBAL = {
  F1: () => app.show('sell'),
  F2: () => app.show('pay'),
  F3: () => app.dialog(dialogs.messages),
  F4: () => app.dialog(dialogs.shiftMenu),
  F6: () => app.dialog(dialogs.voidTicket),
  F7: () => app.dialog(dialogs.ticketMenu),
  F8: () => question(),
  F9: () => app.dialog(dialogs.authorise),
  F10: () => lock(),
  '?': () => app.dialog(keyList),
};

const app = new App(link, places, (event) => {
  const act = GLOBAL[event.key];
  if (!act || event.ctrlKey || event.altKey || event.metaKey) return false;
  if (event.key === '?' && inInput(event)) return false;
  if (!event.repeat) act();
  return true;
});

function question() {
  if (app.state?.questions.length) app.dialog(dialogs.question);
  else app.notice('There is nothing to answer: every ticket is accounted for.', 'good');
}

function lock() {
  if (!app.state?.shift) return;
  app.ask('lock', {}).catch((no) => app.notice(no.message, 'no'));
}

/** The required dialog that is open; '' if none is. @type {{name: string, close: Close | null}} */
let required = { name: '', close: null };

/**
 * Open the dialog that the state requires, and close one that it does not require any more.
 * @param {StationState | null} state
 */
function insist(state) {
  const name = requiredDialog(state);
  if (name === required.name) return;
  const { close } = required;
  required = { name, close: null };
  close?.();
  if (!name) return;
  const mine = required;
  const opened = app.dialog((given, end) => ({ ...dialogs[name](given, end), closable: false }));
  mine.close = opened.close;
  opened.then(() => {
    if (required !== mine) return;
    mine.close = null;
    setTimeout(() => {
      if (required !== mine) return;
      required = { name: '', close: null };
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
