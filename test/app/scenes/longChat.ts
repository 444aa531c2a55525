// A long conversation in a chat with compaction on or off, judged from the prompts alone: how often turns went, and how.

import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { stateOf } from './judge.ts';
import { measure } from './measure.ts';
import { openScene, type Scene } from './scene.ts';
import type { Say } from './scriptedModel.ts';

/** A sequence of numbers from 0 to 1 that is the same for the same seed (mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const filler = (length: number) =>
  'the tide comes and goes with the moon over the bay '.repeat(Math.ceil(length / 51)).slice(0, length);

export interface Move {
  readonly turn: number;
  readonly kind: 'trim' | 'compaction';
  /** Tokens the prompt had in the call before, and has now. */
  readonly before: number;
  readonly after: number;
  /** Tokens that came in since the move before this one. */
  readonly grown: number;
}

/** The state's text in a prompt, and the users' messages that are still in it. */
function shape(prompt: Prompt) {
  const users = prompt.messages.flatMap(({ role, segments }) =>
    role === 'user' ? segments.filter(({ layer }) => layer !== 'state').map(({ text }) => text) : [],
  );
  return { state: stateOf(prompt), users, total: measure(prompt).total };
}

export interface LongRun {
  readonly moves: readonly Move[];
  readonly most: number;
  readonly high: number;
  readonly scene: Scene;
}

export async function longChat(turns: number, compacts: boolean, seed: number): Promise<LongRun> {
  const script: Say[] = [];
  const scene = openScene(script, { compacts: true });
  if (!compacts) scene.agent({ switches: { compaction: 'off' } });
  const random = numbers(seed);
  const moves: Move[] = [];
  let [most, grown, last] = [0, 0, shape({ messages: [], tools: [] })];
  for (let turn = 0; turn < turns; turn++) {
    const rounds = Math.floor(random() * 3);
    for (let i = 0; i < rounds; i++)
      script.push({ call: 'echo', arguments: { text: `${turn}.${i} ${filler(random() * 1500)}` } });
    script.push(`Answer ${turn}. ${filler(80 + random() * 500)}`);
    const from = scene.prompts.length;
    await scene.say(
      `Question ${turn}: ${turn % 7 === 3 ? `never touch lane_${turn}. ` : ''}${filler(20 + random() * 200)}`,
    );
    for (const prompt of scene.prompts.slice(from)) {
      const now = shape(prompt);
      most = Math.max(most, now.total);
      const gone = last.users.filter((text) => !now.users.includes(text)).length;
      const kind = now.state !== last.state ? 'compaction' : gone > 0 ? 'trim' : null;
      grown += Math.max(0, now.total - last.total);
      if (kind !== null) {
        moves.push({ turn, kind, before: last.total, after: now.total, grown });
        grown = 0;
      }
      last = now;
    }
  }
  const { high = 0 } = scene.shown().stack?.budget ?? {};
  return { moves, most, high, scene };
}
