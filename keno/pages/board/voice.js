// Tones and spoken calls, both off until asked for: by ?sound=1 and ?voice=1 or the keys S and V.
// What is heard is always also seen.

import { Sounds } from '../shared/sounds.js';

const VOICE_MS = 300;

/** What is said aloud of a change, or nothing: `{sound, words}`. Pure. */
export function heard(before, after, effect, now = 0) {
  if (!before.connected || before.location !== after.location) return null;
  if (effect === 'ball') return { sound: 'ball', words: String(after.drawing.balls.at(-1)) };
  const closing =
    after.open?.closing && !(before.open?.closing && before.open.game === after.open.game);
  if (closing) {
    const minute = Math.abs(after.open.closes_at - now - 60_000) < 5_000;
    return {
      sound: 'minute',
      words: `Game ${spelled(after.open.name)} ${minute ? 'closes in one minute' : 'is closing'}`,
    };
  }
  const locked =
    after.drawing &&
    after.drawing.balls.length === 0 &&
    before.drawing?.game !== after.drawing.game;
  return locked ? { sound: 'lockout', words: '' } : null;
}

function spelled(name) {
  return name.replace('-', ' ');
}

export class Voice {
  #sounds;
  #sound;
  #speak;

  constructor({ sound, voice }) {
    this.#sound = sound;
    this.#speak = voice;
    this.#sounds = new Sounds(sound);
    this.#sounds.wake();
  }

  /** A browser lets no page sound before somebody touched it. */
  wake() {
    this.#sounds.wake();
  }

  /** A key was pressed; says what it did, for the screen. */
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

  /** @param {{sound: string, words: string}|null} call */
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
