// How long a prefill will take yet. Attention reads all tokens before, so a token costs more the further behind it stands: the pace of the whole
// so far says too little. A line through what each chunk took per token goes on to the end.

/** A progress notice of a prefill: tokens that are in the slot, tokens decoded since it began, and milliseconds since then. */
export interface PrefillMark {
  readonly done: number;
  readonly decoded: number;
  readonly milliseconds: number;
}

/** Fewer chunks say how fast it is, and not how that changes. */
const fewest = 3;

/** Milliseconds until all `of` tokens are in the slot; null before the first chunk. `marks`: of one prefill, in their order. */
export function remainingOf(marks: readonly PrefillMark[], of: number): number | null {
  const last = marks.at(-1);
  if (last === undefined || last.decoded === 0) return null;
  const left = of - last.done;
  const even = (left * last.milliseconds) / last.decoded;
  const chunks = marks.flatMap((mark, at) => {
    const before = marks[at - 1] ?? { done: mark.done - mark.decoded, milliseconds: 0 };
    const tokens = mark.done - before.done;
    const each = (mark.milliseconds - before.milliseconds) / tokens;
    return tokens > 0 ? [{ at: (mark.done + before.done) / 2, each, tokens }] : [];
  });
  if (chunks.length < fewest) return even;
  const slope = slopeOf(chunks);
  if (slope <= 0) return even;
  const mean = last.milliseconds / last.decoded;
  const middle = last.done - last.decoded / 2;
  // The mean is what a token took in the middle of what is done; what is left has its own middle.
  return left * (mean + slope * ((of + last.done) / 2 - middle));
}

interface Chunk {
  readonly at: number;
  readonly each: number;
  readonly tokens: number;
}

/** Extra milliseconds per token for each token before it: least squares, each chunk weighted by its tokens. */
function slopeOf(chunks: readonly Chunk[]): number {
  const all = chunks.reduce((sum, { tokens }) => sum + tokens, 0);
  const mean = (of: (chunk: Chunk) => number) => chunks.reduce((sum, one) => sum + of(one) * one.tokens, 0) / all;
  const [x, y] = [mean(({ at }) => at), mean(({ each }) => each)];
  const spread = mean(({ at }) => (at - x) ** 2);
  return spread === 0 ? 0 : mean(({ at, each }) => (at - x) * (each - y)) / spread;
}
