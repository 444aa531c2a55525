// The handlers behind typed commands that outlive a session, and the user's answers to what a compaction proposes.
import { planOf } from '../../core/dialog/plan.ts';
import { faultOf } from '../../core/faults/faults.ts';
import { MemoryHandler } from '../memory/memoryHandler.ts';
import { keepProposal } from '../memory/memoryProposal.ts';
import type { MemoryPorts } from '../memory/memoryWrites.ts';
import { WorkHandler } from '../memory/workHandler.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import type { Storage } from '../ports/storage.ts';
import type { Session } from '../session/session.ts';
import type { Transcript } from '../session/transcript.ts';
import type { CommandHandler } from './commands.ts';
import { type OpensSessions, SessionsHandler } from './sessionsCommand.ts';
import { type Beginning, ShortHandler } from './shortCommands.ts';

export class CommandHandlers {
  readonly all: readonly CommandHandler[];
  private readonly memory: MemoryPorts;
  /** Proposals whose answer is being kept. */
  private readonly answering = new Set<string>();

  constructor(
    storage: Storage | null,
    ports: ConversationPorts,
    chat: OpensSessions & Beginning & { readonly session: Pick<Session, 'state'> },
  ) {
    this.memory = {
      shelves: storage?.shelves ?? null,
      noteProblem: ports.noteProblem,
      newId: ports.newId,
      now: () => ports.now().getTime(),
      workspace: () => chat.workspace,
    };
    this.all = [
      new MemoryHandler(this.memory),
      new WorkHandler(this.memory, () => planOf(chat.session.state.dialog.path)?.steps ?? []),
      new SessionsHandler(storage?.sessions ?? null, chat, ports),
      new ShortHandler(storage?.sessions ?? null, chat, ports),
    ];
  }

  /** Keeps what a compaction proposed beyond the session, or puts it away, once; the transcript shows which. */
  async answerProposal(
    session: Session,
    transcript: Transcript,
    answer: { fold: string; proposal: string; keep: boolean },
  ): Promise<void> {
    const row = session.state.folds.find(({ id }) => id === answer.fold);
    const proposal = row?.proposals.find(({ id }) => id === answer.proposal);
    if (row === undefined || proposal?.state !== 'waiting' || this.answering.has(proposal.id)) return;
    this.answering.add(proposal.id);
    try {
      const kept = answer.keep ? await keepProposal(proposal, this.memory) : null;
      if (kept?.outcome === 'refused') transcript.info('Memory', kept.words, false);
      const state = kept === null || kept.outcome === 'refused' ? ('dismissed' as const) : ('kept' as const);
      const now = session.state.folds.find(({ id }) => id === answer.fold) ?? row;
      const proposals = now.proposals.map((one) => (one.id === proposal.id ? { ...one, state } : one));
      session.apply({ type: 'compacted', row: { ...now, proposals }, slots: [] });
      transcript.propose(row.id, proposals);
    } catch (error) {
      transcript.failed(faultOf(error), false);
    } finally {
      this.answering.delete(proposal.id);
    }
  }
}
