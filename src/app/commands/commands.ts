// Answers typed commands, and the user's word on what a compaction proposes to keep.
import { planOf } from '../../core/dialog/plan.ts';
import { faultOf } from '../../core/faults/faults.ts';
import { type AllNotes, allNotesOver } from '../memory/keptNotes.ts';
import { keepProposal } from '../memory/memoryProposal.ts';
import { notesOver } from '../memory/noteCommands.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { readCommand } from '../ports/commandLine.ts';
import type { EditorActs, OpensSessions } from '../ports/editorActs.ts';
import type { CheckedStorage } from '../ports/storage.ts';
import type { Session } from '../session/session.ts';
import type { Transcript } from '../session/transcript.ts';
import type { CommandContext } from './commandContext.ts';
import { commandTable } from './commandTable.ts';
import { exportReport } from './exportReport.ts';
import { StoredSessions } from './storedSessions.ts';
import { WhatIf } from './whatIf.ts';

export interface CommandParts extends Pick<CommandContext, 'conversation' | 'turns' | 'ready' | 'ownPrompts' | 'fix'> {
  readonly sessions: OpensSessions;
  /** Waits for the model and shows the line meanwhile; false where the user took it back. Rejects with a FaultError. */
  readonly forModel: (line: string) => Promise<boolean>;
}

export class Commands {
  private readonly context: CommandContext;
  private readonly notes: AllNotes;
  private readonly forModel: CommandParts['forModel'];
  private readonly editor: EditorActs;
  /** Proposals whose answer is being kept. */
  private readonly answering = new Set<string>();

  constructor({ sessions, forModel, ...parts }: CommandParts, storage: CheckedStorage | null, editor: EditorActs) {
    const { clock } = parts.turns.context;
    const memory = {
      memory: storage?.memory ?? null,
      noteProblem: async (text: string) => (await storage?.noteProblem(text)) ?? null,
      newId: () => clock.newId(),
      now: () => clock.now().getTime(),
      workspace: () => sessions.workspace,
    };
    this.notes = allNotesOver(memory);
    this.forModel = forModel;
    this.editor = editor;
    this.context = {
      ...parts,
      ...notesOver(this.notes, memory, () => planOf(parts.conversation.session.state.dialog.path)?.steps ?? []),
      stored: new StoredSessions(sessions, storage?.sessions ?? null, editor),
      whatIf: new WhatIf(parts.turns),
    };
  }

  /** Returns null for a message to the model. Resolves with null where the user took a waiting command back. Rejects with a FaultError. */
  answer(line: string): Promise<CommandAnswer | null> | null {
    const read = readCommand(commandTable, line);
    if (read === null) return null;
    if ('told' in read) return Promise.resolve(read.told);
    const { run, needsModel } = read;
    const waits = needsModel && this.context.turns.context.engines.life.loaded === null;
    return this.run(run, waits ? line : null);
  }

  /** A command that waits for no model acts before anything else happens. */
  private async run(act: (on: CommandContext) => CommandAnswer | Promise<CommandAnswer>, waiting: string | null) {
    if (waiting !== null && !(await this.forModel(waiting))) return null;
    const answer = await act(this.context);
    const { document } = answer;
    if (document !== undefined) this.editor.openText(document.language, document.text);
    return answer;
  }

  /** The whole report with the exact prompt, as JSON. Rejects with a FaultError, or words where the session was left meanwhile. */
  async exported(): Promise<string> {
    const report = await exportReport(this.context, 'json');
    if (report === null)
      throw new Error(
        'Another conversation was opened in the meantime, so nothing was saved. Go back to the one whose report you want.',
      );
    return report;
  }

  /** Keeps what a compaction proposed beyond the session, or puts it away, once; the transcript shows which. */
  async answerProposal(
    session: Session,
    transcript: Transcript,
    answer: { compaction: string; proposal: string; keep: boolean },
  ): Promise<void> {
    const row = session.state.compactions.find(({ id }) => id === answer.compaction);
    const proposal = row?.proposals.find(({ id }) => id === answer.proposal);
    if (row === undefined || proposal?.state !== 'waiting' || this.answering.has(proposal.id)) return;
    this.answering.add(proposal.id);
    try {
      const kept = answer.keep ? await keepProposal(proposal, this.notes) : null;
      if (kept?.outcome === 'refused') transcript.info('Memory', kept.words, false);
      const state = kept === null || kept.outcome === 'refused' ? ('dismissed' as const) : ('kept' as const);
      const now = session.state.compactions.find(({ id }) => id === answer.compaction) ?? row;
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
