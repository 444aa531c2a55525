// The mechanisms' counts in Prometheus' text exposition format, version 0.0.4.
import type { Bucket, Mechanisms } from '../agent/mechanisms.ts';

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Suffix and labels of each sample, as they stand in the text, with its value. */
  readonly samples: readonly (readonly [string, number])[];
}

/** `labels`: of what the numbers are, such as session, agent, provider and model. */
export function prometheusText(mechanisms: Mechanisms, labels: Readonly<Record<string, string>>): string {
  const of = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  const info = gauge('info', 'Of what the numbers are; always 1.', [[`{${of.join(',')}}`, 1]]);
  return `${[info, ...metricsOf(mechanisms)]
    .flatMap(({ name, help, type, samples }) => [
      `# HELP tidemark_${name} ${help}`,
      `# TYPE tidemark_${name} ${type}`,
      ...samples.map(([label, value]) => `tidemark_${name}${label} ${value}`),
    ])
    .join('\n')}\n`;
}

function metricsOf({
  promptCache,
  tokenCounter,
  workspaceCache,
  trims,
  folds: compactions,
  foldMilliseconds,
  compactionSeconds,
  switches,
}: Mechanisms): readonly Metric[] {
  const { reused, shifted, decoded, idle } = promptCache;
  return [
    gauge('mechanism_enabled', 'Whether a mechanism is on.', [
      ['{mechanism="promptCache"}', Number(switches.promptCache)],
      ['{mechanism="tokenCounter"}', Number(switches.tokenCounter)],
      ['{mechanism="workspaceCache"}', Number(switches.workspaceCache)],
      ['{mechanism="compaction"}', Number(switches.compaction !== 'off')],
    ]),
    counter('model_calls_total', 'Generations asked of the model.', [['', promptCache.calls]]),
    counter('prompt_tokens_total', 'Prompt tokens by how they came into the cache.', [
      ['{from="reused"}', reused],
      ['{from="shifted"}', shifted],
      ['{from="decoded"}', decoded],
      ['{from="idle"}', idle],
    ]),
    counter('prompt_tokens_estimated_total', 'Prompt tokens as they were counted before each call.', [
      ['', promptCache.prompt],
    ]),
    counter('cache_breaks_total', 'Requests whose prompt did not extend what was in the cache.', [
      ['', promptCache.breaks],
    ]),
    ...hitRatio('prompt_cache', 'prompt tokens that were in the cache', reused + shifted, promptCache.prompt),
    ...trimMetrics(trims, compactions, foldMilliseconds, compactionSeconds),
    ...(tokenCounter === null ? [] : counterMetrics(tokenCounter)),
    ...(workspaceCache === null ? [] : workspaceMetrics(workspaceCache)),
  ];
}

function workspaceMetrics({
  hits,
  misses,
  invalidations,
  stale,
}: NonNullable<Mechanisms['workspaceCache']>): readonly Metric[] {
  return [
    counter('workspace_cache_total', 'Uses of the workspace cache, by outcome.', [
      ['{outcome="hit"}', hits],
      ['{outcome="miss"}', misses],
      ['{outcome="invalidation"}', invalidations],
    ]),
    ...hitRatio('workspace_cache', 'uses of the workspace cache that found it fresh', hits, hits + misses),
    gauge('workspace_stale', 'Whether workspace files have changed since they were read.', [['', Number(stale)]]),
  ];
}

function trimMetrics(
  trims: Mechanisms['trims'],
  compactions: Mechanisms['folds'],
  took: Mechanisms['foldMilliseconds'],
  buckets: readonly Bucket[],
): readonly Metric[] {
  const byOutcome = (counts: Mechanisms['folds'], scale = 1) =>
    Object.entries(counts).map(([outcome, n]) => [`{outcome="${outcome}"}`, n * scale] as const);
  const seconds = Object.values(took).reduce((a, b) => a + b, 0) / 1000;
  return [
    counter('left_out_total', 'What was left out of prompts, by kind.', [
      ['{kind="pruned"}', trims.stubbed],
      ['{kind="shortened"}', trims.capped],
      ['{kind="trim"}', trims.trims],
    ]),
    counter(
      'compactions_total',
      'Attempts to replace older turns with a summary, by how they ended.',
      byOutcome(compactions),
    ),
    counter('compaction_seconds_total', 'What these attempts took.', byOutcome(took, 0.001)),
    histogram('compaction_duration_seconds', 'What an attempt took, for quantiles.', buckets, seconds),
    counter('left_out_tokens_total', 'Tokens left out of prompts.', [['', trims.freed]]),
  ];
}

function counterMetrics(counts: NonNullable<Mechanisms['tokenCounter']>): readonly Metric[] {
  const { hits, misses, asked, estimated, failures, breaker, drift } = counts;
  return [
    counter('token_counts_total', 'Texts counted, by how.', [
      ['{how="remembered"}', hits],
      ['{how="asked"}', asked],
      ['{how="estimated"}', estimated],
    ]),
    ...hitRatio('token_counter', 'texts whose count was remembered', hits, hits + misses),
    counter('token_counter_failures_total', 'Failures of the exact token counter.', [['', failures]]),
    gauge('token_counter_breaker_closed', 'Whether the exact token counter may be asked.', [
      ['', Number(breaker === 'closed')],
    ]),
    histogram('token_drift', 'Exact by estimated tokens of a text.', drift.buckets, drift.sum),
  ];
}

/** Nothing before the first use. */
function hitRatio(of: string, what: string, hits: number, all: number): readonly Metric[] {
  return all === 0 ? [] : [gauge(`${of}_hit_ratio`, `Share of ${what}.`, [['', hits / all]])];
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (mark) => (mark === '\n' ? '\\n' : `\\${mark}`));
}

function counter(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'counter', samples };
}

function histogram(name: string, help: string, buckets: readonly Bucket[], sum: number): Metric {
  let below = 0;
  const samples = buckets.map(({ atMost, count }): readonly [string, number] => {
    below += count;
    return [`_bucket{le="${Number.isFinite(atMost) ? atMost : '+Inf'}"}`, below];
  });
  return { name, help, type: 'histogram', samples: [...samples, ['_sum', sum], ['_count', below]] };
}

function gauge(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'gauge', samples };
}
