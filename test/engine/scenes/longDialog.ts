// A dialog of many turns with tool results, as long as a test wants it, and edits of it as the product makes them.
import fc from 'fast-check';
import type { Message, Prompt, Segment } from '../../../src/core/prompt/prompt.ts';
import { words } from './engineUnderTest.ts';

export interface Options {
  /** Turns, and the first one. */
  readonly turns: number;
  readonly from?: number;
  /** Results of turns before this one are cleared. */
  readonly cleared?: number;
  readonly last?: string;
  readonly system?: string;
}

/** A question, a result of 110 words and an answer in each turn, then the last message. */
export function dialog({ turns, from = 0, cleared = 0, last = 'Why?', system = words(120) }: Options): Prompt {
  const segment = (item: string | null, text: string, part: Segment['part'] = 'text'): Segment => ({
    layer: item === null ? 'system' : 'history',
    item,
    part,
    text,
  });
  const turn = (n: number): readonly Message[] => [
    { role: 'user', segments: [segment(`u${n}`, `Question ${n}? ${words(10, n)}`)] },
    {
      role: 'tool',
      call: { id: 'call00001', tool: 'probe' },
      segments: [
        segment(`r${n}`, `${n} lines:`, 'stub'),
        ...(n < cleared ? [] : [segment(`r${n}`, words(110, n + 1), 'body')]),
      ],
    },
    { role: 'assistant', segments: [segment(`a${n}`, words(30, n + 2))] },
  ];
  const shown = Array.from({ length: turns - from }, (_, i) => turn(from + i)).flat();
  const head: Message = { role: 'system', segments: [segment(null, system)] };
  return { messages: [head, ...shown, { role: 'user', segments: [segment('last', last)] }], tools: [] };
}

export const edits = fc.record({
  turns: fc.integer({ min: 1, max: 6 }),
  from: fc.nat(3),
  cleared: fc.nat(6),
  last: fc.constantFrom('Why?', 'What else?', words(60, 3)),
  reuse: fc.constantFrom('auto', 'exact', 'shift'),
  maxTokens: fc.constantFrom(1, 6, 30),
} as const);
