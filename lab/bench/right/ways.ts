// The ways to give a model something beside the question: what Tidemark finds, the gold lines (the ceiling), or nothing (the floor).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Found, nothingFound, type Passage } from '../../../src/core/prompt/found.ts';
import type { Asked, Gold } from '../find/questions.ts';

/** `former`: what Tidemark found and gave at the commit that is compared with. */
export const ways = ['floor', 'ceiling', 'former', 'ours', 'ours with tools'] as const;
export type Way = (typeof ways)[number];

/** Lines above and below the gold lines. */
const around = 12;

/** The first alternative of the gold lines, as passages. */
export function goldOf({ gold }: Asked, folder: string): Found {
  const [first = []] = gold;
  return first.length === 0 ? nothingFound : { passages: first.map((one) => passageOf(one, folder)), weak: '' };
}

function passageOf(one: Gold, folder: string): Passage {
  const { path } = one;
  if ('entries' in one) return { kind: 'folder', path, why: 'gold', stretches: [{ from: 1, lines: one.entries }] };
  const from = Math.max(1, one.from - around);
  const lines = readFileSync(join(folder, path), 'utf8')
    .split('\n')
    .slice(from - 1, one.to + around);
  return { kind: 'file', path, why: 'gold', stretches: [{ from, lines }] };
}
