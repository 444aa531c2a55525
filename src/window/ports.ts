// Makes the ports that an editor window gives to its conversations.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../app/ports/clock.ts';
import type { ConversationPorts } from '../app/ports/conversationPorts.ts';
import type { EditorActs } from '../app/ports/editorActs.ts';
import type { WorkspaceContext } from '../app/ports/project.ts';
import type { CheckedStorage } from '../app/ports/storage.ts';
import type { Archive } from '../core/stored/storedSession.ts';
import { editorTools } from '../host/editor/editorTools.ts';
import { importSession } from '../host/editor/importSession.ts';
import { openText } from '../host/editor/openText.ts';
import type { EditorFinding } from '../host/finding/finding.ts';
import { showProblem } from '../host/handlers/receive.ts';
import type { EditorMentions } from '../host/mentions/mentions.ts';
import type { EditorReview } from '../host/review/editorReview.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';
import type { CascadeCounter } from '../tokens/counter.ts';
import type { LazyEstimator } from '../tokens/estimate.ts';
import { learnFrom } from '../tokens/learnFrom.ts';
import type { Workspace } from '../tools/files/workspace.ts';
import type { WindowShell } from './shell.ts';

export { readPower } from '../host/system/power.ts';

export const clock: Clock = {
  now: () => new Date(),
  wait: (milliseconds) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
  every: (milliseconds, run) => {
    const timer = setInterval(run, milliseconds);
    return () => clearInterval(timer);
  },
  newId: randomUUID,
};

/** A name among all processes: of a window, or of a conversation. */
export const newHolder = () => `${process.pid}:${randomUUID()}`;

export interface PortParts {
  readonly workspaceContext: WorkspaceContext;
  readonly finding: EditorFinding;
  readonly counter: CascadeCounter;
  readonly estimator: LazyEstimator;
  readonly mentions: EditorMentions;
  readonly review: EditorReview;
  readonly shell: WindowShell;
  readonly editor: EditorActs;
}

/** The ports of any conversation, but for its holder. */
export function conversationPorts(
  workspace: Workspace,
  settings: (agent?: string | null) => Settings,
  { workspaceContext, finding, counter, estimator, mentions, review, shell, editor }: PortParts,
): Omit<ConversationPorts, 'holder'> {
  return {
    clock,
    editor,
    changedFiles: review,
    settings: (agent) => settings(agent).chat,
    project: {
      mentions,
      finding,
      context: workspaceContext,
      folders: () => workspace.folders,
      promptFiles: () => mentions.promptFiles(),
      programs: shell.programs,
      shell: process.platform === 'win32' ? 'powershell' : 'sh',
      tools: (session) => [
        ...editorTools(workspace, review.keepsEdits ? review.reviews.keeperFor(session) : null),
        ...shell.tools(session, review.keepsEdits ? review.reviews : null),
      ],
    },
    tokens: {
      counter,
      counts: () => ({ ...counter.metrics(), breaker: counter.metrics().breaker.state }),
      learn: (info, prompt, measure) => learnFrom(counter, info.fingerprint, prompt, measure),
      estimate: async (prompt) => (await estimator()).prompt(prompt),
    },
  };
}

/** The parts of the store that conversations have, with the check of what may be remembered. Its rules are loaded when something is to be. */
export function storageOf(store: Store | null): CheckedStorage | null {
  if (store === null) return null;
  const { sessions, memory, leases } = store;
  return {
    sessions,
    memory,
    leases,
    noteProblem: async (text) => (await import('../secrets/secrets.ts')).noteProblem(text),
  };
}

/** The acts of the editor around a conversation; imported ones are stored in the archive. */
export function editorActs(archive: Archive | null, showsElsewhere: EditorActs['showsElsewhere']): EditorActs {
  return {
    showsElsewhere,
    openText: (language, content) => void openText(language, content).catch(showProblem),
    importFile: (into) => void (archive === null ? null : importSession(archive, into, randomUUID)),
  };
}
