// The floor tab: games left, the decision in the middle, stations and exceptions right.

import { h } from '../shared/dom.js';
import { createDecision } from './authorise.js';
import { createGames } from './floor-games.js';
import { createStations } from './floor-stations.js';
import { ACTORS, READERS } from './floor-words.js';

/** @import { Tab, View } from './types.js' */

/** @type {Tab} */
export const tab = { id: 'floor', name: 'Floor', roles: READERS, open };

/** @param {View} view */
function open({ page, session, ask, stay, watch, waiting }) {
  if (!watch || !waiting) throw new Error(`The floor is not for the role ${session.role}.`);
  const mayAct = ACTORS.includes(session.role);
  const parts = [createGames, createDecision, createStations].map((create) =>
    create({ session, ask, watch, waiting, stay, mayAct }),
  );
  page.append(
    h(
      'div',
      { class: 'floor' },
      parts.map((part) => part.element),
    ),
  );
  const paint = () => parts.forEach((part) => part.paint());
  watch.addEventListener('change', paint);
  waiting.addEventListener('change', paint);
  paint();
  return () => {
    watch.removeEventListener('change', paint);
    waiting.removeEventListener('change', paint);
    for (const part of parts) part.stop();
  };
}
