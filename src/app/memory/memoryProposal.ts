// Keeps what a compaction proposed, once the user confirmed it. The other way into the memory than typed commands.
import type { Proposal } from '../../core/compaction/compactionRow.ts';
import { oneLine } from '../../core/memory/line.ts';
import { literal } from '../../core/report/reportText.ts';
import { addDecision, addMemory, addWork, type MemoryPorts, type MemoryWrite } from './memoryWrites.ts';

export interface KeptProposal {
  /** `known`: it was there before, so nothing was written. */
  readonly outcome: 'kept' | 'known' | 'refused';
  /** Markdown. */
  readonly words: string;
}

/** Call it only for what the user confirmed. Rejects with a FaultError where the store fails. */
export async function keepProposal(proposal: Proposal, ports: MemoryPorts): Promise<KeptProposal> {
  const written = await write(proposal, ports);
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

function write({ kind, text }: Proposal, ports: MemoryPorts): Promise<MemoryWrite> {
  switch (kind) {
    case 'fact':
    case 'preference':
      return addMemory({ text, kind, everywhere: false, source: 'proposal' }, ports);
    case 'decision':
      return addDecision(text, 'proposal', ports);
    case 'work':
      return addWork(text, 'proposal', ports);
    default:
      return kind satisfies never;
  }
}
