/*
 * A short menu: each line is an act with its own key, and Up and Down walk along them. Used for the
 * shift (F4) and for a ticket (F7).
 */
import { act, el, kbd, sheet } from './form.js';

/** `lines` are {cap, words, note, does, off}; `off` is a sentence why it cannot be done now. */
export function menu(heading, lines, close, extra = []) {
  const buttons = lines.map((line) =>
    el(
      'button.choice',
      {
        type: 'button',
        disabled: Boolean(line.off),
        on: { click: () => line.does() },
      },
      kbd(line.cap),
      el('span.choice-words', el('b', line.words), el('span', line.off || line.note || '')),
    ),
  );
  const list = el('div.choices', buttons);
  const body = sheet(heading, [...extra, list], [act('Back', () => close(null), { cap: 'Esc' })]);
  const open = () => buttons.filter((button) => !button.disabled);
  return {
    body,
    element: body.element,
    label: heading,
    first: open()[0] ?? body.row.firstElementChild,
    key(event) {
      if (event.key === 'Escape') {
        close(null);
        return true;
      }
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        const all = open();
        const step = event.key === 'ArrowDown' ? 1 : -1;
        const at = all.indexOf(document.activeElement);
        all[(at + step + all.length) % all.length]?.focus();
        event.preventDefault();
        return true;
      }
      if (document.activeElement?.matches?.('input, textarea')) return false;
      if (event.ctrlKey || event.altKey || event.metaKey) return false;
      const index = lines.findIndex((line) => line.cap.toLowerCase() === event.key.toLowerCase());
      if (index < 0 || buttons[index].disabled) return false;
      event.preventDefault();
      buttons[index].click();
      return true;
    },
  };
}
