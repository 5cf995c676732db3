// The tray: buttons for touch that belong to the field being typed. Each has a key that does the
// same; the tray is the only place where the choices of the station (totals, rates) are shown.

import { h, keycap, put } from '../../keno/pages/shared/dom.js';
import { count, money } from '../../keno/pages/shared/format.js';
import {
  groupAt,
  isEmpty,
  king,
  marked,
  newGroup,
  press,
  quickPick,
  setText,
  stepGames,
  toggleWays,
  visit,
} from './sell-draft.js';

const GAMES = [1, 2, 3, 5, 10, 20];

/** Which buttons the draft's field has: [words, cap, edit or act, pressed, off]. Pure. */
export function trayOf(
  draft,
  { choices = [], rates = [], canRepeat = false, gamesMax = Infinity } = {},
) {
  switch (draft.at) {
    case 'conditioning': {
      const have = new Set(draft.conditioning.split(' '));
      return choices.map((choice) => ({
        words: choice.text,
        edit: (d) => toggleWays(d, choice.text),
        on: have.has(choice.text),
      }));
    }
    case 'rate':
      return rates.map((rate) => {
        const text = `${(rate.shown_cents / 100).toFixed(2)}${rate.mark ?? ''}`;
        return {
          words: `${money(rate.shown_cents)} ${rate.mark ?? ''}`.trim(),
          note: rate.code,
          edit: (d) => setText(d, 'rate', text),
          on: draft.rate === text,
        };
      });
    case 'games':
      return [
        {
          words: '−',
          label: 'One game fewer',
          edit: (d) => stepGames(d, -1),
          off: Number(draft.games || 1) <= 1,
        },
        { words: '+', label: 'One game more', edit: (d) => stepGames(d, 1) },
        ...GAMES.filter((games) => games <= gamesMax).map((games) => ({
          words: String(games),
          label: count(games, 'game'),
          edit: (d) => setText(d, 'games', String(games)),
          on: Number(draft.games || 1) === games,
        })),
      ];
    case 'quick':
      return Array.from({ length: 10 }, (_, i) => ({
        words: String(i + 1),
        label: count(i + 1, 'spot'),
        edit: (d) => quickPick(d, i + 1),
        on: draft.quick === String(i + 1),
      }));
    default:
      return numbersTray(draft, canRepeat);
  }
}

function numbersTray(draft, canRepeat) {
  if (isEmpty(draft)) {
    return [
      { words: 'Quick-pick', cap: 'Q', edit: (d) => quickPick(d) },
      { words: 'Replay', cap: 'R', act: 'replay' },
      { words: 'Same again', cap: 'S', act: 'same', off: !canRepeat },
    ];
  }
  const index = groupAt(draft);
  const open = index >= 0 && draft.groups[index].length > 0;
  const parts = draft.groups.filter((group) => group.length).length + draft.kings.length;
  if (draft.quick !== null) {
    return [
      { words: 'Spots', cap: 'Q', edit: (d) => visit(d, 'quick') },
      { words: 'Rate', cap: '*', edit: (d) => press(d, '*').draft },
      { words: 'Games', cap: '+', edit: (d) => visit(d, 'games') },
      { words: 'Clear', cap: 'C', act: 'clear' },
    ];
  }
  return [
    {
      words: 'New group',
      cap: '↵',
      edit: newGroup,
      off: !open && draft.at !== 'ready' && index >= 0,
    },
    { words: 'King', cap: 'K', edit: king, on: draft.mode === 'king' },
    parts > 1
      ? { words: 'Ways', cap: '/', edit: (d) => press(d, '/').draft }
      : { words: 'Back', cap: '⌫', edit: (d) => press(d, 'Backspace').draft },
    { words: 'Clear', cap: 'C', act: 'clear', off: marked(draft) === 0 },
  ];
}

/** @param {{edit: (change: Function) => void, act: (name: string) => void}} does */
export function paintTray(element, draft, context, { edit, act }) {
  const buttons = trayOf(draft, context);
  const key = `${draft.at} ${JSON.stringify(buttons)}`;
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  element.dataset.of = draft.at.replace(/\d+$/, '');
  put(
    element,
    buttons.map((button) =>
      h(
        'button',
        {
          type: 'button',
          class: `button tray-button${button.cap ? ' tray-act' : ''}`,
          'aria-pressed': button.on === undefined ? null : String(button.on),
          'aria-label': button.label,
          disabled: Boolean(button.off),
          on: {
            click: () => (button.edit ? edit(button.edit) : act(button.act)),
            mousedown: (event) => event.preventDefault(),
          },
        },
        h('span', {}, button.words),
        button.note && h('small', {}, button.note),
        button.cap && keycap(button.cap),
      ),
    ),
  );
}
