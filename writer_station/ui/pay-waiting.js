/*
 * Draws the payouts that wait for a supervisor, in one line above every view. A supervisor's answer
 * causes a notice and a sound, and F2 goes to its ticket. The ticket on the counter is left out.
 */
import { money } from '../../keno/pages/shared/format.js';
import { h, put } from '../../keno/pages/shared/dom.js';
import { kbd } from './dialogs/form.js';
import { answered, mostUrgent, same, ticketWords } from './pay-acts.js';
import { waitingWords } from './pay-words.js';

/** @import { App, Look, Payout, StationState } from './types.js' */

/**
 * @param {App} app
 * @param {{onCounter: () => Look | null, goTo: (payout: Payout) => void}} how `onCounter` gives the
 *   ticket that is in view now
 */
export function createWaiting(app, { onCounter, goTo }) {
  const element = h('p', { class: 'waiting', role: 'status', hidden: true });
  /** @type {readonly Payout[]} */
  let before = [];
  let key = '';

  /** @param {StationState | null} state */
  function paint(state) {
    const waiting = state?.waiting ?? [];
    for (const [one, kind] of answered(before, waiting)) {
      if (!same(one, onCounter())) {
        app.notice(
          `Ticket ${ticketWords(one)}: ${waitingWords(one).replace(/\.$/, '')}. F2 goes to it.`,
          kind,
        );
      }
      app.sound(kind === 'good' ? 'award' : 'refused');
    }
    before = waiting;
    const others = waiting.filter((one) => !same(one, onCounter()));
    const shown = mostUrgent(others);
    const next = shown ? `${shown.authorisation} ${shown.state} ${others.length}` : '';
    if (next === key) return;
    key = next;
    element.hidden = !shown;
    if (!shown) return;
    element.dataset.kind = shown.state;
    const more = others.length > 1 ? `and ${others.length - 1} more` : '';
    put(
      element,
      h(
        'button',
        { class: 'waiting-go', type: 'button', on: { click: () => goTo(shown) } },
        h('b', {}, `Ticket ${ticketWords(shown)}`),
        h('b', {}, money(shown.amount_cents)),
        h(
          'span',
          { class: 'waiting-words' },
          shown.state === 'pending' ? 'waits for a supervisor' : waitingWords(shown),
        ),
        h('span', {}, more),
        h('span', { class: 'waiting-key' }, kbd('F2'), 'go to it'),
      ),
    );
  }
  app.on(paint);
  return { element, paint };
}
