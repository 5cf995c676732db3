/*
 * The left of the Pay view: the ticket as it was sold, on paper colour with its torn edge, in the
 * one ink of the printer.
 */
import { svg } from '../../keno/pages/shared/dom.js';
import { day, money, ticketNumber, timeExact } from '../../keno/pages/shared/format.js';
import { drawShape, groupName } from '../../keno/pages/shared/shapes.js';
import { el } from './dialogs/form.js';
import { paperWords } from './pay-words.js';

/** A ticket as sold; without one, the place where it will lie. */
export function paper(look, place) {
  if (!look) return el('div.paper.paper-none', { 'aria-hidden': 'true' });
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
  return el(
    'section.paper.on-paper',
    { 'aria-label': `Ticket ${ticketNumber(look.ticket)} as sold` },
    el(
      'div.paper-head',
      el('span', place?.casino ?? ''),
      el('span.code', ticketNumber(look.ticket)),
    ),
    el(
      'div',
      look.groups.length > 6
        ? { class: 'paper-groups many', role: 'group', tabindex: 0, 'aria-label': 'Groups' }
        : { class: 'paper-groups' },
      look.groups.map(groupLine),
    ),
    el(
      'dl.paper-facts',
      facts.map(([name, value]) => [el('dt', name), el('dd', String(value))]),
    ),
    el(
      look.price_cents >= 1000_00 ? 'div.paper-price.long' : 'div.paper-price',
      el('span', 'Price'),
      el('b', money(look.price_cents)),
    ),
    el(
      'div.paper-ours',
      tick(),
      el(
        'p',
        el('b', 'Ours: code matches'),
        look.reprints ? el('span', `Reprint ${look.reprints}`) : null,
      ),
    ),
    el(said.good ? 'p.paper-state' : 'p.paper-state.bad', said.words),
  );
}

function groupLine(group) {
  const king = group.letter.startsWith('K');
  const long = group.numbers.length > 4;
  return el(
    long ? 'div.paper-group.long' : 'div.paper-group',
    drawShape(group.letter, { text: king ? '' : group.letter, size: 24, type: 60 }),
    el('span.for-readers', groupName(group.letter)),
    el('b', group.numbers.join(' ')),
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
