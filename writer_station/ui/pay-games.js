/*
 * Draws the middle column of the Pay view: the ticket's games in order, with each spot as the shape
 * of its group, lit if caught. One game is expanded with the ways that won; Up and Down move on.
 */
import { count, money } from '../../keno/pages/shared/format.js';
import { drawShape, groupName, look as looksOf } from '../../keno/pages/shared/shapes.js';
import { h } from '../../keno/pages/shared/dom.js';

import { gameWords } from './pay-acts.js';

/** @import { DrawingGame, WonWay } from '../../keno/pages/shared/protocol.js' */
/** @import { ListedGame, Look } from './types.js' */

const WAYS_MAX = 24;

/**
 * Draw the list of a ticket's games. `drawing` is the game being drawn, with its balls so far.
 * `pick(index)` is called when a game is touched.
 * @param {Look} look
 * @param {ListedGame[]} games
 * @param {number} openAt
 * @param {{drawing: DrawingGame | null | undefined, pick: (index: number) => void}} how
 */
export function gameList(look, games, openAt, { drawing, pick }) {
  const spots = look.groups.reduce((sum, group) => sum + group.numbers.length, 0);
  const size = spots <= 13 ? '' : spots <= 20 ? ' small' : ' smaller';
  return h(
    'ol',
    { class: `games${size}`, tabindex: '-1' },
    games.map((game, index) => {
      const balls = drawing?.game === game.game ? drawing.balls : null;
      return gameRow(look, game, balls, index === openAt, () => pick(index));
    }),
  );
}

/**
 * @param {Look} look
 * @param {ListedGame} game
 * @param {number[] | null} balls
 * @param {boolean} open
 * @param {() => void} pick
 */
function gameRow(look, game, balls, open, pick) {
  const words = gameWords(game);
  const award = game.award_cents ? money(game.award_cents) : words;
  const classes = [
    'game',
    open && 'open',
    (game.award_cents ?? 0) > 0 && 'won',
    !game.numbers && 'ahead',
  ];
  return h(
    'li',
    { class: classes.filter(Boolean).join(' ') },
    h(
      'button',
      { class: 'game-head', type: 'button', 'aria-expanded': String(open), on: { click: pick } },
      h('span', { class: 'game-name' }, game.name),
      spotsOf(look, game, balls),
      h(
        'span',
        { class: 'game-award' },
        award === '–'
          ? [
              h('span', { 'aria-hidden': 'true' }, '–'),
              h('span', { class: 'for-readers' }, 'no award'),
            ]
          : award,
      ),
    ),
    open ? inside(game, balls) : null,
  );
}

/**
 * @param {Look} look
 * @param {ListedGame} game
 * @param {number[] | null} balls
 */
function spotsOf(look, game, balls) {
  const drawn = game.numbers ?? balls;
  const caught = new Set(drawn ?? []);
  const missed = game.numbers ? 'outline' : 'dim';
  return h(
    'span',
    { class: 'spots' },
    look.groups.map((group) => {
      const hits = group.numbers.filter((number) => caught.has(number));
      const said =
        `${groupName(group.letter)}: ${group.numbers.join(', ')}; ` +
        `${!drawn ? 'not drawn yet' : hits.length ? `caught ${hits.join(', ')}` : 'none caught'}`;
      return h(
        'span',
        { class: 'spots-group', role: 'img', 'aria-label': said },
        group.numbers.map((number) =>
          drawShape(group.letter, {
            text: number,
            mode: caught.has(number) ? 'lamp' : missed,
            size: 34,
            type: 45,
            weight: 600,
          }),
        ),
      );
    }),
  );
}

/**
 * @param {ListedGame} game
 * @param {number[] | null} balls
 */
function inside(game, balls) {
  const parts = [];
  const shown = game.ways.slice(0, WAYS_MAX);
  if (shown.length) parts.push(h('ul', { class: 'ways' }, shown.map(wayRow)));
  if (game.ways.length > shown.length) {
    parts.push(
      h('p', { class: 'game-note' }, `and ${count(game.ways.length - shown.length, 'more way')}`),
    );
  }
  const sum = game.ways.reduce((total, way) => total + way.award_cents, 0);
  if (game.award_cents && sum > game.award_cents) {
    parts.push(
      h(
        'p',
        { class: 'game-note' },
        `Together ${money(sum)}; the game's maximum leaves ` +
          `${money(game.award_cents)} for this ticket.`,
      ),
    );
  }
  const drawn = game.numbers ?? balls;
  if (drawn?.length) {
    const sorted = [...drawn].sort((one, two) => one - two).join(' ');
    parts.push(
      h(
        'p',
        { class: 'drawn' },
        h('span', {}, game.numbers ? 'Drawn' : `Ball ${drawn.length} of 20`),
        sorted,
      ),
    );
  } else parts.push(h('p', { class: 'game-note' }, aheadWords(game)));
  return h('div', { class: 'game-inside' }, parts);
}

/** @param {ListedGame} game */
function aheadWords(game) {
  if (game.state === 'void') return 'This game was declared void. Its wager goes back.';
  if (game.state === 'open') return 'This game is selling. It is drawn when it closes.';
  if (game.state === 'to come') return 'This game has not begun.';
  return 'The balls are being drawn.';
}

/** @param {WonWay} way */
function wayRow(way) {
  return h(
    'li',
    {},
    h(
      'span',
      { class: 'way-members', role: 'img', 'aria-label': way.members.map(groupName).join(', ') },
      way.members.map(member),
    ),
    h('span', { class: 'way-caught' }, h('b', {}, String(way.caught)), ` of ${way.spots}`),
    h('b', { class: 'way-award' }, money(way.award_cents)),
  );
}

/**
 * Draw a group of a way as its shape. From the seventh group on it has its letter too, because
 * several groups have the same shape.
 * @param {string} letter
 */
function member(letter) {
  const { name, double } = looksOf(letter);
  return drawShape(letter, double || !name ? { size: 24, text: letter, type: 60 } : { size: 20 });
}
