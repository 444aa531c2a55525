// The times as Markdown: medians, spread and what the marks say. Machines are noisy, so nothing fails here.
import type { Pair, Times } from '../timing.ts';

export function timeTable({ withIdle, without, generation }: Times): string {
  const firsts = (pairs: readonly Pair[]) => pairs.filter(({ first }) => first);
  const rows = [
    row('first token, all calls, with idle time', withIdle, 'ms', (ratio) => ratio <= 1.05, 'at most 1.05'),
    row('... of them the first call of a turn', firsts(withIdle), 'ms', (ratio) => ratio <= 1.05, 'at most 1.05'),
    row('first token, all calls, without idle time', without, 'ms', (ratio) => ratio <= 1.15, 'at most 1.15'),
    row('... of them the first call of a turn', firsts(without), 'ms', (ratio) => ratio <= 1.15, 'at most 1.15'),
    row('generation', generation, 'tokens/s', (ratio) => ratio >= 0.98, 'at least 0.98'),
  ];
  return [
    '| time | pairs | tokens | ours | raw llama.cpp | ratio, median (least to most) | mark |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    'Pairs in turn in one process: ours is projection, measuring, tokenising and the worker, without the process boundary; raw is the',
    'library decoding only the new tokens at the same depth, in the same batches, and sampling one token. Medians.',
  ].join('\n');
}

function row(
  name: string,
  pairs: readonly Pair[],
  unit: string,
  meets: (ratio: number) => boolean,
  wanted: string,
): string {
  if (pairs.length === 0) return `| ${name} | 0 | | | | | |`;
  const ratios = pairs.map(({ ours, raw }) => ours / raw).toSorted((a, b) => a - b);
  const middle = median(ratios);
  const spread = `${middle.toFixed(3)} (${ratios[0]?.toFixed(3)} to ${ratios.at(-1)?.toFixed(3)})`;
  const of = (key: 'ours' | 'raw' | 'tokens') => median(pairs.map((pair) => pair[key]));
  const mark = `${meets(middle) ? 'met' : 'MISSED'}, ${wanted}`;
  const values = `${of('ours').toFixed(1)} ${unit} | ${of('raw').toFixed(1)} ${unit}`;
  return `| ${name} | ${pairs.length} | ${of('tokens')} | ${values} | ${spread} | ${mark} |`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.floor(half)] ?? 0) + (sorted[Math.ceil(half) - 1] ?? 0)) / 2;
}
