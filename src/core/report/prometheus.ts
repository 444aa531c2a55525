// The mechanisms' counts in Prometheus' text exposition format, version 0.0.4.
import type { Mechanisms } from '../agent/mechanisms.ts';

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Suffix and labels of each sample, as they stand in the text, with its value. */
  readonly samples: readonly (readonly [string, number])[];
}

export function prometheusText(mechanisms: Mechanisms): string {
  return `${metricsOf(mechanisms)
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
  folds,
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
    counter('prompt_tokens_total', 'Prompt tokens by how they came into the slot.', [
      ['{from="reused"}', reused],
      ['{from="shifted"}', shifted],
      ['{from="decoded"}', decoded],
      ['{from="idle"}', idle],
    ]),
    counter('prefix_breaks_total', 'Requests whose prompt did not extend what the slot held.', [
      ['', promptCache.breaks],
    ]),
    ...trimMetrics(trims, folds),
    ...(tokenCounter === null ? [] : counterMetrics(tokenCounter)),
    ...(workspaceCache === null
      ? []
      : [
          counter('workspace_cache_total', 'Uses of the workspace cache, by outcome.', [
            ['{outcome="hit"}', workspaceCache.hits],
            ['{outcome="miss"}', workspaceCache.misses],
            ['{outcome="invalidation"}', workspaceCache.invalidations],
          ]),
          gauge('workspace_stale', 'Whether the session holds older workspace texts.', [
            ['', Number(workspaceCache.stale)],
          ]),
        ]),
  ];
}

function trimMetrics(trims: Mechanisms['trims'], folds: Mechanisms['folds']): readonly Metric[] {
  return [
    counter('let_go_total', 'What was let go of, by kind.', [
      ['{kind="stubbed"}', trims.stubbed],
      ['{kind="capped"}', trims.capped],
      ['{kind="trim"}', trims.trims],
    ]),
    counter(
      'folds_total',
      'Attempts to fold turns into a checkpoint, by how they ended.',
      Object.entries(folds).map(([outcome, count]) => [`{outcome="${outcome}"}`, count] as const),
    ),
    counter('let_go_tokens_total', 'Tokens let go of.', [['', trims.freed]]),
  ];
}

function counterMetrics(counts: NonNullable<Mechanisms['tokenCounter']>): readonly Metric[] {
  const { hits, misses, estimated, failures, breaker, drift } = counts;
  let below = 0;
  const buckets = drift.buckets.map(({ atMost, count }): readonly [string, number] => {
    below += count;
    return [`_bucket{le="${Number.isFinite(atMost) ? atMost : '+Inf'}"}`, below];
  });
  return [
    counter('token_counts_total', 'Texts counted, by how.', [
      ['{how="remembered"}', hits],
      ['{how="asked"}', misses],
      ['{how="estimated"}', estimated],
    ]),
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

function counter(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'counter', samples };
}

function gauge(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'gauge', samples };
}
