// Idle work on a slot: settles it, so that all it holds is exact, and prefills what any next user message will share.
import type { WarmParams, Warmth } from '../../../core/engine/prefill.ts';
import { cut } from '../../../core/kv/kvImage.ts';
import { predicted } from '../../../core/kv/pace.ts';
import type { PrefillProgress } from '../../../core/model/model.ts';
import type { Tokenised } from '../../../templates/tokenise.ts';
import type { Slot } from '../slot/slot.ts';
import { tooLong } from './generate.ts';

export interface Warming extends Pick<WarmParams, 'reuse' | 'settleMilliseconds'> {
  readonly onProgress?: (progress: PrefillProgress) => void;
}

export async function warm(
  slot: Slot,
  { image, measure }: Tokenised,
  { reuse, settleMilliseconds, onProgress }: Warming,
  signal: AbortSignal,
): Promise<Warmth> {
  const of = measure.starts.at(-1) ?? 0;
  const stable = cut(image, of);
  if (of >= slot.sequence.contextSize) throw tooLong(of, slot.sequence.contextSize);
  const approximate = slot.approximateAfter(stable, reuse);
  const expected = predicted(slot.pace, approximate);
  const tooLongNow = reuse === 'auto' && expected !== null && expected > settleMilliseconds;
  // Also a tail that no next message shares must not come back approximate.
  const inexact = approximate > 0 || slot.approximate > 0;
  const settles = inexact && (reuse === 'auto' || reuse === 'exact') && !tooLongNow;
  const unsettled = approximate > 0 && tooLongNow ? expected : null;
  // The slot's tokens beyond the stable prefix may still serve.
  if (!settles && slot.beginsWith(stable)) return { warmed: of, of, prefill: slot.asItIs(of), settled: 0, unsettled };
  const prefill = await slot.fill(stable, {
    reuse: settles ? 'exact' : reuse,
    asker: 'warm',
    signal,
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  const warmed = prefill.reused + prefill.shifted + prefill.decoded;
  return { warmed, of, prefill, settled: settles ? Math.min(approximate, prefill.decoded) : 0, unsettled };
}
