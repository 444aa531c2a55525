// Counts of the work done by the mechanisms behind a prompt: for the report, the panel and the metrics command.

/** Which of them are on; a switch takes effect with the next request. */
export interface Switches {
  /** Keep each slot's KV state between requests, and warm it while idle. Off: every prompt is decoded anew. */
  readonly promptCache: boolean;
  /** Remember token counts, and estimate where the model cannot count. Off: every count asks the model. */
  readonly tokenCounter: boolean;
  /** Keep the workspace's texts until a file changes. Off: they are read anew for each use. */
  readonly workspaceCache: boolean;
  /** Compact old turns into a summary instead of dropping them. `auto` is on for windows of up to 32k tokens. */
  readonly compaction: 'auto' | 'on' | 'off';
}

export const allOn: Switches = { promptCache: true, tokenCounter: true, workspaceCache: true, compaction: 'auto' };

/** The largest window, in tokens, for which `auto` compacts: in a larger one dropping the oldest turns comes late and loses little. */
const autoCompactionWindow = 32_768;

/** Whether turns are compacted in a window of so many tokens. */
export function compacts({ compaction }: Pick<Switches, 'compaction'>, window: number): boolean {
  return compaction === 'auto' ? window <= autoCompactionWindow : compaction === 'on';
}

/** Sums since the session's start, in tokens where nothing else is said. */
export interface PromptCacheCounts {
  readonly calls: number;
  readonly prompt: number;
  readonly reused: number;
  readonly shifted: number;
  readonly decoded: number;
  readonly idle: number;
  readonly breaks: number;
}

export interface TokenCounterCounts {
  readonly hits: number;
  readonly misses: number;
  readonly size: number;
  /** Texts that the model's tokenizer counted. */
  readonly asked: number;
  /** Texts that a stand-in counted. */
  readonly estimated: number;
  readonly failures: number;
  readonly breaker: 'closed' | 'open' | 'trial';
  /** Exact by estimated tokens of texts: how many lie at or below each bound and above the one before, and their sum. */
  readonly drift: {
    readonly buckets: readonly Bucket[];
    readonly sum: number;
  };
}

export interface WorkspaceCacheCounts {
  readonly hits: number;
  readonly misses: number;
  readonly invalidations: number;
  /** A watched file changed since the session froze its workspace texts. */
  readonly stale: boolean;
}

/** Trims since the session's start: how often something was let go, and how many tokens that freed. */
export interface TrimCounts {
  readonly stubbed: number;
  readonly capped: number;
  readonly trims: number;
  readonly freed: number;
}

/**
 * How an attempt ended. `tool_result_truncated` is a success whose summariser saw a compacted tool result shortened,
 * `fallback` one without the model. After the others the history is as it was.
 */
export const outcomes = ['ok', 'tool_result_truncated', 'fallback', 'failed', 'lock_held', 'no_boundary'] as const;
export type Outcome = (typeof outcomes)[number];

/** Attempts to compact since the session's start, by how they ended. */
export type CompactionCounts = Readonly<Record<Outcome, number>>;

export interface Bucket {
  readonly atMost: number;
  readonly count: number;
}

/** Seconds that a compaction takes: by rules hardly any, by a model on a processor a minute or more. */
export const noCompactionSeconds: readonly Bucket[] = [0.1, 0.5, 1, 5, 15, 60, 300, Number.POSITIVE_INFINITY].map(
  (atMost) => ({ atMost, count: 0 }),
);

export const noCompactions: CompactionCounts = {
  ok: 0,
  tool_result_truncated: 0,
  fallback: 0,
  failed: 0,
  lock_held: 0,
  no_boundary: 0,
};

export interface Mechanisms {
  readonly switches: Switches;
  readonly promptCache: PromptCacheCounts;
  readonly tokenCounter: TokenCounterCounts | null;
  readonly workspaceCache: WorkspaceCacheCounts | null;
  readonly trims: TrimCounts;
  readonly folds: CompactionCounts;
  /** Total time of these attempts, in milliseconds. */
  readonly foldMilliseconds: CompactionCounts;
  /** How many of them took at most so many seconds, and longer than the bound before. */
  readonly compactionSeconds: readonly Bucket[];
}
