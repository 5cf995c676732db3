/*
 * The dialog (F3) with the supervisor's messages, newest first; a message that was read is removed.
 */
import { h } from '../../../keno/pages/shared/dom.js';
import { act, dialogForm, formKeys } from './form.js';
import { timeWords } from './show.js';

/** @import { App, Close, DialogParts } from '../types.js' */

/**
 * @param {App} app
 * @param {Close<boolean | null>} close
 * @returns {DialogParts}
 */
export function messages(app, close) {
  const told = app.state?.told ?? [];
  const seen = () =>
    body.run(
      'Putting away…',
      async () => {
        for (const one of told) await app.ask('seen', { ms: one.ms });
        close(true);
      },
      app,
    );
  const back = () => close(null);
  const list = h(
    'ul',
    { class: 'told' },
    told.map((one) =>
      h(
        'li',
        {},
        h('p', { class: 'told-text' }, one.text),
        h('p', { class: 'quiet' }, `${one.by}, ${timeWords(one.ms, app.state?.place)}`),
      ),
    ),
  );
  const body = dialogForm(
    told.length ? 'From the supervisor' : 'No messages',
    [told.length ? list : h('p', {}, 'Nothing from the supervisor.')],
    told.length
      ? [
          act(told.length === 1 ? 'I have read it' : `I have read all ${told.length}`, seen, {
            primary: true,
            cap: '↵',
          }),
          act('Leave it on the screen', back, { cap: 'Esc' }),
        ]
      : [act('Back', back, { primary: true, cap: '↵' })],
  );
  return {
    element: body.element,
    label: 'From the supervisor',
    first: body.firstAct,
    key: (event) => formKeys(event, { enter: told.length ? seen : back, escape: back }),
  };
}
