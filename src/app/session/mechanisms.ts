// Counts what the mechanisms do while a session lives, from the calls as they were reported.

import {
  type CompactionCounts,
  noCompactions,
  type Outcome,
  type PromptCacheCounts,
  type TrimCounts,
} from '../../core/agent/mechanisms.ts';
import type { PruneState } from '../../core/pruning/pruneState.ts';
import type { CallReport } from '../../core/report/report.ts';

export class Tally {
  private cache: PromptCacheCounts = { calls: 0, prompt: 0, reused: 0, shifted: 0, decoded: 0, idle: 0, breaks: 0 };
  private trimmed: TrimCounts = { stubbed: 0, capped: 0, trims: 0, freed: 0 };

  private attempts: CompactionCounts = noCompactions;

  get promptCache(): PromptCacheCounts {
    return this.cache;
  }

  get trims(): TrimCounts {
    return this.trimmed;
  }

  get folds(): CompactionCounts {
    return this.attempts;
  }

  folded(outcome: Outcome): void {
    this.attempts = { ...this.attempts, [outcome]: this.attempts[outcome] + 1 };
  }

  called({ promptTokens, prefill, breakAt }: CallReport): void {
    const { calls, prompt, reused, shifted, decoded, idle, breaks } = this.cache;
    this.cache = {
      calls: calls + 1,
      prompt: prompt + promptTokens,
      reused: reused + prefill.reused,
      shifted: shifted + prefill.shifted,
      decoded: decoded + prefill.decoded,
      idle,
      breaks: breaks + (breakAt === null ? 0 : 1),
    };
  }

  warmed(tokens: number): void {
    this.cache = { ...this.cache, idle: this.cache.idle + tokens };
  }

  /** What one slot let go of between two prompts. */
  crossed(before: PruneState, after: PruneState): void {
    const { stubbed, capped, trims, freed } = this.trimmed;
    const cleared = [...after.cleared].filter(([id]) => !before.cleared.has(id));
    const gone = runTokens(after) - runTokens(before);
    // What was cleared before its turn went was counted then.
    const again = [...before.cleared].filter(([id]) => !after.cleared.has(id));
    this.trimmed = {
      stubbed: stubbed + cleared.length,
      capped: capped + [...after.capped.keys()].filter((id) => !before.capped.has(id)).length,
      trims: trims + (gone > 0 && after.fold === before.fold ? 1 : 0),
      freed: freed + Math.max(0, gone - sumOf(again)) + sumOf(cleared),
    };
  }
}

function sumOf(cleared: readonly (readonly [string, { readonly tokens: number }])[]): number {
  return cleared.reduce((sum, [, { tokens }]) => sum + tokens, 0);
}

function runTokens({ runs }: PruneState): number {
  return runs.reduce((sum, { tokens }) => sum + tokens, 0);
}
