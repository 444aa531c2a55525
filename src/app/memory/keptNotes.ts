// The only ways into the memory and onto the work board: every text is checked first, and every write says who asked for it.
import { memoryKindOf } from '../../core/memory/kind.ts';
import { oneLine } from '../../core/memory/line.ts';
import type {
  DecisionRecord,
  Memory,
  MemorySource,
  MemoryStore,
  NoteCheck,
  NoteKind,
  WorkItem,
} from '../../core/memory/memory.ts';
import { literal } from '../../core/report/reportText.ts';

export interface MemoryPorts {
  readonly noteProblem: NoteCheck;
  readonly newId: () => string;
  /** The stored notes; null where the store cannot be opened. */
  readonly memory: MemoryStore | null;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** The folders, as sessions name them; '' where none is open. */
  readonly workspace: () => string;
}

export type Note = Memory | WorkItem | DecisionRecord;

interface Refused {
  readonly kind: 'refused';
  readonly words: string;
  readonly again: boolean;
}

/** The outcome of writing a text. `known`: the same text is there already, and nothing was written. */
export type NoteWrite = { readonly kind: 'kept' | 'known'; readonly record: Note } | Refused;

/** The kind of a new entry of the memory, and where it counts. */
export interface NoteRequest {
  readonly everywhere?: boolean;
  /** Told from the text where nobody says. */
  readonly kind?: Memory['kind'];
}

/** In UTF-16 units, of one entry. */
const longest = 500;

export const noStore = 'Notes cannot be saved: the database cannot be opened.';
export const noFolder = 'Open a folder first.';

/** The word in front of a text by which a user keeps it after being asked. */
export const anyway = '--anyway';

/** A text as it would be kept, or the refusal. A secret does not go back to the composer, which keeps its draft on disk. */
async function checkedText(
  given: string,
  { noteProblem }: Pick<MemoryPorts, 'noteProblem'>,
  source: MemorySource,
): Promise<string | Refused> {
  const [, isMeant, text = ''] =
    new RegExp(source === 'command' ? `^(${anyway} )?(.*)$` : '^()(.*)$').exec(oneLine(given)) ?? [];
  if (text === '') return refused('Enter some text.', true);
  if (text.length > longest)
    return refused(`Too long: ${text.length} of ${longest} characters. Shorten it or split it.`, true);
  const problem = await noteProblem(text);
  if (problem === null || (problem.asks && isMeant !== undefined)) return text;
  const how = problem.asks
    ? `, and notes are part of every prompt and stored as plain text. To save it all the same, put \`${anyway}\` in front of the text.`
    : '. Secrets cannot be saved: notes are part of every prompt and stored as plain text. Save where to find it instead.';
  return refused(`That looks like ${problem.words}${how}`, problem.asks);
}

function refused(words: string, again: boolean): Refused {
  return { kind: 'refused', words, again };
}

type Stamp = Pick<WorkItem, 'id' | 'workspace' | 'created' | 'changed' | 'source'>;

/** The members in which the kinds of notes differ. */
interface NoteParts<R extends Note> {
  readonly name: NoteKind;
  all(store: MemoryStore, workspace: string): readonly R[];
  put(store: MemoryStore, record: R): void;
  /** The record of a text; `before` is what it was, whose id and day stay. */
  made(text: string, stamp: Stamp, before: R | null, request: NoteRequest): R;
}

const latest = ({ changed, source }: Stamp) => ({ changed, source });

const memoryParts: NoteParts<Memory> = {
  name: 'memory',
  all: (store, workspace) => store.memories(workspace),
  put: (store, record) => store.putMemory(record),
  made: (text, stamp, before, { everywhere, kind }) => {
    const workspace = everywhere === true ? null : (before ?? stamp).workspace;
    // A kind that was not told from the words stays, whatever the new words are.
    const stays = before !== null && memoryKindOf(before.text) !== before.kind;
    const as = stays ? before.kind : (kind ?? memoryKindOf(text));
    return { ...stamp, ...before, ...latest(stamp), workspace, kind: as, text };
  },
};

const workParts: NoteParts<WorkItem> = {
  name: 'work',
  all: (store, workspace) => store.work(workspace),
  put: (store, record) => store.putWork(record),
  made: (text, stamp, before) => ({ state: 'open', ...stamp, ...before, ...latest(stamp), text }),
};

const decisionParts: NoteParts<DecisionRecord> = {
  name: 'decision',
  all: (store, workspace) => store.decisions(workspace),
  put: (store, record) => store.putDecision(record),
  made: (sentence, stamp, before) => {
    // "TEXT because REASON"; the first "because" parts them. Words without a reason change the text alone.
    const [, text = sentence, reason = before?.reason ?? ''] = /^(.+?),? because (.+)$/i.exec(sentence) ?? [];
    return { ...stamp, ...before, ...latest(stamp), text, reason };
  },
};

export const allNotesOver = (ports: MemoryPorts) => ({
  memory: new KeptNotes(memoryParts, ports),
  work: new KeptNotes(workParts, ports),
  decision: new KeptNotes(decisionParts, ports),
});

export type AllNotes = ReturnType<typeof allNotesOver>;

/** Its functions reject with a FaultError, or throw it, where the store fails. */
export class KeptNotes<R extends Note> {
  private readonly parts: NoteParts<R>;
  private readonly ports: MemoryPorts;

  constructor(parts: NoteParts<R>, ports: MemoryPorts) {
    this.parts = parts;
    this.ports = ports;
  }

  /** In the order in which they were added. */
  get all(): readonly R[] {
    const { memory, workspace } = this.ports;
    return memory === null ? [] : this.parts.all(memory, workspace());
  }

  async add(raw: string, source: MemorySource, request: NoteRequest = {}): Promise<NoteWrite> {
    const { memory, workspace } = this.ports;
    if (memory === null) return refused(noStore, false);
    const how = this.parts.name === 'memory' ? ' `/remember --everywhere TEXT` remembers it for all of them.' : '';
    if (workspace() === '' && request.everywhere !== true) return refused(`${noFolder}${how}`, true);
    const text = await checkedText(raw, this.ports, source);
    if (typeof text !== 'string') return text;
    const stamp = this.stamp(source);
    const record = this.parts.made(text, stamp, null, request);
    // Work that was done may come again.
    const same = this.all.find((one) => one.text === record.text && !('state' in one && one.state === 'done'));
    const widens = request.everywhere === true && same?.workspace !== null;
    if (same !== undefined && !widens) return { kind: 'known', record: same };
    return this.put(same === undefined ? record : this.parts.made(text, stamp, same, request));
  }

  /** Gives a record other words; null where it is gone by then. */
  async edit(id: string, raw: string): Promise<NoteWrite | null> {
    const text = await checkedText(raw, this.ports, 'command');
    if (typeof text !== 'string') return text;
    const before = this.all.find((one) => one.id === id);
    if (before === undefined) return null;
    const record = this.parts.made(text, this.stamp('command'), before, {});
    const isSame = (one: R) => one.text === record.text && (one.id !== id || noteWords(one) === noteWords(record));
    const same = this.all.find(isSame);
    return same === undefined ? this.put(record) : { kind: 'known', record: same };
  }

  change(before: R, to: Partial<R>): void {
    this.put({ ...before, ...to, ...latest(this.stamp('command')) });
  }

  forget(id: string): void {
    this.ports.memory?.forget(this.parts.name, id, this.ports.now(), 'command');
  }

  private stamp(source: MemorySource): Stamp {
    const { newId, now, workspace } = this.ports;
    const at = now();
    return { id: newId(), workspace: workspace(), created: at, changed: at, source };
  }

  private put(record: R): NoteWrite {
    if (this.ports.memory !== null) this.parts.put(this.ports.memory, record);
    return { kind: 'kept', record };
  }
}

/** Markdown. */
export function noteWords(record: Note): string {
  const why = 'reason' in record && record.reason !== '' ? `, because ${literal(record.reason)}` : '';
  return `${literal(record.text)}${why}`;
}
