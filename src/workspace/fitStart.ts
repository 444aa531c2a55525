// The longest start of something that fits into a number of tokens, found in a few counts.

export interface FittedText {
  readonly text: string;
  readonly tokens: number;
}

export interface Fitting {
  /** Lines, or entries, there are in all. */
  readonly total: number;
  /** The text with the first `kept` of them. */
  readonly render: (kept: number) => string;
  /** Tokens the text may have. */
  readonly limit: number;
  /** About how many tokens a character has, where that is known before. */
  readonly rate?: number;
  readonly count: (text: string) => Promise<number>;
}

const tries = 6;
/** From here on the text is no longer even, so that an estimate by its length does not come near. */
const halvedFrom = 3;
const margin = 0.97;

/** An empty text of no tokens where not even the first one fits. */
export async function fitStart({ total, render, limit, rate = 0, count }: Fitting): Promise<FittedText> {
  let kept = limit <= 0 ? 0 : longest(total, render, rate === 0 ? Number.POSITIVE_INFINITY : (limit / rate) * margin);
  for (let tried = 0; tried < tries && kept > 0; tried++) {
    const text = render(kept);
    const tokens = await count(text);
    if (tokens <= limit) return { text, tokens };
    const most = tried < halvedFrom ? kept - 1 : Math.floor(kept / 2);
    kept = longest(most, render, text.length * (limit / tokens) * margin);
  }
  return { text: '', tokens: 0 };
}

/** How many can be kept, at most `most`, for a text of no more than `length` characters. */
function longest(most: number, render: (kept: number) => string, length: number): number {
  if (length === Number.POSITIVE_INFINITY) return most;
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (render(middle).length <= length) low = middle;
    else high = middle - 1;
  }
  return low;
}
