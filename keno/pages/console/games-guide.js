// The guide for irregular games (15.7 and DECISIONS.md): for each matter the rule, what the system
// already does, and what people do next. Words only.

/**
 * @typedef {{id: string, name: string, rule: string, system: string[],
 *   next: (string | {words: string, tab?: string, open?: string})[]}} Matter
 *   `tab`: the step is done in that tab; `open`: it is the void, here
 */

/** @type {Matter[]} */
export const MATTERS = [
  {
    id: 'silent',
    name: 'The generator or the witness does not answer',
    rule:
      'A game has one selection, and both sealed it before the game opened. Nobody makes a ' +
      'second one, however long it takes.',
    system: [
      'The game stays closed. Boards and stations say that it is stopped and that tickets stay ' +
        'valid.',
      'The same question is asked again every few seconds. When the answer comes, the game ' +
        'goes on by itself.',
      'The next game keeps selling. It is not closed before this one is over.',
    ],
    next: [
      { words: 'See which of the two is silent, and since when.', tab: 'room' },
      'Have its power, its line and its machine looked at. A program that fell over starts ' +
        'again unchanged.',
      'If the generator was switched off, an inspector and a supervisor present both keys at ' +
        'its own console.',
      'If its disk is lost, it is rebuilt from the witness’s record before anybody thinks of a ' +
        'void.',
      {
        words: 'Only if nothing of this helps: declare the game void, together with the inspector.',
        open: 'void',
      },
    ],
  },
  {
    id: 'unproven',
    name: 'An answer did not verify',
    rule:
      'Numbers that are not proven are no result: a number twice or out of range, another secret ' +
      'than the sealed one, a signature that is not right.',
    system: [
      'The answer is not used, not shown and told to nobody. The game stays closed.',
      'The sealed selection is asked for again. It can only ever give the same numbers.',
    ],
    next: [
      { words: 'Read the alarm and its cause. Touch nothing on the two machines.', tab: 'room' },
      'Call the inspector: from here on you look together.',
      'A proof that fails again means a damaged or changed machine. Stop selling at every booth.',
      {
        words:
          'If the answer cannot be had in order: declare the game void, together with the ' +
          'inspector.',
        open: 'void',
      },
    ],
  },
  {
    id: 'board',
    name: 'The board or the announcement failed',
    rule: 'A result that is in the record stands, whatever the displays did.',
    system: [
      'Before the first ball is shown, the result is stored, proven and recorded by the witness.',
      'A board that comes back shows the state of the moment. Stations and phones tell the ' +
        'same numbers.',
    ],
    next: [
      {
        words: 'Read the winning numbers of the day, print them and post them at the booth.',
        tab: 'reports',
      },
      'Pay as the stations say. Nothing is drawn again and nothing is given back.',
      {
        words: 'A patron who disputes it: open the ticket, and hold it with a reason if need be.',
        tab: 'tickets',
      },
    ],
  },
  {
    id: 'crash',
    name: 'A machine or a program crashed',
    rule:
      'A game goes on from the very step that the ledger has. Nothing is done twice and nothing ' +
      'is skipped.',
    system: [
      'The server reads its ledger when it starts, compares it with the head kept apart, and ' +
        'takes the step up again.',
      'Stations send again what has no answer; the ledger does a thing once.',
      'A print that nobody confirmed is not paid, and stands among the exceptions of the day.',
    ],
    next: [
      { words: 'Look whether games run and stations are connected.', tab: 'floor' },
      'At each station with “Printed?” the writer looks at the paper and says so, with you ' +
        'beside them.',
      { words: 'Keep the exceptions of the day with the shift’s papers.', tab: 'reports' },
    ],
  },
  {
    id: 'paper',
    name: 'A ticket’s paper disagrees with the ledger',
    rule:
      'The code is computed again over what the paper shows. If it does not fit, the paper was ' +
      'changed. If it fits, the book that the witness countersigned decides: either the paper is ' +
      'refused, or the ledger is wrong and the ticket is paid by its paper.',
    system: [
      'A station refuses a code that does not fit as altered, and pays nothing.',
      'A right code on a paper that the signed book lacks is listed as forged. Keno goes on.',
      'A ledger that the signed book contradicts halts its location.',
    ],
    next: [
      { words: 'Hold the ticket in dispute, with the reason. Keep the paper.', tab: 'tickets' },
      { words: 'Key everything that the paper shows.', open: 'paper_keyed' },
      'Altered or forged: tell the patron, keep the paper for the inspector.',
      'The ledger is wrong: go on under “Keno is halted”. After the resume a station pays the ' +
        'ticket by its paper.',
    ],
  },
  {
    id: 'halted',
    name: 'Keno is halted',
    rule:
      'What the generator or the witness signed and is wrong, or what is stored wrong, halts the ' +
      'location or the house: no sale, no draw and no payout until an inspector and a supervisor ' +
      'have both signed that it goes on. Claims do not run meanwhile.',
    system: [
      'Every board, station and phone says that keno is halted and that tickets stay good.',
      'The halt survives a restart, and no row or file that somebody deletes ends it.',
      'A ledger that has lost its end does not open at all.',
    ],
    next: [
      { words: 'Look at what was found.', open: 'halts' },
      'Call the inspector and the machines’ operator. Copy the ledger before anything changes.',
      '`keno audit` recomputes the ledger and names the first thing that is wrong; it writes ' +
        'nothing.',
      { words: 'Both sign at the generator’s console, and bring the order here.', open: 'halts' },
      'The game at fault then goes on with the same selection, or is declared void by itself.',
    ],
  },
];

/** The matter with this id; null if there is none. @param {string} id */
export function matter(id) {
  return MATTERS.find((each) => each.id === id) ?? null;
}
