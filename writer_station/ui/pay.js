/*
 * The Pay view (F2): a ticket, its games, and what is needed to pay it. pay-paper, pay-games and
 * pay-due draw the three columns, pay-panel decides which actions are offered, and pay-doing sends
 * the requests to the station.
 */
import { h, put } from '../../keno/pages/shared/dom.js';
import { clock } from '../../keno/pages/shared/format.js';
import { act, focusOn } from './dialogs/form.js';
import { keyOfCap } from './foot-keys.js';
import {
  allGames,
  canReplay,
  doneWords,
  mostUrgent,
  paperOf,
  scannedInto,
  ticketWords,
} from './pay-acts.js';
import { dueOn, newCounter } from './pay-counter.js';
import { PayDoing } from './pay-doing.js';
import { drawPanel, fieldsOf } from './pay-due.js';
import { createEntry } from './pay-entry.js';
import { gameList } from './pay-games.js';
import { KeysAhead, SHORTCUTS } from './pay-keys.js';
import { actsOf, askedOn, footKeys, needWords, panelOf } from './pay-panel.js';
import { paper } from './pay-paper.js';
import { createWaiting } from './pay-waiting.js';

/**
 * @import { NeedStep } from './pay-acts.js'
 * @import { Panel, PayAct } from './pay-panel.js'
 * @import { App, EnterArgs, OnCounter, StationState, View } from './types.js'
 */

/** Milliseconds after a ticket was found in which Enter is ignored: a scanner may send it twice. */
const STILL_MS = 200;
/** Minimum characters of an action's words that are set in smaller type. */
const LONG_WORDS = 20;

/**
 * @param {App} app
 * @returns {View}
 */
export function pay(app) {
  return new PayView(app);
}

/** @implements {View} */
class PayView {
  name = 'pay';
  #app;
  #own = newCounter();
  /** The actions that are offered, the primary one first. @type {PayAct[]} */
  #acts = [];
  /** What the right column shows, as text, so that it is drawn only after a change. */
  #drawn = '';
  #letter = '';
  #balls = '';
  #ahead = new KeysAhead();
  #left = h('div', { class: 'pay-left' });
  #middle = h('div', { class: 'panel pay-middle' });
  #right = h('div', {
    class: 'panel pay-due',
    role: 'region',
    'aria-label': 'What is paid',
  });
  element = h(
    'section',
    { class: 'pay', 'aria-label': 'Pay' },
    this.#left,
    this.#middle,
    this.#right,
  );
  #entry = createEntry({
    find: (text) => this.#doing.find(text),
    shortcut: (key) => this.#press(key),
  });
  #doing;
  #waiting;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.#doing = new PayDoing(app, this.#own, {
      entry: this.#entry,
      render: (how) => this.#render(how),
      idle: () => this.#catchUp(),
    });
    this.#waiting = createWaiting(app, {
      onCounter: () => (app.view === 'pay' ? this.#own.look : null),
      goTo: (payout) => app.show('pay', { waiting: payout }),
    });
    // The line of waiting payouts is above every view.
    document.querySelector('main.view')?.before(this.#waiting.element);
    setInterval(() => this.#tick(), 1000);
    this.#render();
  }

  /** @returns {OnCounter | null} */
  counter() {
    const { look, refund, outcome } = this.#own;
    const due = dueOn(this.#own);
    if (!look || !due || outcome) return null;
    const supervised = due.needs.some((need) => need.kind === 'supervisor' && !need.done);
    return { ...paperOf(look), refund, amount_cents: due.total_cents, supervised };
  }

  get #payouts() {
    return this.#app.state?.waiting ?? [];
  }

  // ------------------------------------------------------------ drawing

  #render({ focus = false } = {}) {
    const own = this.#own;
    const panel = panelOf(own, this.#payouts);
    this.#acts = actsOf(panel, own);
    if (own.choosing || (panel.kind === 'due' && panel.next === 'check')) this.#doing.offerWhole();
    this.element.dataset.kind = panel.kind;
    const key = this.#keyOf(panel);
    if (key === this.#drawn) return;
    this.#drawn = key;
    const had = document.activeElement;
    this.#renderRight(panel);
    this.#renderLeft();
    this.#app.refreshKeys();
    this.#waiting.paint(this.#app.state);
    if (this.#app.view !== 'pay' || this.#app.dialogOpen) return;
    if (!focus && had !== document.body && this.element.contains(had)) focusOn(had);
    else if (focus || document.activeElement === document.body) this.focus();
  }

  /** Everything that the right column depends on, as text. @param {Panel} panel */
  #keyOf(panel) {
    const own = this.#own;
    const { look, refund, busy, batch, choosing, refusal, progress, since, outcome } = own;
    const due = panel.kind === 'due' ? [panel.steps, panel.next] : [];
    const tickets = batch.map(ticketWords);
    const rest = [busy, tickets, choosing, refusal, this.#payouts, progress, since, outcome];
    return JSON.stringify([panel.kind, look && ticketWords(look), refund, due, rest]);
  }

  /** @param {Panel} panel */
  #renderRight(panel) {
    put(
      this.#right,
      drawPanel(panel, {
        counter: this.#own,
        waiting: this.#payouts,
        acts: this.#acts.map((one, index) => this.#button(one, index)),
        needText: (step) => this.#needText(step),
        takeOut: (look) => this.#doing.takeOut(look),
        goTo: (payout) => this.#doing.goTo(payout),
      }),
    );
    reachable(this.#right.querySelector('.due-body'));
  }

  /**
   * @param {PayAct} shown
   * @param {number} index
   */
  #button({ words, cap, name, quiet = false }, index) {
    const { busy } = this.#own;
    const first = index === 0;
    const button = act(
      first && busy ? busy : words,
      (event) => {
        if (event.detail || this.#ready()) this.#doing[name]();
      },
      { cap, primary: first && !quiet },
    );
    button.disabled = Boolean(busy);
    button.classList.toggle('long', (button.textContent ?? '').length > LONG_WORDS);
    return button;
  }

  /** @param {NeedStep} step */
  #needText(step) {
    const asked = askedOn(this.#own, this.#payouts);
    const since = asked && this.#own.askedAt.get(asked.authorisation);
    if (step.approval !== 'wait' || since === undefined)
      return needWords(step, this.#own.progress, asked);
    const ago = h('span', { class: 'ago' }, clock(performance.now() - since));
    return h('span', {}, 'Asked ', ago, ' ago. Sales go on meanwhile.');
  }

  /** Update the time shown since a supervisor was asked. */
  #tick() {
    const ago = this.#right.querySelector('.ago');
    const asked = askedOn(this.#own, this.#payouts);
    const since = asked && this.#own.askedAt.get(asked.authorisation);
    if (ago && since !== undefined) ago.textContent = clock(performance.now() - since);
  }

  #renderLeft() {
    const { look, batch, open } = this.#own;
    const { state } = this.#app;
    put(this.#left, paper(look, state?.place));
    const first = batch.length
      ? 'Scan or key the next ticket'
      : 'Scan the ticket, or key its number and code';
    this.#entry.say(look ? 'Next ticket' : first, state?.place);
    this.#entry.element.classList.toggle('large', !look);
    if (!look) {
      put(this.#middle, this.#entry.element);
      return;
    }
    put(
      this.#middle,
      h('div', { class: 'pay-middle-head' }, h('span', {}, doneWords(look)), this.#entry.element),
      gameList(look, allGames(look), open, {
        drawing: state?.drawing,
        pick: (index) => this.#openGame(index, true),
      }),
    );
    const rows = this.#middle.querySelectorAll('.game');
    rows[open]?.scrollIntoView({ block: 'nearest' });
  }

  /**
   * @param {number} index
   * @param {boolean} [toggle]
   */
  #openGame(index, toggle = false) {
    const own = this.#own;
    if (!own.look) return;
    const last = allGames(own.look).length - 1;
    own.open = toggle && index === own.open ? -1 : Math.min(Math.max(index, 0), last);
    const had = document.activeElement;
    const inList = this.#middle.contains(had) && had !== this.#entry.input;
    this.#renderLeft();
    if (inList) focusOn(this.#middle.querySelectorAll('.game-head')[index]);
    if (had === this.#entry.input) this.#entry.input.focus();
  }

  // ------------------------------------------------------------ focus and keys

  /** Focus the field of the next action, or its button; without a ticket the entry. */
  focus() {
    const own = this.#own;
    if (!own.look && !own.outcome && !(own.batch.length && !own.refusal)) {
      this.#entry.input.focus();
      return;
    }
    const panel = panelOf(own, this.#payouts);
    const kind = panel.kind === 'due' ? (own.choosing ? 'check' : panel.next) : '';
    const wants = fieldsOf(kind, own.fields);
    const empty = wants.find((one) => !one.value) ?? wants[0];
    focusOn(
      empty?.input ??
        this.#right.querySelector('.button-go') ??
        this.#right.querySelector('.due-acts button:last-child') ??
        this.#entry.input,
    );
  }

  #ready() {
    return !this.#own.busy && performance.now() - this.#own.since > STILL_MS;
  }

  /** Do the action of a key; returns whether there is one. @param {string} key */
  #press(key) {
    const own = this.#own;
    const pressed = key.toLowerCase();
    const found = this.#acts.find(({ cap }) => keyOfCap(cap).toLowerCase() === pressed);
    if (!own.busy && (key !== 'Enter' || this.#ready())) {
      if (found) this.#doing[found.name]();
      // These keys work also while another action is next.
      else if (pressed === 'r' && own.look && canReplay(own.look)) this.#doing.replay();
      else if (pressed === '+' && !own.refund && !own.outcome) this.#doing.add();
    }
    return Boolean(found);
  }

  /** Handle the keys that were pressed while a request ran. */
  #catchUp() {
    const next = this.#ahead.take(Boolean(this.#own.look));
    if (next.press) this.#press(next.press);
    if (next.find) this.#doing.find(next.find);
    if (next.type) this.#entry.typed(next.type, false);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    if (this.#own.busy) return this.#ahead.add(event.key);
    const field = event.target instanceof HTMLInputElement ? event.target : null;
    const inEntry = field === this.#entry.input;
    if (event.key === 'Enter') return this.#enter(inEntry ? null : field, inEntry);
    if (event.key === 'Escape') {
      if (inEntry && this.#entry.text) this.#entry.clear();
      else if (!this.#press('Escape')) this.#doing.handBack();
      return true;
    }
    const { look, open } = this.#own;
    if (look && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      this.#openGame(open + (event.key === 'ArrowDown' ? 1 : open < 0 ? 0 : -1));
      return true;
    }
    return event.key.length === 1 && this.#character(event.key, field);
  }

  /**
   * @param {HTMLInputElement | null} field the focused field, if it is not the entry
   * @param {boolean} inEntry
   */
  #enter(field, inEntry) {
    const scanned = field ? scannedInto(field.value) : '';
    if (field && scanned) {
      field.value = field.value.slice(0, -scanned.length);
      this.#doing.find(scanned);
    } else if (inEntry && this.#entry.text) this.#entry.submit();
    else if (!field || !this.#nextField()) this.#press('Enter');
    return true;
  }

  /**
   * Take a printable key as text of the entry or as a key of the view; returns whether it was.
   * @param {string} key
   * @param {HTMLInputElement | null} field
   */
  #character(key, field) {
    const entry = this.#entry;
    const shortcut =
      SHORTCUTS.has(key.toLowerCase()) && Boolean(this.#own.look) && entry.text === '';
    const inEntry = field === entry.input;
    if (field && !(inEntry && (shortcut || entry.holding))) return false;
    if (key === ' ' && !entry.holding) return false;
    entry.typed(key, shortcut);
    return true;
  }

  #nextField() {
    const fields = [...this.#right.querySelectorAll('.need-fields input')];
    const next = fields[fields.findIndex((one) => one === document.activeElement) + 1];
    if (!(next instanceof HTMLInputElement) || next.value) return false;
    next.focus();
    return true;
  }

  keys() {
    return footKeys(this.#own, this.#acts);
  }

  // ------------------------------------------------------------ the view

  /** @param {StationState | null} state */
  state(state) {
    if (this.#app.view !== 'pay') return;
    this.#doing.follow(state);
    if (!this.#own.look) this.#renderHint(state?.place?.letter ?? '');
    this.#render();
    if (this.#own.look && state?.drawing)
      this.#renderBalls(`${state.drawing.game} ${state.drawing.balls.length}`);
  }

  /**
   * Draw the hint again when the letter of the location becomes known.
   * @param {string} letter
   */
  #renderHint(letter) {
    if (letter === this.#letter) return;
    this.#letter = letter;
    const inEntry = document.activeElement === this.#entry.input;
    this.#renderLeft();
    if (inEntry) this.#entry.input.focus();
  }

  /** @param {string} balls */
  #renderBalls(balls) {
    if (balls === this.#balls) return;
    this.#balls = balls;
    const { activeElement } = document;
    this.#renderLeft();
    if (activeElement?.isConnected) focusOn(activeElement);
  }

  /** @param {string} text */
  scan(text) {
    this.#doing.find(text);
  }

  /** @param {EnterArgs} args */
  enter({ text, waiting, refund, paper: found }) {
    if (!text) this.#own.left = false;
    if (text) this.#doing.find(text);
    else if (waiting) this.#doing.goTo(waiting);
    else if (refund) this.#doing.open(refund, { refund: true });
    else if (found) this.#doing.open(found);
    else if (!this.#own.look || this.#own.outcome) {
      const urgent = mostUrgent(this.#payouts);
      if (urgent?.code && urgent.state !== 'pending') this.#doing.goTo(urgent);
    } else this.#doing.refresh();
    this.#render({ focus: true });
    this.focus();
  }

  leave() {
    this.#entry.clear();
    this.#own.left = true;
  }
}

/**
 * Make a box that scrolls reachable by Tab, so that keys can scroll it.
 * @param {Element | null} box
 */
function reachable(box) {
  if (!(box instanceof HTMLElement) || box.scrollHeight <= box.clientHeight) return;
  box.tabIndex = 0;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', 'What is needed');
}
