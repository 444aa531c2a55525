// How much is brought for a message. A small model overlooks the right passage among others (arXiv 2603.11513), so it gets the best
// few with the lines around them; others get what fits, as far as this machine reads it in time.
import { type Pace, predicted } from '../kv/pace.ts';
import { type Found, firstLine, lastLine, type Passage } from '../prompt/found.ts';

/** Chosen with models of 0.5 and 1.5 billion parameters, on the seen half of the questions of `npm run bench -- right`. */
const few = {
  /** Passages; more where the message asks for several things. */
  one: 2,
  several: 4,
  /** Further passages with at least this share of the best score, and how many there may be in all. */
  near: 0.95,
  most: 4,
  /** Lines above and below. */
  around: 12,
} as const;

/** Models with fewer parameters are small. */
const small = 3e9;
/** Milliseconds that a passage may take to be read. What a slow machine reads in that time is never less than `least` tokens. */
const patience = 20_000;
const least = 500;

export interface Amount {
  /** Tokens. */
  readonly most: number;
  /** Only the best few passages. */
  readonly few: boolean;
  /** Lines above and below each passage. */
  readonly around: number;
}

/** `most`: the share of the window, in tokens. `parameters`: undefined where nobody says how many the model has. */
export function amountFor(parameters: number | undefined, pace: Pace, most: number): Amount {
  if (parameters !== undefined && parameters < small) return { most, few: true, around: few.around };
  const each = predicted(pace, 1) ?? 0;
  const inTime = each === 0 ? most : Math.max(least, Math.floor(patience / each));
  return { most: Math.min(most, inTime), few: false, around: 0 };
}

/** The passages that are brought; those in `pinned` in any case. One of which most stands in those before it is no other place. */
export function chosenOf({ passages, several = false }: Found, pinned: readonly Passage[]): readonly Passage[] {
  const aim = several ? few.several : few.one;
  const chosen: Passage[] = [...pinned];
  let count = 0;
  for (const passage of passages) {
    if (chosen.some((one) => one === passage || isSamePlace(one, passage))) continue;
    const isNear = count < few.most && (passage.score ?? 1) >= few.near;
    if (count >= aim && !isNear) break;
    chosen.push(passage);
    count += 1;
  }
  return chosen;
}

/** Whether both share at least half of the lines of the shorter one. */
function isSamePlace(one: Passage, two: Passage): boolean {
  if (one.path !== two.path) return false;
  const shared = Math.min(lastLine(one), lastLine(two)) - Math.max(firstLine(one), firstLine(two)) + 1;
  const shorter = Math.min(...[one, two].map((passage) => lastLine(passage) - firstLine(passage) + 1));
  return shared * 2 >= shorter;
}
