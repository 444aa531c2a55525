// One ranking of two: by words, and by meaning where vectors are. Which of them leads depends on what the question names.
import { wordOf } from '../text/words.ts';
import type { Question } from './question.ts';
import { type Candidate, priorOf } from './score.ts';
import type { Near } from './vectors.ts';
import { weights } from './weights.ts';

export interface Ranked {
  readonly candidate: Candidate;
  readonly score: number;
  /** 0 to 1: how near it is among those that are near; 0 without vectors. */
  readonly meant: number;
}

/** What weighs besides the words. */
export interface Around {
  readonly byMeaning: readonly Near[];
  /** Paths of files that are open or were changed lately. */
  readonly near?: readonly string[];
  /** Paths of files that the turn before was about. */
  readonly last?: readonly string[];
}

export function fuse(candidates: readonly Candidate[], around: Around, question: Question): readonly Ranked[] {
  const { byMeaning, near = [], last = [] } = around;
  const best = Math.max(...candidates.map(({ lexical }) => lexical), 1e-6);
  const top = byMeaning[0]?.cosine ?? 1;
  const floor = byMeaning.at(-1)?.cosine ?? 0;
  const nearness = new Map(byMeaning.map(({ id, cosine }) => [id, (cosine - floor) / Math.max(top - floor, 1e-6)]));
  const share = byMeaning.length === 0 ? 0 : names(candidates, question) ? weights.shareNamed : weights.shareUnnamed;
  const scored = candidates.map((candidate) => {
    const { path, lexical, id } = candidate;
    const meant = (nearness.get(id) ?? 0) ** weights.sharpness;
    const place = (near.includes(path) ? weights.open : 1) * (last.includes(path) ? weights.last : 1);
    const both = (1 - share) * (lexical / best) + share * meant * priorOf(path, question);
    return { candidate, score: both * place, meant };
  });
  const files = byFile(scored);
  return scored
    .map((one) => ({ ...one, score: one.score + weights.file * (files.get(one.candidate.path) ?? 0) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, two) => two.score - one.score || one.candidate.id - two.candidate.id)
    .filter(({ score }, _, all) => score >= weights.least * (all[0]?.score ?? 0));
}

/** By path: the mean of a file's three best, where it has so many. */
function byFile(ranked: readonly Ranked[]): ReadonlyMap<string, number> {
  const files = new Map<string, number[]>();
  for (const { candidate, score } of ranked) files.set(candidate.path, [...(files.get(candidate.path) ?? []), score]);
  return new Map(
    [...files].map(([path, scores]) => {
      const best = scores.toSorted((one, two) => two - one).slice(0, 3);
      return [path, best.reduce((sum, score) => sum + score, 0) / 3];
    }),
  );
}

/** Whether the question names something that the folder declares. */
function names(candidates: readonly Candidate[], { names: asked }: Question): boolean {
  return candidates.some(({ declares }) => declares.some((name) => asked.get(wordOf(name).whole)?.sure === true));
}
