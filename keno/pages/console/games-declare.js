// The steps that declare a game void: what it returns, the request, the order that two people
// signed at the generator's console, and both people here. The server refuses one person alone.

import { h, put } from '../shared/dom.js';
import { timeExact } from '../shared/format.js';
import {
  button,
  choice,
  facts,
  field,
  form,
  panel,
  reasonField,
  refused,
  secondFields,
  statusLine,
} from './frame.js';
import { choices, mayStart, needs, quoteLines, quoteWords, readOrder } from './games-void.js';
import { pickPlace, placeOf } from './room-parts.js';
import { causeWords } from './room-words.js';

/** @import { DrawStatus, Second, VoidQuote } from '../shared/protocol.js' */
/** @import { Child } from '../shared/types.js' */
/** @import { StatusLine } from './frame.js' */
/** @import { NeedState } from './games-void.js' */
/** @import { ReadOrder } from './order-file.js' */
/** @import { Ask, Session, SessionLocation, View } from './types.js' */
/** @typedef {Pick<View, 'session' | 'ask' | 'stay'>} Asking */

/**
 * Draw the steps into `target`; returns the function to call when they are left.
 * @param {HTMLElement} target
 * @param {Asking} view
 */
export function declareVoid(target, { session, ask, stay }) {
  const games = h('div', { class: 'void-game' });
  const places = h('div', {});
  const quoted = createQuote({ session, ask, stay });
  put(target, gamePanel(games, places), quoted.element);

  async function load() {
    quoted.empty();
    try {
      const room = await ask('draw_room', {});
      if (quoted.left()) return;
      stay.location ??= room.locations.find((each) => each.alarms.length)?.location;
      const here = placeOf(session, stay);
      put(
        places,
        pickPlace(session, here.location, (location) => {
          stay.location = location;
          load();
        }),
      );
      const which = gameChoice(room, here);
      if (!which) {
        put(games, h('p', { class: 'nothing' }, 'No game has been closed here yet.'));
        return;
      }
      const show = () => quoted.show(here, which.input);
      which.input.addEventListener('change', show);
      put(games, which.element);
      await show();
    } catch (error) {
      put(games, refused(error));
    }
  }

  load();
  return quoted.leave;
}

/**
 * @param {HTMLElement} games
 * @param {HTMLElement} places
 */
function gamePanel(games, places) {
  const words =
    'Only for a closed game whose result cannot be had. A supervisor and the inspector do it ' +
    'together; the witness has the last word, and what it attested stands.';
  return panel(
    'Declare a game void',
    { class: 'void-choice', aside: places },
    h('div', { class: 'void-top' }, h('p', { class: 'running' }, words), games),
  );
}

/**
 * The choice among the games of a location; null if there is none.
 * @param {DrawStatus} room
 * @param {SessionLocation} here
 */
function gameChoice(room, here) {
  const place = room.locations.find((each) => each.location === here.location);
  const found = choices(place?.draws ?? []);
  if (!found.length) return null;
  return choice(
    'Game',
    found.map((each) => [String(each.game), each.words]),
  );
}

/**
 * Create the part with what the void of the chosen game returns, and its steps.
 * @param {Asking} view
 */
function createQuote({ session, ask, stay }) {
  const element = h('div', { class: 'void-body' });
  let isLeft = false;

  /**
   * @param {SessionLocation} here
   * @param {HTMLSelectElement} which
   * @param {string} [words] what was just done
   */
  async function show(here, which, words = '') {
    const game = Number(which.value);
    stay.game = game;
    try {
      const quote = await ask('void_quote', { location: here.location, game });
      if (isLeft || stay.game !== game) return;
      if (quote.state === 'void') which.selectedOptions[0].textContent = `${quote.name}, void`;
      const status = statusLine();
      put(
        element,
        returns(quote, here),
        quote.possible && steps(quote, { session, ask, done: (done) => show(here, which, done) }),
        status.element,
      );
      if (words) status.good(words);
    } catch (error) {
      put(element, refused(error));
    }
  }
  return {
    element,
    show,
    empty: () => put(element),
    left: () => isLeft,
    leave: () => {
      isLeft = true;
    },
  };
}

/**
 * @param {VoidQuote} quote
 * @param {SessionLocation} place
 */
function returns(quote, place) {
  const [alarm] = quote.alarms;
  const isVoid = quote.state === 'void';
  const title = isVoid
    ? `${quote.name} is void`
    : quote.possible
      ? `If ${quote.name} is void`
      : `${quote.name} cannot be declared void`;
  return panel(
    title,
    {
      class: 'void-quote',
      aside: quote.locked_ms ? `Closed ${timeExact(quote.locked_ms, place.zone)}` : null,
    },
    !quote.possible &&
      !isVoid &&
      h('p', { class: 'void-no' }, quote.why_not || 'The server gives no reason.'),
    (quote.possible || isVoid) &&
      h(
        'div',
        { class: 'void-facts' },
        facts(quoteLines(quote)),
        h(
          'ul',
          { class: 'sentences' },
          quoteWords(quote).map((each) => h('li', {}, each)),
        ),
      ),
    quote.possible &&
      alarm &&
      h(
        'p',
        { class: 'void-alarm' },
        `${alarm.message} ${causeWords(alarm.cause)} `,
        `Since ${timeExact(alarm.since_ms, place.zone)}.`,
      ),
  );
}

/**
 * Create the three steps; only the current one can be done.
 * @param {VoidQuote} quote
 * @param {{session: Session, ask: Ask, done: (words: string) => Promise<void>}} how
 */
function steps(quote, { session, ask, done }) {
  /** @type {{taken: boolean, order: Record<string, unknown> | null}} */
  const so = { taken: false, order: null };
  const started = mayStart(session.role);
  const status = statusLine();
  const order = createOrder(quote, (found) => {
    so.order = found?.order ?? null;
    if (found) signing.begin(found);
    paint();
    if (found) signing.why.focus();
  });
  const signing = createSigning({ quote, session, status, restart, send });

  function taken() {
    so.taken = true;
    paint();
    order.focus();
  }

  function restart() {
    Object.assign(so, { taken: false, order: null });
    order.input.value = '';
    status.clear();
    paint();
  }

  /** @param {string} reason @param {Second} second */
  async function send(reason, second) {
    const { location, game } = quote;
    if (!so.order) return;
    await ask('declare_void', { location, game, reason, second, order: so.order });
    await done(`${quote.name} is void. Every wager on it goes back with the tickets.`);
  }

  const items = [
    need('Take the request to the generator’s console', takeRequest(quote, taken)),
    need('Bring the signed order back', [
      h(
        'p',
        { class: 'running' },
        'It is the file that the console wrote. It ends nothing by itself.',
      ),
      order.element,
    ]),
    need('Both of you, here', signing.children),
  ];
  function paint() {
    needs(so).forEach((state, at) => items[at].show(started ? state : 'later'));
  }
  paint();
  return panel(
    'Three needs, one after the other',
    { class: 'needs' },
    !started &&
      h(
        'p',
        { class: 'running needs-look' },
        'You see everything here. A supervisor signs in and starts it, and you join as the ' +
          'inspector at the third need, with your own name and password.',
      ),
    h(
      'ol',
      { class: 'need-list' },
      items.map((each) => each.element),
    ),
    status.element,
  );
}

/**
 * @param {VoidQuote} quote
 * @param {() => void} taken called when the request is downloaded, or was before
 */
function takeRequest(quote, taken) {
  const href = `/api/games/${encodeURIComponent(quote.location)}/${quote.game}/void-request`;
  const download = `void-${quote.name}.request`;
  const on = { click: () => setTimeout(taken) };
  return [
    h(
      'p',
      { class: 'running' },
      'You and the inspector carry this file to the generator’s own console. ',
      'Both sign there with their keys: ',
      h('span', { class: 'code command' }, 'keno-rng void FOLDER REQUEST ORDER'),
    ),
    h(
      'div',
      { class: 'acts' },
      h('a', { class: 'button button-go', href, download, on }, 'Download request'),
      button('We have the order already', taken),
    ),
  ];
}

/**
 * Create the field for the file with the signed order.
 * @param {VoidQuote} quote
 * @param {(found: ReadOrder | null) => void} chosen called with null for a file that is no order
 */
function createOrder(quote, chosen) {
  const order = field('Signed order', {
    type: 'file',
    accept: '.json,.order,.void,application/json,text/plain,*/*',
    class: 'input file-input',
  });
  order.input.addEventListener('change', async () => {
    const file = 'files' in order.input ? order.input.files?.[0] : null;
    if (!file) return;
    const found = readOrder(await file.text(), quote);
    if ('fault' in found) {
      order.refuse(found.fault);
      chosen(null);
    } else chosen(found);
  });
  return order;
}

/**
 * Create the last step: the reason, and the inspector's name and password.
 * @param {{quote: VoidQuote, session: Session, status: StatusLine, restart: () => void,
 *   send: (reason: string, second: Second) => Promise<void>}} how
 */
function createSigning({ quote, session, status, restart, send }) {
  const why = reasonField('Reason, as it shall stand in the record', {
    missing: 'Say why first. The reason is kept in the record.',
  });
  const second = secondFields('Inspector');
  const read = h('p', { class: 'quiet' });
  const declare = async () => {
    status.clear();
    const reason = why.need();
    const who = reason && second.need();
    if (!reason || !who) return;
    status.good('The order is on its way to the witness …');
    try {
      await send(reason, who);
    } catch (error) {
      second.clear();
      status.no(error);
    }
  };
  const children = [
    read,
    form(
      {},
      declare,
      why.element,
      second.element,
      h('p', { class: 'quiet' }, `Signed in: ${session.name}. This cannot be taken back.`),
      h(
        'div',
        { class: 'acts' },
        button(`Declare ${quote.name} void`, null, { go: true, type: 'submit' }),
        button('Begin again with a new request', restart),
      ),
    ),
  ];
  /** Show the order's signers and reason. @param {ReadOrder} found */
  const begin = ({ signers, reason }) => {
    const signed = signers === 1 ? 'signed by one key only' : `signed by ${signers} keys`;
    put(read, `Order for ${quote.name}, ${signed}: “${reason}”`);
    if (!why.value) why.value = reason;
  };
  return { children, why, begin };
}

/**
 * @param {string} title
 * @param {Child} inside
 */
function need(title, inside) {
  const body = h('div', { class: 'need-body' }, inside);
  const word = h('span', { class: 'need-word' });
  const element = h(
    'li',
    { class: 'need' },
    h('div', { class: 'need-head' }, h('b', {}, title), word),
    body,
  );
  return {
    element,
    /** @param {NeedState} state */
    show(state) {
      element.dataset.state = state;
      body.hidden = state !== 'now';
      put(word, { done: '✓ Done', now: '', later: 'Not yet' }[state]);
    },
  };
}
