// Sounds and spoken calls, both off unless ?sound=1 and ?voice=1 or the keys S and V turn them on.
// Whatever is heard is also shown.

import { Sounds } from '../shared/sounds.js';

/**
 * @import { SoundName } from '../shared/sounds.js'
 * @import { Effect, Model } from './model.js'
 */

/** @typedef {{sound: SoundName, words: string}} Call */

const VOICE_MS = 300;

/**
 * The sound and the spoken words for a change of the model; null for none. Pure.
 * @param {Model} before
 * @param {Model} after
 * @param {Effect} effect
 * @param {number} now
 * @returns {Call | null}
 */
export function heard(before, after, effect, now) {
  if (!before.connected || before.location !== after.location) return null;
  if (effect === 'ball') return { sound: 'ball', words: String(after.drawing?.balls.at(-1)) };
  const { open } = after;
  if (open?.closing && !(before.open?.closing && before.open.game === open.game)) {
    const minute = open.closes_at !== null && Math.abs(open.closes_at - now - 60_000) < 5_000;
    return {
      sound: 'minute',
      words: `Game ${spelled(open.name)} ${minute ? 'closes in one minute' : 'is closing'}`,
    };
  }
  const locked = after.drawing?.balls.length === 0 && before.drawing?.game !== after.drawing.game;
  return locked ? { sound: 'lockout', words: '' } : null;
}

/** @param {string} name */
function spelled(name) {
  return name.replace('-', ' ');
}

export class Voice {
  #sounds;
  #sound;
  #speak;

  /** @param {{sound: boolean, voice: boolean}} wish */
  constructor({ sound, voice }) {
    this.#sound = sound;
    this.#speak = voice;
    this.#sounds = new Sounds(sound);
    this.#sounds.wake();
  }

  /** Allow sound; call it on a touch or key, before which browsers play none. */
  wake() {
    this.#sounds.wake();
  }

  /** Handle a key; returns words for what it did, null for other keys. @param {string} name */
  key(name) {
    if (name === 's') {
      this.#sound = !this.#sound;
      this.#sounds.turn(this.#sound);
      this.#sounds.wake();
      return this.#sound ? 'Sound on' : 'Sound off';
    }
    if (name === 'v') {
      this.#speak = !this.#speak;
      if (!this.#speak) globalThis.speechSynthesis?.cancel();
      return this.#speak ? 'Voice on' : 'Voice off';
    }
    return null;
  }

  /** @param {Call | null} call */
  call(call) {
    if (!call) return;
    this.#sounds.play(call.sound);
    if (!this.#speak || !call.words || !globalThis.speechSynthesis) return;
    setTimeout(() => {
      speechSynthesis.cancel(); // a late voice would call a ball that is not the newest
      const words = new SpeechSynthesisUtterance(call.words);
      words.lang = 'en-US';
      speechSynthesis.speak(words);
    }, VOICE_MS);
  }
}
