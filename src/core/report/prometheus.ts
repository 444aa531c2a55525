// The mechanisms' counts in Prometheus' text exposition format, version 0.0.4.
import type { Mechanisms } from '../agent/mechanisms.ts';

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  /** Suffix and labels of each sample, as they stand in the text, with its value. */
  readonly samples: readonly (readonly [string, number])[];
}

/** `labels`: of what the numbers are, such as session, agent and model. */
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
    counter('cache_breaks_total', 'Requests whose prompt did not extend what was in the cache.', [
      ['', promptCache.breaks],
    ]),
    ...hitRatio('prompt_cache', 'prompt tokens that were in the cache', reused + shifted, promptCache.prompt),
    ...trimMetrics(trims, compactions, foldMilliseconds),
    ...(tokenCounter === null ? [] : counterMetrics(tokenCounter)),
    ...(workspaceCache === null
      ? []
      : [
          counter('workspace_cache_total', 'Uses of the workspace cache, by outcome.', [
            ['{outcome="hit"}', workspaceCache.hits],
            ['{outcome="miss"}', workspaceCache.misses],
            ['{outcome="invalidation"}', workspaceCache.invalidations],
          ]),
          ...hitRatio(
            'workspace_cache',
            'uses of the workspace cache that found it fresh',
            workspaceCache.hits,
            workspaceCache.hits + workspaceCache.misses,
          ),
          gauge('workspace_stale', 'Whether workspace files have changed since they were read.', [
            ['', Number(workspaceCache.stale)],
          ]),
        ]),
  ];
}

function trimMetrics(
  trims: Mechanisms['trims'],
  compactions: Mechanisms['folds'],
  took: Mechanisms['foldMilliseconds'],
): readonly Metric[] {
  const byOutcome = (counts: Mechanisms['folds'], suffix = '', scale = 1) =>
    Object.entries(counts).map(([outcome, n]) => [`${suffix}{outcome="${outcome}"}`, n * scale] as const);
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
    {
      name: 'compaction_seconds',
      help: 'What these attempts took.',
      type: 'summary',
      samples: [...byOutcome(took, '_sum', 0.001), ...byOutcome(compactions, '_count')],
    },
    counter('left_out_tokens_total', 'Tokens left out of prompts.', [['', trims.freed]]),
  ];
}

function counterMetrics(counts: NonNullable<Mechanisms['tokenCounter']>): readonly Metric[] {
  const { hits, misses, asked, estimated, failures, breaker, drift } = counts;
  let below = 0;
  const buckets = drift.buckets.map(({ atMost, count }): readonly [string, number] => {
    below += count;
    return [`_bucket{le="${Number.isFinite(atMost) ? atMost : '+Inf'}"}`, below];
  });
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
    {
      name: 'token_drift',
      help: 'Exact by estimated tokens of a text.',
      type: 'histogram',
      samples: [...buckets, ['_sum', drift.sum], ['_count', below]],
    },
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

function gauge(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'gauge', samples };
}
