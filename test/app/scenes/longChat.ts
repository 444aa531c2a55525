// A long conversation in a chat with compaction on or off, judged from the prompts alone: how often turns went, and how.

import { extract } from '../../../src/core/compaction/extract.ts';
import { sections } from '../../../src/core/compaction/summary.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { measure } from './measure.ts';
import { openChat } from './openChat.ts';
import { modelInfo, type Say } from './scriptedModel.ts';

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
  readonly kind: 'trim' | 'fold';
  /** Tokens the prompt had in the call before, and has now. */
  readonly before: number;
  readonly after: number;
  /** Tokens that came in since the move before this one. */
  readonly grown: number;
}

/** The state's text in a prompt, and the users' messages that are still in it. */
function shape(prompt: Prompt) {
  const segments = prompt.messages.flatMap((message) =>
    message.segments.map((segment) => ({ ...segment, role: message.role })),
  );
  const state = segments
    .filter(({ layer }) => layer === 'state')
    .map(({ text }) => text)
    .join('');
  const users = segments.filter(({ role, layer }) => role === 'user' && layer !== 'state').map(({ text }) => text);
  return { state, users, total: measure(prompt).total };
}

/** A summariser that does its work: it writes what its sources say, each with its number. */
export function goodSummary(prompt: Prompt): string {
  const asked = prompt.messages.at(-1)?.segments[0]?.text ?? '';
  const listed = [...asked.matchAll(/^(\d+) (?:User: (.*)|([A-Z][a-z ]+): (.*))$/gm)];
  const texts = prompt.messages.flatMap(({ role, segments }) =>
    role === 'user' ? segments.map(({ text }) => text.replace(/^Date: [\d-]+\.\n\n/, '')) : [],
  );
  const entries = listed.flatMap(([, number, user, name, words]) => {
    if (user === undefined && name !== undefined) {
      const section = sections.find((one) => one.toLowerCase() === name.toLowerCase().replace(' ', ''));
      return section === undefined ? [] : [{ section, text: words ?? '', sources: [Number(number)] }];
    }
    const whole = texts.find((text) => text.startsWith((user ?? '').replace(/…$/, ''))) ?? user ?? '';
    const found = extract([{ origin: 'user', id: 'x', parent: null, text: whole }]);
    return found.map(({ section, text }) => ({ section, text: text.slice(0, 200), sources: [Number(number)] }));
  });
  const of = (section: string) =>
    entries.filter((entry) => entry.section === section).map(({ text, sources }) => ({ text, sources }));
  return JSON.stringify(Object.fromEntries(sections.map((section) => [section, of(section)])));
}

export interface LongRun {
  readonly moves: readonly Move[];
  readonly most: number;
  readonly high: number;
  readonly prompts: number;
  readonly chat: ReturnType<typeof openChat>['chat'];
}

export async function longChat(options: {
  readonly turns: number;
  readonly folds: boolean;
  readonly seed: number;
  readonly window?: number;
  readonly summarise?: (prompt: Prompt) => string;
}): Promise<LongRun> {
  const script: Say[] = [];
  const opened = openChat(script);
  const { chat, engine, settings } = opened;
  const contextSize = options.window ?? 4096;
  engine.info = { ...modelInfo, contextSize, trainContext: contextSize };
  engine.summarise = options.summarise ?? goodSummary;
  settings.agent = {
    ...settings.agent,
    policy: { ...settings.agent.policy, reserve: 1024 },
    switches: { ...settings.agent.switches, compaction: options.folds ? 'on' : 'off' },
  };
  const random = numbers(options.seed);
  const moves: Move[] = [];
  let [most, grown, last] = [0, 0, shape({ messages: [], tools: [] })];
  for (let turn = 0; turn < options.turns; turn++) {
    const rounds = Math.floor(random() * 3);
    for (let i = 0; i < rounds; i++)
      script.push({ call: 'echo', arguments: { text: `${turn}.${i} ${filler(random() * 1500)}` } });
    script.push(`Answer ${turn}. ${filler(80 + random() * 500)}`);
    const from = engine.prompts.length;
    await chat.send(
      `Question ${turn}: ${turn % 7 === 3 ? `never touch lane_${turn}. ` : ''}${filler(20 + random() * 200)}`,
    );
    for (const prompt of engine.prompts.slice(from)) {
      const now = shape(prompt);
      most = Math.max(most, now.total);
      const gone = last.users.filter((text) => !now.users.includes(text)).length;
      const kind = now.state !== last.state ? 'fold' : gone > 0 ? 'trim' : null;
      grown += Math.max(0, now.total - last.total);
      if (kind !== null) {
        moves.push({ turn, kind, before: last.total, after: now.total, grown });
        grown = 0;
      }
      last = now;
    }
  }
  const { high = 0 } = chat.snapshot.stack?.budget ?? {};
  return { moves, most, high, prompts: engine.prompts.length, chat };
}
