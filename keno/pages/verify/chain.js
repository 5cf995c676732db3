// Checks the lines of a proof in order: each genesis, unlock and game, and the links of a game to
// those before it. A file may begin in the middle of a chain; what came before is then unknown.

import { decodeLine, isObject } from './canonical.js';
import { during, must } from './faults.js';
import {
  checkLinks,
  checkSecrets,
  checkSignatures,
  checkVoid,
  endOf,
  readGame,
  secretsOf,
} from './game.js';
import { checkGenesis, lists } from './genesis.js';
import { drawNumbers } from './numbers.js';
import { checkSigned, readMessage, typeOf } from './records.js';

/** @import { Game, Genesis, Unlock } from './types.js' */

/** @type {('commit_w' | 'close' | 'countersign')[]} */
const TIMED = ['commit_w', 'close', 'countersign'];

export class Chain {
  /** The genesis in force. @type {Genesis | null} */
  genesis = null;
  /** The first genesis of the file. @type {Genesis | null} */
  first = null;
  /** Every game read so far, by number. @type {Map<number, Game>} */
  games = new Map();
  /** Steps at which this browser could not check signatures. @type {Set<number>} */
  unchecked = new Set();
  /** The numbers that the game at fault should have had. @type {number[] | null} */
  numbers = null;
  /** The digest that the next game must follow. @type {string | null} */
  head = null;
  #posted;
  #part;
  /** Unlocks of the generator, by digest. @type {Map<string, Unlock>} */
  #unlocks = new Map();
  /** Unlocks whose signers no genesis has listed yet. @type {Unlock[]} */
  #waiting = [];
  /** The last boot number seen of each generator key. @type {Map<string, number>} */
  #boots = new Map();
  /** The last boot number of each generator key that made a seal. @type {Map<string, number>} */
  #used = new Map();
  /** @type {Set<string>} */
  #secrets = new Set();
  /** @type {Set<string>} */
  #draws = new Set();
  #latest = { commit_w: -1, close: -1, countersign: -1 };
  #tickets = 0;
  /** The last two games. @type {Game[]} */
  #recent = [];

  /**
   * @param {{posted?: string, part: boolean}} how the digest of the genesis that was posted, and
   *   whether the file begins in the middle
   */
  constructor({ posted, part }) {
    this.#posted = posted;
    this.#part = part;
  }

  /** The number that the next game must have; null before the first genesis. */
  get next() {
    return this.#last ? this.#last.number + 1 : (this.genesis?.body.first_game ?? null);
  }

  /** The highest boot of the generator's key in force. */
  get boot() {
    return this.#boots.get(this.#inForce.body.keys.R) ?? 0;
  }

  get #inForce() {
    must(this.genesis, 'The first line is not a genesis.');
    return this.genesis;
  }

  /** Check the next line of the file; throws `Fault` if it is wrong. @param {string} line */
  async take(line) {
    const value = await during(this.genesis ? 2 : 1, this.next, () => decodeLine(line));
    if (isObject(value) && Object.hasOwn(value, 'body')) return this.#takeBare(value);
    const genesis = await during(1, null, () => this.#inForce);
    return this.#takeGame(await during(2, this.next, () => readGame(value, genesis)));
  }

  /** Check what can only be known after the last line; throws `Fault`. */
  async end() {
    await during(1, null, () => must(this.genesis, 'There is no genesis.'));
    await during(3, this.next, () =>
      must(!this.#waiting.length, 'An unlock is not by two keyholders of this chain.'),
    );
  }

  /**
   * @param {number} step
   * @param {boolean} checked
   */
  #signed(step, checked) {
    if (!checked) this.unchecked.add(step);
  }

  // ------------------------------------------------------------ genesis and unlocks

  /** @param {Record<string, unknown>} value */
  async #takeBare(value) {
    const type = isObject(value.body) ? value.body.type : undefined;
    if (type === typeOf('genesis')) return during(1, this.next, () => this.#takeGenesis(value));
    await during(this.genesis ? 2 : 1, this.next, () => {
      must(this.#inForce && type === typeOf('unlock'), 'A line has no place here.');
    });
    const unlock = await during(2, this.next, () => readMessage(value, 'unlock'));
    return during(3, this.next, () => this.#takeUnlock(unlock));
  }

  /** @param {unknown} value */
  async #takeGenesis(value) {
    const genesis = await readMessage(value, 'genesis');
    this.#signed(1, await checkGenesis(genesis, this.genesis));
    if (this.genesis) {
      must(
        !this.#last || this.#last.state !== 'open',
        'A new genesis follows a game that is not over.',
      );
      must(genesis.body.prev === this.head, 'A new genesis does not follow the last game.');
      must(
        genesis.body.first_game === this.next,
        'A new genesis does not begin with the next game.',
      );
    } else {
      const posted = this.#posted === undefined || this.#posted === genesis.digest;
      must(posted, `The genesis is ${genesis.digest}, not the one that is posted.`);
      this.first = genesis;
    }
    this.genesis = genesis;
    this.head = genesis.digest;
    this.#waiting = this.#waiting.filter((unlock) => !this.#lists(unlock));
  }

  /** @param {Unlock} unlock */
  async #takeUnlock(unlock) {
    const { key, inspector, supervisor, boot } = unlock.body;
    const signers = {
      [key]: 'the generator',
      [inspector]: 'the inspector',
      [supervisor]: 'the supervisor',
    };
    must(Object.keys(signers).length === 3, 'An unlock names the same key twice.');
    this.#signed(3, await checkSigned(unlock, signers));
    const before = this.#boots.get(key) ?? (this.#part ? boot - 1 : 0);
    must(boot === before + 1, `Unlock ${boot} of the generator does not follow unlock ${before}.`);
    this.#boots.set(key, boot);
    this.#unlocks.set(unlock.digest, unlock);
    if (!this.#lists(unlock)) this.#waiting.push(unlock);
  }

  /** @param {Unlock} unlock */
  #lists({ body }) {
    const genesis = this.#inForce;
    return body.key === genesis.body.keys.R && lists(genesis, body.inspector, body.supervisor);
  }

  // ------------------------------------------------------------ games

  get #last() {
    return this.#recent.at(-1);
  }

  /** @param {Game} game */
  async #takeGame(game) {
    const { number } = game;
    await during(2, this.next, () => this.#checkOrder(game));
    await during(3, number, async () => {
      this.#signed(3, await checkSignatures(game, this.#inForce));
      this.#checkUnlock(game);
    });
    await during(4, number, () => {
      checkLinks(game);
      if (game.made.close)
        must(this.#follows(game.made.close), 'The closing does not follow the game before.');
    });
    await during(5, number, async () => {
      await checkSecrets(game);
      this.#checkSecretsAreNew(game);
    });
    await during(6, number, () => this.#checkTimes(game));
    game.numbers = await this.#numbersOf(game);
    await during(7, number, () => this.#checkNumbers(game));
    await during(5, number, () => this.#checkDrawIsNew(game));
    if (game.state === 'void') {
      await during(8, number, async () => {
        this.#signed(8, await checkVoid(game, this.#inForce));
        must(
          game.made.void && this.#follows(game.made.void),
          'The void does not follow the game before.',
        );
      });
    }
    this.#remember(game);
  }

  /** @param {Game} game */
  #checkOrder({ number, made }) {
    const before = this.#last;
    const begins = !before && this.#part && number >= (this.next ?? 0);
    must(
      begins || number === this.next,
      `Game ${this.next} should stand where game ${number} stands.`,
    );
    if (before?.state !== 'open') return;
    must(
      !made.close && !made.void,
      `Game ${before.number} is not over, but the next one is closed.`,
    );
    const sealed = before.made.commit_w || !made.commit_w;
    must(sealed, `Game ${before.number} has no seal of the witness, but the next one has.`);
  }

  /** @param {Game} game */
  #checkUnlock(game) {
    const unlock = this.#unlocks.get(game.made.commit_r.body.unlock);
    must(unlock, 'The generator was not unlocked: no unlock is here for its seal.');
    must(this.#lists(unlock), 'The generator was not unlocked by two keyholders of this chain.');
    const { key, boot } = unlock.body;
    must(boot >= (this.#used.get(key) ?? 0), 'The generator went back to an earlier unlock.');
    this.#used.set(key, boot);
    game.boot = boot;
  }

  /** @param {{body: {prev: string}}} message */
  #follows({ body }) {
    return body.prev === this.head || (this.#part && !this.#last);
  }

  /** @param {Game} game */
  #checkSecretsAreNew(game) {
    for (const secret of Object.values(secretsOf(game))) {
      if (!secret) continue;
      must(!this.#secrets.has(secret), 'A secret was used before.');
      this.#secrets.add(secret);
    }
  }

  /** @param {Game} game */
  #checkTimes({ made }) {
    const { commit_w: sealed, close, countersign } = made;
    const inTime = !countersign || (sealed && sealed.body.time_ms < countersign.body.time_ms);
    must(inTime, 'The secrets were not sealed before the game closed.');
    for (const name of TIMED) {
      const message = made[name];
      if (!message) continue;
      const time = message.body.time_ms;
      must(
        time > this.#latest[name],
        `${message.title} is not later than that of the game before.`,
      );
      this.#latest[name] = time;
    }
    const [earlier] = this.#recent.length === 2 ? this.#recent : [];
    if (earlier && sealed) {
      const fixed =
        earlier.made.countersign?.body.time_ms ?? (earlier.state === 'open' ? Infinity : -1);
      must(
        sealed.body.time_ms > fixed,
        `Sealed before the numbers of game ${earlier.number} were fixed.`,
      );
    }
    for (const message of [close, made.void]) {
      if (!message) continue;
      must(message.body.last_ticket >= this.#tickets, 'The number of the last ticket falls.');
      this.#tickets = message.body.last_ticket;
    }
  }

  /**
   * The numbers that follow from a game's secrets; null if a secret or the countersigned close is
   * missing.
   * @param {Game} game
   */
  async #numbersOf(game) {
    const { close, countersign } = game.made;
    const { r, w } = secretsOf(game);
    if (!countersign || !close || !r || !w) return null;
    return drawNumbers(this.#inForce, game.number, r, w, close.digest);
  }

  /** @param {Game} game */
  #checkNumbers({ made, numbers }) {
    const shown = made.result?.body.numbers;
    if (!shown) return;
    this.numbers = numbers;
    const same = numbers?.every((each, at) => each === shown[at]);
    must(same, `The secrets give ${numbers?.join(' ')}, not the numbers that were shown.`);
  }

  /** @param {Game} game */
  #checkDrawIsNew({ numbers }) {
    if (!numbers) return;
    const draw = numbers.join(' ');
    must(!this.#draws.has(draw), 'The same numbers in the same order came before.');
    this.#draws.add(draw);
  }

  /** @param {Game} game */
  #remember(game) {
    this.games.set(game.number, game);
    this.head = endOf(game)?.digest ?? this.head;
    this.#recent = [...this.#recent, game].slice(-2);
  }
}
