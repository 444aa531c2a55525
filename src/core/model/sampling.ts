// How the next token is drawn: what the settings say, else what the model's publisher or its file says, else ours.

export interface Sampling {
  /** 0 always takes the likeliest token. */
  readonly temperature: number;
  /** Only so many of the likeliest tokens; over the whole vocabulary sampling costs more than decoding on a small model. */
  readonly topK: number;
  /** Only the likeliest that together have this probability. */
  readonly topP: number;
  /** Only tokens with this share of the likeliest one's probability (Nguyen and others 2024, arXiv 2407.01082). */
  readonly minP: number;
  /** Divides the score of tokens that the message has already; 1 is off. */
  readonly repeatPenalty: number;
}

/** Sampling values; null or left out when unset. */
export type SomeSampling = { readonly [K in keyof Sampling]?: number | null };

export interface SamplingInForce {
  readonly values: Sampling;
  /** The source of each value. */
  readonly from: Readonly<Record<keyof Sampling, 'settings' | 'model' | 'default'>>;
}

const ours: Sampling = { temperature: 0.2, topK: 40, topP: 0.95, minP: 0.05, repeatPenalty: 1 };

const keys = ['temperature', 'topK', 'topP', 'minP', 'repeatPenalty'] as const;

export function samplingFor(settings: SomeSampling, model: SomeSampling): SamplingInForce {
  const chosen = keys.map((key) => {
    if (settings[key] != null) return [key, settings[key], 'settings'] as const;
    if (model[key] != null) return [key, model[key], 'model'] as const;
    return [key, ours[key], 'default'] as const;
  });
  return {
    values: Object.fromEntries(chosen.map(([key, value]) => [key, value])) as unknown as Sampling,
    from: Object.fromEntries(chosen.map(([key, , from]) => [key, from])) as SamplingInForce['from'],
  };
}

/** Reads `general.sampling.*` of a GGUF file. Numbers that make no sense are left out. */
export function samplingIn(general: unknown): SomeSampling {
  const said = (general as { readonly sampling?: Readonly<Record<string, unknown>> } | undefined)?.sampling ?? {};
  const within = (name: string, least: number, most: number): number | null => {
    const value = said[name];
    return typeof value === 'number' && value >= least && value <= most ? value : null;
  };
  return {
    temperature: within('temp', 0, 2),
    topK: within('top_k', 0, 1_000_000),
    topP: within('top_p', 0, 1),
    minP: within('min_p', 0, 1),
    repeatPenalty: within('penalty_repeat', 1, 2),
  };
}

/** The first one's values, and the second one's where it says nothing. */
export function withSampling(first: SomeSampling = {}, second: SomeSampling = {}): SomeSampling {
  return Object.fromEntries(keys.map((key) => [key, first[key] ?? second[key] ?? null]));
}

/** A line with each value, and its source unless that is our default. */
export function samplingText({ values, from }: SamplingInForce): string {
  const names: Readonly<Record<keyof Sampling, string>> = {
    temperature: 'temperature',
    topK: 'top-k',
    topP: 'top-p',
    minP: 'min-p',
    repeatPenalty: 'repetition penalty',
  };
  const source = { settings: ' (settings)', model: ' (the model’s own)', default: '' };
  return keys.map((key) => `${names[key]} ${values[key]}${source[from[key]]}`).join(', ');
}

/** Sampling with a seed. Unset values come from the model, else from our defaults. */
export interface SeededSampling extends SomeSampling {
  readonly seed: number | null;
}
