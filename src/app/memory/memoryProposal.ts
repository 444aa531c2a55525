// Keeps what a compaction proposed, once the user confirmed it. The other way into the memory than typed commands.
import type { Proposal } from '../../core/compaction/compactionRow.ts';
import { oneLine } from '../../core/memory/line.ts';
import { literal } from '../../core/report/reportText.ts';
import type { AllNotes } from './keptNotes.ts';

export interface KeptProposal {
  /** `known`: it was there before, so nothing was written. */
  readonly outcome: 'kept' | 'known' | 'refused';
  /** Markdown. */
  readonly words: string;
}

/** Call it only for what the user confirmed. Rejects with a FaultError where the store fails. */
export async function keepProposal({ kind, text }: Proposal, notes: AllNotes): Promise<KeptProposal> {
  const list = kind === 'work' || kind === 'decision' ? notes[kind] : notes.memory;
  const request = kind === 'fact' || kind === 'preference' ? { kind } : {};
  const written = await list.add(text, 'proposal', request);
  if (written.kind === 'refused') return { outcome: 'refused', words: written.words };
  const what = written.kind === 'known' ? 'That is known already' : kept[kind];
  return { outcome: written.kind, words: `${what}: ${literal(oneLine(text))}` };
}

const kept: Readonly<Record<Proposal['kind'], string>> = {
  fact: 'Remembered for this workspace',
  preference: 'Remembered for this workspace',
  decision: 'Kept with the decisions of this workspace',
  work: 'Put on the work board',
};
