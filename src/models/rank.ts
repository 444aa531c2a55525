// Which models of the catalogue suit this machine: whether each fits, how long its user waits, and the best first.
import { comfortableShare, planMemory } from '../core/machine/memoryPlan.ts';
import type { CatalogueModel, Quantisation } from './catalogue.ts';
import { type Machine, memoryOf, type Waits, waitsOf } from './estimate.ts';

export interface RankRequest {
  /** Tokens per slot. */
  readonly window: number;
  readonly slots: number;
  /** Bytes of the main memory that the user allows; null for no limit. */
  readonly allowed: number | null;
}

export type Verdict = 'fits' | 'tight' | 'no';

export interface RankedModel extends Waits {
  readonly model: CatalogueModel;
  readonly quantisation: Quantisation;
  readonly verdict: Verdict;
  /** Its user waits too long to work with it. */
  readonly slow: boolean;
  /** The GPU holds a part of it, and the processors have the other layers. */
  readonly split: boolean;
  /** A token goes through a small part of it. */
  readonly mixed: boolean;
  /** Bytes, GPU included, without copies that can be given back; `free`: what is free for it. */
  readonly needed: number;
  readonly free: number;
}

/** Tokens per second, about as fast as one reads along. */
const pleasant = 5;
/** Seconds that one waits for a first word without doing something else. */
const patience = 30;

/**
 * First those that fit and answer in time, the most named first and what is split behind; then those that fit and are slow, the quickest
 * first; then what is tight or does not fit, the smallest first.
 */
export function rankModels(
  models: readonly CatalogueModel[],
  machine: Machine,
  request: RankRequest,
): readonly RankedModel[] {
  const all = models.flatMap((model) =>
    model.quantisations.map((quantisation) => judge(model, quantisation, machine, request)),
  );
  return all.toSorted((a, b) => {
    const by = order(a) - order(b);
    if (by !== 0) return by;
    if (a.verdict !== 'fits') return a.needed - b.needed;
    return (a.slow ? 0 : named(b) - named(a)) || waited(a) - waited(b);
  });
}

function order({ verdict, slow, split }: RankedModel): number {
  if (verdict !== 'fits') return verdict === 'tight' ? 3 : 4;
  return slow ? 2 : split ? 1 : 0;
}

const named = ({ model }: RankedModel) => model.named ?? 0;
/** Seconds until a usual answer stands there. */
const waited = ({ firstWord, tokensPerSecond }: RankedModel) => firstWord + 300 / tokensPerSecond;

function judge(model: CatalogueModel, quantisation: Quantisation, machine: Machine, request: RankRequest): RankedModel {
  const window = Math.min(request.window, model.trainContext ?? request.window);
  const memory = memoryOf(model, quantisation, machine, window);
  const ram = request.allowed === null ? machine.ram : Math.min(machine.ram, request.allowed);
  const free = ram + Math.max(0, machine.gpu - machine.shared);
  const wanted = { window, slots: request.slots, conversations: 1, free: { ram: free, gpu: 0 }, allowed: null };
  const plan = planMemory(memory, wanted);
  const needed = plan === null ? Number.POSITIVE_INFINITY : plan.needed.ram - plan.repacked;
  const onGpu = machine.gpu === 0 ? 0 : Math.min(1, machine.gpu / needed);
  const verdict = verdictOf(needed, (plan?.repacked ?? 0) * (1 - onGpu), free);
  const waits = waitsOf(model, quantisation, machine, onGpu);
  const slow = waits.tokensPerSecond < pleasant || waits.firstWord > patience;
  const { parameters = 1, active = parameters } = model;
  const mixed = active < parameters / 4;
  return {
    model,
    quantisation,
    verdict,
    needed,
    free,
    slow,
    mixed,
    split: onGpu < 1 && machine.gpu > machine.shared,
    ...waits,
  };
}

/** `repacked`: of weights on the GPU nothing is copied. For copies the system can take the file's own pages back, but slowly. */
function verdictOf(needed: number, repacked: number, free: number): Verdict {
  if (needed > free) return 'no';
  return needed <= comfortableShare * free && needed + repacked <= free ? 'fits' : 'tight';
}

/**
 * The one to begin with, for any purpose: the first that fits and is named for local use; a slow one, and one that is tight and answers in
 * time, only where there is no other. Null where there is none.
 */
export function recommended(ranked: readonly RankedModel[]): RankedModel | null {
  const any = ranked.filter(({ model }) => model.named !== undefined && !/not for commercial/i.test(model.licence));
  return (
    any.find(({ verdict }) => verdict === 'fits') ??
    any.find(({ verdict, slow }) => verdict === 'tight' && !slow) ??
    null
  );
}
