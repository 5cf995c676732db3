// The Sell view. It holds the draft, shows every key at once, asks the station what it comes to and
// drops late answers; it sells what the writer saw, for the game the writer saw.

import '../../keno/pages/shared/grid.js';
import { h, say } from '../../keno/pages/shared/dom.js';
import { letterOf } from '../../keno/pages/shared/shapes.js';
import * as edit from './sell-draft.js';
import { confirmDialog, scanDialog } from './sell-ask.js';
import { createLine } from './sell-line.js';
import { createPrice } from './sell-price.js';
import { createSeller } from './sell-selling.js';
import { EXACT, tenderDialog } from './sell-tender.js';
import { paintTray } from './sell-tray.js';
import { createWays } from './sell-ways.js';

const KEPT = 'keno.sell';
const LONG = 160; // a read-back of more letters may have to be scrolled
const SCROLLS = /^(Arrow(Up|Down)|Page(Up|Down)|Home|End)$/;
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

/** Which group each number is in, for the grid. */
export function marksOf(draft) {
  const marks = new Map();
  draft.groups.forEach((group, index) =>
    group.forEach((number) => marks.set(number, letterOf(index))),
  );
  draft.kings.forEach((number) => marks.set(number, 'K'));
  return marks;
}

/** @param {ReturnType<import('./app.js').createApp>} app */
export function sell(app) {
  const kept = restore();
  let draft = kept.draft;
  let tender = EXACT;
  let number = 0;
  let answer = null;
  let answered = Promise.resolve();
  let odds = null;
  let seen = kept.seen; // {game, name}: the game the writer saw when this ticket was begun
  let again = kept.again; // the draft sold last
  let sold = null;
  let who = kept.who; // whose ticket it is: another writer begins with an empty line
  let linked = false;
  let quiet = false;

  const line = createLine((field) => {
    if (!quiet && field !== draft.at) change(edit.visit(draft, field));
  });
  const grid = h('keno-grid', { touch: '' });
  const ways = createWays();
  const price = createPrice({
    print: () => seller.print(),
    tender: chooseTender,
    mark: () => change(edit.confirmChange(draft)),
    question: () => press('F8'),
  });
  const readBack = h('p', { class: 'readback-words' });
  const element = h(
    'div',
    { class: 'sell' },
    line.element,
    grid,
    ways.element,
    price.element,
    price.tickets,
    h(
      'section',
      { class: 'panel readback', 'aria-label': 'Read back', 'aria-live': 'polite' },
      h('span', { class: 'label' }, 'Read back'),
      readBack,
    ),
  );
  grid.addEventListener('mousedown', (event) => event.preventDefault()); // a touch leaves the caret on the line
  grid.addEventListener('pick', (event) => change(edit.toggle(draft, event.detail.number)));

  const seller = createSeller(app, {
    get draft() {
      return draft;
    },
    get tender() {
      return tender;
    },
    get seen() {
      return seen;
    },
    see: (game) => {
      seen = game;
      keep();
      paint();
    },
    wire: () => edit.toWire(draft, number),
    settled: async () => {
      const done = edit.settle(draft);
      if (done.digit !== draft.digit || done.mode !== draft.mode) change(done);
      await answered;
      return answer;
    },
    goTo: (field) => change(edit.visit(draft, field)),
    finished: (what) => {
      again = { ...draft, live: null, at: 'ready' };
      sold = what;
      seen = null;
      tender = EXACT;
      change(edit.EMPTY, { keepSold: true });
    },
    type,
    paint,
  });

  // ------------------------------------------------------------ changing the draft

  function change(next, { keepSold = false } = {}) {
    if (next === draft) return;
    const typed = signature(next) !== signature(draft);
    if (edit.isEmpty(draft) && !edit.isEmpty(next)) seen = gameNow();
    if (edit.isEmpty(next)) seen = null;
    draft = next;
    if (!keepSold && !edit.isEmpty(next)) sold = null;
    if (edit.isEmpty(next)) tender = EXACT;
    if (typed) askDraft();
    keep();
    paint();
    focus();
  }

  function signature(of) {
    return JSON.stringify(edit.toWire(of, 0));
  }

  function askDraft() {
    number += 1;
    odds = null;
    const mine = number;
    if (edit.isEmpty(draft)) answer = null;
    if (!app.linked || !app.state?.card) {
      linked = false;
      answer = null;
      return;
    }
    answered = app.ask('draft', { draft: edit.toWire(draft, mine) }).then(
      (told) => {
        if (mine !== number) return;
        answer = edit.isEmpty(draft) ? null : told;
        paint();
      },
      (no) => {
        if (mine !== number || no.code === 'link_lost') return;
        answer = {
          number: mine,
          sellable: false,
          missing: '',
          faults: [{ where: no.where ?? '', code: no.code, message: no.message }],
          rows: [],
          choices: [],
          more: 0,
          ways: 0,
          type: '',
          sum: '',
          read_back: '',
          changed: false,
          price_cents: null,
        };
        paint();
      },
    );
  }

  app.onOdds((told) => {
    if (told.draft !== number) return;
    odds = told;
    paint();
  });

  function known() {
    if (!answer || answer.number !== number) return { marks: marks() };
    const [fault] = answer.faults;
    return {
      sellable: answer.sellable,
      faultAt: fault && edit.fieldOf(draft, fault.where),
      marks: marks(),
    };
  }

  function marks() {
    return (app.state?.card?.rates ?? []).map((rate) => rate.mark).filter(Boolean);
  }

  function gameNow() {
    const game = app.state?.game;
    return game ? { game: game.game, name: game.name } : null;
  }

  function type(key) {
    const done = edit.press(draft, key, known());
    const handled =
      done.draft !== draft || Boolean(done.act) || /^(Arrow|Enter$|Backspace$|[ /.*+-]$)/.test(key);
    change(done.draft);
    if (done.act) act(done.act);
    seller.typed();
    return handled;
  }

  // ------------------------------------------------------------ painting

  function paint() {
    if (!element.isConnected) return;
    const { state } = app;
    const game = state?.game ?? null;
    const stale = seen && game && seen.game !== game.game;
    line.render(draft, answer, {
      card: state?.card,
      note: stale
        ? `Game ${seen.name} closed while this was typed. You are asked before it is sold for ${game.name}.`
        : '',
    });
    grid.show({ marks: marksOf(draft) });
    ways.render(draft, answer, odds, { game });
    paintTray(
      ways.tray,
      draft,
      {
        choices: answer?.choices,
        rates: state?.card?.rates,
        gamesMax: state?.card?.games_max,
        canRepeat: Boolean(again),
      },
      { edit: (how) => change(how(draft)), act },
    );
    const became = sold && state?.tickets.find((each) => each.ticket === sold.ticket)?.state;
    price.render({
      draft,
      answer,
      tender,
      sold: sold && { ...sold, state: became },
      busy: seller.busy,
      game,
      seen,
      lineUp: app.linked && Boolean(state?.line.up),
    });
    say(
      readBack,
      answer?.read_back
        ? `“${answer.read_back}”`
        : (answer?.missing ?? '') ||
            'What is typed is read back here in words, before it is printed.',
    );
    readBack.classList.toggle('is-quiet', !answer?.read_back);
    readBack.tabIndex = (answer?.read_back.length ?? 0) > LONG ? 0 : -1;
  }

  function focus() {
    if (app.dialogOpen) return;
    quiet = true;
    if (draft.at === 'ready') price.go.focus({ preventScroll: true });
    else if (!grid.contains(document.activeElement)) line.focus(draft.at);
    quiet = false;
  }

  // ------------------------------------------------------------ acts

  async function act(name) {
    if (name === 'print') await seller.print();
    else if (name === 'refused') app.sound('refused');
    else if (name === 'tender') await chooseTender('more');
    else if (name === 'marked') change(edit.confirmChange(draft));
    else if (name === 'clear') await clear();
    else if (name === 'quick') {
      if (free() || (await replaceable('Clear the line for a quick-pick?')))
        change(edit.quickPick(draft));
    } else if (name === 'same') await sameAgain();
    else if (name === 'replay') await replay();
  }

  /** Nothing is lost that is not quickly typed again. Asked first and at once, so that a key that follows finds the new line. */
  function free() {
    return edit.marked(draft) <= 3;
  }

  function replaceable(title) {
    return app.dialog(confirmDialog, {
      title,
      text: 'The numbers typed so far are lost.',
      yes: 'Clear the line',
      no: 'Keep it',
    });
  }

  async function clear() {
    if (free() || (await replaceable('Clear this ticket?'))) change({ ...edit.EMPTY });
  }

  async function sameAgain() {
    if (!again) {
      app.notice('Nothing was sold yet at this station.', 'look');
      app.sound('refused');
    } else if (free() || (await replaceable('Replace this ticket by the one sold last?')))
      change(again);
  }

  async function replay() {
    const found = await app.dialog(scanDialog, {
      title: 'Replay or change a ticket',
      text: 'Scan the ticket or the patron’s request, or key the number and the code.',
      found: find,
    });
    if (found && (free() || (await replaceable('Replace the ticket being typed?')))) change(found);
  }

  async function find(text) {
    const found = await app.ask('find', { text });
    if (found.kind === 'request') return edit.fromWire(found.draft);
    return takeAgain(found);
  }

  async function takeAgain({ ticket, code }) {
    const told = await app.ask('again', { ticket, code });
    return edit.fromWire(told.draft, told.live ? { ticket, code } : null);
  }

  /** Put another ticket on the line, once the writer agrees to lose what is typed. */
  async function bring(make) {
    try {
      const next = await make();
      if (next && (free() || (await replaceable('Replace the ticket being typed?')))) change(next);
    } catch (no) {
      app.notice(no.message, 'no');
      app.sound('refused');
    }
  }

  function scan(text) {
    return bring(async () => {
      const found = await app.ask('find', { text });
      if (found.kind === 'request') return edit.fromWire(found.draft);
      app.show('pay', { ticket: found.ticket, code: found.code });
      return null;
    });
  }

  async function chooseTender(choice) {
    const due = answer?.price_cents;
    if (!due) return;
    if (choice === 'more') {
      const next = await app.dialog(tenderDialog, { price: due, tender });
      if (next) tender = next;
    } else tender = { given: choice, parts: [] };
    paint();
    focus();
  }

  function press(key) {
    document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  }

  // ------------------------------------------------------------ keeping what was typed

  function keep() {
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({ draft, seen, again, who }));
    } catch {
      // A full or forbidden storage loses only the comfort of surviving a reload.
    }
  }

  function restore() {
    try {
      const found = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}');
      return {
        draft: { ...edit.EMPTY, ...found.draft, digit: '', mode: '', fault: '' },
        seen: found.seen ?? null,
        again: found.again ?? null,
        who: found.who ?? '',
      };
    } catch {
      return { draft: edit.EMPTY, seen: null, again: null, who: '' };
    }
  }

  // ------------------------------------------------------------ the view

  return {
    name: 'sell',
    element,
    keys: () => KEYS,
    scan,
    focus,
    enter({ draft: found, again: ticket, rewrite = ticket } = {}) {
      paint();
      focus();
      if (found) bring(async () => edit.fromWire(found));
      else if (rewrite) bring(() => takeAgain(rewrite));
    },
    leave() {
      seller.leave();
    },
    mark() {
      const before = draft;
      return () => change(before);
    },
    /** Enter goes on or prints, also from a number that Tab led to; space takes that number. */
    takes: (event) => event.key === 'Enter' && grid.contains(event.target),
    key(event) {
      if (event.ctrlKey || event.altKey || event.metaKey || event.key === 'Tab') return false;
      if (SCROLLS.test(event.key) && event.target.closest?.('.ways-rows, .readback-words'))
        return false;
      if (event.key === 'Enter' && event.repeat) return true;
      if (seller.busy) return seller.later(event.key);
      return type(event.key);
    },
    state(state) {
      const person = state?.writer?.person ?? who;
      if (person !== who) {
        if (who) [again, sold] = [null, null];
        if (who) change({ ...edit.EMPTY });
        who = person;
        keep();
      }
      if (seen === null && !edit.isEmpty(draft)) seen = gameNow();
      if (app.linked && state?.card && !linked) {
        linked = true;
        if (!edit.isEmpty(draft)) askDraft();
      }
      if (!app.linked) linked = false;
      price.renderTickets(state?.tickets ?? []);
      seller.watch(state);
      paint();
    },
  };
}
