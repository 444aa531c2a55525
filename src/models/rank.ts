// Which models of the catalogue suit this machine: what each would take of the memory, whether that fits, and the best first.
import { comfortableShare, type ModelMemory, planMemory } from '../core/machine/memoryPlan.ts';
import type { CatalogueModel, Quantisation } from './catalogue.ts';

/** What a machine has. Bytes. */
export interface Machine {
  readonly ram: number;
  readonly gpu: number;
  /** How much of the GPU's is main memory, too. */
  readonly shared: number;
  /** Kinds of weights that its processor copies into a layout of its own: `Q4_K`. */
  readonly copies: readonly string[];
  /** Bytes of weights that its processors go through in a second, about; null while unknown. */
  readonly readRate: number | null;
}

export interface Wish {
  /** Tokens per slot. */
  readonly window: number;
  readonly slots: number;
  /** What the user allows of the main memory; null for no limit. */
  readonly allowed: number | null;
}

export type Verdict = 'fits' | 'tight' | 'no';

export interface RankedModel {
  readonly model: CatalogueModel;
  readonly quantisation: Quantisation;
  readonly verdict: Verdict;
  /** Its answers come too slowly to work with. */
  readonly slow: boolean;
  /** Of a reply, about; null where it is not known, as on a GPU. */
  readonly tokensPerSecond: number | null;
  /** Bytes, GPU included, without copies that can be given back; `room`: what is free for it. */
  readonly needed: number;
  readonly room: number;
}

/** A model that was trained for everything counts as so much of its size. */
const general = 0.75;
/** Beyond it, a processor of unknown speed reads too long for each token. Bytes. */
const readable = 6e9;
/** Tokens per second, about as fast as one reads along. */
const pleasant = 5;
/** Tokens decoded at once; numbers of 4 bytes. */
const batch = 512;

export function rankModels(models: readonly CatalogueModel[], machine: Machine, wish: Wish): readonly RankedModel[] {
  const all = models.flatMap((model) =>
    model.quantisations.map((quantisation) => judge(model, quantisation, machine, wish)),
  );
  const order = (one: RankedModel) => (one.verdict === 'no' ? 3 : one.verdict === 'tight' ? 2 : one.slow ? 1 : 0);
  // The largest that fits comfortably first; of those that do not fit the smallest first.
  return all.toSorted((a, b) => {
    const by = order(a) - order(b);
    if (by !== 0) return by;
    const larger = worth(b.model) - worth(a.model) || b.quantisation.bytes - a.quantisation.bytes;
    return a.verdict === 'fits' ? larger : a.needed - b.needed;
  });
}

function worth({ parameters, code }: CatalogueModel): number {
  return code ? parameters : general * parameters;
}

/** What a model would take, by its figures alone. Copies: as large as the weights of the kinds that are copied. */
export function memoryOf(model: CatalogueModel, { name, bytes }: Quantisation, machine: Machine): ModelMemory {
  const { layers, kvHeads, keySize, valueSize, embedding, vocabulary } = model;
  const none = { ram: 0, gpu: 0 };
  return {
    weights: { ram: bytes, gpu: 0 },
    repacked: bytes * copiedShare(name, machine.copies),
    compute: { ram: batch * 4 * (vocabulary + 12 * embedding), gpu: 0 },
    slot: { fixed: none, perToken: { ram: 2 * layers * kvHeads * (keySize + valueSize), gpu: 0 } },
    checkpoints: 0,
    // The passing context is the first to go, so no choice depends on it.
    passing: none,
  };
}

function judge(model: CatalogueModel, quantisation: Quantisation, machine: Machine, wish: Wish): RankedModel {
  const window = Math.min(wish.window, model.trainContext);
  const memory = memoryOf(model, quantisation, machine);
  const ram = wish.allowed === null ? machine.ram : Math.min(machine.ram, wish.allowed);
  const room = ram + Math.max(0, machine.gpu - machine.shared);
  const wanted = { window, slots: wish.slots, conversations: 1, free: { ram: room, gpu: 0 }, allowed: null };
  const plan = planMemory(memory, wanted);
  const needed = plan === null ? Number.POSITIVE_INFINITY : plan.needed.ram - plan.repacked;
  const verdict = verdictOf(needed, plan?.repacked ?? 0, room, machine);
  const read = (quantisation.bytes * model.active) / model.parameters;
  // A GPU that holds all of it is fast, and how fast nobody has measured.
  const onGpu = needed <= machine.gpu;
  const tokensPerSecond = onGpu || machine.readRate === null ? null : machine.readRate / read;
  const slow = !onGpu && (tokensPerSecond === null ? read > readable : tokensPerSecond < pleasant);
  return { model, quantisation, verdict, needed, room, slow, tokensPerSecond };
}

function verdictOf(needed: number, repacked: number, room: number, machine: Machine): Verdict {
  if (needed > room) return 'no';
  // Weights on the GPU are not copied. For copies the system can take the file's own pages back, but slowly.
  const all = needed <= machine.gpu ? needed : needed + repacked;
  return needed <= comfortableShare * room && all <= room ? 'fits' : 'tight';
}

/** The one to begin with: the best that fits and is not slow, for any purpose. Null where none does. */
export function recommended(ranked: readonly RankedModel[]): RankedModel | null {
  const forAll = ({ model }: RankedModel) => !/not for commercial/i.test(model.licence);
  return ranked.find((one) => one.verdict === 'fits' && !one.slow && forAll(one)) ?? null;
}

/** Tensors of several kinds are in one file: the shares are those of llama.cpp's own mixtures, rounded. */
function copiedShare(quantisation: string, copies: readonly string[]): number {
  const kinds: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
    Q4_K_M: [
      ['Q4_K', 0.75],
      ['Q6_K', 0.2],
    ],
    Q8_0: [['Q8_0', 0.95]],
    MXFP4: [['MXFP4', 0.9]],
  };
  return (kinds[quantisation] ?? []).reduce((sum, [kind, share]) => sum + (copies.includes(kind) ? share : 0), 0);
}
