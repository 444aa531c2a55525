// The metrics, read back by a parser of Prometheus' text exposition format 0.0.4.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { allOn, type Mechanisms, noCompactionSeconds, noCompactions } from '../../../src/core/agent/mechanisms.ts';
import { prometheusText } from '../../../src/core/report/prometheus.ts';

interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: Map<string, number>;
}

/** Reads a text as Prometheus does, and refuses what it refuses. */
function parse(text: string): ReadonlyMap<string, Family> {
  assert.ok(text.endsWith('\n'), 'the last line ends');
  const families = new Map<string, Family>();
  let current = '';
  let help = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
    if (comment !== null) {
      const [, kind, name = '', rest = ''] = comment;
      if (kind === 'HELP') help = rest;
      else {
        assert.ok(!families.has(name), `${name} is there once`);
        assert.match(rest, /^(counter|gauge|histogram|summary|untyped)$/);
        families.set(name, { type: rest, help, samples: new Map() });
        current = name;
      }
      continue;
    }
    const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)+\})? (\S+)$/.exec(line);
    assert.ok(sample !== null, `not a line of the format: ${line}`);
    const [, name = '', labels = '', value = ''] = sample;
    const family = families.get(current);
    assert.ok(family !== undefined && name.startsWith(current), `${name} stands below its own type`);
    const suffix = name.slice(current.length);
    const suffixes = { histogram: /^_(bucket|sum|count)$/, summary: /^_(sum|count)$/ }[family.type] ?? /^$/;
    assert.match(suffix, suffixes, name);
    assert.match(value, /^(\+Inf|-Inf|NaN|-?\d+(\.\d+)?(e[+-]?\d+)?)$/);
    assert.ok(!family.samples.has(suffix + labels), 'a sample is there once');
    family.samples.set(suffix + labels, Number(value.replace('Inf', 'Infinity')));
  }
  for (const [name, family] of families) checkFamily(name, family);
  return families;
}

function checkFamily(name: string, { type, help, samples }: Family): void {
  assert.match(help, /^[A-Z].*\.$/);
  assert.ok(samples.size > 0, `${name} has samples`);
  if (type === 'counter') assert.match(name, /_total$/);
  if (type !== 'histogram') return;
  const buckets = [...samples].filter(([key]) => key.startsWith('_bucket'));
  const bounds = buckets.map(([key]) =>
    Number(/^_bucket\{le="([^"]*)"\}$/.exec(key)?.[1]?.replace('+Inf', 'Infinity')),
  );
  assert.deepEqual(
    bounds,
    bounds.toSorted((a, b) => a - b),
  );
  assert.equal(bounds.at(-1), Infinity, 'the last bucket has everything');
  const counts = buckets.map(([, count]) => count);
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
    'buckets add up',
  );
  assert.equal(samples.get('_count'), counts.at(-1));
  assert.ok(samples.has('_sum'));
}

const labels = { session: 's1', agent: 'my "own"', model: 'a\\b' };

const bare: Mechanisms = {
  switches: allOn,
  promptCache: { calls: 1, prompt: 10, reused: 5, shifted: 2, decoded: 3, idle: 4, breaks: 6 },
  tokenCounter: null,
  workspaceCache: null,
  folds: { ...noCompactions, ok: 12, fallback: 13 },
  foldMilliseconds: { ...noCompactions, ok: 1500 },
  compactionSeconds: noCompactionSeconds,
  trims: { stubbed: 7, capped: 8, trims: 9, freed: 11 },
};

test('every count of every mechanism has its metric', () => {
  const drift = {
    buckets: [
      { atMost: 0.9, count: 1 },
      { atMost: 1.1, count: 2 },
      { atMost: Infinity, count: 3 },
    ],
    sum: 7.5,
  };
  const families = parse(
    prometheusText(
      {
        ...bare,
        switches: { ...allOn, tokenCounter: false },
        tokenCounter: {
          hits: 12,
          misses: 13,
          size: 14,
          asked: 20,
          estimated: 15,
          failures: 16,
          breaker: 'open',
          drift,
        },
        workspaceCache: { hits: 17, misses: 18, invalidations: 19, stale: true },
      },
      labels,
    ),
  );
  const flat = [...families].flatMap(([name, { samples }]) =>
    [...samples].map(([key, value]) => `${name}${key} ${value}`),
  );
  assert.deepEqual(flat, [
    'tidemark_info{session="s1",agent="my \\"own\\"",model="a\\\\b"} 1',
    'tidemark_mechanism_enabled{mechanism="promptCache"} 1',
    'tidemark_mechanism_enabled{mechanism="tokenCounter"} 0',
    'tidemark_mechanism_enabled{mechanism="workspaceCache"} 1',
    'tidemark_mechanism_enabled{mechanism="compaction"} 1',
    'tidemark_model_calls_total 1',
    'tidemark_prompt_tokens_total{from="reused"} 5',
    'tidemark_prompt_tokens_total{from="shifted"} 2',
    'tidemark_prompt_tokens_total{from="decoded"} 3',
    'tidemark_prompt_tokens_total{from="idle"} 4',
    'tidemark_prompt_tokens_estimated_total 10',
    'tidemark_cache_breaks_total 6',
    'tidemark_prompt_cache_hit_ratio 0.7',
    'tidemark_left_out_total{kind="pruned"} 7',
    'tidemark_left_out_total{kind="shortened"} 8',
    'tidemark_left_out_total{kind="trim"} 9',
    'tidemark_compactions_total{outcome="ok"} 12',
    'tidemark_compactions_total{outcome="tool_result_truncated"} 0',
    'tidemark_compactions_total{outcome="fallback"} 13',
    'tidemark_compactions_total{outcome="failed"} 0',
    'tidemark_compactions_total{outcome="lock_held"} 0',
    'tidemark_compactions_total{outcome="no_boundary"} 0',
    'tidemark_compaction_seconds_total{outcome="ok"} 1.5',
    'tidemark_compaction_seconds_total{outcome="tool_result_truncated"} 0',
    'tidemark_compaction_seconds_total{outcome="fallback"} 0',
    'tidemark_compaction_seconds_total{outcome="failed"} 0',
    'tidemark_compaction_seconds_total{outcome="lock_held"} 0',
    'tidemark_compaction_seconds_total{outcome="no_boundary"} 0',
    'tidemark_compaction_duration_seconds_bucket{le="0.1"} 0',
    'tidemark_compaction_duration_seconds_bucket{le="0.5"} 0',
    'tidemark_compaction_duration_seconds_bucket{le="1"} 0',
    'tidemark_compaction_duration_seconds_bucket{le="5"} 0',
    'tidemark_compaction_duration_seconds_bucket{le="15"} 0',
    'tidemark_compaction_duration_seconds_bucket{le="60"} 0',
    'tidemark_compaction_duration_seconds_bucket{le="300"} 0',
    'tidemark_compaction_duration_seconds_bucket{le="+Inf"} 0',
    'tidemark_compaction_duration_seconds_sum 1.5',
    'tidemark_compaction_duration_seconds_count 0',
    'tidemark_left_out_tokens_total 11',
    'tidemark_token_counts_total{how="remembered"} 12',
    'tidemark_token_counts_total{how="asked"} 20',
    'tidemark_token_counts_total{how="estimated"} 15',
    'tidemark_token_counter_hit_ratio 0.48',
    'tidemark_token_counter_failures_total 16',
    'tidemark_token_counter_breaker_closed 0',
    'tidemark_token_drift_bucket{le="0.9"} 1',
    'tidemark_token_drift_bucket{le="1.1"} 3',
    'tidemark_token_drift_bucket{le="+Inf"} 6',
    'tidemark_token_drift_sum 7.5',
    'tidemark_token_drift_count 6',
    'tidemark_workspace_cache_total{outcome="hit"} 17',
    'tidemark_workspace_cache_total{outcome="miss"} 18',
    'tidemark_workspace_cache_total{outcome="invalidation"} 19',
    'tidemark_workspace_cache_hit_ratio 0.4857142857142857',
    'tidemark_workspace_stale 1',
  ]);
});

test('mechanisms that nobody counts have no metrics', () => {
  const names = [...parse(prometheusText(bare, labels)).keys()];
  assert.ok(names.every((name) => !name.includes('token_count') && !name.includes('workspace')));
});

test('any counts give a text that can be read back', () =>
  fc.assert(
    fc.property(
      fc.array(fc.record({ atMost: fc.integer({ min: 1, max: 1000 }), count: fc.nat() }), { maxLength: 6 }),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
      fc.nat(),
      (drawn, sum, n) => {
        const sorted = [...new Map(drawn.map((bucket) => [bucket.atMost, bucket])).values()].toSorted(
          (a, b) => a.atMost - b.atMost,
        );
        const buckets = [...sorted, { atMost: Infinity, count: n }];
        const tokenCounter = {
          hits: n,
          misses: n,
          size: n,
          asked: n,
          estimated: n,
          failures: n,
          breaker: 'closed',
        } as const;
        parse(prometheusText({ ...bare, tokenCounter: { ...tokenCounter, drift: { buckets, sum } } }, labels));
      },
    ),
  ));
