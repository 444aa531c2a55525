// Counts what the mechanisms do while a session lives, from the calls as they were reported.

import { type Mechanisms, noCompactionSeconds, noCompactions, type Outcome } from '../../core/agent/mechanisms.ts';
import type { PruneState } from '../../core/pruning/pruneState.ts';
import type { CallReport } from '../../core/report/report.ts';

export type Sums = Pick<Mechanisms, 'promptCache' | 'trims' | 'folds' | 'foldMilliseconds' | 'compactionSeconds'>;

export class Tally {
  private current: Sums = {
    promptCache: { calls: 0, prompt: 0, reused: 0, shifted: 0, decoded: 0, idle: 0, breaks: 0 },
    trims: { stubbed: 0, capped: 0, trims: 0, freed: 0 },
    folds: noCompactions,
    foldMilliseconds: noCompactions,
    compactionSeconds: noCompactionSeconds,
  };

  get sums(): Sums {
    return this.current;
  }

  compacted({ outcome, milliseconds }: { readonly outcome: Outcome; readonly milliseconds: number }): void {
    const { folds: compactions, foldMilliseconds: took, compactionSeconds: buckets } = this.current;
    const fits = buckets.findIndex(({ atMost }) => milliseconds <= atMost * 1000);
    this.add({
      folds: { ...compactions, [outcome]: compactions[outcome] + 1 },
      foldMilliseconds: { ...took, [outcome]: took[outcome] + milliseconds },
      compactionSeconds: buckets.map((one, i) => (i === fits ? { ...one, count: one.count + 1 } : one)),
    });
  }

  called({ promptTokens, prefill, breakAt }: CallReport): void {
    const { calls, prompt, reused, shifted, decoded, idle, breaks } = this.current.promptCache;
    const promptCache = {
      calls: calls + 1,
      prompt: prompt + promptTokens,
      reused: reused + prefill.reused,
      shifted: shifted + prefill.shifted,
      decoded: decoded + prefill.decoded,
      idle,
      breaks: breaks + (breakAt === null ? 0 : 1),
    };
    this.add({ promptCache });
  }

  warmed(tokens: number): void {
    const { promptCache } = this.current;
    this.add({ promptCache: { ...promptCache, idle: promptCache.idle + tokens } });
  }

  /** Counts what one slot let go of between two prompts. */
  crossed(before: PruneState, after: PruneState): void {
    const { stubbed, capped, trims, freed } = this.current.trims;
    const cleared = [...after.cleared].filter(([id]) => !before.cleared.has(id));
    const gone = runTokens(after) - runTokens(before);
    // Items that were cleared before their turn went were counted then.
    const again = [...before.cleared].filter(([id]) => !after.cleared.has(id));
    const sums = {
      stubbed: stubbed + cleared.length,
      capped: capped + [...after.capped.keys()].filter((id) => !before.capped.has(id)).length,
      trims: trims + (gone > 0 && after.compaction === before.compaction ? 1 : 0),
      freed: freed + Math.max(0, gone - sumOf(again)) + sumOf(cleared),
    };
    this.add({ trims: sums });
  }

  private add(sums: Partial<Sums>): void {
    this.current = { ...this.current, ...sums };
  }
}

function sumOf(cleared: readonly (readonly [string, { readonly tokens: number }])[]): number {
  return cleared.reduce((sum, [, { tokens }]) => sum + tokens, 0);
}

function runTokens({ runs }: PruneState): number {
  return runs.reduce((sum, { tokens }) => sum + tokens, 0);
}
