// The drift: how far estimates lie from exact counts, as a histogram of exact by estimated tokens.

export interface DriftBucket {
  /** Upper bound of the ratio; the last one is infinite. */
  readonly atMost: number;
  /** Ratios at or below this bound and above the one before. */
  readonly count: number;
}

export interface DriftCounts {
  readonly buckets: readonly DriftBucket[];
  /** Ratios observed, and their sum: the mean is sum / count. */
  readonly count: number;
  readonly sum: number;
}

/** A text and its exact count. */
export interface Sample {
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
