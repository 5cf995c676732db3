// Sells the draft: asks the writer if its game closed meanwhile, sends the request, and plays the
// sound of the print.

import { refusedBy } from './link.js';
import { supervisorDialog } from './dialogs/supervisor.js';
import { owedWords } from './hand-over.js';
import { confirmDialog } from './sell-ask.js';
import { fieldOf, isEmpty } from './sell-draft.js';
import { settleTender } from './sell-tender.js';
import {
  NO_GAME,
  NO_STATION,
  hasMoved,
  keptWords,
  moveWords,
  obstacle,
  soldNotice,
  soundOf,
} from './sell-words.js';

/**
 * @import { Refused } from '../../keno/pages/shared/ask.js'
 * @import { Second } from '../../keno/pages/shared/protocol.js'
 * @import { SellView } from './sell.js'
 * @import { Tender } from './sell-tender.js'
 * @import { App, NoticeKind, SoldAnswer, StationState } from './types.js'
 * @typedef {{game: number, price: number, tender: Tender, inCash?: boolean,
 *   second?: Second | null}} Offer a sale as the writer saw it; `inCash`: what is handed back for a
 *   rewritten ticket is all cash
 */

/** Milliseconds without a key before a typing writer is asked about a closed game. */
const PAUSE_MS = 1_200;

export class Seller {
  #app;
  #view;
  #busy = false;
  /** Whether the draft was sent, the answer was lost, and it may have been sold. */
  #unsure = false;
  #asking = false;
  /** The open game for which the writer declined to sell the draft. @type {number | null} */
  #refused = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pause;
  /** States of the last tickets by number. @type {Map<number, string>} */
  #states = new Map();
  /** Keys of the next ticket, typed while this one is being sold. @type {string[]} */
  #waiting = [];

  /**
   * @param {App} app
   * @param {SellView} view
   */
  constructor(app, view) {
    this.#app = app;
    this.#view = view;
  }

  get busy() {
    return this.#busy;
  }

  async print() {
    if (this.#busy) {
      this.later('Enter'); // the button has the focus, so Enter comes as a press of it
      return;
    }
    this.#busy = true;
    this.#view.paint();
    let sold = false;
    try {
      sold = await this.#tryToSell();
    } finally {
      this.#busy = false;
      this.#view.paint();
      const keys = sold ? this.#waiting : [];
      this.#waiting = [];
      this.#app.typeAhead(keys);
    }
  }

  /**
   * Queue a key for the next draft while a ticket is being sold; an Enter with nothing queued is
   * dropped. Returns whether the key was taken.
   * @param {string} key
   */
  later(key) {
    if (key.length !== 1 && key !== 'Backspace' && !(key === 'Enter' && this.#waiting.length))
      return key === 'Enter';
    this.#waiting.push(key);
    return true;
  }

  /** Postpone the question about a closed game, because a key was pressed. */
  typed() {
    clearTimeout(this.#pause);
    if (hasMoved(this.#view.seen, this.#app.state?.game)) this.#offerLater();
  }

  leave() {
    clearTimeout(this.#pause);
  }

  /**
   * Follow a new state: play sounds for tickets that changed, and ask if the game closed.
   * @param {StationState | null} state
   */
  watch(state) {
    /** @type {Map<number, string>} */
    const next = new Map();
    for (const { ticket, state: now } of state?.tickets ?? [])
      if (ticket !== null) next.set(ticket, now);
    for (const [ticket, now] of next) {
      const before = this.#states.get(ticket);
      const sound = before === undefined ? '' : soundOf(before, now);
      if (sound) this.#app.sound(sound);
    }
    this.#states = next;
    if (isEmpty(this.#view.draft)) this.#unsure = false;
    if (!hasMoved(this.#view.seen, state?.game)) return;
    clearTimeout(this.#pause);
    this.#offerLater();
  }

  // ------------------------------------------------------------ the sale

  /** Sell the draft if nothing prevents it; returns whether it was sold. */
  async #tryToSell() {
    if (!this.#app.linked) return this.#stop(NO_STATION, 'no');
    const answer = await this.#view.settled();
    const { draft, tender } = this.#view;
    const blocked = obstacle(draft, answer, tender, this.#app.state);
    if (blocked?.field) this.#view.goTo(blocked.field);
    if (blocked) return this.#stop(blocked.words, blocked.kind);
    if (hasMoved(this.#view.seen, this.#app.state?.game) && !(await this.#askToMove(true)))
      return false;
    const game = this.#app.state?.game;
    if (!game) return this.#stop(NO_GAME);
    if (this.#unsure && !(await this.#askOnceMore())) return false;
    const seen = this.#view.seen?.game ?? game.game;
    const { inCash = false } = tender;
    return this.#sell({ game: seen, price: answer?.price_cents ?? 0, tender, inCash });
  }

  /**
   * Sell the draft; where the house wants a supervisor, or has no chips to hand back, ask.
   * @param {Offer} offer
   * @returns {Promise<boolean>}
   */
  async #sell(offer) {
    try {
      this.#sold(await this.#send(offer), offer);
      return true;
    } catch (error) {
      const refused = refusedBy(error);
      if (refused.code === 'authorisation_needed') return this.#sellWithSecond(offer, refused);
      if (refused.code === 'not_in_drawer' && !offer.inCash && (await this.#askForCash(refused)))
        return this.#sell({ ...offer, inCash: true });
      if (refused.code !== 'not_in_drawer' || offer.inCash) this.#refuse(refused);
      return false;
    }
  }

  /**
   * Sell with the supervisor whom large change for chips needs.
   * @param {Offer} offer
   * @param {Refused} refused
   */
  async #sellWithSecond(offer, { message }) {
    this.#app.sound('refused');
    const answer = await this.#app.dialog(supervisorDialog, {
      title: 'A supervisor for the change',
      text: message,
      act: 'Approve and sell',
      send: (second) => this.#send({ ...offer, second }),
    });
    if (answer) this.#sold(answer, offer);
    return Boolean(answer);
  }

  /**
   * Send the sale, or the rewrite of a live ticket, to the station.
   * @param {Offer} offer
   * @returns {Promise<SoldAnswer>}
   */
  #send({ game, price, tender, inCash = false, second = null }) {
    const { live } = this.#view.draft;
    const { wire } = settleTender(tender, price, live?.paid);
    const sale = { draft: this.#view.wire(), game, price_cents: price, tender: wire, second };
    if (!live) return this.#app.ask('sell', sale);
    const { ticket, code } = live;
    return this.#app.ask('rewrite', { ticket, code, in_cash: inCash, ...sale });
  }

  /**
   * @param {SoldAnswer} answer
   * @param {Offer} offer
   */
  #sold({ ticket, change_cents: change, net = null, owed_cents: owed = 0 }, { price, tender }) {
    const { received } = settleTender(tender, price, this.#view.draft.live?.paid);
    this.#unsure = false;
    this.#view.finished({ ticket, price, change, received, net });
    const words = soldNotice({ ticket, price, change, net });
    this.#app.notice(owed ? `${words} ${owedWords(owed)}` : words, 'good');
  }

  /** @param {Refused} refused */
  #askForCash({ message }) {
    this.#app.sound('refused');
    return this.#app.dialog(confirmDialog, {
      title: message,
      text: 'Cash in its place is recorded. Or have the drawer filled first.',
      yes: 'Give cash instead',
      no: 'Leave it',
    });
  }

  /** @param {Refused} refused */
  #refuse({ code, message, where }) {
    this.#app.sound('refused');
    if (code === 'link_lost' || code === 'lost') {
      this.#unsure = true;
      this.#app.notice(
        'The line broke while this ticket was sold. ' +
          'Look at the last tickets before you print it again.',
        'no',
      );
      return;
    }
    const field = fieldOf(this.#view.draft, where);
    if (field) this.#view.goTo(field);
    if (where === 'tender') this.#view.refuseTender(message);
    this.#app.notice(message, 'no');
    if (code === 'game_closed') this.#refused = null;
  }

  /**
   * @param {string} words
   * @param {NoticeKind} [kind]
   */
  #stop(words, kind = 'look') {
    this.#app.notice(words, kind);
    this.#app.sound('refused');
    return false;
  }

  #askOnceMore() {
    return this.#app.dialog(confirmDialog, {
      title: 'Sell this ticket once more?',
      text:
        'It was sent before the line broke, and may have been sold. ' +
        'If it is among the last tickets, it was.',
      yes: 'It is not there: sell it',
      no: 'Leave it',
    });
  }

  // ------------------------------------------------------------ the game closed meanwhile

  /**
   * Ask the writer whether to sell for the game that is open now; returns the answer.
   * @param {boolean} printing
   * @returns {Promise<boolean>}
   */
  async #askToMove(printing) {
    const { seen } = this.#view;
    const { game } = this.#app.state ?? {};
    if (!seen || !game) return false;
    let named = game; // the game that the question to the writer names
    const follow = () => {
      named = this.#app.state?.game ?? named;
      return moveWords(seen.name, named.name, printing);
    };
    this.#asking = true;
    const yes = await this.#app.dialog(confirmDialog, { ...follow(), follow });
    this.#asking = false;
    if (!yes) {
      this.#refused = named.game;
      return false;
    }
    this.#refused = null;
    this.#view.see({ game: named.game, name: named.name });
    if (hasMoved(this.#view.seen, this.#app.state?.game)) return this.#askToMove(printing);
    if (!printing) this.#app.notice(keptWords(this.#view.draft, named.name), 'look');
    return true;
  }

  #offerLater() {
    this.#pause = setTimeout(() => this.#offer(), PAUSE_MS);
  }

  #offer() {
    clearTimeout(this.#pause);
    const game = this.#app.state?.game;
    const wanted = hasMoved(this.#view.seen, game) && this.#refused !== game?.game;
    const free = !this.#asking && !this.#busy && !this.#app.dialogOpen;
    if (wanted && free && this.#app.view === 'sell') this.#askToMove(false);
  }
}
