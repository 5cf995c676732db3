// Selling the draft: what stands in its way, the question when the game closed meanwhile, the one
// request that sells, and what is heard of the paper afterwards.

import { money, ticketNumber } from '../../keno/pages/shared/format.js';
import { confirmDialog } from './sell-ask.js';
import { fieldOf, isEmpty, press } from './sell-draft.js';
import { settleTender } from './sell-tender.js';

/** A writer in the middle of typing is not interrupted: the question waits for a pause. */
const PAUSE_MS = 1200;

const NO_GAME = 'No game is open. The ticket is kept; print it when the next game opens.';

/** Whether the game the writer saw is no longer the one that is open. */
export function hasMoved(seen, game) {
  return Boolean(seen && game && seen.game !== game.game);
}

/** The question when the game closed meanwhile: asked because Print was pressed, or by itself. */
export function moveWords(closed, game, printing) {
  if (printing) {
    return {
      title: `Game ${closed} has closed. Sell this ticket for ${game}?`,
      yes: `Sell for ${game}`,
      no: 'Keep it on the line',
      text: 'The ticket was begun for the game that closed. Ask the patron.',
    };
  }
  return {
    title: `Game ${closed} has closed. Keep this ticket for ${game}?`,
    yes: `Keep it for ${game}`,
    no: 'Decide later',
    text: 'The ticket was begun for the game that closed. Ask the patron. Nothing is printed yet.',
  };
}

/** What is said when it was kept: Enter may have another field to go to first. */
export function keptWords(draft, game) {
  return press(draft, 'Enter').act === 'print'
    ? `Not printed yet. Enter prints it for ${game}.`
    : `Not printed yet. It is kept for ${game}.`;
}

/** What a ticket's change of state sounds like; '' for silence. */
export function soundOf(before, after) {
  if (before === after) return '';
  if (after === 'printed') return 'printed';
  return after === 'unknown' || after === 'unprinted' ? 'refused' : '';
}

export function createSeller(app, view) {
  let busy = false;
  let unsure = false;
  let asking = false;
  let refused = null; // the game the writer said no to
  let pause = 0;
  let states = new Map();
  let waiting = []; // keys of the next ticket, typed while this one is being sold

  function stop(text, kind = 'look') {
    app.notice(text, kind);
    app.sound('refused');
  }

  async function print() {
    if (busy) {
      later('Enter'); // the button has the focus, so Enter comes as a press of it
      return;
    }
    busy = true;
    view.paint();
    let sold = false;
    try {
      sold = (await tryToSell()) === true;
    } finally {
      busy = false;
      view.paint();
      const keys = sold ? waiting : [];
      waiting = [];
      for (const key of keys) view.type(key);
    }
  }

  /** A key while a ticket is being sold belongs to the next one; a bouncing Enter does not. */
  function later(key) {
    if (key.length !== 1 && key !== 'Backspace' && !(key === 'Enter' && waiting.length))
      return key === 'Enter';
    waiting.push(key);
    return true;
  }

  async function tryToSell() {
    if (!app.linked)
      return stop(
        'This page has no station. The ticket is kept; print it when the station is back.',
        'no',
      );
    const answer = await view.settled();
    const { draft, tender } = view;
    const fault = blocked(draft, answer, tender);
    if (fault) return fault();
    if (hasMoved(view.seen, app.state.game) && !(await askToMove(true))) return false;
    if (!app.state.game) return stop(NO_GAME);
    if (unsure && !(await sure())) return false;
    const price = answer.price_cents;
    const settled = settleTender(tender, price);
    const fields = {
      draft: view.wire(),
      game: view.seen?.game ?? app.state.game.game,
      price_cents: price,
      tender: settled.wire,
    };
    try {
      const told = draft.live
        ? await app.ask('rewrite', { ticket: draft.live.ticket, code: draft.live.code, ...fields })
        : await app.ask('sell', fields);
      unsure = false;
      done(told, price, settled, tender);
      return true;
    } catch (no) {
      return refusal(no);
    }
  }

  function blocked(draft, answer, tender) {
    if (isEmpty(draft)) return () => stop('Type the numbers first.');
    if (!app.state?.line.up)
      return () =>
        stop('No line to the server. The ticket is kept; print it when the line is back.', 'no');
    if (!answer) return () => stop('The station has not answered yet. Press Enter once more.');
    if (answer.faults.length) {
      const [first] = answer.faults;
      return () => {
        const field = fieldOf(draft, first.where);
        if (field) view.goTo(field);
        stop(first.message, 'no');
      };
    }
    if (!answer.sellable)
      return () => stop(answer.missing || 'This ticket cannot be sold as it stands.');
    if (answer.changed && draft.origin.kind === 'previous' && !draft.origin.change_confirmed) {
      return () =>
        stop('The patron has to mark the change on the old ticket. Press M when they have.');
    }
    const { fault } = settleTender(tender, answer.price_cents);
    if (fault) return () => stop(fault, 'no');
    if (!app.state.game) return () => stop(NO_GAME);
    return null;
  }

  function done(told, price, settled, tender) {
    const given = tender.given;
    view.finished({ ticket: told.ticket, price, change: settled.change, given });
    const change = settled.change > 0 ? ` Change due ${money(settled.change)}.` : '';
    app.notice(`Ticket ${ticketNumber(told.ticket)} is sold for ${money(price)}.${change}`, 'good');
  }

  function refusal(no) {
    app.sound('refused');
    if (no.code === 'link_lost' || no.code === 'lost') {
      unsure = true;
      app.notice(
        'The line broke while this ticket was sold. Look at the last tickets before you print it again.',
        'no',
      );
      return;
    }
    const field = fieldOf(view.draft, no.where ?? '');
    if (field) view.goTo(field);
    app.notice(no.message, 'no');
    if (no.code === 'game_closed') refused = null;
  }

  function sure() {
    return app.dialog(confirmDialog, {
      title: 'Sell this ticket once more?',
      text: 'It was sent before the line broke, and may have been sold. If it is among the last tickets, it was.',
      yes: 'It is not there: sell it',
      no: 'Leave it',
    });
  }

  // ------------------------------------------------------------ the game closed meanwhile

  async function askToMove(printing) {
    const { seen } = view;
    let { game } = app.state; // the one that is named to the writer
    const follow = () => {
      game = app.state?.game ?? game;
      return moveWords(seen.name, game.name, printing);
    };
    asking = true;
    const yes = await app.dialog(confirmDialog, { ...follow(), follow });
    asking = false;
    if (!yes) {
      refused = game.game;
      return false;
    }
    refused = null;
    view.see({ game: game.game, name: game.name });
    if (hasMoved(view.seen, app.state.game)) return askToMove(printing);
    if (!printing) app.notice(keptWords(view.draft, game.name), 'look');
    return true;
  }

  function offer() {
    clearTimeout(pause);
    const { game } = app.state ?? {};
    if (
      !hasMoved(view.seen, game) ||
      asking ||
      busy ||
      app.dialogOpen ||
      app.view !== 'sell' ||
      refused === game.game
    )
      return;
    askToMove(false);
  }

  return {
    print,
    get busy() {
      return busy;
    },
    later,
    /** A key was pressed: the question waits. */
    typed() {
      clearTimeout(pause);
      if (hasMoved(view.seen, app.state?.game)) pause = setTimeout(offer, PAUSE_MS);
    },
    leave() {
      clearTimeout(pause);
    },
    watch(state) {
      const next = new Map(
        (state?.tickets ?? [])
          .filter((each) => each.ticket !== null)
          .map((each) => [each.ticket, each.state]),
      );
      for (const [ticket, now] of next) {
        const sound = states.size || view.seen ? soundOf(states.get(ticket) ?? 'selling', now) : '';
        if (sound && states.has(ticket)) app.sound(sound);
      }
      states = next;
      if (isEmpty(view.draft)) unsure = false;
      if (!hasMoved(view.seen, state?.game)) return;
      clearTimeout(pause);
      pause = setTimeout(offer, PAUSE_MS);
    },
  };
}
