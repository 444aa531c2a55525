// Our own policies: the trace through the real projection and engine, and what idle work promised against what came.

import { graphs } from '../../src/core/agent/graph.ts';
import type { WarmParams, Warmth } from '../../src/core/engine/prefill.ts';
import type { Generation } from '../../src/core/model/model.ts';
import type { GenerateParams } from '../../src/protocol/engine.ts';
import { type OpenEngine, openEngine } from '../cli/engine.ts';
import { type ReplayOptions, type ReplayRow, replayTrace } from '../cli/replayTrace.ts';
import type { Trace } from '../cli/trace/trace.ts';
import { type Counts, meanFill, sum, type WarmException, type WarmLaw } from './result.ts';

export type Ours = Pick<ReplayOptions, 'idle' | 'reuse' | 'compaction'>;

export async function runOurs(model: string, window: number, trace: Trace, how: Ours): Promise<Counts> {
  const engine = await openEngine(model, window, 1);
  const rows: ReplayRow[] = [];
  const seen = watch(engine);
  try {
    await replayTrace(trace, engine, { graph: graphs.unified, ...how }, (row) => rows.push(row));
  } finally {
    await engine.client.dispose();
  }
  return {
    calls: rows.length,
    promptTokens: sum(rows, ({ promptTokens }) => promptTokens),
    decoded: sum(rows, ({ decoded }) => decoded),
    decodedIdle: how.idle ? sum(seen, ({ warmth }) => warmth?.prefill.decoded ?? 0) : null,
    shifted: sum(rows, ({ shifted }) => shifted),
    crossings: crossings(rows),
    fill: meanFill(rows.map(({ turn, promptTokens, high }) => ({ turn, share: promptTokens / high }))),
    newTokens: sum(rows, ({ newTokens }) => newTokens),
    warm: how.idle ? warmLaw(rows, seen) : null,
  };
}

function crossings(rows: readonly ReplayRow[]): number {
  const gone = ({ decisions: { stubbed, trimmed, folded: compacted } }: ReplayRow) => [stubbed, trimmed, compacted];
  return rows.filter((row, i) => {
    const before = rows[i - 1];
    return before !== undefined && gone(row).some((count, state) => count > (gone(before)[state] ?? 0));
  }).length;
}

/** A model call, and the idle work in front of it. */
interface Seen {
  readonly warmth: Warmth | null;
  readonly generation: Generation;
}

/** Listens to what the replay asks of the engine; nothing is changed. */
function watch(engine: OpenEngine): readonly Seen[] {
  const seen: Seen[] = [];
  let warmth: Warmth | null = null;
  const ask = engine.client.request.bind(engine.client);
  engine.client.request = async (name, params, signal) => {
    const result = await ask(name, params, signal);
    if (isWarm(name, params)) warmth = result as Warmth;
    else if (isGenerate(name, params)) {
      seen.push({ warmth, generation: result as Generation });
      warmth = null;
    }
    return result;
  };
  return seen;
}

function isWarm(name: string, _: unknown): _ is WarmParams {
  return name === 'warm';
}

function isGenerate(name: string, _: unknown): _ is GenerateParams {
  return name === 'generate';
}

/** Rows and calls go side by side; an emergency's second try is none of the traces' business. */
function warmLaw(rows: readonly ReplayRow[], seen: readonly Seen[]): WarmLaw {
  const judged = seen.flatMap(({ warmth, generation }, i) => {
    const row = rows[i];
    return warmth === null || row === undefined ? [] : [{ row, warmth, ...generation.prefill }];
  });
  const exceptions = judged.flatMap(({ row, warmth, reused, approximate }): WarmException[] => {
    const whole = warmth.warmed === warmth.of && warmth.prefill.approximate === 0;
    // Only the warmed tokens must be reused: whatever else the slot had beyond them may break.
    if (whole && approximate === 0 && reused >= warmth.warmed) return [];
    const cause = row.breakAt?.cause ?? (whole ? 'not reused' : 'not warmed whole');
    const allowed = whole && row.breakAt !== null && warmth.of + row.newTokens > row.high;
    return [{ turn: row.turn, warmed: warmth.warmed, reused, cause, allowed }];
  });
  return { turns: judged.length, kept: judged.length - exceptions.length, exceptions };
}
