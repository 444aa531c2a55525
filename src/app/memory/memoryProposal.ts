// Keeps what a compaction proposed, once the user confirmed it. The other way into the memory than typed commands.
import type { Proposal } from '../../core/compaction/compactionRow.ts';
import { oneLine } from '../../core/memory/line.ts';
import { literal } from '../../core/report/reportText.ts';
import type { NoteWrite, Shelves } from './noteShelf.ts';

export interface KeptProposal {
  /** `known`: it was there before, so nothing was written. */
  readonly outcome: 'kept' | 'known' | 'refused';
  /** Markdown. */
  readonly words: string;
}

/** Call it only for what the user confirmed. Rejects with a FaultError where the store fails. */
export async function keepProposal(proposal: Proposal, shelves: Shelves): Promise<KeptProposal> {
  const written = await write(proposal, shelves);
  const text = literal(oneLine(proposal.text));
  switch (written.kind) {
    case 'refused':
      return { outcome: 'refused', words: written.words };
    case 'known':
      return { outcome: 'known', words: `That is known already: ${text}` };
    default:
      return { outcome: 'kept', words: `${kept[proposal.kind]}: ${text}` };
  }
}

const kept: Readonly<Record<Proposal['kind'], string>> = {
  fact: 'Remembered for this workspace',
  preference: 'Remembered for this workspace',
  decision: 'Kept with the decisions of this workspace',
  work: 'Put on the work board',
};

function write({ kind, text }: Proposal, { memory, work, decision }: Shelves): Promise<NoteWrite> {
  if (kind === 'work' || kind === 'decision') return (kind === 'work' ? work : decision).add(text, 'proposal');
  return memory.add(text, 'proposal', { kind });
}
