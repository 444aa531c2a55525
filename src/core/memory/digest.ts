// The digest: what of the memory and the work board stands in the prompt's head, ranked and cut to the tokens it may take.
import type { BundlePart } from '../prompt/bundle.ts';
import type { TokenCounter } from '../prompt/counter.ts';
import { oneLine } from './line.ts';
import type { DecisionRecord, Memory, WorkItem } from './memory.ts';

export interface DigestSource {
  readonly memories: readonly Memory[];
  readonly work: readonly WorkItem[];
  readonly decisions: readonly DecisionRecord[];
}

export interface Digest {
  /** `memory` and `work`, each only where there is something to tell. The text is '' where no entry has space. */
  readonly parts: readonly BundlePart[];
  /** False when the tokens are estimates. */
  readonly exact: boolean;
}

/** The share of the budget that the memory leaves to the work board when both have more to tell. */
const memoryShare = 0.6;

/** All entries of one part, the most important ones first. */
interface Ranked {
  readonly name: string;
  readonly heading: string;
  readonly entries: readonly string[];
}

/**
 * The parts have at most `maxTokens` together. A larger budget shows all that a smaller one shows: the space of each part
 * depends on the budget and on what there is, never on what the other part happened to take.
 */
export async function digestOf(kept: DigestSource, maxTokens: number, counter: TokenCounter): Promise<Digest> {
  let exact = true;
  const count = async (texts: readonly string[]): Promise<readonly number[]> => {
    const counts = await counter.count(texts);
    exact &&= counts.exact;
    return counts.tokens;
  };
  const memory = memoryEntries(kept.memories);
  const work = workEntries(kept.work, kept.decisions);
  const [memoryRaw = 0, workRaw = 0] =
    memory.entries.length + work.entries.length === 0 ? [] : await count([render(memory), render(work)]);
  const share = Math.floor(maxTokens * memoryShare);
  const parts = [
    await fitted(memory, memoryRaw, Math.max(share, maxTokens - workRaw), count),
    await fitted(work, workRaw, Math.max(maxTokens - share, maxTokens - memoryRaw), count),
  ];
  return { parts: parts.flatMap((part) => part ?? []), exact };
}

/** Ranks memories: preferences first, because they say how the user wants to be served; within a rank, the last changed first. */
function memoryEntries(memories: readonly Memory[]): Ranked {
  const rank = ({ kind, workspace }: Memory) => {
    if (kind === 'preference') return workspace === null ? 0 : 1;
    return workspace === null ? 3 : 2;
  };
  const entries = memories
    .toSorted((a, b) => rank(a) - rank(b) || latest(a, b))
    .map(({ text }) => `- ${oneLine(text)}`);
  return { name: 'memory', heading: 'What the user asked to remember:', entries };
}

/** Lists work in progress, open work, then decisions. Finished work is left out. */
function workEntries(work: readonly WorkItem[], decisions: readonly DecisionRecord[]): Ranked {
  const ranked = work.toSorted(latest);
  const inState = (wanted: WorkItem['state']) =>
    ranked.filter(({ state }) => state === wanted).map(({ text }) => `- ${wanted}: ${oneLine(text)}`);
  const decided = decisions.toSorted(latest).map(({ text, reason }) => {
    const why = oneLine(reason);
    return `- decided: ${oneLine(text)}${why === '' ? '' : `, because ${why}`}`;
  });
  const entries = [...inState('doing'), ...inState('open'), ...decided];
  return { name: 'work', heading: 'What the user wrote on the work board:', entries };
}

interface Dated {
  readonly id: string;
  readonly created: number;
  readonly changed: number;
}

function latest(a: Dated, b: Dated): number {
  return b.changed - a.changed || b.created - a.created || (a.id < b.id ? -1 : Number(a.id > b.id));
}

function render({ heading, entries }: Ranked, kept = entries.length): string {
  return kept === 0 ? '' : [heading, ...entries.slice(0, kept)].join('\n');
}

/** Sums of single lines say where to begin, and whole texts decide, so that the budget holds for any tokenizer. */
async function fitted(
  ranked: Ranked,
  raw: number,
  most: number,
  count: (texts: readonly string[]) => Promise<readonly number[]>,
): Promise<BundlePart | null> {
  const { name, heading, entries } = ranked;
  if (entries.length === 0) return null;
  if (raw <= most) return { name, text: render(ranked), raw, injected: raw };
  const [head = 0, ...lines] = await count([heading, ...entries.map((entry) => `\n${entry}`)]);
  let sum = head;
  let kept = lines.findIndex((tokens) => {
    sum += tokens;
    return sum > most;
  });
  if (kept === -1) kept = entries.length;
  for (; kept > 0; kept--) {
    const text = render(ranked, kept);
    const [injected = 0] = await count([text]);
    if (injected <= most) return { name, text, raw, injected };
  }
  return { name, text: '', raw, injected: 0 };
}
