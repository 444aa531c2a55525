// Merges two rankings of the parts of passages, by words and by meaning. Which of them leads depends on what the question names.
import { type Part, partsOf } from '../cut/parts.ts';
import { wordOf } from '../text/words.ts';
import type { Question } from './question.ts';
import { type Candidate, priorOf } from './score.ts';
import type { Near, PartsNear } from './vectors.ts';
import { weights } from './weights.ts';

export interface Ranked {
  readonly candidate: Candidate;
  /** The lines of the candidate that the score is about. */
  readonly part: Part;
  readonly score: number;
  /** How near the part is among those that are near, from 0 to 1; 0 without vectors. */
  readonly meant: number;
}

/** Everything but the words that adds to a score. */
export interface Around {
  readonly passages: readonly Near[];
  readonly parts: PartsNear;
  /** Paths of files that are open or were changed lately. */
  readonly near: readonly string[];
  /** Paths of files that the turn before was about. */
  readonly last: readonly string[];
}

/** A candidate with what it is cut into. */
interface Parted {
  readonly candidate: Candidate;
  readonly parts: readonly Part[];
}

export function fuse(candidates: readonly Candidate[], around: Around, question: Question): readonly Ranked[] {
  const { near, last } = around;
  const best = Math.max(...candidates.map(({ lexical }) => lexical), 1e-6);
  const parted = candidates.map((candidate) => ({ candidate, parts: partsOf(candidate.lines, candidate.from) }));
  const meaning = meaningOf(parted, around);
  const named = names(candidates, question);
  const share = around.passages.length === 0 ? 0 : named ? weights.shareNamed : weights.shareUnnamed;
  const scored = parted.flatMap(({ candidate, parts }) => {
    const { path, lexical } = candidate;
    const prior = priorOf(path, question);
    const place = (near.includes(path) ? weights.open : 1) * (last.includes(path) ? weights.last : 1);
    const words = wordsOf(candidate, parts);
    return parts.map((part, at) => {
      const meant = meaning(candidate, at);
      const byWords = (lexical / best) * (1 - weights.partWords + weights.partWords * (words[at] ?? 0));
      return { candidate, part, meant, score: place * ((1 - share) * byWords + share * meant * prior) };
    });
  });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.candidate.id - b.candidate.id || a.part.from - b.part.from)
    .filter(({ score }, _, all) => score >= (named ? weights.leastNamed : weights.least) * (all[0]?.score ?? 0));
}

/** Returns, part by part, how much of the question its lines contain, as a share of the part that contains the most. */
function wordsOf({ lineScores, from }: Candidate, parts: readonly Part[]): readonly number[] {
  const sums = parts.map((part) =>
    lineScores.slice(part.from - from, part.to - from + 1).reduce((sum, score) => sum + score, 0),
  );
  const most = Math.max(...sums, 1e-6);
  return sums.map((sum) => sum / most);
}

/** How near a part is, from its own vector and the one of its passage: 0 for the farthest of those that are looked at. */
function meaningOf(parted: readonly Parted[], { passages, parts: ofParts }: Around) {
  const near = new Map(passages.map(({ id, cosine }) => [id, cosine]));
  const nearness = scaled([...near.values()]);
  const cosineOf = ({ id }: Candidate, at: number) => ofParts.get(id)?.[at] ?? near.get(id) ?? 0;
  const cosines = parted.flatMap(({ candidate, parts }) => parts.map((_, at) => cosineOf(candidate, at)));
  const partNearness = scaled(cosines.toSorted((a, b) => b - a).slice(0, weights.partsNear));
  return (candidate: Candidate, at: number): number =>
    weights.partMeant * partNearness(cosineOf(candidate, at)) +
    (1 - weights.partMeant) * nearness(near.get(candidate.id) ?? 0);
}

/** From 0 at the smallest of some cosines to 1 at the largest. */
function scaled(cosines: readonly number[]): (cosine: number) => number {
  const top = Math.max(...cosines, 1e-6);
  const floor = Math.min(...cosines, top);
  return (cosine) => (Math.max(0, cosine - floor) / Math.max(top - floor, 1e-6)) ** weights.sharpness;
}

/** Whether the question names something that the folder declares. */
function names(candidates: readonly Candidate[], { names: asked }: Question): boolean {
  return candidates.some(({ declares }) => declares.some(({ name }) => asked.get(wordOf(name).whole)?.sure === true));
}
