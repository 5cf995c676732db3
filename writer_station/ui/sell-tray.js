// Draws the tray: touch buttons for the field being typed, each of which also has a key. It also
// shows the station's choices of conditioning and rates.

import { h, keycap, put } from '../../keno/pages/shared/dom.js';
import { count, money } from '../../keno/pages/shared/format.js';
import { groupAt, isEmpty, marked } from './sell-draft.js';
import {
  king,
  newGroup,
  press,
  quickPick,
  setText,
  stepGames,
  toggleWays,
  visit,
} from './sell-press.js';

/**
 * @import { Act } from './sell-press.js'
 * @import { Draft } from './sell-draft.js'
 * @import { Choice, Rate } from './types.js'
 * @typedef {{choices?: Pick<Choice, 'text'>[],
 *   rates?: Pick<Rate, 'code' | 'mark' | 'shown_cents'>[], canRepeat?: boolean,
 *   gamesMax?: number}} TrayContext
 * @typedef {(draft: Draft) => Draft} Edit
 * @typedef {{words: string, cap?: string, label?: string, note?: string, on?: boolean,
 *   off?: boolean, edit?: Edit, act?: Act}} TrayButton `on`: it is pressed, `off`: it cannot be
 */

const GAMES = [1, 2, 3, 5, 10, 20];
const SPOTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/**
 * The buttons of the field that the draft is in. Pure.
 * @param {Draft} draft
 * @param {TrayContext} [context]
 * @returns {TrayButton[]}
 */
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
          edit: (/** @type {Draft} */ d) => setText(d, 'games', String(games)),
          on: Number(draft.games || 1) === games,
        })),
      ];
    case 'quick':
      return SPOTS.map((spots) => ({
        words: String(spots),
        label: count(spots, 'spot'),
        edit: (d) => quickPick(d, spots),
        on: draft.quick === String(spots),
      }));
    default:
      return numbersTray(draft, canRepeat);
  }
}

/**
 * @param {Draft} draft
 * @param {boolean} canRepeat
 * @returns {TrayButton[]}
 */
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

/**
 * @param {HTMLElement} element
 * @param {Draft} draft
 * @param {TrayContext} context
 * @param {{edit: (change: Edit) => void, act: (name: Act) => void}} does
 */
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
            click: () => {
              if (button.edit) edit(button.edit);
              else if (button.act) act(button.act);
            },
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
