/*
 * Messages of the supervisor, newest first. One that was read is taken off the screen.
 */
import { act, el, formKeys, sheet } from './form.js';
import { timeWords } from './show.js';

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
  const list = el(
    'ul.told',
    told.map((one) =>
      el(
        'li',
        el('p.told-text', one.text),
        el('p.quiet', `${one.by}, ${timeWords(one.ms, app.state.place)}`),
      ),
    ),
  );
  const body = sheet(
    told.length ? 'From the supervisor' : 'No messages',
    [told.length ? list : el('p', 'Nothing from the supervisor.')],
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
    first: body.row.firstElementChild,
    key: (event) => formKeys(event, { enter: told.length ? seen : back, escape: back }),
  };
}
