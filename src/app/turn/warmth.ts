// How warm the slot of the answering node is, in numbers and in words.
import type { Warmth } from '../../core/engine/prefill.ts';
import type { SnapshotLoaded } from '../../core/engine/slotState.ts';
import { type Pace, predicted } from '../../core/kv/pace.ts';
import type { CacheReuse } from '../../core/model/model.ts';
import type { Break } from '../../core/report/break.ts';
import type { WarmView } from '../../protocol/view.ts';

/** `loaded`: what came of the state that was stored for the slot, if any was asked for. `broke`: where the prefix broke on the way. */
export function warmView(
  warmth: Warmth,
  reuse: CacheReuse,
  pace: Pace,
  loaded: SnapshotLoaded | null = null,
  broke: Break | null = null,
): WarmView {
  const { warmed, of, prefill } = warmth;
  return {
    warmed,
    of,
    decoded: prefill.decoded,
    milliseconds: prefill.milliseconds,
    approximate: prefill.approximate,
    savedMilliseconds: predicted(pace, warmed),
    reason: sentence(reasonOf(warmth, reuse, loaded, pace), refusal(loaded), breakIn(broke)),
  };
}

const onlyTheMessage = 'only your message has to be decoded';

const nothing = { warmed: 0, decoded: 0, milliseconds: 0, approximate: 0, savedMilliseconds: null };

/** When nothing is prefilled while the user reads. */
export function coldView(of: number, reuse: CacheReuse): WarmView {
  const setting = reuse === 'none' ? 'tidemark.advanced.promptCache' : 'tidemark.cache.warm';
  return { ...nothing, of, reason: `${setting} is off` };
}

/** When another conversation has the slot by now. */
export function takenView({ of }: WarmView): WarmView {
  return { ...nothing, of, reason: 'another conversation took its place; tidemark.cache.conversations keeps more' };
}

function refusal(loaded: SnapshotLoaded | null): string {
  const refused = loaded?.loaded === false && loaded.deleted ? loaded.reason : null;
  const reason = loaded?.loaded === true ? (loaded.refused ?? null) : refused;
  return reason === null ? '' : `the cache stored on disk could not be used, because ${reason}`;
}

/** To settle is no break: the reason says it already. */
function breakIn(broke: Break | null): string {
  return broke === null || broke.cause === 'setting' ? '' : broke.words;
}

/** Joins the words; a break in the prefix replaces the words that the prompt is ready, because it says more. */
function sentence(ready: string, refused: string, broken: string): string {
  return [ready === onlyTheMessage && broken !== '' ? '' : ready, refused, broken].filter(Boolean).join('; ');
}

function reasonOf(
  { warmed, of, prefill, settled, unsettled, sent = true }: Warmth,
  reuse: CacheReuse,
  loaded: SnapshotLoaded | null,
  pace: Pace,
): string {
  const count = (tokens: number) => tokens.toLocaleString('en');
  if (!sent && warmed === 0) return 'nothing is sent ahead to this server, and what it keeps is not known';
  if (!sent) return 'nothing is sent ahead to this server; the tokens of the last answer should still be there';
  if (warmed < of) {
    const left = predicted(pace, of - warmed);
    const time = left === null ? '' : `, about ${Math.ceil(left / 1000)} s`;
    return `something came first: ${count(of - warmed)} tokens are left${time}, and are decoded when the model is idle`;
  }
  if (unsettled !== null) {
    const seconds = Math.ceil(unsettled / 1000);
    return `${count(prefill.approximate)} tokens stay approximate: decoding them again would take about ${seconds} s, more than a minute`;
  }
  if (prefill.approximate > 0 && reuse === 'shift')
    return `${count(prefill.approximate)} tokens stay approximate: tidemark.advanced.cacheReuse is "shift"`;
  if (settled > 0) return `${count(settled)} tokens after removed parts were decoded again, so the cache is exact`;
  if (loaded?.loaded === true) {
    const { tokens, milliseconds, from } = loaded;
    const origin = from === 'disk' ? 'loaded from disk' : 'taken over from another conversation';
    const more =
      prefill.decoded === 0 ? '' : `, ${count(prefill.decoded)} more decoded: only your message has to be decoded`;
    const time = milliseconds < 100 ? `${Math.ceil(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
    return `${count(tokens)} tokens ${origin} in ${time}${more}`;
  }
  if (prefill.decoded === 0) return 'the whole prompt was already in the cache';
  return onlyTheMessage;
}

/** Tokens of a slot that idle work is going to decode again, and how many it may in so many milliseconds. */
export function settlingOf(
  tokens: number,
  pace: Pace,
  milliseconds: number,
): { readonly approximate: number; readonly most: number } {
  const each = predicted(pace, 1) ?? 0;
  const most = each === 0 ? Number.POSITIVE_INFINITY : milliseconds / each;
  return { approximate: tokens <= most ? tokens : 0, most };
}
