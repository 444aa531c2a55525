// Images of prompts with the simulated model's tokens, and a slot on plain arrays that carries plans out.
import assert from 'node:assert/strict';
import { cut, type Image, type ImagePiece, pieceName, tokensOf, unnamed } from '../../../src/core/kv/kvImage.ts';
import { type KvPlan, planKv } from '../../../src/core/kv/kvPlan.ts';
import type { Prompt } from '../../../src/core/prompt/prompt.ts';
import { fingerprint, idsOf, type Unit, unitsOf } from './fakeModel.ts';

export function imageOf(prompt: Prompt, salt = 0): Image {
  return { pieces: unitsOf(prompt, salt).map(pieceOf), tools: JSON.stringify(prompt.tools) };
}

function pieceOf({ key, tokens, segment }: Unit): ImagePiece {
  if (segment === undefined)
    return { of: null, tokens: Array.from({ length: tokens }, (_, i) => idsOf(`${i}${key}`)[0] ?? 0) };
  const own = segment.generated?.model === fingerprint ? segment.generated.ids : null;
  return { of: pieceName(segment, own !== null), tokens: own ?? idsOf(key.slice(2)) };
}

/** A slot behind a generation: the last token of what was said is not in it. */
export function saidBehind(prompt: Image, ids: readonly number[]): Image {
  const pieces = [...prompt.pieces, { of: unnamed, tokens: ids }];
  return cut({ ...prompt, pieces }, tokensOf(prompt).length + Math.max(0, ids.length - 1));
}

/** All but the last token, which comes with the generation. */
export function headOf(prompt: Image): Image {
  return cut(prompt, tokensOf(prompt).length - 1);
}

/** Returns the tokens in the slot after the plan was carried out, before anything is decoded. */
export function follow(slot: Image, { keep, erase, end }: KvPlan): readonly number[] {
  const tokens = tokensOf(slot);
  const gone = (i: number) => erase.some(({ from, to }) => i >= from && i < to);
  return tokens.filter((_, i) => i < (erase.length === 0 ? keep : end) && !gone(i));
}

/** The plan, and that following it leaves a beginning of the prompt. */
export function planned(slot: Image, prompt: Image, erases = true): KvPlan {
  const plan = planKv(slot, prompt, erases);
  const wanted = tokensOf(prompt);
  assert.deepEqual(follow(slot, plan), wanted.slice(0, plan.keep + plan.shifted));
  assert.equal(plan.keep + plan.shifted + plan.decode, wanted.length);
  return plan;
}
