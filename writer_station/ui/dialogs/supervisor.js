/*
 * The dialog in which a supervisor approves something at this station by name and password.
 */
import { h } from '../../../keno/pages/shared/dom.js';
import { act, dialogForm, formKeys, nextEmpty, secondPerson } from './form.js';

/**
 * @import { Second } from '../../../keno/pages/shared/protocol.js'
 * @import { App, Close, DialogParts } from '../types.js'
 */

/**
 * Open the dialog; it closes with the answer to `send`, or without one if the writer goes back.
 * @template Answer
 * @param {App} app
 * @param {Close<Answer>} close
 * @param {{title: string, text: string, act: string,
 *   send: (second: Second) => Promise<Answer>}} how
 * @returns {DialogParts}
 */
export function supervisorDialog(app, close, { title, text, act: words, send }) {
  const second = secondPerson('Supervisor');
  const go = () => {
    if (nextEmpty(second.person, second.password) || !second.complete()) return;
    const signed = second.take();
    body
      .run(`${words}…`, async () => close(await send(signed)), app)
      .then(() => {
        if (body.element.isConnected) second.password.focus();
      });
  };
  const back = () => {
    second.wipe();
    close();
  };
  const body = dialogForm(
    title,
    [h('p', {}, text), second.element],
    [act(words, go, { primary: true, cap: '↵' }), act('Back', back, { cap: 'Esc' })],
  );
  return {
    element: body.element,
    label: title,
    first: second.person.input,
    key: (event) => formKeys(event, { enter: go, escape: back }),
  };
}
