// Build a keno request: picks on the page, rules and prices from the server, a code for the writer.

import '../shared/grid.js';
import { h, put } from '../shared/dom.js';
import { Refused } from '../shared/ask.js';
import { ask, wordsFor } from './ask.js';
import { buildView, paint } from './build-view.js';
import { asked, begin, fitted, go, newGroup, spotsMarked, toggle, toggleTotal } from './draft.js';
import { bar, foot, page, placeChoice, places, sheet, trouble } from './frame.js';
import { codeSheet, examplesSheet, formAddress, termsSheet } from './sheets.js';

const PAUSE_MS = 140;

async function start() {
  const where = await places();
  const place = where.here;
  const card = await ask(`/api/card?location=${encodeURIComponent(place.location)}`);
  let draft = begin(card);
  let answer = null;
  let turn = 0;
  let waiting = 0;

  const acts = {
    digital: place.digital,
    pick: (number) => change(toggle(draft, number)),
    go: (at) => change(go(draft, at)),
    newGroup: () => change(newGroup(draft)),
    total: (spots) => change(toggleTotal(draft, spots)),
    terms: () => termsSheet(card, { draft: () => draft, answer: () => answer, change }),
    show: () => show(),
  };
  const view = buildView(acts);

  function change(next, pause = PAUSE_MS) {
    draft = next;
    if (!spotsMarked(draft)) answer = null;
    paint(view, draft, answer, acts);
    clearTimeout(waiting);
    turn += 1;
    if (spotsMarked(draft)) waiting = setTimeout(() => price(turn), pause);
    page.dataset.priced = 'no';
  }

  async function price(mine) {
    let found;
    try {
      found = await ask('/api/price', { location: place.location, draft: asked(draft) });
    } catch (no) {
      if (mine === turn) failed(no, mine);
      return;
    }
    if (mine !== turn) return;
    const fit = fitted(draft, found.choices);
    answer = found;
    if (fit !== draft) {
      change(fit, 0);
      return;
    }
    paint(view, draft, answer, acts);
    page.dataset.priced = 'yes';
  }

  function failed(no, mine) {
    answer = null;
    paint(view, draft, answer, acts);
    put(view.said, wordsFor(no));
    if (['too_fast', 'offline', 'unavailable'].includes(no.code))
      waiting = setTimeout(() => price(mine), 3000);
  }

  async function show() {
    if (!place.digital) {
      location.assign(formAddress(place.location, answer.text));
      return;
    }
    try {
      codeSheet(
        place.location,
        await ask('/api/requests/code', { location: place.location, text: answer.text }),
      );
    } catch (no) {
      if (!(no instanceof Refused)) throw no;
      sheet(
        'Show this to a writer',
        h('p', { class: 'quiet' }, wordsFor(no)),
        h(
          'a',
          { class: 'button small', href: formAddress(place.location, answer.text) },
          'Print the filled-in form',
        ),
      );
    }
  }

  const examples = h(
    'button',
    { type: 'button', on: { click: () => examplesSheet(card, draft, (next) => change(next, 0)) } },
    'Examples',
  );
  bar('Build a request', examples);
  put(page, placeChoice(where), view.root, foot());
  change(draft);
}

start().catch((no) => trouble(wordsFor(no)));
