// The left of the floor: the chosen location's game large, with what a draw would pay and the
// overrides; the other locations small beneath it. Everything is made once and changed in place.

import '../shared/dial.js';
import { attribute, h, put, say } from '../shared/dom.js';
import { clock, money } from '../shared/format.js';
import { busy, every, keyed, panel, reasonField, soon, statusLine } from './frame.js';
import { words } from './ask.js';
import { exposureView, placeView, stationsAtWork } from './floor-words.js';

const EXPOSURE_MS = 10_000;
const OTHERS_MS = 20_000;
const FEW_DRAWS = 100;

const DONE = {
  delay: (name) => `${name}: the close is a minute later.`,
  hold: (name) => `${name} is held.`,
  resume: (name) => `${name} is resumed.`,
  close_early: (name) => `${name} closes early, after the notice.`,
  manual: (name) => `${name} now closes by hand.`,
  automatic: (name) => `${name} closes by the clock again.`,
  close_game: (name) => `${name} closes after the notice.`,
};

/** The buttons of a game by its mode: [what is asked, the words]. Pure. */
export function controlsOf(mode, manual) {
  const turn = manual ? ['automatic', 'Automatic mode'] : ['manual', 'Manual mode'];
  if (mode === 'held')
    return [
      ['delay', 'Delay 1\u00a0minute'],
      ['resume', 'Resume'],
      ['close_early', 'Close early'],
      turn,
    ];
  if (mode === 'manual') return [['close_game', 'Close the game now'], ['hold', 'Hold'], turn];
  return [['delay', 'Delay 1\u00a0minute'], ['hold', 'Hold'], ['close_early', 'Close early'], turn];
}

export function createGames({ session, ask, watch, stay, mayAct }) {
  const zones = new Map((session.locations ?? []).map((each) => [each.location, each.zone]));
  const exposures = new Map();
  const mayReckon = session.role !== 'accounting';
  const large = createLarge({ ask, watch, stay, mayAct, mayReckon });
  const others = h('ul', { class: 'others' });
  const element = h('div', { class: 'column games' }, large.element, others);
  const games = new Map();

  const chosen = () =>
    watch.floor?.locations.find((each) => each.location === stay.location) ??
    watch.floor?.locations[0];

  function view(place) {
    return placeView(place, {
      signal: watch.signal,
      lostMs: watch.lostMs,
      leftMs: watch.left(place),
      span_ms: watch.span(place),
      zone: zones.get(place.location),
      people: watch.floor.people,
      you: session.person,
    });
  }

  function paint() {
    const place = chosen();
    if (!place) return;
    large.paint(place, view(place), exposures.get(place.location) ?? null);
    const rest = watch.floor.locations.filter((each) => each !== place);
    keyed(
      others,
      rest,
      (each) => each.location,
      (each) =>
        h(
          'li',
          {},
          createSmall(() => choose(each.location)),
        ),
    );
    rest.forEach((each, index) =>
      paintSmall(others.children[index].firstChild, each, view(each), exposures.get(each.location)),
    );
    reckonIfChanged();
  }

  function choose(location) {
    stay.location = location;
    paint();
    reckon(location).catch(() => {});
    large.focus();
  }

  async function reckon(location, draws) {
    const place = watch.floor?.locations.find((each) => each.location === location);
    if (!mayReckon || !place?.state?.open) return;
    try {
      exposures.set(
        location,
        await ask('exposure', draws ? { location, draws } : { location }, { quiet: true }),
      );
    } catch (error) {
      if (error.code === 'not_possible_now') exposures.delete(location);
    }
    paint();
  }

  const reckonChosen = async () => chosen() && reckon(chosen().location);
  async function reckonOthers() {
    const here = chosen();
    for (const place of watch.floor?.locations ?? [])
      if (place !== here && place.location !== here.location)
        await reckon(place.location, FEW_DRAWS);
  }
  const reckonSoon = soon(150, () => {
    reckonChosen().catch(() => {});
    reckonOthers().catch(() => {});
  });
  function reckonIfChanged() {
    let changed = false;
    for (const { location, state } of watch.floor.locations) {
      const now = `${state?.open?.game} ${state?.open?.mode} ${Boolean(state?.drawing)}`;
      if (games.get(location) !== now) changed = true;
      games.set(location, now);
    }
    if (changed) reckonSoon();
  }

  const stops = [
    every(EXPOSURE_MS, reckonChosen),
    every(OTHERS_MS, reckonOthers),
    every(200, paint),
  ];
  return { element, paint, stop: () => stops.forEach((stop) => stop()) };
}

function createLarge({ ask, watch, stay, mayAct, mayReckon }) {
  const dial = h('keno-dial');
  const name = h('b', { class: 'game-name' });
  const word = h('span', { class: 'game-word' });
  const fact = () => h('b');
  const [tickets, handle, closes] = [fact(), fact(), fact()];
  const ofWhat = h('span');
  const atWork = h('span', { class: 'quiet' });
  const held = h('p', { class: 'game-held' });
  const trouble = h('p', { class: 'game-trouble', role: 'alert' });
  const pays = createExposure();
  const acts = mayAct ? createActs(ask, watch, stay) : null;
  const element = panel(
    '',
    { aside: atWork, class: 'game' },
    h(
      'div',
      { class: 'game-state' },
      dial,
      h(
        'div',
        { class: 'game-facts' },
        h('p', { class: 'game-head' }, name, word),
        h('p', {}, ofWhat, tickets),
        h('p', {}, h('span', {}, 'Write'), handle),
        h('p', {}, h('span', {}, 'Closes'), closes),
      ),
    ),
    held,
    trouble,
    mayReckon && pays.element,
    acts?.element,
  );
  const title = element.querySelector('h2');
  title.tabIndex = -1;
  return {
    element,
    focus: () => title.focus(),
    paint(place, seen, exposure) {
      say(title, place.name);
      say(atWork, stationsAtWork(place.stations));
      dial.show(seen.dial);
      element.dataset.tone = seen.tone;
      element.dataset.stopped = String(seen.stopped);
      say(name, seen.name);
      say(word, seen.word);
      const fits = exposure && exposure.game === seen.open?.game;
      say(
        ofWhat,
        seen.open && seen.open.name !== seen.name ? `${seen.open.name} tickets` : 'Tickets',
      );
      say(tickets, fits ? exposure.tickets.toLocaleString('en-US') : '–');
      say(handle, fits ? money(exposure.handle_cents) : '–');
      say(closes, seen.closes);
      const [who, why] = seen.held ? [seen.held.who, seen.held.reason] : ['', ''];
      say(held, seen.held ? `Held ${who}${why && `: “${why}”`}` : '');
      say(trouble, seen.trouble);
      pays.paint(fits ? exposure : null);
      acts?.paint(place, seen);
    },
  };
}

function createExposure() {
  const most = h('span');
  const marks = [0, 1, 2].map(() => ({ tick: h('i'), amount: h('b'), chance: h('span') }));
  const fill = h('div', { class: 'pays-fill' });
  const bar = h(
    'div',
    { class: 'pays-bar' },
    fill,
    marks.map((mark) => mark.tick),
  );
  const labels = marks.map((mark) => h('div', { class: 'pays-label' }, mark.amount, mark.chance));
  const note = h('p', { class: 'pays-note' });
  const element = h(
    'section',
    { class: 'pays', 'aria-label': 'What a draw would pay' },
    h('p', { class: 'pays-head' }, h('span', {}, 'What a draw would pay'), most),
    bar,
    h('div', { class: 'pays-labels' }, labels),
    note,
  );
  let painted;
  return {
    element,
    paint(answer) {
      if (answer === painted) return;
      painted = answer;
      attribute(element, 'data-empty', answer ? null : '');
      const seen = answer && exposureView(answer);
      say(most, seen?.most ?? '');
      say(note, seen?.note ?? '');
      fill.style.setProperty('--part', seen ? seen.marks[2].part : 0);
      marks.forEach((mark, index) => {
        const each = seen?.marks[index];
        mark.tick.style.setProperty('--at', each?.part ?? 0);
        labels[index].style.setProperty('--at', each?.at ?? [0.13, 0.5, 0.87][index]);
        say(mark.amount, each?.amount ?? '–');
        say(mark.chance, each?.chance ?? '');
      });
    },
  };
}

function createActs(ask, watch, stay) {
  stay.reasons ??= {};
  const reason = reasonField('Reason, before any of these', {
    missing: 'Give the reason first; it is kept with what you do.',
  });
  const buttons = h('div', { class: 'game-acts' });
  const said = statusLine();
  const element = h('div', { class: 'game-over' }, reason.element, buttons, said.element);
  const manual = new Map();
  let at = null;
  let drawn = '';

  async function act(kind) {
    const { location, name, open } = at;
    said.clear();
    if (!open) return said.no('No game is open here.');
    const why = kind === 'close_game' ? '' : reason.need();
    if (why === null) return undefined;
    try {
      if (kind === 'close_game')
        await ask('close_game', { location, game: open.game, second: null });
      else
        await ask('override', {
          location,
          kind,
          reason: why,
          ...(kind === 'delay' ? { seconds: 60 } : {}),
        });
      if (at.location === location) {
        if (kind !== 'close_game') reason.value = '';
        said.good(DONE[kind](kind === 'manual' || kind === 'automatic' ? name : open.name));
      }
      if (kind !== 'close_game') delete stay.reasons[location];
      await watch.refresh();
    } catch (error) {
      if (error.code === 'reason_empty') reason.refuse(words(error));
      else said.no(error);
    }
    return undefined;
  }

  reason.input.addEventListener('input', () => {
    stay.reasons[at.location] = reason.value;
  });
  return {
    element,
    paint(place, seen) {
      if (at?.location !== place.location) {
        reason.value = stay.reasons[place.location] ?? '';
        said.clear();
      } else if (at.open?.game !== seen.open?.game) said.clear();
      at = { location: place.location, name: place.name, open: seen.open };
      if (seen.mode && seen.mode !== 'held') manual.set(place.location, seen.mode === 'manual');
      const controls = controlsOf(seen.mode, manual.get(place.location));
      const key = JSON.stringify([controls, Boolean(seen.open)]);
      if (key === drawn) return;
      drawn = key;
      redraw(buttons, controls, Boolean(seen.open), act);
    },
  };
}

/** Other buttons in the same places; the focus stays where it was. */
function redraw(buttons, controls, possible, act) {
  const focused = [...buttons.children].indexOf(document.activeElement);
  put(
    buttons,
    controls.map(([kind, label]) => {
      const made = h('button', { type: 'button', class: 'button', data: { act: kind } }, label);
      if (!possible) made.setAttribute('aria-disabled', 'true');
      made.addEventListener('click', () => busy(made, () => act(kind)));
      return made;
    }),
  );
  if (focused >= 0) buttons.children[Math.min(focused, controls.length - 1)].focus();
}

function createSmall(choose) {
  return h(
    'button',
    { type: 'button', class: 'other', on: { click: choose } },
    h(
      'span',
      { class: 'other-dial' },
      h('keno-dial', { bare: '' }),
      h('span', { class: 'other-clock', 'aria-hidden': 'true' }),
    ),
    h('span', { class: 'other-words' }, h('b'), h('span'), h('span', { class: 'other-why' })),
    h('span', { class: 'other-side' }, h('b'), h('span')),
  );
}

function paintSmall(button, place, seen, exposure) {
  button.dataset.tone = seen.tone;
  button.dataset.stopped = String(seen.stopped);
  const [dialBox, told, side] = button.children;
  dialBox.firstChild.show(seen.dial);
  const left = seen.dial.left_ms;
  const figure =
    {
      drawing: seen.dial.balls?.at(-1) ?? '',
      open: left === null ? '' : clock(left),
      closing: clock(left ?? 0),
      offline: seen.dial.at,
    }[seen.tone] ?? '';
  say(dialBox.lastChild, figure);
  say(told.children[0], place.name);
  say(told.children[1], seen.note);
  say(
    told.children[2],
    seen.held
      ? [seen.held.who, seen.held.reason && `“${seen.held.reason}”`].filter(Boolean).join(', ')
      : seen.trouble,
  );
  say(side.children[0], seen.word);
  say(
    side.children[1],
    exposure && exposure.game === seen.open?.game ? money(exposure.handle_cents) : '',
  );
}
