// The counter that always answers: from memory, else by the model's own tokenizer behind a breaker, else by an estimate.
import type { Counts, TokenCounter } from '../core/prompt/counter.ts';
import { Breaker, type BreakerState } from './breaker.ts';
import { Drift, type DriftCounts, type Sample, sampleOf } from './drift.ts';
import { type LazyEstimator, roughTokens } from './estimate.ts';
import { keyOf, Recent } from './recent.ts';

export interface CounterPorts {
  /** Asks the loaded model for the tokens of each text as content. Rejects when it cannot; always settles. */
  readonly exact: (texts: readonly string[]) => Promise<readonly number[]>;
  /** The loaded model's fingerprint; null where none is loaded. Nothing is asked then, which is no failure. */
  readonly fingerprint: () => string | null;
  /** Milliseconds of a clock that is never set back. */
  readonly now: () => number;
  /** First called when something has to be estimated, or compared with an exact count. */
  readonly estimator: LazyEstimator;
}

export interface CounterSettings {
  /** Off: nothing is remembered and no drift is observed; every count asks the model, or estimates. */
  readonly enabled: boolean;
  /** In texts. */
  readonly cacheCapacity: number;
  /** Who counts what is not remembered: the model behind a breaker, the model always, or the estimator alone. */
  readonly source: 'auto' | 'exact' | 'estimate';
}

/** Sums over the counter's lifetime. */
export interface CounterMetrics {
  /** Texts looked for in memory, a text that comes twice in one call once. */
  readonly hits: number;
  readonly misses: number;
  /** Texts remembered, of all models. */
  readonly size: number;
  /** Texts that the model's tokenizer counted. */
  readonly asked: number;
  /** Texts that a stand-in counted. */
  readonly estimated: number;
  /** Requests that the model's tokenizer did not answer, or answered wrongly. */
  readonly failures: number;
  /** `retryAt` by the clock given, in milliseconds; null unless open. */
  readonly breaker: { readonly state: BreakerState; readonly retryAt: number | null };
  readonly drift: DriftCounts;
}

/** Lives as long as its owner; nothing has to be disposed of. */
export class CascadeCounter implements TokenCounter {
  private readonly ports: CounterPorts;
  private readonly settings: () => CounterSettings;
  private readonly recent: Recent<number>;
  private readonly drift = new Drift();
  /** The breaker of the model asked last: another model says nothing about this one's failures. */
  private guard: { readonly model: string | null; readonly breaker: Breaker };
  private asked = 0;
  private estimated = 0;
  private failures = 0;

  constructor(ports: CounterPorts, settings: () => CounterSettings) {
    this.ports = ports;
    this.settings = settings;
    this.recent = new Recent(settings().cacheCapacity);
    this.guard = { model: null, breaker: new Breaker(ports.now) };
  }

  async count(texts: readonly string[]): Promise<Counts> {
    const model = this.ports.fingerprint();
    const unique = [...new Set(texts)];
    const known = model === null || this.source === 'estimate' ? new Map<string, number>() : this.recall(model, unique);
    const missing = unique.filter((text) => !known.has(text));
    const answered = missing.length === 0 ? [] : await this.ask(model, missing);
    // Another model may have been loaded meanwhile: then these are the counts of one that is gone.
    const same = this.ports.fingerprint() === model;
    if (answered !== null && same && model !== null) this.learn(model, missing, answered);
    const counted = answered ?? (await this.estimate(missing));
    for (const [i, text] of missing.entries()) known.set(text, counted[i] ?? 0);
    if (answered === null || !same) this.estimated += same ? missing.length : unique.length;
    else this.asked += missing.length;
    return { tokens: texts.map((text) => known.get(text) ?? 0), exact: answered !== null && same };
  }

  /** Remembers exact counts that came along with a measured prompt, of the texts as content; wrong numbers are left out. */
  learn(fingerprint: string, texts: readonly string[], tokens: readonly number[]): void {
    if (!this.prepare()) return;
    const news: Sample[] = [];
    texts.forEach((text, i) => {
      const count = tokens[i];
      if (!isCount(count)) return;
      const key = keyOf(fingerprint, text);
      if (!this.recent.has(key)) news.push({ text, tokens: count });
      this.recent.set(key, count);
    });
    this.observe(news);
  }

  metrics(): CounterMetrics {
    const { hits, misses, size } = this.recent;
    const { state, retryAt } = this.guard.breaker;
    const { asked, estimated, failures } = this;
    return { hits, misses, size, asked, estimated, failures, breaker: { state, retryAt }, drift: this.drift.counts };
  }

  private get source(): CounterSettings['source'] {
    return this.settings().source;
  }

  /** Follows the settings; says whether anything is to be remembered. */
  private prepare(): boolean {
    const { enabled, cacheCapacity } = this.settings();
    this.recent.capacity = cacheCapacity;
    return enabled;
  }

  private recall(model: string, texts: readonly string[]): Map<string, number> {
    const known = new Map<string, number>();
    if (!this.prepare()) return known;
    for (const text of texts) {
      const tokens = this.recent.get(keyOf(model, text));
      if (tokens !== undefined) known.set(text, tokens);
    }
    return known;
  }

  /** Returns the model's own counts; null when no model is loaded, the breaker is open, or the answer failed. */
  private async ask(model: string | null, texts: readonly string[]): Promise<readonly number[] | null> {
    if (model === null || this.source === 'estimate') return null;
    if (this.guard.model !== model) this.guard = { model, breaker: new Breaker(this.ports.now) };
    const { breaker } = this.guard;
    const pass = breaker.begin();
    if (pass === null) return this.source === 'exact' ? this.answer(texts) : null;
    const tokens = await this.answer(texts);
    if (tokens !== null) breaker.succeed(pass);
    else if (this.ports.fingerprint() === model) {
      this.failures += 1;
      breaker.fail(pass);
    } else {
      // The model was let go while it was asked: that is no fault of its tokenizer.
      breaker.release(pass);
    }
    return tokens;
  }

  private async answer(texts: readonly string[]): Promise<readonly number[] | null> {
    try {
      const tokens = await this.ports.exact(texts);
      return tokens.length === texts.length && texts.every((_, i) => isCount(tokens[i])) ? tokens : null;
    } catch {
      // The engine's owner hears of its faults in other ways; here they are counted.
      return null;
    }
  }

  private async estimate(texts: readonly string[]): Promise<readonly number[]> {
    try {
      const estimator = await this.ports.estimator();
      return texts.map((text) => estimator.text(text));
    } catch {
      // An estimate must not fail, and a rough one is marked like any other.
      return texts.map(roughTokens);
    }
  }

  /** Compares some of the new counts with their estimates, after whoever asked for the counts has got them. */
  private observe(news: readonly Sample[]): void {
    const samples = sampleOf(news);
    if (samples.length === 0) return;
    setImmediate(() => void this.compare(samples)).unref();
  }

  private async compare(samples: readonly Sample[]): Promise<void> {
    try {
      const estimator = await this.ports.estimator();
      for (const { text, tokens } of samples) this.drift.observe(tokens, estimator.text(text));
    } catch {
      // Without an estimator there is no drift to speak of.
    }
  }
}

function isCount(tokens: number | undefined): tokens is number {
  return Number.isSafeInteger(tokens) && Number(tokens) >= 0;
}
