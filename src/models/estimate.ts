// Estimates, by a model's figures alone, what it would take of this machine: memory, and the time that a user waits.
import { largestBatch } from '../core/machine/askers.ts';
import type { ModelMemory } from '../core/machine/memoryPlan.ts';
import type { CatalogueModel, Quantisation } from './catalogue.ts';

/** A machine's means, in bytes. */
export interface Machine {
  readonly ram: number;
  readonly gpu: number;
  /** How much of the GPU's is main memory, too. */
  readonly shared: number;
  /** Kinds of weights that its processor copies into a layout of its own: `Q4_K`. */
  readonly copies: readonly string[];
  /** Bytes of weights that its processors go through in a second, about. */
  readonly readRate: number;
  /** Processors that may be used. */
  readonly processors: number;
}

/** The waiting that a user has, about. */
export interface Waits {
  /** Seconds to the first word of the answer to a usual question, thoughts apart. */
  readonly firstWord: number;
  readonly tokensPerSecond: number;
}

/** A row that does not say it counts as being as wide as most models up to 30 billion parameters are. */
const usual = { kvHeads: 4, keySize: 256, valueSize: 256, embedding: 4096, vocabulary: 150_000 };
/** Bytes of a number in the cache. */
const half = 2;
/** A windowed cache has space for a batch beside the window, in steps of so many tokens. */
const step = 256;
/** Copies of weights: as large as those of the kinds that are copied. `window`: tokens of a slot. */
export function memoryOf(model: CatalogueModel, quantisation: Quantisation, machine: Machine, window: number) {
  const { embedding = usual.embedding, vocabulary = usual.vocabulary, caches } = model;
  const none = { ram: 0, gpu: 0 };
  const { attention, windowed, recurrent } = caches;
  const { kvHeads, keySize, valueSize } = { ...usual, ...attention };
  const wide =
    windowed === undefined ? 0 : windowed.layers * windowed.kvHeads * (windowed.keySize + windowed.valueSize);
  const cells = Math.ceil(((windowed?.window ?? 0) + largestBatch + 1) / step) * step;
  const running = recurrent?.bytes ?? 0;
  const kept = half * wide * Math.min(cells, window);
  return {
    weights: { ram: quantisation.bytes, gpu: 0 },
    repacked: quantisation.bytes * copiedShare(quantisation.name, machine.copies),
    compute: { ram: largestBatch * 4 * (vocabulary + 12 * embedding), gpu: 0 },
    slot: {
      fixed: { ram: kept + running, gpu: 0 },
      perToken: { ram: half * attention.layers * kvHeads * (keySize + valueSize), gpu: 0 },
    },
    checkpoint: running + half * wide * Math.min(windowed?.window ?? 0, window),
    kinds: { experts: 0, recurrent: running, windowed: { fixed: kept, perToken: 0 } },
    // These contexts are the first to go, so no choice depends on them.
    passing: none,
    beside: none,
  } satisfies ModelMemory;
}

/** Tokens of a question with what is found for it, which a model has to read before it answers; the head is read before. */
const question = 1500;
/**
 * Multiplications and additions of a processor in a second while it reads a prompt: 95 tokens a second of a 0.5B on two of an AMD EPYC
 * (docs/decisions/0049), and 118 of a 1.5B on eight cores in a public text.
 */
const perProcessor = 4.5e10;
/** How often a second a card of its own goes through all its memory; cards of 8 to 24 GB do so 18 to 42 times. */
const readsOfCard = 20;
/** Multiplications and additions for each byte that it reads meanwhile: on a card, and on a GPU that shares the main memory. */
const [perByte, perSharedByte] = [60, 25];
/** How much longer the processors take for layers of a model whose other layers a card has: 18 tokens a second by public measure, not 43. */
const halved = 2.5;
/** Bytes of a parameter at about five bits, where a row does not say how many there are. */
const bytesOfOne = 0.6;

/** `onGpu`: the share of the model that the GPU holds. */
export function waitsOf(model: CatalogueModel, { bytes }: Quantisation, machine: Machine, onGpu: number): Waits {
  const { parameters = bytes / bytesOfOne / 1e9, active = parameters } = model;
  const cpu = { reads: machine.readRate, computes: perProcessor * machine.processors };
  const shared = machine.shared > 0;
  const reads = shared ? machine.readRate : readsOfCard * machine.gpu;
  const gpu = { reads, computes: Math.max(reads * (shared ? perSharedByte : perByte), cpu.computes) };
  const onCpu = (1 - onGpu) * (onGpu === 0 ? 1 : halved);
  const time = (work: number, kind: 'reads' | 'computes') =>
    (work * onCpu) / cpu[kind] + (onGpu === 0 ? 0 : (work * onGpu) / gpu[kind]);
  const token = time((bytes * active) / parameters, 'reads');
  return { firstWord: time(question * 2 * active * 1e9, 'computes') + token, tokensPerSecond: 1 / token };
}

/** Tensors of several kinds are in one file: the shares are those of llama.cpp's own mixtures, rounded. */
function copiedShare(quantisation: string, copies: readonly string[]): number {
  const kinds: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
    Q4_K_M: [
      ['Q4_K', 0.75],
      ['Q6_K', 0.2],
    ],
    Q4_0: [['Q4_0', 0.9]],
    Q8_0: [['Q8_0', 0.95]],
    MXFP4: [['MXFP4', 0.9]],
  };
  const shares = kinds[quantisation.replace(/^UD-/, '')] ?? [];
  return shares.reduce((sum, [kind, share]) => sum + (copies.includes(kind) ? share : 0), 0);
}
