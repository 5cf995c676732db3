// The middle of the floor: one payout that waits for a decision, the queue under it. The form is made
// once for each request, so that nothing typed is lost when the floor is heard anew.

import { attribute, h, put, say, svg } from '../shared/dom.js';
import { money } from '../shared/format.js';
import { every, keyed } from './frame.js';
import { createAnswer } from './authorise-answer.js';
import { checks, ticketPicture } from './authorise-ticket.js';
import { ago, askedWords, goneWords, lapseWords, queueWords } from './authorise-words.js';
import { stationName, ticketName } from './floor-words.js';

const RENEW_MS = 10_000;
const READ_MS = 8_000;
const NEWS_MS = 60_000;

export function createDecision({ session, ask, watch, waiting, stay, mayAct }) {
  const top = h('section', { class: 'panel decision', 'aria-labelledby': 'decision-title' });
  const news = h('p', { class: 'decision-news', role: 'status' });
  const queue = h('ul', { class: 'queue', 'aria-label': 'Also waiting' });
  const element = h('div', { class: 'column decide' }, top, news, queue);
  const zone = (location) => session.locations?.find((each) => each.location === location)?.zone;
  const lettered = () => (watch.floor?.locations.length ?? 0) > 1;
  const choosable = (item) => item.known && (!mayAct || !item.yours);
  let open = null;
  let done = null;
  let renewed = 0;
  let newsUntil = 0;

  function paint() {
    const { items } = waiting;
    if (done && performance.now() - done.at > READ_MS && nextOne()) done = null;
    if (open && !items.some((each) => each.authorisation === open.id && choosable(each)))
      open = null;
    if (done) {
      if (top.dataset.of !== 'done') drawDone();
    } else if (!open) {
      const kept = items.find((each) => each.authorisation === stay.open && choosable(each));
      const first = kept ?? items.find(choosable);
      if (first) show(first);
      else drawCalm(items.length ? 'yours' : 'calm');
    }
    open?.paint(items.find((each) => each.authorisation === open.id));
    paintQueue();
  }

  function show(item) {
    done = null;
    stay.open = item.authorisation;
    top.dataset.of = 'one';
    open = createOne({
      item,
      session,
      ask,
      watch,
      waiting,
      zone: zone(item.location),
      lettered: lettered(),
      root: top,
      mayAct,
      answered,
    });
  }

  function answered(result) {
    open = null;
    done = { ...result, at: performance.now() };
    say(news, '');
    paint();
    watch.refresh();
  }

  const nextOne = () =>
    waiting.forYou.find(
      (each) => each.authorisation !== done.item.authorisation && choosable(each),
    );

  function drawDone() {
    top.dataset.of = 'done';
    attribute(top, 'data-unopened', null);
    const next = nextOne();
    const act = h(
      'button',
      {
        type: 'button',
        class: 'button',
        on: {
          click: () => {
            done = null;
            paint();
            top.querySelector('input, h2')?.focus();
          },
        },
      },
      next ? `Next: ${money(next.amount_cents)}` : 'Done',
    );
    put(
      top,
      h(
        'div',
        { class: 'decision-rest', role: 'status' },
        done.approve ? sign('M5 13l4.5 4.5L19 7', 'good') : sign('M6 6l12 12M18 6L6 18', 'bad'),
        h(
          'h2',
          { id: 'decision-title' },
          done.approve
            ? `Approved, ${money(done.item.amount_cents)}`
            : `Denied, ${money(done.item.amount_cents)}`,
        ),
        h(
          'p',
          { class: 'quiet' },
          done.approve
            ? `Then sign the back of ticket ${doneName()}, in ink.`
            : `Station ${stationName(done.item.station)} has your reason.`,
        ),
        act,
      ),
    );
    act.focus();
  }

  const doneName = () => ticketName(done.item.ticket, lettered() ? done.item.letter : '');

  function drawCalm(of) {
    if (top.dataset.of === of) return;
    top.dataset.of = of;
    attribute(top, 'data-unopened', null);
    const mine = of === 'yours';
    put(
      top,
      h(
        'div',
        { class: 'decision-rest' },
        lampPicture(),
        h('h2', { id: 'decision-title' }, mine ? 'Nothing waits for you' : 'Nothing waits'),
        h(
          'p',
          { class: 'quiet' },
          mine
            ? 'What is below waits for another supervisor.'
            : 'A payout that needs a supervisor opens here, with a sound.',
        ),
      ),
    );
  }

  function paintQueue() {
    const rest = waiting.items.filter(
      (each) => each.authorisation !== open?.id && each.authorisation !== done?.item.authorisation,
    );
    keyed(
      queue,
      rest,
      (each) => `${each.authorisation} ${choosable(each)}`,
      (each) =>
        h(
          'li',
          {},
          createRow(choosable(each), () => pick(each.authorisation)),
        ),
    );
    rest.forEach((each, index) => paintRow(queue.children[index].firstChild, each));
    attribute(queue, 'tabindex', queue.scrollHeight > queue.clientHeight ? 0 : null);
  }

  function pick(id) {
    const item = waiting.items.find((each) => each.authorisation === id);
    if (!item) return;
    waiting.open(id);
    show(item);
    paint();
    top.querySelector('input, h2')?.focus();
  }

  function paintRow(row, item) {
    const seen = queueWords(item, watch.floor?.people, lettered(), zone(item.location));
    attribute(
      row,
      'data-unopened',
      mayAct && !item.yours && !waiting.isOpened(item.authorisation) ? '' : null,
    );
    say(row.children[0], money(item.amount_cents));
    say(row.children[1].children[0], seen.station);
    say(row.children[1].children[1], seen.about);
    say(row.children[1].children[2], seen.under);
    say(row.children[2], ago(watch.now() - item.asked_ms));
  }

  function touched() {
    if (!open) return;
    waiting.open(open.id);
    attribute(top, 'data-unopened', null);
  }

  function gone({ detail }) {
    if (detail.item.authorisation === done?.item.authorisation) return;
    const said = goneWords(detail, watch.floor?.people, session.person, lettered());
    if (said) {
      say(news, said);
      newsUntil = performance.now() + NEWS_MS;
    }
    paint();
  }
  waiting.addEventListener('gone', gone);
  for (const gesture of ['pointerdown', 'keydown']) top.addEventListener(gesture, touched);
  const stop = every(1_000, () => {
    paint();
    if (performance.now() > newsUntil) say(news, '');
    if (open && performance.now() - renewed > RENEW_MS) {
      renewed = performance.now();
      waiting.renew(open.id);
    }
  });
  return {
    element,
    paint,
    stop() {
      stop();
      waiting.removeEventListener('gone', gone);
    },
  };
}

function createOne({ item, session, ask, watch, waiting, zone, lettered, root, mayAct, answered }) {
  const id = item.authorisation;
  const asked = h('span', { class: 'quiet' });
  const checked = h('div');
  const body = h('div', {
    class: 'decision-body',
    role: 'region',
    'aria-label': 'Ticket as sold',
    tabIndex: 0,
  });
  const answer = createAnswer({ item, session, ask, mayAct, answered });
  const title = h(
    'h2',
    { id: 'decision-title', tabIndex: -1 },
    item.detail?.refund ? 'Authorise refund' : 'Authorise payout',
  );
  put(
    root,
    h('header', { class: 'panel-head' }, title, asked),
    h('p', { class: 'decision-amount' }, money(item.amount_cents)),
    body,
    checked,
    answer.element,
  );
  let drawn = '';
  let game = null;
  const drawTicket = (now) =>
    put(
      body,
      ticketPicture(now, lettered, game, (chosen) => {
        game = chosen;
        drawTicket(now);
        body.querySelector('[aria-pressed="true"]')?.focus();
      }),
    );
  return {
    id,
    paint(now) {
      say(asked, askedWords(now, watch.floor?.people, watch.now()));
      answer.lapse(lapseWords(now.detail, watch.now(), zone));
      say(title, now.detail?.refund ? 'Authorise refund' : 'Authorise payout');
      answer.paint(now);
      attribute(root, 'data-unopened', mayAct && !now.yours && !waiting.isOpened(id) ? '' : null);
      const key = JSON.stringify(now.detail);
      if (key === drawn) return;
      drawn = key;
      drawTicket(now);
      put(checked, checks(now.detail?.checks ?? []));
    },
  };
}

function createRow(possible, pick) {
  const inside = [
    h('b', { class: 'queue-amount' }),
    h('span', { class: 'queue-words' }, h('b'), h('span'), h('span')),
    h('span', { class: 'queue-ago' }),
  ];
  return possible
    ? h('button', { type: 'button', class: 'queue-row', on: { click: pick } }, inside)
    : h('div', { class: 'queue-row queue-not' }, inside);
}

function sign(d, kind) {
  return svg(
    'svg',
    {
      class: `rest-sign ${kind}`,
      width: 72,
      height: 72,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 1.6,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
      'aria-hidden': 'true',
    },
    svg('circle', { cx: 12, cy: 12, r: 11, 'stroke-width': 1 }),
    svg('path', { d }),
  );
}

/** An unlit lamp: nothing waits. */
function lampPicture() {
  return svg(
    'svg',
    {
      class: 'rest-sign',
      width: 96,
      height: 96,
      viewBox: '0 0 96 96',
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 2.5,
      'aria-hidden': 'true',
    },
    svg('circle', { cx: 48, cy: 48, r: 45 }),
    svg('circle', {
      cx: 48,
      cy: 48,
      r: 30,
      'stroke-dasharray': '2 7.42',
      'stroke-linecap': 'round',
    }),
    svg('path', { d: 'M38 49l7 7 14-15', 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }),
  );
}
