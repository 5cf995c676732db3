/*
 * The Pay view (F2): a ticket on the counter, its games, and what it takes to pay it. This module
 * holds what the writer is doing; the three columns are drawn by pay-paper, pay-games and pay-due,
 * and the acts that ask the station are in pay-doing.
 */
import { put } from '../../keno/pages/shared/dom.js';
import { clock, count, money } from '../../keno/pages/shared/format.js';
import { act, el } from './dialogs/form.js';
import {
  allGames,
  askedFor,
  canReplay,
  doneWords,
  mostUrgent,
  nextAct,
  numbered,
  paysAtOnce,
  scannedInto,
} from './pay-acts.js';
import { batchTotal, payWords, payment } from './pay-money.js';
import { createDoing } from './pay-doing.js';
import { createEntry } from './pay-entry.js';
import { dueOf, fieldsOf, idle, notPaid, paidPanel } from './pay-due.js';
import { LAPSED } from './pay-words.js';
import { gameList } from './pay-games.js';
import { paper } from './pay-paper.js';
import { createWaiting } from './pay-waiting.js';

/** A scanner may send Enter twice: within this time of a ticket's coming Enter does nothing. */
const STILL_MS = 200;

export function createPay(app) {
  /** What the writer is doing. `fields` live as long as the ticket lies there. */
  const own = {
    look: null,
    refund: false,
    progress: {},
    fields: null,
    open: -1,
    batch: [],
    refusal: null,
    outcome: null,
    choosing: false,
    busy: '',
    since: 0,
    left: false,
    askedAt: new Map(),
  };
  const element = el('section.pay', { 'aria-label': 'Pay' });
  const left = el('div.pay-left');
  const middle = el('div.panel.pay-middle');
  const right = el('div.panel.pay-due', { role: 'region', 'aria-label': 'What is paid' });
  element.append(left, middle, right);

  const entry = createEntry({ find: (text) => doing.find(text), shortcut: (key) => press(key) });
  const doing = createDoing(app, own, { entry, render, idle: () => catchUp() });
  const waiting = createWaiting(app, {
    onCounter: () => (app.view === 'pay' ? (own.look?.ticket ?? null) : null),
    goTo: (payout) => app.show('pay', { waiting: payout }),
  });
  // The line stands above whatever view is shown.
  document.querySelector('main.view')?.before(waiting.element);
  app.counter = counter;

  const due = () => (own.refund ? own.look.refund : own.look);
  const asked = () => own.look && askedFor(app.state?.waiting ?? [], own.look.ticket, own.refund);

  /** The ticket that lies here, for the dialogs that are about one. */
  function counter() {
    if (app.view !== 'pay' || !own.look || own.outcome) return null;
    const { ticket, code } = own.look;
    const supervised = due().needs.some((need) => need.kind === 'supervisor' && !need.done);
    return { ticket, code, refund: own.refund, amount_cents: due().total_cents, supervised };
  }

  /** Everything the right column shows, in one object. */
  function picture() {
    const base = {
      look: own.look,
      batch: own.batch,
      refusal: own.refusal,
      outcome: own.outcome,
      waiting: app.state?.waiting ?? [],
      takeOut: doing.takeOut,
      fields: own.fields,
      goTo: (payout) => doing.goTo(payout),
    };
    if (own.outcome) return { ...base, kind: 'paid' };
    if (!own.look) return { ...base, kind: own.refusal ? 'not paid' : 'idle' };
    if (own.look.why_not && !own.refund) return { ...base, kind: 'not paid' };
    const steps = numbered(due(), own.progress, asked());
    const paying = { ...payment(due(), own.progress), choosing: own.choosing };
    return {
      ...base,
      kind: 'due',
      due: due(),
      refund: own.refund,
      steps,
      next: nextAct(steps),
      paying,
      joined: own.batch.length > 0 && !own.refund && paysAtOnce(own.look),
      needText,
    };
  }

  /** What stands under a need: what it asks for, or what was done for it. */
  function needText(step) {
    const { tax_form: form, check } = own.progress;
    if (step.kind === 'supervisor') return supervisorText(step, asked());
    if (step.at !== 'done') return step.text;
    if (step.kind === 'tax_form' && form)
      return `${form.number}, ${money(form.withheld_cents)} withheld`;
    if (step.kind === 'check' && check) return `${check.number}, ${money(check.cents)}`;
    return step.kind === 'signature' ? 'Signed.' : step.text;
  }

  function supervisorText(step, payout) {
    if (step.stands === 'yes')
      return payout?.answered_by ? `${payout.answered_by} approved it.` : step.text;
    if (step.stands === 'denied')
      return `${payout.answered_by ?? 'The supervisor'} said no: ${payout.reason}`;
    if (step.stands === 'lapsed') return LAPSED;
    if (step.stands === 'differs') {
      return `The yes was for ${money(payout.amount_cents)}. It has to be taken back, then asked again.`;
    }
    if (step.stands !== 'wait') return step.text;
    const since = own.askedAt.get(payout.authorisation);
    return since === undefined
      ? 'Asked. Sales go on meanwhile.'
      : el(
          'span',
          'Asked ',
          el('span.ago', clock(performance.now() - since)),
          ' ago. Sales go on meanwhile.',
        );
  }

  /** The acts, the primary one first: [words, key, what it does]. */
  function actsOf(shown) {
    const hand = [
      own.look?.why_not?.code === 'held' ? 'Keep it here, go on' : 'Hand it back',
      'Esc',
      doing.handBack,
    ];
    const sum = batchTotal(own.batch);
    const payBatch = [
      `Pay ${money(sum)} for ${count(own.batch.length, 'ticket')}`,
      '↵',
      doing.payBatch,
    ];
    if (shown.kind === 'paid') return [['Next ticket', '↵', doing.clear]];
    if (shown.kind === 'idle')
      return own.batch.length ? [payBatch, ['Hand them back', 'Esc', doing.handBack]] : [];
    if (shown.kind === 'not paid') {
      const acts = own.batch.length ? [payBatch] : [null];
      if (own.look?.refund)
        acts.push([`Refund ${money(own.look.refund.total_cents)}`, 'U', doing.beginRefund]);
      if (own.look && canReplay(own.look)) acts.push(['Write it again', 'R', doing.replay]);
      return [...acts, hand].slice(0, 4);
    }
    return dueActs(shown, sum, hand);
  }

  function dueActs(shown, sum, hand) {
    const { next, joined } = shown;
    const here = ['Authorise here', 'F9', doing.authoriseHere];
    const total =
      own.batch.length && !joined
        ? [[`Pay ${money(sum)} for ${count(own.batch.length, 'ticket')}`, 'T', doing.payBatch]]
        : [];
    const keep = ['Wait and keep selling', 'F1', () => app.show('sell')];
    const add = ['Add to one total', '+', doing.add];
    const acts = {
      ask: [['Ask the supervisor', '↵', doing.askSupervisor], here],
      wait: [here, keep],
      denied: [['Ask again', '↵', doing.askSupervisor], hand],
      lapsed: [['Ask again', '↵', doing.askSupervisor], here],
      differs: [['Take the approval back', 'F9', doing.authoriseHere], keep],
      signature: [['The back is signed', '↵', () => doing.did('signature', true)], hand],
      tax_form: [['The form is filled in', '↵', doing.takeForm], hand],
      check: [['The check is made out', '↵', doing.takeCheck], hand],
    }[next];
    if (acts) return [...acts, ...total];
    if (own.choosing)
      return [
        ['The check is made out', '↵', doing.takeCheck],
        ['Pay all in cash', 'Esc', doing.noCheck],
      ];
    if (joined) {
      const whole = sum + shown.due.total_cents;
      return [
        [`Pay ${money(whole)} for ${count(own.batch.length + 1, 'ticket')}`, '↵', doing.payBatch],
        add,
        hand,
      ];
    }
    const words = payWords(shown.paying.payment, money, own.refund ? 'Refund' : 'Pay');
    const others = [];
    if (!own.progress.check) others.push(['Part by check', 'C', doing.choose]);
    if (!own.refund && paysAtOnce(own.look)) others.push(add);
    return [[words, '↵', doing.pay], ...others, ...total];
  }

  let acts = [];
  let drawn = '';

  function render({ focus = false } = {}) {
    const shown = picture();
    acts = actsOf(shown);
    if (shown.next === 'check' || own.choosing) doing.offerWhole();
    element.dataset.kind = shown.kind;
    const key = JSON.stringify([
      shown.kind,
      own.look?.ticket,
      own.refund,
      shown.steps,
      shown.next,
      own.busy,
      own.batch.map((one) => one.ticket),
      own.choosing,
      own.refusal,
      shown.waiting,
      own.progress,
      own.since,
      own.outcome,
    ]);
    if (key !== drawn) {
      drawn = key;
      const had = document.activeElement;
      const buttons = acts.filter(Boolean).map(([words, cap, f], index) =>
        act(
          index === 0 && own.busy ? own.busy : words,
          (event) => {
            if (event.detail || ready()) f();
          },
          { cap, primary: index === 0 && acts[0] !== null },
        ),
      );
      for (const button of buttons) {
        button.disabled = Boolean(own.busy);
        button.classList.toggle('long', button.textContent.length > 20);
      }
      const draw = { due: dueOf, paid: paidPanel, idle, 'not paid': notPaid }[shown.kind];
      put(right, draw({ ...shown, acts: buttons }));
      reachable(right.querySelector('.due-body'));
      renderLeft();
      app.refreshKeys?.();
      waiting.paint(app.state);
      if (app.view !== 'pay' || app.dialogOpen) return;
      if (!focus && had !== document.body && element.contains(had)) had.focus();
      else if (focus || document.activeElement === document.body) takeFocus();
    }
  }

  function renderLeft() {
    put(left, paper(own.look, app.state?.place));
    const bare = !own.look;
    entry.say(
      bare
        ? own.batch.length
          ? 'Scan or key the next ticket'
          : 'Scan the ticket, or key its number and code'
        : 'Next ticket',
      app.state?.place,
    );
    entry.element.classList.toggle('large', bare);
    if (bare) {
      put(middle, entry.element);
      return;
    }
    const games = allGames(own.look);
    put(
      middle,
      el('div.pay-middle-head', el('span', doneWords(own.look)), entry.element),
      gameList(own.look, games, own.open, {
        drawing: app.state?.drawing,
        pick: (index) => openGame(index, true),
      }),
    );
    const rows = middle.querySelectorAll('.game');
    rows[own.open]?.scrollIntoView({ block: 'nearest' });
  }

  function openGame(index, toggle = false) {
    const games = allGames(own.look);
    own.open = toggle && index === own.open ? -1 : Math.min(Math.max(index, 0), games.length - 1);
    const had = middle.contains(document.activeElement) && document.activeElement !== entry.input;
    const text = document.activeElement === entry.input;
    renderLeft();
    if (had) middle.querySelectorAll('.game-head')[index]?.focus();
    if (text) entry.input.focus();
  }

  /** Where the caret goes when something new is on the counter: the field of the act, or the act. */
  function takeFocus() {
    const shown = picture();
    if (!own.look && !own.outcome && !(own.batch.length && !own.refusal)) entry.input.focus();
    else {
      const kind = own.choosing ? 'check' : shown.next;
      const wants = shown.kind === 'due' ? fieldsOf(kind, own.fields) : [];
      const target =
        wants.find((one) => !one.input.value)?.input ??
        wants[0]?.input ??
        right.querySelector('.button-go') ??
        right.querySelector('.due-acts button:last-child') ??
        entry.input;
      target.focus();
    }
  }

  function ready() {
    return !own.busy && performance.now() - own.since > STILL_MS;
  }

  function press(key) {
    const caps = { '↵': 'Enter', Esc: 'Escape' };
    const found = acts
      .filter(Boolean)
      .find(([, cap]) => (caps[cap] ?? cap).toLowerCase() === key.toLowerCase());
    if (!own.busy && (key !== 'Enter' || ready())) {
      if (found) found[2]();
      else pressAnyway(key.toLowerCase());
    }
    return Boolean(found);
  }

  /** Keys that hold also while another act is next. */
  function pressAnyway(key) {
    if (key === 'r' && own.look && canReplay(own.look)) doing.replay();
    if (key === '+' && !own.refund && !own.outcome) doing.add();
  }

  const SHORTCUTS = new Set(['r', 'u', 'c', 't', '+']);

  let ahead = '';

  /** Keys pressed while the station is asked wait for its answer: the next scan, or one key. */
  function later(event) {
    if (event.key === 'Enter') ahead += '\n';
    else if (event.key.length === 1) ahead += event.key;
    return event.key !== 'Tab';
  }

  function catchUp() {
    const keys = ahead;
    ahead = '';
    const end = keys.indexOf('\n');
    if (keys.length === 1 && own.look && SHORTCUTS.has(keys.toLowerCase())) press(keys);
    else if (end > 0) {
      doing.find(keys.slice(0, end));
      ahead = keys.slice(end + 1);
    } else if (end < 0 && keys) entry.typed(keys, false);
  }

  function key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    if (own.busy) return later(event);
    const inEntry = event.target === entry.input;
    const inField = event.target instanceof HTMLElement && event.target.matches('input');
    const scanned = event.key === 'Enter' && inField && !inEntry && scannedInto(event.target.value);
    if (scanned) {
      event.target.value = event.target.value.slice(0, -scanned.length);
      doing.find(scanned);
      return true;
    }
    if (own.look && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      openGame(own.open + (event.key === 'ArrowDown' ? 1 : own.open < 0 ? 0 : -1));
      return true;
    }
    if (event.key === 'Escape') {
      if (inEntry && entry.text) entry.clear();
      else if (!press('Escape')) doing.handBack();
      return true;
    }
    if (event.key === 'Enter') {
      if (inEntry && entry.text) entry.submit();
      else if (inField && !inEntry && nextField()) return true;
      else press('Enter');
      return true;
    }
    if (event.key.length !== 1) return false;
    const shortcut =
      SHORTCUTS.has(event.key.toLowerCase()) && Boolean(own.look) && entry.text === '';
    if (inField && !(inEntry && (shortcut || entry.holding))) return false;
    if (event.key === ' ' && !entry.holding) return false;
    entry.typed(event.key, shortcut);
    return true;
  }

  function nextField() {
    const fields = [...right.querySelectorAll('.need-fields input')];
    const next = fields[fields.indexOf(document.activeElement) + 1];
    if (!next || next.value) return false;
    next.focus();
    return true;
  }

  /** Keys for the footer: those that no button of the panel shows already. */
  function keys() {
    const all = own.look
      ? [[['↑', '↓'], 'games', 'ArrowDown']]
      : [
          ['↵', 'find the ticket'],
          ['F6', 'void'],
          ['F7', 'refund, reprint, surrender'],
        ];
    if (own.look && canReplay(own.look)) all.push(['R', 'replay this ticket']);
    if (own.look) all.push(['F7', 'more']);
    all.push(['F1', 'sell']);
    if (own.look && !own.outcome) all.push(['Esc', own.refund ? 'no refund' : 'hand it back']);
    all.push(['?', 'all keys']);
    const shown = new Set(acts.filter(Boolean).map(([, cap]) => cap));
    return all.filter(([cap]) => !shown.has(cap));
  }

  function state(told) {
    if (app.view !== 'pay') return;
    doing.follow(told);
    if (!own.look) renderHint();
    render();
    if (own.look && told?.drawing) renderBalls();
  }

  let letter = '';
  /** The letter of the location is known only when the station has told it. */
  function renderHint() {
    const now = app.state?.place?.letter ?? '';
    if (now === letter) return;
    letter = now;
    const had = document.activeElement;
    renderLeft();
    if (had === entry.input) had.focus();
  }

  let balls = '';
  function renderBalls() {
    const now = `${app.state.drawing.game} ${app.state.drawing.balls.length}`;
    if (now === balls) return;
    balls = now;
    const { activeElement } = document;
    renderLeft();
    if (activeElement?.isConnected) activeElement.focus();
  }

  setInterval(() => {
    const ago = right.querySelector('.ago');
    const since = own.askedAt.get(asked()?.authorisation);
    if (ago && since !== undefined) ago.textContent = clock(performance.now() - since);
  }, 1000);

  render();
  return {
    name: 'pay',
    element,
    key,
    keys,
    state,
    scan: (text) => doing.find(text),
    focus: takeFocus,
    enter(args = {}) {
      if (!args.text) own.left = false;
      if (args.text) doing.find(args.text);
      else if (args.waiting) doing.goTo(args.waiting);
      else if (args.refund) doing.open(args.refund.ticket, args.refund.code, { refund: true });
      else if (args.ticket) doing.open(args.ticket, args.code);
      else if (!own.look || own.outcome) {
        const urgent = mostUrgent(app.state?.waiting ?? []);
        if (urgent?.code && urgent.state !== 'pending') doing.goTo(urgent);
      } else doing.refresh();
      render({ focus: true });
      takeFocus();
    },
    leave() {
      entry.clear();
      own.left = true; // What is scanned from another view later is another patron's.
    },
  };
}

/** What scrolls can be reached by Tab, so that it can be scrolled by keys. */
function reachable(box) {
  if (!box || box.scrollHeight <= box.clientHeight) return;
  box.tabIndex = 0;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', 'What is needed');
}

export { createPay as pay };
