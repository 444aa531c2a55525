// The sentences that a summary is judged by: some bind, some do not, some ask or tell what others said; written by somebody who knew no rule. The
// second half is read by this bench alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../test/harness/program.ts';

export type Half = 'seen' | 'unseen';

export interface Sentence {
  readonly language: string;
  readonly text: string;
}

export interface Sentences {
  readonly obligations: readonly Sentence[];
  readonly harmless: readonly Sentence[];
  readonly asked: readonly Sentence[];
}

export interface Fact {
  readonly half: Half;
  readonly fact: string;
  readonly question: string;
  /** A pattern that a right answer fits. */
  readonly key: string;
}

const read = <T>(path: string): T => JSON.parse(readFileSync(join(projectRoot, path), 'utf8')) as T;

export const sentencesOf = (half: Half) => read<Sentences>(`test/fixtures/obligations/${half}.json`);

export const factsOf = (half: Half) =>
  read<readonly Fact[]>('lab/bench/summary/facts.json').filter((one) => one.half === half);

/** The same order for the same seed. */
export function shuffled<T>(list: readonly T[], random: () => number): readonly T[] {
  return list
    .map((one) => [random(), one] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, one]) => one);
}
