// How fast a model reads here: as it was tested, or estimated from its size and the processors.
import type { GgufFileInfo, GgufInsights, Llama } from 'node-llama-cpp';
import type { Bytes, ReadingPace } from '../../../core/machine/memoryPlan.ts';
import { usableCores } from '../slot/allowed.ts';

/** Multiplications and additions per second and core, by what `systemInfo` names: rough, and only until the model was tested. */
const perCore: readonly (readonly [feature: string, operations: number])[] = [
  ['AMX_INT8', 200e9],
  ['AVX512', 60e9],
  ['DOTPROD', 60e9],
  ['AVX2', 40e9],
];
const otherwise = 8e9;

export interface PlacedModel {
  readonly info: GgufFileInfo;
  readonly insights: GgufInsights;
  readonly gpuLayers: number;
  readonly weights: Bytes;
  /** Bytes that a token takes in a slot. */
  readonly perToken: number;
}

/** `tested`: tokens per second, null where nobody tested it. Null where all is on a GPU, whose pace nobody can tell before. */
export function readingPace(
  llama: Pick<Llama, 'systemInfo' | 'cpuMathCores'>,
  { info, insights, gpuLayers, weights, perToken }: PlacedModel,
  tested: number | null,
): ReadingPace | null {
  const used = usedWeights(info);
  // Two operations for each weight; and of attention two for each number of the cache, with each query that looks at it. A number there has two bytes.
  const attention = used === 0 ? 0 : (perToken * queriesPerKey(info)) / (2 * used);
  if (tested !== null) return { tokensPerSecond: tested, measured: true, attention };
  if (gpuLayers >= insights.totalLayers || used === 0) return null;
  const here = weights.ram / Math.max(1, weights.ram + weights.gpu);
  const operations = perCore.find(([feature]) => llama.systemInfo.includes(`${feature} = 1`))?.[1] ?? otherwise;
  return { tokensPerSecond: (operations * usableCores(llama)) / (2 * used * here), measured: false, attention };
}

export function weightsIn({ fullTensorInfo }: GgufFileInfo): number {
  return (fullTensorInfo ?? []).reduce((sum, { dimensions }) => sum + countOf(dimensions), 0);
}

function countOf(dimensions: readonly (number | bigint)[]): number {
  return dimensions.reduce<number>((product, length) => product * Number(length), 1);
}

/** Weights that a token of a prompt is multiplied with: no tables of a vocabulary, and of the experts only those that it is sent to. */
function usedWeights({ fullTensorInfo, architectureMetadata }: GgufFileInfo): number {
  const { expert_count: experts, expert_used_count: chosen } = architectureMetadata;
  const share = typeof experts === 'number' && experts > 0 && typeof chosen === 'number' ? chosen / experts : 1;
  return (fullTensorInfo ?? []).reduce((sum, { name, dimensions }) => {
    if (dimensions.length < 2 || /^(token_embd|output)\./.test(name)) return sum;
    return sum + countOf(dimensions) * (name.includes('_exps.') ? share : 1);
  }, 0);
}

function queriesPerKey({ architectureMetadata: { attention } }: GgufFileInfo): number {
  const most = (heads: unknown) => Math.max(0, ...[heads].flat().filter((one) => typeof one === 'number'));
  const keys = most(attention?.head_count_kv);
  return keys === 0 ? 1 : Math.max(1, most(attention?.head_count) / keys);
}
