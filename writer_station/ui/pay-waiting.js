/*
 * Payouts that wait for a supervisor, as one small line in every view; a yes or a no brings a notice
 * and a sound, and F2 goes to it. A ticket that lies on the counter needs no line: it is seen there.
 */
import { money, ticketNumber } from '../../keno/pages/shared/format.js';
import { put } from '../../keno/pages/shared/dom.js';
import { el, kbd } from './dialogs/form.js';
import { answered, mostUrgent } from './pay-acts.js';
import { waitingWords } from './pay-words.js';

/** `onCounter()` is the ticket's number that is in view now, or null; `goTo(payout)` shows one. */
export function createWaiting(app, { onCounter, goTo }) {
  const element = el('p.waiting', { role: 'status', hidden: true });
  let before = [];
  let key = '';

  function paint(state) {
    const waiting = state?.waiting ?? [];
    for (const [one, kind] of answered(before, waiting)) {
      if (one.ticket !== onCounter()) {
        app.notice(
          `Ticket ${ticketNumber(one.ticket)}: ${waitingWords(one)}. F2 goes to it.`,
          kind,
        );
      }
      app.sound(kind === 'good' ? 'award' : 'refused');
    }
    before = waiting;
    const others = waiting.filter((one) => one.ticket !== onCounter());
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
      el(
        'button.waiting-go',
        { type: 'button', on: { click: () => goTo(shown) } },
        el('b', `Ticket ${ticketNumber(shown.ticket)}`),
        el('b', money(shown.amount_cents)),
        el(
          'span.waiting-words',
          shown.state === 'pending' ? 'waits for a supervisor' : waitingWords(shown),
        ),
        el('span', more),
        el('span.waiting-key', kbd('F2'), 'go to it'),
      ),
    );
  }
  app.on(paint);
  return { element, paint };
}
