/*
 * What has to happen before a ticket is paid, in its order, and which act is the writer's next.
 * Pure: the view shows what stands here, and the tests ask it without a browser.
 *
 * A need is done when the station says so or when the writer did it on this screen; the acts the
 * writer did are `progress`: {signature, tax_form: {number, withheld_cents}, check: {number, cents}}.
 */

const TITLES = {
  supervisor: 'Supervisor',
  signature: 'Signature on the back',
  tax_form: 'Identification, W-2G',
  check: 'Casino check',
};

/** A payout that was not approved: a supervisor said no, or nobody answered in time. */
export function notGiven(one) {
  return one.state === 'denied' || one.state === 'lapsed';
}

/** The payout of this ticket (or its refund) that waits for a supervisor, or undefined. */
export function askedFor(waiting, ticket, refund) {
  const own = waiting.filter((one) => one.ticket === ticket && Boolean(one.refund) === refund);
  return own.find((one) => !notGiven(one)) ?? own.at(-1);
}

/** Where the supervisor's yes stands: ask, wait, denied, lapsed, differs (another amount) or yes. */
export function supervisorStands(need, asked, totalCents) {
  if (need.done) return 'yes';
  if (!asked) return 'ask';
  if (notGiven(asked)) return asked.state;
  if (asked.amount_cents !== totalCents) return 'differs';
  return asked.state === 'approved' ? 'yes' : 'wait';
}

/** The numbered needs: each with its title, and whether it is done, the current one, or later. */
export function numbered(due, progress, asked) {
  let current = true;
  return due.needs.map((need) => {
    const stands =
      need.kind === 'supervisor' ? supervisorStands(need, asked, due.total_cents) : null;
    const done = need.done || stands === 'yes' || Boolean(progress[need.kind]);
    const step = {
      kind: need.kind,
      title: TITLES[need.kind] ?? need.kind,
      text: need.text,
      stands,
      at: done ? 'done' : current ? 'now' : 'later',
    };
    if (!done) current = false;
    return step;
  });
}

/** What the primary button does now: ask, wait, denied, lapsed, differs, signature, tax_form, check, pay. */
export function nextAct(steps) {
  const now = steps.find((step) => step.at === 'now');
  if (!now) return 'pay';
  return now.kind === 'supervisor' ? now.stands : now.kind;
}

/** Whether a ticket can go into one total with others: it pays, and needs nothing but the cash. */
export function paysAtOnce(look) {
  return !look.why_not && look.total_cents > 0 && look.needs.every((need) => need.done);
}

/** All games the ticket was sold for; those that have not begun are not told by the station. */
export function allGames(look) {
  const letter = look.name.includes('-') ? look.name.split('-')[0] : '';
  const told = new Map(look.games.map((game) => [game.game, game]));
  const games = [];
  for (let game = look.first_game; game <= look.last_game; game += 1) {
    games.push(
      told.get(game) ?? {
        game,
        name: letter ? `${letter}-${game}` : String(game),
        state: 'to come',
        numbers: null,
        award_cents: null,
        ways: [],
      },
    );
  }
  return games;
}

/** The game that is open at first: the highest award, the only one, the one being drawn, or none. */
export function openAtFirst(games) {
  const best = Math.max(0, ...games.map((game) => game.award_cents ?? 0));
  if (best > 0) return games.findIndex((game) => game.award_cents === best);
  if (games.length === 1) return 0;
  return games.findIndex((game) => game.state === 'drawing');
}

/** What became of a game, in words; empty when its award says it. */
export function gameWords(game) {
  const words = {
    'to come': 'To come',
    open: 'Open',
    drawing: 'Drawing',
    locked: 'Drawing',
    drawn: 'Drawing',
    void: 'Void',
  };
  return words[game.state] ?? (game.award_cents ? '' : '–');
}

/** "5 of 5 games drawn and settled". */
export function doneWords(look) {
  const games = look.last_game - look.first_game + 1;
  if (games === 1) return look.done ? 'Game drawn and settled' : 'Game not drawn yet';
  return `${look.done} of ${games} games drawn and settled`;
}

/** What the games that are settled have won together. */
export function wonSoFar(look) {
  return look.games.reduce((sum, game) => sum + (game.award_cents ?? 0), 0);
}

/** 15.3(b): a drawn ticket can be the next request; a live one is changed, a void one neither. */
export function canReplay(look) {
  return (
    !['void', 'surrender'].includes(look.state) &&
    look.done === look.last_game - look.first_game + 1
  );
}

/** The one that F2 goes to: approved first, then denied or lapsed, then the oldest asked. */
export function mostUrgent(waiting) {
  return waiting.find((one) => one.state === 'approved') ?? waiting.find(notGiven) ?? waiting[0];
}

/** What changed since: each answered payout as [payout, words, kind of notice]. */
export function answered(before, now) {
  const stood = new Map(before.map((one) => [one.authorisation, one.state]));
  return now
    .filter((one) => stood.get(one.authorisation) === 'pending' && one.state !== 'pending')
    .map((one) => [one, one.state === 'approved' ? 'good' : 'no']);
}

/** What a ticket's QR code holds: its name and its code. */
const SCANNED = /[A-Z]-\d+-[0-9A-Z]{16}$/i;

/** A ticket that was scanned while the caret stood in another field, a check's number for instance. */
export function scannedInto(text) {
  return SCANNED.exec(text.trim())?.[0] ?? '';
}
