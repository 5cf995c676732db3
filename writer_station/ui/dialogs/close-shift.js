/*
 * The end of a shift. The drawer is counted blind: what it should hold is shown only after the count
 * is given, by kind and in plain words. Bills and coins are counted by number.
 */
import { count as counts } from '../../../keno/pages/shared/format.js';
import { AMOUNTS, BILLS, COINS, KINDS, counted, overShort, pieces, total } from './count.js';
import { act, el, formKeys, secondPerson, sheet } from './form.js';
import { money, parseMoney, ticketNumber } from './show.js';

/**
 * The checkout that is under way or not yet read. When the house closes the shift, the station asks
 * at once for the next one; that dialog shows the outcome of this one first.
 */
export const checkout = { answer: null, close: null };

export function closeShift(app, close) {
  let finished = false;
  const count = countForm();
  const second = secondPerson('Supervisor who counted with you');
  const given = () => {
    if (!count.read()) return;
    if (second.missing()) return;
    const signed = second.take();
    body
      .run(
        'Closing the shift…',
        async () => {
          const asked = app.ask('close_shift', { counted: count.read(), second: signed });
          checkout.answer = asked;
          checkout.close = () => {
            finished = true;
            close(true);
          };
          asked.catch(() => {
            checkout.answer = null;
          });
          const answer = await asked;
          if (checkout.answer !== asked) return; // The next dialog took over and shows it.
          finished = true;
          const done = outcome(answer, leave);
          body.element.replaceChildren(...done.children);
          done.go.focus();
        },
        app,
      )
      .then(() => {
        if (!finished && body.element.isConnected) second.password.input.focus();
      });
  };
  const leave = () => {
    second.wipe();
    checkout.answer = null;
    close(finished || null);
  };
  const body = sheet(
    'Count the drawer',
    [
      el(
        'p.quiet',
        'Bills and coins by number, the rest as amounts. What the drawer should hold is ' +
          'shown when the count is given.',
      ),
      count.element,
      second.element,
    ],
    [
      act('Give the count and close', given, { primary: true, cap: 'F4' }),
      act('Keep the shift open', leave, { cap: 'Esc' }),
    ],
    { wide: true },
  );
  return {
    element: body.element,
    label: 'Count the drawer',
    first: count.inputs[0],
    blind: true,
    key(event) {
      if (finished) return formKeys(event, { enter: leave, escape: leave });
      if (event.key === 'F4') {
        event.preventDefault();
        given();
        return true;
      }
      if (count.walk(event)) return true;
      return formKeys(event, { enter: () => walkOn(body.element), escape: leave });
    },
    keys: [
      ['↵', 'next'],
      ['F4', 'give the count'],
      ['Esc', 'keep the shift open'],
    ],
  };
}

/** Enter walks through the fields, and gives the count from the last one. */
function walkOn(form) {
  const stops = [...form.querySelectorAll('input, button.button-go')];
  const at = stops.indexOf(document.activeElement);
  const next = stops[at + 1] ?? stops[0];
  if (document.activeElement?.matches?.('button.button-go')) document.activeElement.click();
  else {
    next.focus();
    next.select?.();
  }
}

function countForm() {
  const rows = [];
  const totals = new Map();
  const line = (kind, each, label) => {
    const id = `count-${kind}-${each}`;
    const input = el('input', {
      id,
      inputmode: each ? 'numeric' : 'decimal',
      autocomplete: 'off',
      maxlength: 9,
      placeholder: each ? '0' : '0.00',
      on: { input: () => refresh() },
    });
    const sum = el('output', { for: id });
    rows.push({ kind, each, input, sum });
    return el('div.count-row', el('label', { for: id }, label), input, sum);
  };
  const column = (kind, title, lines) => {
    const sum = el('b');
    totals.set(kind, sum);
    return el('section.count-kind', el('h3', title, sum), lines);
  };
  const whole = el('b.count-total');
  const element = el(
    'div.count',
    column(
      'currency',
      'Bills',
      BILLS.map((each) => line('currency', each, `$${each / 100}`)),
    ),
    column(
      'coin',
      'Coins',
      COINS.map((each) => line('coin', each, coinWords(each))),
    ),
    el(
      'div.count-rest',
      el(
        'section.count-kind',
        el('h3', 'Other tender'),
        AMOUNTS.map(([kind, words]) => line(kind, 0, words)),
      ),
      el('p.count-sum', el('span', 'Counted'), whole),
    ),
  );

  function read() {
    const parts = { bills: {}, coins: {}, amounts: {} };
    let wrong = null;
    for (const { kind, each, input, sum } of rows) {
      const text = input.value.trim();
      const number = each ? pieces(text) : text === '' ? 0 : parseMoney(text);
      input.toggleAttribute('aria-invalid', number === null);
      if (number === null) wrong ??= input;
      else if (kind === 'currency') parts.bills[each] = number;
      else if (kind === 'coin') parts.coins[each] = number;
      else parts.amounts[kind] = number;
      sum.textContent = number === null ? 'a number' : number && each ? money(number * each) : '';
    }
    const byKind = counted(parts);
    for (const [kind, node] of totals) node.textContent = money(byKind[kind]);
    whole.textContent = money(total(byKind));
    return wrong ? (wrong.focus(), null) : byKind;
  }
  function refresh() {
    const focused = document.activeElement;
    read();
    focused?.focus();
  }
  refresh();
  const inputs = rows.map((row) => row.input);
  return {
    element,
    inputs,
    read,
    walk(event) {
      const at = inputs.indexOf(document.activeElement);
      if (at < 0 || !['ArrowDown', 'ArrowUp'].includes(event.key)) return false;
      event.preventDefault();
      const next = inputs[at + (event.key === 'ArrowDown' ? 1 : -1)];
      next?.focus();
      next?.select();
      return true;
    },
  };
}

function coinWords(each) {
  return each === 100 ? '$1 coin' : `${each}¢`;
}

/** Over and short by kind in plain words, and what is to be handed in. */
export function outcome(answer, leave) {
  const over = answer.over_short_cents;
  const whole = total(over);
  const rows = KINDS.filter(
    ([kind]) => answer.expected_cents[kind] || answer.counted_cents[kind],
  ).map(([kind, words]) =>
    el(
      'tr',
      el('th', { scope: 'row' }, words),
      el('td', money(answer.expected_cents[kind] ?? 0)),
      el('td', money(answer.counted_cents[kind] ?? 0)),
      el(over[kind] ? 'td.off' : 'td.even', overShort(over[kind] ?? 0, money)),
    ),
  );
  const tickets = answer.tickets ?? [];
  const go = act('Shift is closed, sign the sheet', leave, { primary: true, cap: '↵' });
  return {
    go,
    children: [
      el('h2', whole === 0 ? 'The drawer is exact' : `The drawer is ${overShort(whole, money)}`),
      el(
        'table.over-short',
        el(
          'thead',
          el(
            'tr',
            el('th', { scope: 'col' }, 'Kind'),
            el('th', { scope: 'col' }, 'Should hold'),
            el('th', { scope: 'col' }, 'Counted'),
            el('th', { scope: 'col' }, 'Difference'),
          ),
        ),
        el('tbody', rows),
      ),
      el('p', 'The checkout sheet is printing. Sign it, both of you.'),
      tickets.length
        ? el(
            'p.quiet',
            `Hand in ${counts(tickets.length, 'paid or void ticket')}: ` +
              `${tickets.map(ticketNumber).join(', ')}.`,
          )
        : el('p.quiet', 'No paid or void tickets ' + 'to hand in.'),
      el('div.acts', go),
    ],
  };
}
