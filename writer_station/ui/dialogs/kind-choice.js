/*
 * The row of buttons in which a kind of tender is chosen for a fill or credit; cash until another
 * is pressed. Up and Down choose from the field of the amount, so that cash costs no key.
 */
import { h, keycap } from '../../../keno/pages/shared/dom.js';
import { KINDS } from '../../../keno/pages/shared/count.js';

export function kindChoice() {
  let chosen = 0;
  const buttons = KINDS.map(([, words], at) =>
    h(
      'button',
      {
        type: 'button',
        class: 'button kind',
        role: 'radio',
        tabIndex: -1,
        on: { click: () => choose(at), mousedown: (event) => event.preventDefault() },
      },
      words,
    ),
  );
  const element = h(
    'div',
    { class: 'kinds' },
    h('div', { class: 'kinds-row', role: 'radiogroup', 'aria-label': 'What is moved' }, buttons),
    h('span', { class: 'kinds-keys', 'aria-hidden': 'true' }, keycap('↑'), keycap('↓')),
  );

  /** @param {number} at */
  function choose(at) {
    chosen = at;
    buttons.forEach((button, index) => button.setAttribute('aria-checked', String(index === at)));
  }

  choose(0);
  return {
    element,
    get value() {
      return KINDS[chosen][0];
    },
    /** Choose the next kind on Up or Down; returns whether it took the key. @param {Event} event */
    step(event) {
      const key = event instanceof KeyboardEvent ? event.key : '';
      if (key !== 'ArrowDown' && key !== 'ArrowUp') return false;
      event.preventDefault();
      choose((chosen + (key === 'ArrowDown' ? 1 : -1) + KINDS.length) % KINDS.length);
      return true;
    },
  };
}
