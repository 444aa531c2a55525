// Counts from the prompts alone what is new in each: segments no earlier prompt held and the slot did not generate.
// It knows nothing of the KV cache, so it can judge it.
import { type Segment, segmentsOf } from '../../../src/core/prompt/prompt.ts';
import type { Fitted } from '../../../src/core/pruning/fitted.ts';

/** A counter for one slot; call it once per model call, in order. Glue counts with the segment it leads to. */
export function createNewTokens(): (fitted: Fitted) => number {
  const seen = new Set<string>();
  return ({ prompt, measure }) => {
    const tools = measure.tools.reduce((a, b) => a + b, 0);
    const begun = seen.has(headKey);
    let known = 0;
    let before = 0;
    segmentsOf(prompt).forEach((segment, i) => {
      const end = (measure.starts[i] ?? 0) + (measure.segments[i] ?? 0);
      const key = keyOf(segment);
      // The glue before a generated message was the end of the prompt that asked for it.
      if (seen.has(key) || segment.generated !== undefined) known += end - before;
      // The tools stand before the first message: known since the first prompt, whichever message follows them now.
      else if (begun && i === 1) known += tools;
      seen.add(key);
      before = end;
    });
    return measure.total - known;
  };
}

const headKey = 'head text';

function keyOf(segment: Segment): string {
  if (segment.layer === 'state') return `state ${segment.text}`;
  return segment.item === null ? headKey : `${segment.item} ${segment.part} ${segment.text}`;
}
