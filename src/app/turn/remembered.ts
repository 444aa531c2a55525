// The memory and the work board as they stand in the head of a conversation.
import { digestOf } from '../../core/memory/digest.ts';
import type { MemoryStore } from '../../core/memory/memory.ts';
import type { BundlePart } from '../../core/prompt/bundle.ts';
import type { TokenCounter } from '../../core/prompt/counter.ts';

/** A turn reads what is remembered and never writes it. */
export type Remembered = Pick<MemoryStore, 'memories' | 'work' | 'decisions'>;

/** The largest share of the high-water mark that the memory and the work board take together. */
const share = 0.05;

/** Nothing without a store. */
export async function remembered(
  store: Remembered | null,
  workspace: string,
  high: number,
  counter: TokenCounter,
): Promise<readonly BundlePart[]> {
  if (store === null) return [];
  try {
    const kept = {
      memories: store.memories(workspace),
      work: store.work(workspace),
      decisions: store.decisions(workspace),
    };
    return (await digestOf(kept, Math.floor(high * share), counter)).parts;
  } catch {
    // A failing store is reported when it is written to; the conversation goes on without its notes until the head is refreshed.
    return [];
  }
}
