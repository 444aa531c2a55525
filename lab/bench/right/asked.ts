// The questions that `bench -- right` asks: a fixed, stratified part of one half, in an order that lets the head be reused.
import { createHash } from 'node:crypto';
import { type Asked, type Kind, kinds, questionsOf } from '../find/questions.ts';

/** Numbers are chosen on the seen half; the unseen one is asked once they are. */
export type Half = 'seen' | 'unseen';

/** Each kind has as many as its share of a half gives of forty. */
const parts: Readonly<Record<Kind, number>> = { named: 8, plain: 8, behaviour: 10, two: 6, listing: 4, absent: 4 };

/** Forty of a half, or all of it; by package. Which ones the hash of their names decides. */
export function askedOf(half: Half, all: boolean): readonly Asked[] {
  const questions = questionsOf(half);
  if (all) return questions;
  const chosen = new Set(
    kinds.flatMap((kind) =>
      questions
        .filter((one) => one.kind === kind)
        .toSorted((one, two) => (hashOf(one.id) < hashOf(two.id) ? -1 : 1))
        .slice(0, parts[kind]),
    ),
  );
  return questions.filter((one) => chosen.has(one));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
