// The counts as Markdown: one table for each trace and window, and what was done exactly.
import type { Result } from '../result.ts';

const head = [
  '| policy | decoded / new | idle / new | fill | crossings | shifted / new | warm law |',
  '|---|---|---|---|---|---|---|',
];

export function tables(results: readonly Result[]): string {
  const groups = Map.groupBy(results, ({ trace, window }) => `${trace}, window ${window}`);
  const parts = [...groups].map(([name, rows]) => table(name, rows));
  return [...parts, notes, ...results.flatMap(hung), ...results.flatMap(exceptions)].join('\n');
}

function table(name: string, rows: readonly Result[]): string {
  const { calls = 0, per: fresh = 1 } = rows[0] ?? {};
  const lines = rows.map(({ policy, per, decoded, decodedIdle, fill, crossings, shifted, warm }) => {
    const by = (tokens: number | null) => (tokens === null ? '–' : (tokens / per).toFixed(3));
    const law = warm === null ? '–' : `${warm.kept} of ${warm.turns}`;
    const full = `${Math.round(100 * fill)} %`;
    return `| ${policy} | ${by(decoded)} | ${by(decodedIdle)} | ${full} | ${crossings} | ${by(shifted)} | ${law} |`;
  });
  return `${name}: ${calls} calls, ${fresh} new tokens\n\n${[...head, ...lines].join('\n')}\n`;
}

const notes = `decoded: tokens by the library's meter on the request path, idle: between turns, both without what the recorded assistant
says and per new token of the trace (counted from prompts alone; where turns are compacted, their summaries are new tokens too). fill: the mean prompt after turn 10 as a share of the room for
prompts, which is the window less the reserve; of the whole window for LlamaChatSession. crossings: calls in front of which
something was let go of. no reuse is computed: the prompts of exact-limit trimming, each decoded whole. Rivals drop whole turns,
or of a turn that is too large alone its oldest call with results, and reuse the common prefix. LlamaChatSession: the library's
chat object driven as LlamaChatSession drives it, with its wrapper and its context shift (a tenth of the window at once); it
generates one token per call, which the recorded message then replaces, and the functions stand in the system text, because
with functions the shift of 3.22.1 fails.
`;

function hung({ trace, window, policy, hungBehind }: Result): readonly string[] {
  if (hungBehind === undefined) return [];
  return [`- ${trace}, ${window}, ${policy}: never came back behind turn ${hungBehind}; counted as far as that`];
}

function exceptions({ trace, window, policy, warm }: Result): readonly string[] {
  return (warm?.exceptions ?? []).map(({ turn, warmed, reused, cause, allowed }) => {
    const why = allowed ? 'the message did not fit into the room left for it' : 'not allowed';
    return `- not as warmed: ${trace}, ${window}, ${policy}, turn ${turn}: ${reused} of ${warmed} tokens, ${cause} (${why})`;
  });
}
