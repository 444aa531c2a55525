// Keys as people type them: the time between two keys is 238 ms in the mean (136 million keys of 168,000 people, Dhakal et al., CHI 2018),
// log-normal, longer in front of a word. A fixed seed gives each question the same keys every time.
import { createHash } from 'node:crypto';

/** Milliseconds. */
const mean = 238;
const spread = 0.55;
/** How much longer the first key of a word takes, and the first of a sentence. */
const ofWord = 1.35;
const ofSentence = 2.5;

/** The milliseconds before each character of a text. */
export function keysOf(text: string): readonly number[] {
  const random = randomFrom(text);
  const base = mean / Math.exp(spread ** 2 / 2) / 1.07;
  return [...text].map((_, at) => {
    const before = text[at - 1] ?? ' ';
    const factor = /[.,:;!?-]/.test(text[at - 2] ?? '') ? ofSentence : before === ' ' ? ofWord : 1;
    return base * factor * Math.exp(spread * normal(random));
  });
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function randomFrom(seed: string): () => number {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
