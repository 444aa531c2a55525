// Who asks the engine, and who gives way to whom. One table, which the worker, the plan of the memory and the documentation read.

export type Asker = 'count' | 'answer' | 'edit' | 'completion' | 'summary' | 'speed' | 'probe' | 'warm';

/** The place where a request decodes. A passing context is made for one request and goes with it: one at a time. */
export type AskerPlace = 'slots' | 'borrowed' | 'beside' | 'passing' | 'none';

export interface AskerRow {
  readonly what: string;
  /** The highest goes first. What two of the same rank ask is decoded side by side, or in its order where both need one sequence. */
  readonly rank: number;
  readonly place: AskerPlace;
  /** Tokens that it decodes at most before it looks whether a higher rank waits. */
  readonly most: number;
  /** Is lost where a higher rank asks. */
  readonly gives: string;
  /** So long such a chunk takes, about, where that is shorter; 100 if not said. */
  readonly milliseconds?: number;
  /** The request gives way to a later one of its own kind too. */
  readonly latest?: true;
}

/** Most tokens of one call to llama.cpp, so that a failed one leaves nothing unknown behind. */
export const largestBatch = 512;

/** Tokens of the context for text at the caret. */
export const besideWindow = 2048;

/** The context that is made for a while: small chunks, because its buffers grow with them. */
export const passing = { window: 1024, batch: 128 } as const;

const row = (what: string, rank: number, place: AskerPlace, most: number, gives: string): AskerRow => ({
  ...{ what, rank, place, most, gives },
});

export const askers: Readonly<Record<Asker, AskerRow>> = {
  count: row(
    'a count of tokens: the composer, the measure of a prompt',
    6,
    'none',
    0,
    'nothing: it is answered between two chunks',
  ),
  answer: {
    ...row('an answer', 5, 'slots', largestBatch, 'nothing'),
    // Nobody who decodes outranks it: this is only how soon Stop acts, and small chunks decode more slowly.
    milliseconds: 500,
  },
  // Somebody waits for it, as for an answer, and it decodes beside one.
  edit: { ...row('an edit in place', 5, 'passing', passing.batch, 'nothing'), milliseconds: 500 },
  completion: {
    ...row('an inline suggestion', 5, 'beside', passing.batch, 'what it was about to write'),
    // Somebody types: what decodes side by side with it must not wait longer for it than that.
    milliseconds: 100,
    latest: true,
  },
  summary: row(
    'a summary',
    4,
    'borrowed',
    largestBatch,
    'what it wrote; its prompt stays in the slot as far as it came',
  ),
  speed: row('the speed test', 3, 'passing', 64, 'the rows that are not measured yet'),
  probe: row('the test of a model', 2, 'passing', passing.batch, 'the answer under way; those before it stay'),
  warm: {
    ...row(
      'a warm-up while the user reads',
      1,
      'borrowed',
      largestBatch,
      'the rest; what is decoded stays in the slot',
    ),
    latest: true,
  },
};

export const allAskers = Object.keys(askers) as readonly Asker[];

export function outranks(one: Asker, other: Asker): boolean {
  return askers[one].rank > askers[other].rank;
}

/** Whether it ends early where another one comes. */
export function givesWay(asker: Asker, coming: Asker): boolean {
  return outranks(coming, asker) || (coming === asker && askers[asker].latest === true);
}

const usualMilliseconds = 100;
const least = 16;
/** Before anything was measured. */
const unmeasured = 64;

/** Tokens to decode before the next look at who waits, by how fast others were decoded. */
export function chunkOf(
  asker: Asker,
  { tokens, milliseconds }: { readonly tokens: number; readonly milliseconds: number },
  isTyping = false,
): number {
  const { most, milliseconds: own = usualMilliseconds } = askers[asker];
  // Text at the caret waits for the chunk under way.
  const longest = isTyping ? Math.min(own, usualMilliseconds) : own;
  const fitting = tokens === 0 ? unmeasured : (tokens * longest) / milliseconds;
  return Math.max(least, Math.min(most, Math.floor(fitting / least) * least));
}

/** Whether text at the caret is asked for. */
export function needsBeside(all: readonly Asker[]): boolean {
  return all.some((asker) => askers[asker].place === 'beside');
}

/** Whether a context for a while is needed by one of them. */
export function needsPassing(all: readonly Asker[]): boolean {
  return all.some((asker) => askers[asker].place === 'passing');
}

const places: Readonly<
  Record<AskerPlace, { readonly sequence: string; readonly window: string; readonly adds: string }>
> = {
  slots: {
    sequence: 'a slot for each generating node, in each conversation that stays in memory',
    window: 'the model’s',
    adds: 'the KV cache of each slot, and its checkpoints',
  },
  borrowed: { sequence: 'the slot of its conversation', window: 'the model’s', adds: 'nothing' },
  beside: {
    sequence: 'one, in a context of its own that stays',
    window: String(besideWindow),
    adds: 'that context, from the first request on',
  },
  passing: {
    sequence: 'a context for a while, one at a time',
    window: `${passing.window}; an edit in place as much as it needs`,
    adds: 'that context, once for all of these',
  },
  none: { sequence: 'none', window: 'none', adds: 'nothing' },
};

/** The table as Markdown, the highest rank first. */
export function askersTable(): string {
  const lines = Object.values(askers)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ what, rank, place, most, milliseconds = usualMilliseconds, gives }) => {
      const { sequence, window, adds } = places[place];
      const chunk = most === 0 ? 'none' : `${most} tokens or ${milliseconds} ms`;
      return `| ${[rank, what, sequence, window, adds, chunk, gives].join(' | ')} |`;
    });
  return [
    '| rank | asks | sequence | window | adds | largest chunk | gives up |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
