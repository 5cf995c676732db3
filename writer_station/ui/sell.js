// The Sell view. It holds the draft, shows every key at once and asks the station for the price. It
// sells the draft and the game that the writer saw.

import '../../keno/pages/shared/grid.js';
import { h, say } from '../../keno/pages/shared/dom.js';
import { letterOf } from '../../keno/pages/shared/shapes.js';
import { refusedBy } from './link.js';
import { DraftAnswers } from './sell-answers.js';
import { confirmDialog, scanDialog } from './sell-ask.js';
import { EMPTY, confirmChange, fieldOf, fromWire, isEmpty, marked, toWire } from './sell-draft.js';
import { keep, restore } from './sell-kept.js';
import { createLine } from './sell-line.js';
import { press, quickPick, settle, toggle, visit } from './sell-press.js';
import { createPrice } from './sell-price.js';
import { Seller } from './sell-selling.js';
import { EXACT, startTender } from './sell-tender.js';
import { tenderDialog } from './sell-tender-dialog.js';
import { paintTray } from './sell-tray.js';
import { createWays } from './sell-ways.js';
import { hasMoved } from './sell-words.js';

/**
 * @import { Draft } from './sell-draft.js'
 * @import { Act, Known } from './sell-press.js'
 * @import { SeenGame, Sold } from './sell-price.js'
 * @import { TenderChoice } from './sell-tender.js'
 * @import { App, EnterArgs, FootKey, Paper, StationState, View } from './types.js'
 */

/** Minimum characters of a read-back that may have to be scrolled. */
const LONG = 160;
const SCROLLS = /^(Arrow(Up|Down)|Page(Up|Down)|Home|End)$/;
/** Maximum marked numbers of a draft that is replaced without a question. */
const FEW = 3;

/** @type {FootKey[]} */
const KEYS = [
  ['↵', 'next'],
  ['K', 'king'],
  ['/', 'conditioning'],
  ['*', 'rate'],
  ['+', 'games'],
  ['⌫', 'back'],
  ['Q', 'quick-pick'],
  ['R', 'replay'],
  ['F2', 'pay'],
  ['F6', 'void'],
  ['?', 'all keys'],
];

/** The group of each marked number, for the grid. @param {Pick<Draft, 'groups' | 'kings'>} draft */
export function marksOf(draft) {
  /** @type {Map<number, string>} */
  const marks = new Map();
  draft.groups.forEach((group, index) =>
    group.forEach((number) => marks.set(number, letterOf(index))),
  );
  draft.kings.forEach((number) => marks.set(number, 'K'));
  return marks;
}

/** Whether two drafts are the same to the station. @type {(one: Draft, two: Draft) => boolean} */
const sameWire = (one, two) => JSON.stringify(toWire(one, 0)) === JSON.stringify(toWire(two, 0));

/**
 * @param {App} app
 * @returns {View}
 */
export function sell(app) {
  return new SellView(app);
}

/** @implements {View} */
export class SellView {
  name = 'sell';
  #app;
  /** @type {Draft} */
  #draft;
  #tender;
  /** Keys typed before the tender dialog opens; null if none opens. @type {string[] | null} */
  #early = null;
  /** The game the writer saw when this ticket was begun. @type {SeenGame | null} */
  #seen;
  /** The draft sold last. @type {Draft | null} */
  #again;
  /** @type {Sold | null} */
  #sold = null;
  /** The writer whose draft it is; another writer begins with an empty one. */
  #who;
  /** Whether the view itself is moving the focus, which then visits no field. */
  #focusing = false;
  #answers;
  #seller;

  #line = createLine((field) => {
    if (!this.#focusing && field !== this.#draft.at) this.#change(visit(this.#draft, field));
  });
  #grid = h('keno-grid', { touch: '' });
  #ways = createWays();
  #price = createPrice({
    print: () => this.#seller.print(),
    tender: (choice) => this.#chooseTender(choice),
    mark: () => this.#change(confirmChange(this.#draft)),
    question: () => this.#app.press('F8'),
  });
  #readBack = h('p', { class: 'readback-words' });
  element = h(
    'div',
    { class: 'sell' },
    this.#line.element,
    this.#grid,
    this.#ways.element,
    this.#price.element,
    this.#price.tickets,
    h(
      'section',
      { class: 'panel readback', 'aria-label': 'Read back', 'aria-live': 'polite' },
      h('span', { class: 'label' }, 'Read back'),
      this.#readBack,
    ),
  );

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    const kept = restore();
    this.#draft = kept.draft;
    this.#seen = kept.seen;
    this.#again = kept.again;
    this.#who = kept.who;
    this.#tender = startTender(this.#draft.live);
    this.#answers = new DraftAnswers(app, () => this.paint());
    this.#seller = new Seller(app, this);
    // A touch leaves the caret on the line.
    this.#grid.addEventListener('mousedown', (event) => event.preventDefault());
    this.#grid.addEventListener('pick', (event) =>
      this.#change(toggle(this.#draft, event.detail.number)),
    );
  }

  // ------------------------------------------------------------ for the seller

  get draft() {
    return this.#draft;
  }

  get tender() {
    return this.#tender;
  }

  get seen() {
    return this.#seen;
  }

  /** @param {SeenGame} game */
  see(game) {
    this.#seen = game;
    this.#keep();
    this.paint();
  }

  wire() {
    return this.#answers.wire(this.#draft);
  }

  /** Wait for the station's answer about everything typed, and return it. */
  settled() {
    const done = settle(this.#draft);
    if (done.digit !== this.#draft.digit || done.mode !== this.#draft.mode) this.#change(done);
    return this.#answers.settled();
  }

  /** @param {string} field */
  goTo(field) {
    this.#change(visit(this.#draft, field));
  }

  /** Keep why the house did not take the tender, until it changes. @param {string} words */
  refuseTender(words) {
    this.#tender = { ...this.#tender, refused: words };
    this.paint();
  }

  /** @param {Sold} sold */
  finished(sold) {
    this.#again = { ...this.#draft, live: null, at: 'ready' };
    this.#sold = sold;
    this.#seen = null;
    this.#tender = EXACT;
    this.#change(EMPTY);
  }

  // ------------------------------------------------------------ changing the draft

  /** @param {Draft} next */
  #change(next) {
    if (next === this.#draft) return;
    const typed = !sameWire(next, this.#draft);
    const { live } = this.#draft;
    if (isEmpty(next)) this.#seen = null;
    else if (isEmpty(this.#draft)) this.#seen = this.#gameNow();
    this.#draft = next;
    if (isEmpty(next) || next.live !== live) this.#tender = startTender(next.live);
    else if (typed) this.#tender = { ...this.#tender, refused: '' };
    if (!isEmpty(next)) this.#sold = null;
    if (typed) this.#answers.ask(next);
    this.#keep();
    this.paint();
    this.focus();
  }

  #keep() {
    keep({ draft: this.#draft, seen: this.#seen, again: this.#again, who: this.#who });
  }

  #gameNow() {
    const game = this.#app.state?.game;
    return game ? { game: game.game, name: game.name } : null;
  }

  /** @returns {Known} */
  #known() {
    const rates = this.#app.state?.card?.rates ?? [];
    const marks = rates.map((rate) => rate.mark).filter(Boolean);
    const answer = this.#answers.newest;
    if (!answer) return { marks };
    const [fault] = answer.faults;
    return {
      sellable: answer.sellable,
      faultAt: fault && fieldOf(this.#draft, fault.where),
      marks,
    };
  }

  /** Apply a key to the draft; returns whether it was taken. @param {string} key */
  type(key) {
    const done = press(this.#draft, key, this.#known());
    const taken =
      done.draft !== this.#draft ||
      Boolean(done.act) ||
      /^(Arrow|Enter$|Backspace$|[ /.*+-]$)/.test(key);
    this.#change(done.draft);
    if (done.act) this.#act(done.act);
    this.#seller.typed();
    return taken;
  }

  // ------------------------------------------------------------ painting

  paint() {
    if (!this.element.isConnected) return;
    const { state } = this.#app;
    const [draft, seen, game] = [this.#draft, this.#seen, state?.game ?? null];
    const { answer, odds } = this.#answers;
    this.#line.render(draft, answer, {
      card: state?.card,
      note: hasMoved(seen, game)
        ? `Game ${seen?.name} closed while this was typed. ` +
          `You are asked before it is sold for ${game?.name}.`
        : '',
    });
    this.#grid.show({ marks: marksOf(draft) });
    this.#ways.render(draft, answer, odds, Boolean(game));
    this.#paintTray();
    const sold = this.#sold;
    const became = sold && state?.tickets.find((each) => each.ticket === sold.ticket)?.state;
    this.#price.render({
      draft,
      answer,
      tender: this.#tender,
      sold: sold && { ...sold, state: became ?? undefined },
      busy: this.#seller.busy,
      game,
      seen,
      lineUp: this.#app.linked && Boolean(state?.line.up),
    });
    this.#paintReadBack();
  }

  #paintTray() {
    const card = this.#app.state?.card;
    const context = {
      choices: this.#answers.answer?.choices,
      rates: card?.rates,
      gamesMax: card?.games_max,
      canRepeat: Boolean(this.#again),
    };
    paintTray(this.#ways.tray, this.#draft, context, {
      edit: (how) => this.#change(how(this.#draft)),
      act: (name) => this.#act(name),
    });
  }

  #paintReadBack() {
    const { answer } = this.#answers;
    const words = answer?.read_back ?? '';
    const hint = 'What is typed is read back here in words, before it is printed.';
    say(this.#readBack, words ? `“${words}”` : answer?.missing || hint);
    this.#readBack.classList.toggle('is-quiet', !words);
    this.#readBack.tabIndex = words.length > LONG ? 0 : -1;
  }

  focus() {
    if (this.#app.dialogOpen) return;
    this.#focusing = true;
    if (this.#draft.at === 'ready') this.#price.go.focus({ preventScroll: true });
    else if (!this.#grid.contains(document.activeElement)) this.#line.focus(this.#draft.at);
    this.#focusing = false;
  }

  // ------------------------------------------------------------ acts

  /** @param {Act} name */
  async #act(name) {
    if (name === 'print') await this.#seller.print();
    else if (name === 'refused') this.#app.sound('refused');
    else if (name === 'tender') await this.#chooseTender('more');
    else if (name === 'marked') this.#change(confirmChange(this.#draft));
    else if (name === 'clear') await this.#replace({ ...EMPTY }, 'Clear this ticket?');
    else if (name === 'quick') await this.#quickPick();
    else if (name === 'same') await this.#sameAgain();
    else if (name === 'replay') await this.#replay();
  }

  /** Whether the draft has so few numbers that it may be replaced without a question. */
  #free() {
    return marked(this.#draft) <= FEW;
  }

  /**
   * Replace the draft, after a question if numbers would be lost. Without a question it happens at
   * once, so that the next key applies to the new draft.
   * @param {Draft} next
   * @param {string} title of the question if numbers would be lost
   */
  async #replace(next, title) {
    if (this.#free() || (await this.#mayReplace(title))) this.#change(next);
  }

  /** @param {string} title */
  #mayReplace(title) {
    return this.#app.dialog(confirmDialog, {
      title,
      text: 'The numbers typed so far are lost.',
      yes: 'Clear the line',
      no: 'Keep it',
    });
  }

  async #quickPick() {
    if (this.#free() || (await this.#mayReplace('Clear the line for a quick-pick?')))
      this.#change(quickPick(this.#draft));
  }

  async #sameAgain() {
    if (this.#again) {
      await this.#replace(this.#again, 'Replace this ticket by the one sold last?');
      return;
    }
    this.#app.notice('Nothing was sold yet at this station.', 'look');
    this.#app.sound('refused');
  }

  async #replay() {
    const found = await this.#app.dialog(scanDialog, {
      title: 'Replay or change a ticket',
      text: 'Scan the ticket or the patron’s request, or key the number and the code.',
      found: (/** @type {string} */ text) => this.#find(text),
    });
    if (found) await this.#replace(found, 'Replace the ticket being typed?');
  }

  /** @param {string} text */
  async #find(text) {
    const found = await this.#app.ask('find', { text, pay: true });
    if (found.kind === 'request') return fromWire(found.draft);
    return this.#takeAgain(found);
  }

  /** @param {Paper} paper */
  async #takeAgain(paper) {
    const { ticket, code, letter } = paper;
    const found = await this.#app.ask('again', { ticket, code, ...(letter && { letter }) });
    const { paid, coupons } = found;
    return fromWire(found.draft, found.live ? { ticket, code, paid, coupons } : null);
  }

  /**
   * Replace the draft by the result of `make`, if the writer agrees; a refusal is shown.
   * @param {() => Promise<Draft | null>} make
   */
  async #bring(make) {
    try {
      const next = await make();
      if (next) await this.#replace(next, 'Replace the ticket being typed?');
    } catch (error) {
      this.#app.notice(refusedBy(error).message, 'no');
      this.#app.sound('refused');
    }
  }

  /** @param {string} text */
  scan(text) {
    this.#bring(async () => {
      const found = await this.#app.ask('find', { text, pay: true });
      if (found.kind === 'request') return fromWire(found.draft);
      this.#app.show('pay', { paper: found });
      return null;
    });
  }

  /** @param {TenderChoice} choice */
  async #chooseTender(choice) {
    this.#early = []; // keys and scans may be faster than the price
    const price = (await this.#answers.settled())?.price_cents;
    const { live } = this.#draft;
    const tender = this.#tender;
    const given = { price: price ?? 0, tender, paid: live?.paid, rewrites: live?.ticket };
    const opened = price && choice === 'more' && this.#app.dialog(tenderDialog, given);
    const keys = this.#early ?? [];
    this.#early = null;
    this.#app.typeAhead(keys);
    if (!price) return;
    if (opened) this.#tender = (await opened) ?? tender;
    else if (choice !== 'more') this.#tender = { given: choice, parts: tender.parts };
    this.paint();
    this.focus();
  }

  // ------------------------------------------------------------ the view

  keys() {
    return KEYS;
  }

  /** @param {EnterArgs} args */
  enter({ draft, again, rewrite = again }) {
    this.paint();
    this.focus();
    if (draft) this.#bring(async () => fromWire(draft));
    else if (rewrite) this.#bring(() => this.#takeAgain(rewrite));
  }

  leave() {
    this.#seller.leave();
  }

  mark() {
    const before = this.#draft;
    return () => this.#change(before);
  }

  /**
   * Whether the view takes this key itself: one before the tender dialog is open, or Enter on a
   * focused number of the grid.
   * @param {KeyboardEvent} event
   */
  takes({ key, target }) {
    if (this.#early) return true;
    return key === 'Enter' && target instanceof Node && this.#grid.contains(target);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { key, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || key === 'Tab') return false;
    const scrolls = target instanceof Element && target.closest('.ways-rows, .readback-words');
    if (SCROLLS.test(key) && scrolls) return false;
    if (key === 'Enter' && event.repeat) return true;
    if (this.#early) return this.#early.push(key) > 0;
    return this.#seller.busy ? this.#seller.later(key) : this.type(key);
  }

  /** @param {StationState | null} state */
  state(state) {
    const person = state?.writer?.person ?? this.#who;
    if (person !== this.#who) this.#begin(person);
    if (this.#seen === null && !isEmpty(this.#draft)) this.#seen = this.#gameNow();
    this.#answers.refresh(this.#draft);
    this.#price.renderTickets(state?.tickets ?? []);
    this.#seller.watch(state);
    this.paint();
  }

  /** Begin with an empty draft for another writer. @param {string} person */
  #begin(person) {
    if (this.#who) {
      this.#again = null;
      this.#sold = null;
      this.#change({ ...EMPTY });
    }
    this.#who = person;
    this.#keep();
  }
}
