// One ranking of two: by words, and by meaning where vectors are. Which of them leads depends on what the question names.
import type { Question } from './question.ts';
import { type Candidate, priorOf } from './score.ts';
import type { Near } from './vectors.ts';
import { weights } from './weights.ts';

export interface Ranked {
  readonly candidate: Candidate;
  readonly score: number;
  /** 0 to 1: how near it is among those that are near; 0 without vectors. */
  readonly near: number;
}

export function fuse(candidates: readonly Candidate[], near: readonly Near[], question: Question): readonly Ranked[] {
  const best = Math.max(...candidates.map(({ lexical }) => lexical), 1e-6);
  const top = near[0]?.cosine ?? 1;
  const floor = near.at(-1)?.cosine ?? 0;
  const nearness = new Map(near.map(({ id, cosine }) => [id, (cosine - floor) / Math.max(top - floor, 1e-6)]));
  const names = candidates.some(({ declares }) =>
    declares.some((name) => question.names.get(name.toLowerCase())?.sure === true),
  );
  const share = near.length === 0 ? 0 : names ? weights.shareNamed : weights.shareUnnamed;
  return candidates
    .map((candidate) => {
      const meant = (nearness.get(candidate.id) ?? 0) * priorOf(candidate.path, question);
      const score = (1 - share) * (candidate.lexical / best) + share * meant;
      return { candidate, score, near: nearness.get(candidate.id) ?? 0 };
    })
    .filter(({ score }) => score > 0)
    .toSorted((one, two) => two.score - one.score || one.candidate.id - two.candidate.id);
}
