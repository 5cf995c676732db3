/*
 * Draws the left column of the Pay view: the ticket as it was sold, like its paper.
 */
import { h, svg } from '../../keno/pages/shared/dom.js';
import { day, deadline, money, timeExact } from '../../keno/pages/shared/format.js';
import { drawShape, groupName } from '../../keno/pages/shared/shapes.js';

import { ticketWords } from './pay-acts.js';
import { paperWords } from './pay-words.js';

/** @import { NamedGroup } from '../../keno/pages/shared/protocol.js' */
/** @import { Look, Place } from './types.js' */

/**
 * Draw a ticket as it was sold; without one, an empty place.
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
    ...(look.sold_in ? [['Sold at', `${look.sold_in} (${look.letter})`]] : []),
    ['Station', look.station],
    ['Rate card', look.card],
    ...untilFacts(look, place),
  ];
  return h(
    'section',
    { class: 'paper on-paper', 'aria-label': `Ticket ${ticketWords(look)} as sold` },
    h(
      'div',
      { class: 'paper-head' },
      h('span', {}, place?.casino ?? ''),
      h('span', { class: 'code' }, ticketWords(look)),
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

/**
 * Until when a live ticket can be claimed, and until when it is held, as label and text.
 * @param {Look} look
 * @param {Place | null | undefined} place
 */
function untilFacts({ claim_until_ms: claim, held_until_ms: held, state }, place) {
  if (state !== 'live') return [];
  const facts = claim ? [['Claim until', deadline(claim, place?.zone)]] : [];
  return held ? [...facts, ['Held until', deadline(held, place?.zone)]] : facts;
}

/** @param {NamedGroup} group */
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
