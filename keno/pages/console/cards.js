// The tab of rate cards: the versions of a location, and the steps to a new one: file, check, first
// game, second person.

import { Refused } from '../shared/ask.js';
import { h, put } from '../shared/dom.js';
import { codeOf, words } from './ask.js';
import { button, field, form, panel, refused, secondFields, statusLine, table } from './frame.js';
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

/** @import { CardPosting, Cards } from '../shared/protocol.js' */
/** @import { SessionLocation, Tab, View } from './types.js' */
/** @import { CertifiedCard } from './cards-words.js' */

/**
 * What the form of a new card needs: `known` returns the location's cards, null before they are
 * fetched; `reload` fetches them again.
 * @typedef {Pick<View, 'session' | 'ask' | 'stay'> & {known: () => Cards | null,
 *   reload: () => Promise<void>}} Making
 */

/** Roles that may post a card. */
const POSTERS = ['administrator', 'supervisor', 'manager'];

/** @type {Tab} */
export const tab = {
  id: 'cards',
  name: 'Cards',
  roles: ['administrator', 'supervisor', 'manager', 'inspector', 'accounting'],
  open,
};

/** @param {View} view */
function open({ page, session, ask, stay }) {
  const posts = POSTERS.includes(session.role);
  const versions = h('div', { class: 'versions' });
  const aside = pickPlace(session, placeOf(session, stay).location, (location) => {
    stay.location = location;
    load();
  });
  const list = panel('Rate cards', { class: 'cards-list', aside }, versions);
  const fresh = h('div', { class: 'cards-new' });
  page.append(h('div', { class: posts ? 'cards' : 'cards only' }, list, posts && fresh));
  /** @type {Cards | null} */
  let known = null;

  async function load() {
    const place = placeOf(session, stay);
    try {
      known = await ask('cards', { location: place.location });
      if (place === placeOf(session, stay)) put(versions, versionList(known.postings, place));
    } catch (error) {
      put(versions, refused(error));
    }
  }

  if (posts) put(fresh, newCard({ session, ask, stay, known: () => known, reload: load }));
  load();
  return () => {};
}

/**
 * @param {SessionLocation} place
 * @param {string} card
 */
function noticePath(place, card) {
  return `/api/cards/${encodeURIComponent(place.location)}/${encodeURIComponent(card)}/notice.pdf`;
}

/**
 * @param {CardPosting[]} postings
 * @param {SessionLocation} place
 */
function versionList(postings, place) {
  if (!postings.length)
    return h(
      'p',
      { class: 'nothing' },
      'No card was ever posted here. Without one nothing is sold.',
    );
  return h(
    'ol',
    { class: 'version-list' },
    postings.map((each, at) => version(each, place, at === postings.length - 1)),
  );
}

/**
 * @param {CardPosting} posting
 * @param {SessionLocation} place
 * @param {boolean} first the first card was announced by nothing
 */
function version(posting, place, first) {
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
          href: noticePath(place, posting.card),
          target: '_blank',
          'aria-label': `Notice, PDF: card ${posting.card}`,
        },
        'Notice, PDF',
      ),
  );
}

/** @param {string} why */
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

/**
 * The form of a new card, in three steps; a refusal keeps what was typed.
 * @param {Making} making
 */
function newCard(making) {
  const { ask, stay } = making;
  const upload = field('Card file', {
    type: 'file',
    accept: '.toml,text/plain',
    class: 'input file-input',
  });
  const text = field('The card as TOML', {
    rows: 7,
    spellcheck: false,
    class: 'input code card-text',
    note: 'Choose a file or paste the text. It can be changed here before it is checked.',
  });
  text.value = stay.toml ?? '';
  const check = button('Check card', null, { go: true, type: 'submit' });
  const found = h('div', { class: 'card-found' });

  const changed = () => {
    stay.toml = text.value;
    put(found);
    check.classList.add('button-go');
  };
  text.input.addEventListener('input', changed);
  upload.input.addEventListener('click', () => {
    upload.input.value = ''; // the same file may have been corrected meanwhile
  });
  upload.input.addEventListener('change', async () => {
    const file = 'files' in upload.input ? upload.input.files?.[0] : null;
    if (!file) return;
    text.value = await file.text();
    changed();
  });

  const look = async () => {
    if (!text.value.trim()) return text.refuse('Choose a card’s file, or paste its text.');
    try {
      const report = certified(await ask('check_card', { toml: text.value }));
      check.classList.toggle('button-go', !report.certified);
      put(
        found,
        verdict(report),
        report.certified && posting(report, () => text.value, making),
        findings(report),
      );
    } catch (error) {
      put(found);
      text.refuse(words(error));
    }
    return undefined;
  };
  return panel(
    'A new card',
    { class: 'card-form' },
    form({}, look, upload.element, text.element, h('div', { class: 'acts' }, check)),
    found,
  );
}

/** @param {CertifiedCard} report */
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

/** @param {CertifiedCard} report */
function findings(report) {
  /** @type {Parameters<typeof table<CertifiedCard['wagers'][number]>>[0]} */
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

/**
 * The last step of a new card: its first game and the second person.
 * @param {CertifiedCard} report
 * @param {() => string} toml
 * @param {Making} making
 */
function posting(report, toml, { session, ask, stay, known, reload }) {
  const place = placeOf(session, stay);
  const cards = known();
  const game = field('In force from game', {
    value: cards ? cards.earliest.name : '',
    note: cards ? earliestWords(cards.earliest, place.zone) : '',
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
    const first_game = readGame(game.value, place.letter);
    if (!first_game)
      return game.refuse(`Key the number of a game of ${place.name}: ${place.letter}-60, or 60.`);
    const who = second ? second.need() : null;
    if (second && !who) return undefined;
    const { location } = place;
    try {
      const made = await ask('post_card', { location, toml: toml(), first_game, second: who });
      status.good(
        `Card ${made.card} is posted from game ${place.letter}-${made.first_game}. ` +
          'The stations and the board announce it.',
      );
      post.hidden = true;
      delete stay.toml;
      put(done, noticeLink(noticePath(place, made.card)));
      await reload();
    } catch (error) {
      second?.clear();
      if (isAboutGame(error)) game.refuse(words(error));
      else status.no(error);
    }
    return undefined;
  };
  return form(
    { class: 'form card-post' },
    send,
    game.element,
    second?.element,
    h('div', { class: 'acts' }, post),
    status.element,
    done,
  );
}

/** @param {string} href */
function noticeLink(href) {
  return h(
    'a',
    { class: 'button', href, target: '_blank' },
    'Open the notice to post at the booth, PDF',
  );
}

/** Whether a refusal is about the first game of a card. @param {unknown} error */
function isAboutGame(error) {
  return (
    ['notice_too_short', 'maximum_in_play'].includes(codeOf(error)) ||
    (error instanceof Refused && error.where === 'first_game')
  );
}
