// The counter that always answers: from memory, else by the model's own tokenizer behind a breaker, else by an estimate.

import { createHash } from 'node:crypto';
import type { Counts, TokenCounter } from '../core/prompt/counter.ts';
import { type LazyEstimator, roughTokens } from './estimate.ts';

// The circuit breaker: after failures in a row it asks no more for a while, then tries once, and closes when that succeeds.

type BreakerState = 'closed' | 'open' | 'trial';

/** Leave for one attempt, to be handed back with how it went. */
export type Pass = number;

const failuresToOpen = 3;
const firstWait = 30_000;
const longestWait = 300_000;

export class Breaker {
  private readonly now: () => number;
  private current: BreakerState = 'closed';
  private failures = 0;
  private wait = firstWait;
  private retryFrom = 0;
  /** Grows with every change of state: an attempt that began in an earlier state says nothing about this one. */
  private period: Pass = 0;

  /** `now` gives the milliseconds of a clock that is never set back. */
  constructor(now: () => number) {
    this.now = now;
  }

  get state(): BreakerState {
    return this.current;
  }

  /** When the next trial may begin, by the clock given; null unless open. */
  get retryAt(): number | null {
    return this.current === 'open' ? this.retryFrom : null;
  }

  /** Leave to try now, or null. While open nothing is let through before `retryAt`, and then one trial at a time. */
  begin(): Pass | null {
    if (this.current === 'trial') return null;
    if (this.current === 'open') {
      if (this.now() < this.retryFrom) return null;
      this.enter('trial');
    }
    return this.period;
  }

  succeed(pass: Pass): void {
    if (pass !== this.period) return;
    this.failures = 0;
    if (this.current !== 'trial') return;
    this.wait = firstWait;
    this.enter('closed');
  }

  fail(pass: Pass): void {
    if (pass !== this.period) return;
    if (this.current === 'trial') {
      this.wait = Math.min(this.wait * 2, longestWait);
      this.open();
      return;
    }
    this.failures += 1;
    if (this.failures >= failuresToOpen) this.open();
  }

  /** The attempt showed nothing: a trial may be made again at once. */
  release(pass: Pass): void {
    if (pass === this.period && this.current === 'trial') this.enter('open');
  }

  private open(): void {
    this.failures = 0;
    this.retryFrom = this.now() + this.wait;
    this.enter('open');
  }

  private enter(state: BreakerState): void {
    this.current = state;
    this.period += 1;
  }
}

// A map that holds what was used most recently, up to a number of entries, and counts how often it knew.
export class Recent<Value> {
  /** In the order of their last use: a Map gives its keys in the order in which they were set. */
  private readonly entries = new Map<string, Value>();
  private most: number;
  private counts = { hits: 0, misses: 0 };

  /** `capacity` in entries; less than 1 holds nothing. */
  constructor(capacity: number) {
    this.most = capacity;
  }

  get size(): number {
    return this.entries.size;
  }

  get hits(): number {
    return this.counts.hits;
  }

  get misses(): number {
    return this.counts.misses;
  }

  get capacity(): number {
    return this.most;
  }

  /** Lets go of the entries that were used longest ago, where there are too many. */
  set capacity(capacity: number) {
    this.most = capacity;
    this.trim();
  }

  /** Counts as a use. */
  get(key: string): Value | undefined {
    const value = this.entries.get(key);
    this.counts[value === undefined ? 'misses' : 'hits'] += 1;
    if (value !== undefined) this.put(key, value);
    return value;
  }

  /** Whether it is known; counts as no use, no hit and no miss. */
  has(key: string): boolean {
    return this.entries.has(key);
  }

  set(key: string, value: Value): void {
    this.put(key, value);
    this.trim();
  }

  private put(key: string, value: Value): void {
    this.entries.delete(key);
    this.entries.set(key, value);
  }

  private trim(): void {
    for (const key of this.entries.keys()) {
      if (this.entries.size <= this.most) return;
      this.entries.delete(key);
    }
  }
}

/** Returns the key of a text's count: short whatever the text, and another one for every model. */
export function keyOf(fingerprint: string, text: string): string {
  return `${fingerprint}:${createHash('sha256').update(text).digest('base64url')}`;
}

// The drift: how far estimates lie from exact counts, as a histogram of exact by estimated tokens.

interface DriftBucket {
  /** Upper bound of the ratio; the last one is infinite. */
  readonly atMost: number;
  /** Ratios at or below this bound and above the one before. */
  readonly count: number;
}

interface DriftCounts {
  readonly buckets: readonly DriftBucket[];
  /** Ratios observed, and their sum: the mean is sum / count. */
  readonly count: number;
  readonly sum: number;
}

/** A text and its exact count. */
interface Sample {
  readonly text: string;
  readonly tokens: number;
}

const bounds = [0.5, 0.7, 0.8, 0.9, 0.95, 1.05, 1.1, 1.2, 1.3, 1.5, 2, Infinity] as const;

/** Below so many estimated tokens the ratio is noise. */
const least = 16;

const sampledTexts = 8;
const sampledCharacters = 4096;
const longestSample = 8000;

export class Drift {
  private readonly tally = bounds.map(() => 0);
  private sum = 0;

  get counts(): DriftCounts {
    const buckets = bounds.map((atMost, i) => ({ atMost, count: this.tally[i] ?? 0 }));
    return { buckets, count: this.tally.reduce((a, b) => a + b, 0), sum: this.sum };
  }

  /** Both in tokens. */
  observe(exact: number, estimate: number): void {
    if (estimate < least) return;
    const ratio = exact / estimate;
    const at = bounds.findIndex((bound) => ratio <= bound);
    this.tally[at] = (this.tally[at] ?? 0) + 1;
    this.sum += ratio;
  }
}

/** Short texts from the front, until they are enough work for one call. */
export function sampleOf(news: readonly Sample[]): readonly Sample[] {
  const samples: Sample[] = [];
  let characters = 0;
  for (const sample of news) {
    if (samples.length === sampledTexts || characters >= sampledCharacters) break;
    if (sample.text.length > longestSample) continue;
    samples.push(sample);
    characters += sample.text.length;
  }
  return samples;
}

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
