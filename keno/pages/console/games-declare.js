// The void of a game, step by step: what it returns, the request, the order that two people signed at the
// generator's console, and both people here. One alone cannot; the server says so.

import { h, put } from '../shared/dom.js';
import { timeExact } from '../shared/format.js';
import {
  busy,
  button,
  choice,
  facts,
  field,
  panel,
  reasonField,
  refused,
  secondFields,
  statusLine,
} from './frame.js';
import { choices, mayStart, needs, quoteLines, quoteWords, readOrder } from './games-void.js';
import { pickPlace, placeOf } from './room-parts.js';
import { causeWords } from './room-words.js';

/** Draw it into `target`; gives back what is called when it is left. */
export function declareVoid(target, { session, ask, stay }) {
  const body = h('div', { class: 'void-body' });
  const games = h('div', { class: 'void-game' });
  const places = h('div', {});
  let left = false;
  let which = null;
  put(
    target,
    panel(
      'Declare a game void',
      { class: 'void-choice', aside: places },
      h(
        'div',
        { class: 'void-top' },
        h(
          'p',
          { class: 'running' },
          'Only for a closed game whose result cannot be had. A supervisor and the inspector do it together; the witness has the last word, and what it attested stands.',
        ),
        games,
      ),
    ),
    body,
  );

  async function loadGames() {
    put(body);
    try {
      const room = await ask('draw_room');
      if (left) return;
      stay.location ??= room.locations.find((each) => each.alarms.length)?.location;
      const here = placeOf(session, stay);
      put(
        places,
        pickPlace(session, here.location, (location) => ((stay.location = location), loadGames())),
      );
      const found = choices(
        room.locations.find((each) => each.location === here.location)?.draws ?? [],
      );
      if (!found.length) {
        put(games, h('p', { class: 'nothing' }, 'No game has been closed here yet.'));
        return;
      }
      which = choice(
        'Game',
        found.map((each) => [String(each.game), each.words]),
      );
      which.input.addEventListener('change', () => loadQuote(here, Number(which.value)));
      put(games, which.element);
      await loadQuote(here, Number(which.value));
    } catch (error) {
      put(games, refused(error));
    }
  }

  async function loadQuote(here, game, words = '') {
    stay.game = game;
    try {
      const quote = await ask('void_quote', { location: here.location, game });
      if (left || stay.game !== game) return;
      if (quote.state === 'void')
        which.input.selectedOptions[0].textContent = `${quote.name}, void`;
      const status = statusLine();
      put(
        body,
        returns(quote, here),
        quote.possible &&
          steps(quote, { session, ask, done: (told) => loadQuote(here, game, told) }),
        status.element,
      );
      if (words) status.good(words);
    } catch (error) {
      put(body, refused(error));
    }
  }

  loadGames();
  return () => (left = true);
}

function returns(quote, place) {
  const alarms = quote.alarms ?? [];
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
      alarms.length > 0 &&
      h(
        'p',
        { class: 'void-alarm' },
        `${alarms[0].message} ${causeWords(alarms[0].cause)} Since ${timeExact(alarms[0].since_ms, place.zone)}.`,
      ),
  );
}

/** The three needs; only the current one can be done. */
function steps(quote, { session, ask, done }) {
  const so = { taken: false, order: null };
  const started = mayStart(session.role);
  const status = statusLine();
  const order = field('Signed order', {
    type: 'file',
    accept: '.json,.order,.void,application/json,text/plain,*/*',
    class: 'input file-input',
  });
  const why = reasonField('Reason, as it shall stand in the record', {
    missing: 'Say why first. The reason is kept in the record.',
  });
  const second = secondFields('Inspector');
  const declare = button(`Declare ${quote.name} void`, null, { go: true, type: 'submit' });
  const read = h('p', { class: 'quiet' });
  const taken = () => {
    so.taken = true;
    paint();
    order.focus();
  };

  const restart = () => {
    Object.assign(so, { taken: false, order: null });
    order.input.value = '';
    status.clear();
    paint();
  };

  order.input.addEventListener('change', async () => {
    const file = order.input.files[0];
    if (!file) return;
    const found = readOrder(await file.text(), quote);
    if (found.fault) {
      so.order = null;
      order.refuse(found.fault);
      paint();
      return;
    }
    so.order = found.order;
    put(
      read,
      `Order for ${quote.name}, ${found.signers === 1 ? 'signed by one key only' : `signed by ${found.signers} keys`}: “${found.reason}”`,
    );
    if (!why.value) why.value = found.reason;
    paint();
    why.focus();
  });

  const send = async () => {
    status.clear();
    const reason = why.need();
    const who = reason && second.need();
    if (!who) return;
    status.good('The order is on its way to the witness …');
    try {
      await ask('declare_void', {
        location: quote.location,
        game: quote.game,
        reason,
        second: who,
        order: so.order,
      });
    } catch (error) {
      second.clear();
      status.no(error);
      return;
    }
    await done(`${quote.name} is void. Every wager on it goes back with the tickets.`);
  };

  const request = `/api/games/${encodeURIComponent(quote.location)}/${quote.game}/void-request`;
  const items = [
    need('Take the request to the generator’s console', [
      h(
        'p',
        { class: 'running' },
        'You and the inspector carry this file to the generator’s own console. Both sign there with their keys: ',
        h('span', { class: 'code command' }, 'keno-rng void FOLDER REQUEST ORDER'),
      ),
      h(
        'div',
        { class: 'acts' },
        h(
          'a',
          {
            class: 'button button-go',
            href: request,
            download: `void-${quote.name}.request`,
            on: { click: () => setTimeout(taken) },
          },
          'Download request',
        ),
        button('We have the order already', taken),
      ),
    ]),
    need('Bring the signed order back', [
      h(
        'p',
        { class: 'running' },
        'It is the file that the console wrote. It ends nothing by itself.',
      ),
      order.element,
    ]),
    need('Both of you, here', [
      read,
      h(
        'form',
        { class: 'form', on: { submit: (event) => (event.preventDefault(), busy(declare, send)) } },
        why.element,
        second.element,
        h('p', { class: 'quiet' }, `Signed in: ${session.name}. This cannot be taken back.`),
        h('div', { class: 'acts' }, declare, button('Begin again with a new request', restart)),
      ),
    ]),
  ];
  const paint = () => needs(so).forEach((state, at) => items[at].show(started ? state : 'later'));
  paint();
  return panel(
    'Three needs, one after the other',
    { class: 'needs' },
    !started &&
      h(
        'p',
        { class: 'running needs-look' },
        'You see everything here. A supervisor signs in and starts it, and you join as the inspector at the third need, with your own name and password.',
      ),
    h(
      'ol',
      { class: 'need-list' },
      items.map((each) => each.element),
    ),
    status.element,
  );
}

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
    show(state) {
      element.dataset.state = state;
      body.hidden = state !== 'now';
      put(word, { done: '✓ Done', now: '', later: 'Not yet' }[state]);
    },
  };
}
