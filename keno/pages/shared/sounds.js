// Plays the sounds of the pages by Web Audio; there are no sound files. Whatever is heard is also
// shown on the page. `TONES` is data and is tested; `Sounds` plays it.

const G3 = 196;
const A4 = 440;
const C5 = 523.25;
const E5 = 659.25;
const G5 = 783.99;
const A5 = 880;

/** The tones of each sound: start (ms), pitch (Hz), duration (ms), volume (0 to 1), wave form. */
export const TONES = Object.freeze({
  ball: [tone(0, A4, 90, 0.2), tone(90, E5, 90, 0.2)],
  minute: [tone(0, C5, 160, 0.22), tone(160, E5, 160, 0.22), tone(320, G5, 260, 0.22)],
  lockout: [tone(0, G3, 1400, 0.4), tone(0, G3 * 2.76, 500, 0.08)],
  printed: [tone(0, 1800, 18, 0.14, 'triangle')],
  refused: [tone(0, 130, 80, 0.4, 'triangle'), tone(150, 110, 100, 0.4, 'triangle')],
  award: [tone(0, A4, 120, 0.22), tone(120, C5, 120, 0.22), tone(240, E5, 260, 0.22)],
  low: [tone(0, 900, 25, 0.16, 'triangle'), tone(140, 900, 25, 0.16, 'triangle')],
  waiting: [tone(0, E5, 140, 0.2), tone(140, A5, 220, 0.2)],
});

/** @typedef {ReturnType<typeof tone>} Tone */
/** @typedef {keyof typeof TONES} SoundName */

/**
 * @param {number} at
 * @param {number} pitch
 * @param {number} ms
 * @param {number} loud
 * @param {OscillatorType} [wave]
 */
function tone(at, pitch, ms, loud, wave = 'sine') {
  return Object.freeze({ at, pitch, ms, loud, wave });
}

export class Sounds {
  /** @type {AudioContext | null} */
  #context = null;
  #on;

  /** @param {boolean} [on] phones begin silent */
  constructor(on = true) {
    this.#on = on;
  }

  /** Allow sound; call it on a key or touch, before which browsers play none. */
  wake() {
    if (!this.#on || !globalThis.AudioContext) return;
    this.#context ??= new AudioContext();
    if (this.#context.state === 'suspended') this.#context.resume().catch(() => {});
  }

  /** @param {boolean} on */
  turn(on) {
    this.#on = on;
  }

  /** @param {SoundName} name */
  play(name) {
    const context = this.#context;
    if (!this.#on || !context || context.state !== 'running') return;
    for (const each of TONES[name] ?? []) strike(context, each);
  }
}

/**
 * @param {AudioContext} context
 * @param {Tone} tone
 */
function strike(context, { at, pitch, ms, loud, wave }) {
  const start = context.currentTime + at / 1000;
  const end = start + ms / 1000;
  const oscillator = new OscillatorNode(context, { type: wave, frequency: pitch });
  const level = new GainNode(context, { gain: 0 });
  level.gain.setValueAtTime(0, start);
  level.gain.linearRampToValueAtTime(loud, start + Math.min(0.012, ms / 4000));
  level.gain.exponentialRampToValueAtTime(0.0008, end);
  oscillator.connect(level).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(end + 0.02);
}
