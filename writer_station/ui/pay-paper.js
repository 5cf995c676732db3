/*
 * The left of the Pay view: the ticket as it was sold, on paper colour with its torn edge, in the
 * one ink of the printer.
 */
import { h, svg } from '../../keno/pages/shared/dom.js';
import { day, money, ticketNumber, timeExact } from '../../keno/pages/shared/format.js';
import { drawShape, groupName } from '../../keno/pages/shared/shapes.js';

import { paperWords } from './pay-words.js';

/** @import { Group, Look, Place } from './types.js' */

/**
 * A ticket as sold; without one, the place where it will lie.
 * @param {Look | null} look
 * @param {Place | null | undefined} place
 */
export function paper(look, place) {
  if (!look) return h('div', { class: 'paper paper-none', 'aria-hidden': 'true' });
  const games = look.last_game - look.first_game + 1;
  const said = paperWords(look);
  const letter = look.name.includes('-') ? `${look.name.split('-')[0]}-` : '';
  const span =
    games === 1
      ? [['Game', `${letter}${look.first_game}`]]
      : [
          ['Games', games],
          ['First to last', `${letter}${look.first_game}–${look.last_game}`],
        ];
  const facts = [
    ['Conditioning', look.conditioning || 'Straight'],
    ['Ways', look.ways],
    ['Rate', look.rate],
    ...span,
    ['Sold', timeExact(look.sold_ms, place?.zone)],
    ['Day', day(look.sold_ms, place?.zone)],
    ['Station', look.station],
    ['Rate card', look.card],
  ];
  return h(
    'section',
    { class: 'paper on-paper', 'aria-label': `Ticket ${ticketNumber(look.ticket)} as sold` },
    h(
      'div',
      { class: 'paper-head' },
      h('span', {}, place?.casino ?? ''),
      h('span', { class: 'code' }, ticketNumber(look.ticket)),
    ),
    h(
      'div',
      look.groups.length > 6
        ? { class: 'paper-groups many', role: 'group', tabindex: 0, 'aria-label': 'Groups' }
        : { class: 'paper-groups' },
      look.groups.map(groupLine),
    ),
    h(
      'dl',
      { class: 'paper-facts' },
      facts.map(([name, value]) => [h('dt', {}, name), h('dd', {}, String(value))]),
    ),
    h(
      'div',
      { class: look.price_cents >= 1000_00 ? 'paper-price long' : 'paper-price' },
      h('span', {}, 'Price'),
      h('b', {}, money(look.price_cents)),
    ),
    h(
      'div',
      { class: 'paper-ours' },
      tick(),
      h(
        'p',
        {},
        h('b', {}, 'Ours: code matches'),
        look.reprints ? h('span', {}, `Reprint ${look.reprints}`) : null,
      ),
    ),
    h('p', { class: said.good ? 'paper-state' : 'paper-state bad' }, said.words),
  );
}

/** @param {Group} group */
function groupLine(group) {
  const king = group.letter.startsWith('K');
  const long = group.numbers.length > 4;
  return h(
    'div',
    { class: long ? 'paper-group long' : 'paper-group' },
    drawShape(group.letter, { text: king ? '' : group.letter, size: 24, type: 60 }),
    h('span', { class: 'for-readers' }, groupName(group.letter)),
    h('b', {}, group.numbers.join(' ')),
  );
}

function tick() {
  return svg(
    'svg',
    {
      width: 22,
      height: 22,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 3.2,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
      'aria-hidden': 'true',
    },
    svg('path', { d: 'M4 13l5 5L20 6' }),
  );
}
