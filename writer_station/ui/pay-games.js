/*
 * The middle of the Pay view: the ticket's games in order, each spot as the shape of its group,
 * lit when it was caught; one game is open with the ways that won. Up and Down open another.
 */
import { count, money } from '../../keno/pages/shared/format.js';
import { drawShape, groupName, look as looksOf } from '../../keno/pages/shared/shapes.js';
import { el } from './dialogs/form.js';
import { gameWords } from './pay-acts.js';

const WAYS_MAX = 24;

/**
 * The list of games. `balls` are the numbers of the game being drawn, as far as they are out.
 * `pick(index)` is called when a game is touched.
 */
export function gameList(look, games, openAt, { drawing, pick }) {
  const spots = look.groups.reduce((sum, group) => sum + group.numbers.length, 0);
  const size = spots <= 13 ? '' : spots <= 20 ? ' small' : ' smaller';
  return el(
    'ol',
    { class: `games${size}`, tabindex: '-1' },
    games.map((game, index) => {
      const balls = drawing?.game === game.game ? drawing.balls : null;
      return gameRow(look, game, balls, index === openAt, () => pick(index));
    }),
  );
}

function gameRow(look, game, balls, open, pick) {
  const words = gameWords(game);
  const award = game.award_cents ? money(game.award_cents) : words;
  const classes = ['game', open && 'open', game.award_cents > 0 && 'won', !game.numbers && 'ahead'];
  return el(
    'li',
    { class: classes.filter(Boolean).join(' ') },
    el(
      'button.game-head',
      { type: 'button', 'aria-expanded': String(open), on: { click: pick } },
      el('span.game-name', game.name),
      spotsOf(look, game, balls),
      el(
        'span.game-award',
        award === '–'
          ? [el('span', { 'aria-hidden': 'true' }, '–'), el('span.for-readers', 'no award')]
          : award,
      ),
    ),
    open ? inside(game, balls) : null,
  );
}

function spotsOf(look, game, balls) {
  const drawn = game.numbers ?? balls;
  const caught = new Set(drawn ?? []);
  const missed = game.numbers ? 'outline' : 'dim';
  return el(
    'span.spots',
    look.groups.map((group) => {
      const hits = group.numbers.filter((number) => caught.has(number));
      const said =
        `${groupName(group.letter)}: ${group.numbers.join(', ')}; ` +
        `${!drawn ? 'not drawn yet' : hits.length ? `caught ${hits.join(', ')}` : 'none caught'}`;
      return el(
        'span.spots-group',
        { role: 'img', 'aria-label': said },
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

function inside(game, balls) {
  const parts = [];
  const shown = game.ways.slice(0, WAYS_MAX);
  if (shown.length) parts.push(el('ul.ways', shown.map(wayRow)));
  if (game.ways.length > shown.length) {
    parts.push(el('p.game-note', `and ${count(game.ways.length - shown.length, 'more way')}`));
  }
  const sum = game.ways.reduce((total, way) => total + way.award_cents, 0);
  if (game.award_cents && sum > game.award_cents) {
    parts.push(
      el(
        'p.game-note',
        `Together ${money(sum)}; the game's maximum leaves ` +
          `${money(game.award_cents)} for this ticket.`,
      ),
    );
  }
  const drawn = game.numbers ?? balls;
  if (drawn?.length) {
    const sorted = [...drawn].sort((one, two) => one - two).join(' ');
    parts.push(
      el('p.drawn', el('span', game.numbers ? 'Drawn' : `Ball ${drawn.length} of 20`), sorted),
    );
  } else parts.push(el('p.game-note', aheadWords(game)));
  return el('div.game-inside', parts);
}

function aheadWords(game) {
  if (game.state === 'void') return 'This game was declared void. Its wager goes back.';
  if (game.state === 'open') return 'This game is selling. It is drawn when it closes.';
  if (game.state === 'to come') return 'This game has not begun.';
  return 'The balls are being drawn.';
}

function wayRow(way) {
  return el(
    'li',
    el(
      'span.way-members',
      { role: 'img', 'aria-label': way.members.map(groupName).join(', ') },
      way.members.map(member),
    ),
    el('span.way-caught', el('b', String(way.caught)), ` of ${way.spots}`),
    el('b.way-award', money(way.award_cents)),
  );
}

/** A group of a way: its shape; from the seventh group on a shape alone does not tell it, so with its letter. */
function member(letter) {
  const { name, double } = looksOf(letter);
  return drawShape(letter, double || !name ? { size: 24, text: letter, type: 60 } : { size: 20 });
}
