// Rate cards: the versions of a location, and the way to a new one: file, check, game, second person.

import { h, put } from '../shared/dom.js';
import { busy, button, field, panel, refused, secondFields, statusLine, table } from './frame.js';
import {
  arranged,
  certified,
  earliestWords,
  postedWords,
  readGame,
  verdictWords,
  versionWords,
} from './cards-words.js';
import { pickPlace, placeOf, toned } from './room-parts.js';

const POSTERS = ['administrator', 'supervisor', 'manager'];

export const tab = {
  id: 'cards',
  name: 'Cards',
  roles: ['administrator', 'supervisor', 'manager', 'inspector', 'accounting'],
  open,
};

function open({ page, session, ask, stay }) {
  const posts = POSTERS.includes(session.role);
  const versions = h('div', { class: 'versions' });
  const aside = pickPlace(
    session,
    placeOf(session, stay).location,
    (location) => ((stay.location = location), load()),
  );
  const list = panel('Rate cards', { class: 'cards-list', aside }, versions);
  const fresh = h('div', { class: 'cards-new' });
  page.append(h('div', { class: posts ? 'cards' : 'cards only' }, list, posts && fresh));
  let known = null;

  async function load() {
    const place = placeOf(session, stay);
    try {
      known = await ask('cards', { location: place.location });
      if (place !== placeOf(session, stay)) return;
      put(
        versions,
        known.postings.length
          ? h(
              'ol',
              { class: 'version-list' },
              known.postings.map((each, at) =>
                version(each, place, at === known.postings.length - 1),
              ),
            )
          : h(
              'p',
              { class: 'nothing' },
              'No card was ever posted here. Without one nothing is sold.',
            ),
      );
    } catch (error) {
      put(versions, refused(error));
    }
  }

  if (posts) put(fresh, newCard({ session, ask, stay, known: () => known, reload: load }));
  load();
  return () => {};
}

function version(posting, place, first) {
  const notice = `/api/cards/${encodeURIComponent(place.location)}/${encodeURIComponent(posting.card)}/notice.pdf`;
  return h(
    'li',
    { class: 'version', data: { state: posting.state } },
    h('div', { class: 'version-head' }, h('b', {}, posting.card), toned(versionWords(posting))),
    h('p', {}, 'From game ', h('b', {}, posting.name)),
    h('p', { class: 'quiet' }, postedWords(posting, place.zone)),
    posting.not_sold && notSold(posting.not_sold),
    posting.changes_maximum && h('p', { class: 'quiet' }, 'Changes the maximum of a game'),
    !first &&
      h(
        'a',
        {
          class: 'file',
          href: notice,
          target: '_blank',
          'aria-label': `Notice, PDF: card ${posting.card}`,
        },
        'Notice, PDF',
      ),
  );
}

function notSold(why) {
  return h(
    'div',
    { class: 'not-sold' },
    h('p', {}, h('b', {}, 'Nothing is sold under this card')),
    h('p', {}, why),
    h(
      'p',
      { class: 'quiet' },
      'Tickets sold before are paid. Sales go on when a new card is in force.',
    ),
  );
}

/** A new card, in three steps; what was typed stays whatever is refused. */
function newCard({ session, ask, stay, known, reload }) {
  const upload = field('Card file', {
    type: 'file',
    accept: '.toml,text/plain',
    class: 'input file-input',
  });
  const text = field('The card as TOML', {
    rows: 7,
    spellcheck: false,
    class: 'input code card-text',
    hint: 'Choose a file or paste the text. It can be changed here before it is checked.',
  });
  text.input.value = stay.toml ?? '';
  const check = button('Check card', null, { go: true, type: 'submit' });
  const found = h('div', { class: 'card-found' });

  upload.input.addEventListener('click', () => {
    upload.input.value = ''; // the same file may have been corrected meanwhile
  });
  upload.input.addEventListener('change', async () => {
    const file = upload.input.files[0];
    if (!file) return;
    text.value = await file.text();
    changed();
  });
  const changed = () => {
    stay.toml = text.value;
    put(found);
    check.classList.add('button-go');
  };
  text.input.addEventListener('input', changed);

  const look = async () => {
    if (!text.value.trim()) return text.refuse('Choose a card’s file, or paste its text.');
    try {
      const report = certified(await ask('check_card', { toml: text.value }));
      check.classList.toggle('button-go', !report.certified);
      put(
        found,
        verdict(report),
        report.certified &&
          posting(report, { session, ask, stay, toml: () => text.value, known, reload }),
        findings(report),
      );
    } catch (error) {
      put(found);
      text.refuse(error.message);
    }
    return undefined;
  };

  return panel(
    'A new card',
    { class: 'card-form' },
    h(
      'form',
      { class: 'form', on: { submit: (event) => (event.preventDefault(), busy(check, look)) } },
      upload.element,
      text.element,
      h('div', { class: 'acts' }, check),
    ),
    found,
  );
}

function verdict(report) {
  return h(
    'div',
    { class: 'card-verdict', role: 'status' },
    h(
      'p',
      { class: report.certified ? 'good' : 'bad' },
      report.certified ? `✓ ${report.title} is certified` : `${report.title} cannot be posted`,
    ),
    report.faults.length > 0 &&
      h(
        'ul',
        { class: 'faults' },
        report.faults.map((each) => h('li', {}, each.message)),
      ),
  );
}

function findings(report) {
  const columns = [
    { head: 'Rate', cell: (row) => row.rate },
    { head: 'Spots', right: true, cell: (row) => row.spots },
    { head: 'From ways', right: true, cell: (row) => row.from },
    { head: 'A way', right: true, cell: (row) => row.wager },
    { head: 'Ticket', cell: (row) => row.ticket },
    { head: 'House advantage', right: true, cell: (row) => h('b', {}, row.percent) },
    {
      head: 'Exactly',
      right: true,
      cell: (row) => h('span', { class: 'exact', title: row.exact }, row.exact),
    },
    { head: 'At maximum', right: true, cell: (row) => row.at_maximum },
    { head: '', right: true, cell: (row) => toned(verdictWords(row.verdict)) },
  ];
  return h(
    'div',
    { class: 'findings' },
    h('h3', {}, 'Every minimum that can be bought'),
    table(columns, arranged(report.wagers), {
      caption: 'What the certifier found',
      none: 'The card could not be read far enough to reckon anything.',
    }),
  );
}

/** The second half: from which game, with whom. */
function posting(report, { session, ask, stay, toml, known, reload }) {
  const place = placeOf(session, stay);
  const cards = known();
  const game = field('In force from game', {
    value: cards ? cards.earliest.name : '',
    hint: cards ? earliestWords(cards.earliest, place.zone) : '',
    class: 'input code',
  });
  const second = cards?.two_people ? secondFields('Second person') : null;
  const status = statusLine();
  const done = h('div', {});
  const post = button(`Post ${report.version} at ${place.name}`, null, {
    go: true,
    type: 'submit',
  });

  const send = async () => {
    status.clear();
    const first = readGame(game.value, place.letter);
    if (!first)
      return game.refuse(`Key the number of a game of ${place.name}: ${place.letter}-60, or 60.`);
    const who = second ? second.need() : null;
    if (second && !who) return undefined;
    try {
      const made = await ask('post_card', {
        location: place.location,
        toml: toml(),
        first_game: first,
        second: who,
      });
      status.good(
        `Card ${made.card} is posted from game ${place.letter}-${made.first_game}. The stations and the board announce it.`,
      );
      post.hidden = true;
      delete stay.toml;
      const notice = `/api/cards/${encodeURIComponent(place.location)}/${encodeURIComponent(made.card)}/notice.pdf`;
      put(
        done,
        h(
          'a',
          { class: 'button', href: notice, target: '_blank' },
          'Open the notice to post at the booth, PDF',
        ),
      );
      await reload();
    } catch (error) {
      second?.clear();
      if (
        ['notice_too_short', 'maximum_in_play'].includes(error.code) ||
        error.where === 'first_game'
      )
        game.refuse(error.message);
      else status.no(error);
    }
    return undefined;
  };
  return h(
    'form',
    {
      class: 'form card-post',
      on: { submit: (event) => (event.preventDefault(), busy(post, send)) },
    },
    game.element,
    second?.element,
    h('div', { class: 'acts' }, post),
    status.element,
    done,
  );
}
