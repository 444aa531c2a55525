// How many threads decode: found while they do. What other programs take of the cores is left to them, because a thread that waits
// for one without a core holds all of them up; and now and then a stretch is decoded with one thread less or more, to see.

/** Kinds of work. Prefill computes and generation waits for the memory, so each needs its own number of threads. */
export type Work = 'prefill' | 'generation';

export interface DecodedChunk {
  readonly threads: number;
  readonly tokens: number;
  readonly milliseconds: number;
}

/** Cores that others may take before one is left to them; above it what is measured is slower than the machine. */
export const spareCores = 0.6;
/** After so long a former look at the others has lost half its weight, in milliseconds. */
const halfLife = 1200;
/** A number of threads is better if it is so much faster. */
const telling = 1.05;
/** So much slower than before, and another number is tried at once. */
const dropped = 0.6;
/** Stretches between two trials: the first, and the most, since each one that finds nothing doubles them. */
const first = 24;
const most = 384;

/** Measurements for one kind of work. */
interface Known {
  /** Tokens per millisecond, by threads. */
  readonly rates: Map<number, number>;
  /** Found best where all cores are free. */
  limit: number;
  since: number;
  every: number;
  trials: number;
  /** The number that is tried now; null for none. */
  tried: number | null;
}

export class Threads {
  private readonly cores: number;
  private readonly foreign: number;
  private others = 0;
  private readonly known: Readonly<Record<Work, Known>>;

  /** `cores` that can be used for computing, and `foreign` ones of the machine that cannot: others fill those first. */
  constructor(cores: number, foreign = 0) {
    this.cores = cores;
    this.foreign = foreign;
    const fresh = (): Known => ({ rates: new Map(), limit: cores, since: 0, every: first, trials: 0, tried: null });
    this.known = { prefill: fresh(), generation: fresh() };
  }

  /** For the next stretch. */
  next(work: Work): number {
    const known = this.known[work];
    const free = this.free;
    const best = Math.min(free, known.limit);
    if (known.since < known.every) return best;
    const fewer = known.trials % 2 === 0 ? Math.ceil(best / 2) : best - 1;
    const other = best < free ? best + 1 : fewer;
    known.tried = other >= 1 && other !== best ? other : null;
    return known.tried ?? best;
  }

  /** Records the result of a chunk. */
  done(work: Work, { threads, tokens, milliseconds }: DecodedChunk): void {
    const known = this.known[work];
    const rate = tokens / Math.max(milliseconds, 0.01);
    if (known.tried === threads) this.judge(known, threads, rate);
    else {
      const before = known.rates.get(threads);
      known.since = before !== undefined && rate < dropped * before ? known.every : known.since + 1;
      known.rates.set(threads, before === undefined ? rate : (before + rate) / 2);
    }
  }

  /** A stretch whose pace says nothing: a trial that was due then is put off. */
  abandon(work: Work): void {
    const known = this.known[work];
    if (known.tried === null) return;
    known.tried = null;
    known.since = Math.max(0, known.every - first);
  }

  /** How many cores other programs took in the time since the last look. */
  saw(others: number, milliseconds: number): void {
    const weight = 0.5 ** (milliseconds / halfLife);
    this.others = this.others * weight + others * (1 - weight);
  }

  private judge(known: Known, threads: number, rate: number): void {
    const now = Math.min(this.free, known.limit);
    const isBetter = rate > telling * (known.rates.get(now) ?? Number.POSITIVE_INFINITY);
    if (isBetter) known.limit = threads;
    known.rates.set(threads, rate);
    // The rate of the present number is outdated by now.
    if (!isBetter) known.rates.delete(now);
    known.every = isBetter ? first : Math.min(most, known.every * 2);
    known.since = 0;
    known.trials += 1;
    known.tried = null;
  }

  private get free(): number {
    return Math.max(1, this.cores - Math.max(0, Math.ceil(this.others - this.foreign - spareCores)));
  }
}
