// <keno-board>: the whole board. `show` paints what view.js made; with `moving` the newest ball is
// animated, otherwise everything appears at once.

import { attribute, h, put, say, svg } from '../shared/dom.js';
import { Stage } from './stage.js';
import { Strip, Tiles } from './tiles.js';

/**
 * @import { ShownGame } from '../shared/protocol.js'
 * @import { Bar, Mark, View } from './view.js'
 */

const PAST_SHOWN = 5; // a wide board shows two of them, a tall one all

customElements.define(
  'keno-board',
  class extends HTMLElement {
    #stage = new Stage();
    #tiles = new Tiles();
    #strip = new Strip();
    #band = h(
      'p',
      { class: 'band', hidden: true },
      h('b', {}, 'NO VALUE'),
      ' Tickets and awards here are worth nothing',
    );
    #word = h('span', { class: 'strong word' });
    #name = h('h1', { class: 'big name' });
    #ball = h('span', { class: 'strong' });
    #count = h('div', { class: 'stack ball-count' }, h('span', {}, 'Ball'), this.#ball);
    #quiet = h('span');
    #strong = h('span', { class: 'strong' });
    #side = h('div', { class: 'stack side' }, this.#quiet, this.#strong);
    #clock = h('div', { class: 'big clock', role: 'timer', 'aria-label': 'Time to the close' });
    #past = h('ol', { class: 'past', 'aria-label': 'The last games' });
    #barText = h('b');
    #barMark = h('span', { class: 'mark' });
    #bar = h(
      'div',
      { class: 'bar', hidden: true },
      this.#barText,
      h('i', { class: 'rule' }),
      this.#barMark,
    );
    #place = h('b');
    #notice = h('span', { class: 'notice' });
    #sealed = h('span');
    #code = h('code', { class: 'code' });
    #seal = h('span', { class: 'sealed' }, padlock(), this.#sealed, this.#code);
    #check = h('span', { class: 'mark' });
    #spoken = h('p', { class: 'for-readers', role: 'status' });
    #pastDrawn = '';
    /** @type {string[]} */
    #notices = [];
    #turn = 0;

    connectedCallback() {
      if (this.firstChild) return;
      attribute(this, 'role', 'main');
      put(
        this,
        h('i', { class: 'haze amber' }),
        h('i', { class: 'haze ember' }),
        this.#band,
        h(
          'header',
          {},
          h('div', { class: 'stack lead' }, h('span', {}, 'Game'), this.#word),
          this.#name,
          this.#count,
          this.#side,
          this.#clock,
        ),
        this.#stage.element,
        this.#past,
        this.#tiles.blocks[0],
        this.#bar,
        this.#tiles.blocks[1],
        this.#strip.element,
        h(
          'footer',
          {},
          h('p', {}, this.#place, this.#notice),
          h('p', { class: 'seal' }, this.#seal, this.#check),
        ),
        this.#spoken,
      );
    }

    /**
     * Paint the view that view.js made from the model.
     * @param {View} seen
     * @param {boolean | null} moving null: as it was before
     */
    show(seen, moving = null) {
      if (moving !== null) this.dataset.motion = moving ? 'ball' : 'none';
      this.dataset.tone = seen.tone;
      this.#band.hidden = !seen.band;
      this.#stage.show(seen.dial, seen.face);
      this.#tiles.show(seen.grounds);
      this.#strip.show(seen.slots);
      this.#head(seen);
      this.#list(seen.past.slice(0, PAST_SHOWN));
      this.#middle(seen.bar);
      this.#foot(seen);
    }

    /** Announce words to screen readers, once. @param {string} words */
    tell(words) {
      say(this.#spoken, words);
    }

    /** Show the next notice. */
    turn() {
      this.#turn += 1;
      say(this.#notice, this.#notices[this.#turn % (this.#notices.length || 1)] ?? '');
    }

    /** @param {View} seen */
    #head({ word, name, ball, side }) {
      say(this.#word, word);
      say(this.#name, name);
      this.#name.dataset.length = name.length > 8 ? 'long' : '';
      this.#count.hidden = !ball;
      say(this.#ball, ball);
      say(this.#quiet, side.quiet);
      say(this.#strong, side.strong);
      this.#side.dataset.tone = side.tone;
      // Beside a clock the strong line is the lower one; without a clock it is the upper one.
      this.#side.dataset.clock = side.clock ? 'yes' : 'no';
      this.#clock.hidden = !side.clock;
      this.#clock.dataset.tone = side.tone;
      say(this.#clock, side.clock);
    }

    /** @param {ShownGame[]} games */
    #list(games) {
      const key = games.map((each) => each.game).join();
      if (key === this.#pastDrawn) return;
      this.#pastDrawn = key;
      put(this.#past, games.map(row));
    }

    /** @param {Bar | null} bar */
    #middle(bar) {
      this.#bar.hidden = bar === null;
      if (bar === null) return;
      this.#bar.dataset.tone = bar.tone;
      say(this.#barText, bar.text);
      paintMark(this.#barMark, bar.mark);
    }

    /** @param {View} seen */
    #foot({ place, notices, seal, check }) {
      say(this.#place, place);
      if (notices.join() !== this.#notices.join()) {
        this.#notices = notices;
        this.#turn = -1;
        this.turn();
      }
      this.#seal.hidden = seal === null;
      if (seal) {
        say(this.#sealed, `${seal.name} sealed`);
        say(this.#code, seal.code);
      }
      paintMark(this.#check, check);
    }
  },
);

/**
 * @param {HTMLElement} element
 * @param {Mark | null} mark
 */
function paintMark(element, mark) {
  element.hidden = !mark;
  if (!mark || element.dataset.said === `${mark.tone} ${mark.text}`) return;
  element.dataset.said = `${mark.tone} ${mark.text}`;
  element.dataset.tone = mark.tone;
  put(element, mark.tone === 'proven' && tick(), mark.text);
}

/** @param {ShownGame} game */
function row({ name, numbers }) {
  const rising = [...numbers].sort((one, other) => one - other);
  return h(
    'li',
    { 'aria-label': `Game ${name}: ${rising.join(' ')}` },
    h('b', {}, name),
    rising.map((each) => h('span', {}, each)),
  );
}

function tick() {
  return svg(
    'svg',
    { viewBox: '0 0 20 24', 'aria-hidden': 'true', class: 'tick' },
    svg('path', {
      d: 'M3 14l5 5 9-12',
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 3,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    }),
  );
}

function padlock() {
  const line = { fill: 'none', stroke: 'currentColor', 'stroke-width': 2.4 };
  return svg(
    'svg',
    { viewBox: '0 0 24 24', 'aria-hidden': 'true', class: 'padlock' },
    svg('rect', { x: 4, y: 10.5, width: 16, height: 11, rx: 2.5, ...line }),
    svg('path', { d: 'M8 10V7a4 4 0 0 1 8 0v3', ...line }),
  );
}
