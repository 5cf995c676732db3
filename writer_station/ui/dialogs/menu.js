/*
 * A short menu, of which each line is an action with a key; Up and Down move along them. The menus
 * of the shift (F4) and of a ticket (F7) use it.
 */
import { h } from '../../../keno/pages/shared/dom.js';
import { act, dialogForm, kbd } from './form.js';

/**
 * @import { Child } from '../../../keno/pages/shared/types.js'
 * @import { Close, DialogParts } from '../types.js'
 * @import { DialogForm } from './form.js'
 * @typedef {{cap: string, words: string, note?: string, off?: string,
 *   does: () => unknown}} MenuLine `off` is a sentence why it cannot be done now
 */

/**
 * @param {string} heading
 * @param {MenuLine[]} lines
 * @param {Close<null>} close
 * @param {Child} [extra] what is shown above the lines
 * @returns {DialogParts & {body: DialogForm}}
 */
export function menu(heading, lines, close, extra = []) {
  const buttons = lines.map((line) =>
    h(
      'button',
      {
        class: 'choice',
        type: 'button',
        disabled: Boolean(line.off),
        on: { click: () => line.does() },
      },
      kbd(line.cap),
      h(
        'span',
        { class: 'choice-words' },
        h('b', {}, line.words),
        h('span', {}, line.off || line.note || ''),
      ),
    ),
  );
  const list = h('div', { class: 'choices' }, buttons);
  const body = dialogForm(heading, [extra, list], [act('Back', () => close(null), { cap: 'Esc' })]);
  const open = () => buttons.filter((button) => !button.disabled);
  return {
    body,
    element: body.element,
    label: heading,
    first: open()[0] ?? body.firstAct,
    key(event) {
      if (event.key === 'Escape') {
        close(null);
        return true;
      }
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        const all = open();
        const step = event.key === 'ArrowDown' ? 1 : -1;
        const at = all.findIndex((button) => button === document.activeElement);
        all[(at + step + all.length) % all.length]?.focus();
        event.preventDefault();
        return true;
      }
      if (document.activeElement?.matches('input, textarea')) return false;
      if (event.ctrlKey || event.altKey || event.metaKey) return false;
      const index = lines.findIndex((line) => line.cap.toLowerCase() === event.key.toLowerCase());
      if (index < 0 || buttons[index].disabled) return false;
      event.preventDefault();
      buttons[index].click();
      return true;
    },
  };
}
