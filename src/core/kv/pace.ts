// How fast prompts are decoded, from what was measured: for predictions, never for decisions about content.

/** Shorter stretches say more about the overhead than about the pace. */
const shortest = 16;
/** Later measurements count more: after about so many tokens an earlier one has lost half its weight. */
const halfLife = 4096;

export interface Pace {
  readonly tokens: number;
  readonly milliseconds: number;
}

export const noPace: Pace = { tokens: 0, milliseconds: 0 };

export function paced(pace: Pace, tokens: number, milliseconds: number): Pace {
  if (tokens < shortest) return pace;
  const weight = 0.5 ** (tokens / halfLife);
  return { tokens: pace.tokens * weight + tokens, milliseconds: pace.milliseconds * weight + milliseconds };
}

/** Milliseconds that decoding so many prompt tokens will take; null as long as nothing was measured. */
export function predicted({ tokens, milliseconds }: Pace, wanted: number): number | null {
  return tokens === 0 ? null : (wanted * milliseconds) / tokens;
}
