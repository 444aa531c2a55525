// The only ways into the memory and onto the work board: every text is checked first, and every write says who asked for it.
import { memoryKindOf } from '../../core/memory/kind.ts';
import { oneLine } from '../../core/memory/line.ts';
import type {
  DecisionRecord,
  Memory,
  MemorySource,
  MemoryStore,
  NoteCheck,
  WorkItem,
} from '../../core/memory/memory.ts';

export interface MemoryPorts {
  /** Null where the store cannot be opened. */
  readonly shelves: MemoryStore | null;
  /** Says why a text should not be kept; null where nothing is against it. */
  readonly noteProblem: NoteCheck;
  readonly newId: () => string;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** The folders, as sessions name them; '' where none is open. */
  readonly workspace: () => string;
}

/** What became of a text. `known`: it is there already; `widened`: it is now remembered everywhere. */
export type MemoryWrite =
  | { readonly kind: 'kept' | 'widened' | 'known'; readonly id: string }
  | { readonly kind: 'refused'; readonly words: string; readonly again: boolean };

/** In UTF-16 units, of one entry. */
export const longest = 500;

export const noStore = 'Notes cannot be saved: the database cannot be opened.';
export const whenItShows = 'The prompt changes with a new conversation or `/context refresh`.';
export const noFolder = 'Open a folder first.';

/** The word in front of a text by which a user keeps it after being asked. */
const anyway = '--anyway';

/** A text as it would be kept, or the refusal. A secret does not go back to the composer, which keeps its draft on disk. */
export async function checkedText(
  given: string,
  { noteProblem }: Pick<MemoryPorts, 'noteProblem'>,
  source: MemorySource,
): Promise<{ readonly kind: 'fine'; readonly text: string } | Extract<MemoryWrite, { kind: 'refused' }>> {
  const [, isMeant, text = ''] =
    new RegExp(source === 'command' ? `^(${anyway} )?(.*)$` : '^()(.*)$').exec(oneLine(given)) ?? [];
  if (text === '') return refused('Enter some text.', true);
  if (text.length > longest) {
    const words = `Too long: ${text.length} of ${longest} characters. Shorten it or split it.`;
    return refused(words, true);
  }
  const problem = await noteProblem(text);
  if (problem === null || (problem.asks && isMeant !== undefined)) return { kind: 'fine', text };
  if (problem.asks)
    return refused(
      `That looks like ${problem.words}, and notes are part of every prompt and stored as plain text. To save it all the same, put \`${anyway}\` in front of the text.`,
      true,
    );
  return refused(
    `That looks like ${problem.words}. Secrets cannot be saved: notes are part of every prompt and stored as plain text. Save where to find it instead.`,
    false,
  );
}

export interface NewMemory {
  readonly text: string;
  /** Told from the text where nobody says. */
  readonly kind?: Memory['kind'];
  readonly everywhere: boolean;
  readonly source: MemorySource;
}

export async function addMemory(
  { text: raw, kind, everywhere, source }: NewMemory,
  ports: MemoryPorts,
): Promise<MemoryWrite> {
  const workspace = ports.workspace();
  if (ports.shelves === null) return refused(noStore, false);
  if (workspace === '' && !everywhere) {
    return refused(`${noFolder} \`/remember --everywhere TEXT\` remembers it for all of them.`, true);
  }
  const checked = await checkedText(raw, ports, source);
  if (checked.kind === 'refused') return checked;
  const { text } = checked;
  const at = ports.now();
  const known = ports.shelves.memories(workspace).find((memory) => memory.text === text);
  if (known !== undefined) {
    if (!everywhere || known.workspace === null) return { kind: 'known', id: known.id };
    ports.shelves.putMemory({ ...known, workspace: null, changed: at, source });
    return { kind: 'widened', id: known.id };
  }
  const id = ports.newId();
  const place = everywhere ? null : workspace;
  ports.shelves.putMemory({
    id,
    workspace: place,
    kind: kind ?? memoryKindOf(text),
    text,
    created: at,
    changed: at,
    source,
  });
  return { kind: 'kept', id };
}

export async function addWork(raw: string, source: MemorySource, ports: MemoryPorts): Promise<MemoryWrite> {
  const workspace = ports.workspace();
  if (ports.shelves === null) return refused(noStore, false);
  if (workspace === '') return refused(noFolder, true);
  const checked = await checkedText(raw, ports, source);
  if (checked.kind === 'refused') return checked;
  const { text } = checked;
  const known = ports.shelves.work(workspace).find((item) => item.text === text && item.state !== 'done');
  if (known !== undefined) return { kind: 'known', id: known.id };
  const at = ports.now();
  const item: WorkItem = { id: ports.newId(), workspace, state: 'open', text, created: at, changed: at, source };
  ports.shelves.putWork(item);
  return { kind: 'kept', id: item.id };
}

/** Text and reason are checked as the one sentence that they are. */
export async function addDecision(raw: string, source: MemorySource, ports: MemoryPorts): Promise<MemoryWrite> {
  const workspace = ports.workspace();
  if (ports.shelves === null) return refused(noStore, false);
  if (workspace === '') return refused(noFolder, true);
  const checked = await checkedText(raw, ports, source);
  if (checked.kind === 'refused') return checked;
  const { text, reason } = decisionOf(checked.text);
  const known = ports.shelves.decisions(workspace).find((decision) => decision.text === text);
  if (known !== undefined) return { kind: 'known', id: known.id };
  const at = ports.now();
  const decision: DecisionRecord = { id: ports.newId(), workspace, text, reason, created: at, changed: at, source };
  ports.shelves.putDecision(decision);
  return { kind: 'kept', id: decision.id };
}

/** "TEXT because REASON", on one line; the first "because" parts them. */
export function decisionOf(sentence: string): Pick<DecisionRecord, 'text' | 'reason'> {
  const [, text = sentence, reason = ''] = /^(.+?),? because (.+)$/i.exec(sentence) ?? [];
  return { text, reason };
}

export function refused(words: string, again: boolean): Extract<MemoryWrite, { kind: 'refused' }> {
  return { kind: 'refused', words, again };
}
