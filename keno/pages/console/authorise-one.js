// Draws one authorisation request: who asked, amount, ticket as sold, checks and answer. It is made
// once for each request, so that nothing typed is lost when the floor is refreshed.

import { attribute, h, put, say } from '../shared/dom.js';
import { money } from '../shared/format.js';
import { createAnswer } from './authorise-answer.js';
import { checks, ticketPicture } from './authorise-ticket.js';
import { askedWords, lapseWords, titleWords } from './authorise-words.js';

/** @import { Answered } from './authorise-answer.js' */
/** @import { FloorParts, WaitingItem } from './types.js' */
/** @typedef {{id: number, paint: (now: WaitingItem) => void}} One */

/**
 * @param {WaitingItem} item
 * @param {FloorParts} parts
 * @param {{root: HTMLElement, lettered: boolean, answered: (result: Answered) => void}} how
 * @returns {One}
 */
export function createOne(item, parts, { root, lettered, answered }) {
  const { session, ask, watch, waiting, mayAct } = parts;
  const id = item.authorisation;
  const zone = session.locations.find((each) => each.location === item.location)?.zone;
  const asked = h('span', { class: 'quiet' });
  const checked = h('div');
  const body = h('div', {
    class: 'decision-body',
    role: 'region',
    'aria-label': 'Ticket as sold',
    tabIndex: 0,
  });
  const answer = createAnswer({ item, session, ask, mayAct, answered });
  const title = h('h2', { id: 'decision-title', tabIndex: -1 }, titleWords(item));
  put(
    root,
    h('header', { class: 'panel-head' }, title, asked),
    h('p', { class: 'decision-amount' }, money(item.amount_cents)),
    body,
    checked,
    answer.element,
  );
  let drawn = '';
  /** @type {number | null} */
  let game = null;
  /** @param {WaitingItem} now */
  const drawTicket = (now) =>
    put(
      body,
      ticketPicture(now, lettered, game, (chosen) => {
        game = chosen;
        drawTicket(now);
        /** @type {HTMLElement | null} */
        const pressed = body.querySelector('[aria-pressed="true"]');
        pressed?.focus();
      }),
    );
  return {
    id,
    paint(now) {
      say(asked, askedWords(now, watch.floor?.people, watch.now()));
      answer.lapse(lapseWords(now.detail, watch.now(), zone));
      say(title, titleWords(now));
      answer.paint(now);
      attribute(root, 'data-unopened', mayAct && !now.yours && !waiting.isOpened(id) ? '' : null);
      const key = JSON.stringify(now.detail);
      if (key === drawn) return;
      drawn = key;
      drawTicket(now);
      put(checked, checks(now.detail?.checks ?? []));
    },
  };
}
