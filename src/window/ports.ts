// What the conversations of an editor window are given from outside.
import { randomUUID } from 'node:crypto';
import type { ConversationPorts, WorkspaceContext } from '../app/ports/conversationPorts.ts';
import { leastAuto } from '../core/machine/autoWindow.ts';
import { editorTools } from '../host/editor/editorTools.ts';
import { openText } from '../host/editor/openText.ts';
import type { EditorFinding } from '../host/finding/finding.ts';
import { showProblem } from '../host/handlers/receive.ts';
import type { EditorMentions } from '../host/mentions/mentions.ts';
import type { EditorReview } from '../host/review/editorReview.ts';
import { readPower } from '../host/system/power.ts';
import type { Settings } from '../settings/settings.ts';
import type { CascadeCounter } from '../tokens/counter.ts';
import type { LazyEstimator } from '../tokens/estimate.ts';
import { learnFrom } from '../tokens/learnFrom.ts';
import type { Workspace } from '../tools/files/workspace.ts';

export const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

export const thisWindow: Pick<ConversationPorts, 'holder' | 'now' | 'every'> = {
  holder: `${process.pid}:${randomUUID()}`,
  now: () => new Date(),
  every: (milliseconds, run) => {
    const timer = setInterval(run, milliseconds);
    return () => clearInterval(timer);
  },
};

export interface PortParts
  extends Pick<ConversationPorts, 'importFile' | 'elsewhere' | 'abilities' | 'summariser' | 'snapshotFiles'> {
  readonly workspaceContext: WorkspaceContext;
  readonly finding: EditorFinding;
  readonly counter: CascadeCounter;
  readonly estimator: LazyEstimator;
  readonly mentions: EditorMentions;
  readonly review: EditorReview;
}

export function conversationPorts(
  workspace: Workspace,
  settings: (agent?: string | null) => Settings,
  parts: PortParts,
): ConversationPorts {
  const { workspaceContext, finding, counter, estimator, mentions, review } = parts;
  return {
    mentions,
    finding,
    promptFiles: mentions.promptFiles,
    importFile: parts.importFile,
    elsewhere: parts.elsewhere,
    summariser: parts.summariser,
    abilities: parts.abilities,
    snapshotFiles: parts.snapshotFiles,
    // Its rules are loaded when something is to be remembered, not when the editor starts.
    noteProblem: async (text) => (await import('../secrets/secrets.ts')).noteProblem(text),
    counter,
    ...thisWindow,
    wait,
    power: readPower,
    folders: () => workspace.folders,
    changedFiles: review,
    tools: (session) => editorTools(workspace, review.keepsEdits ? review.reviews.keeperFor(session) : null),
    settings: (agent) => settings(agent).chat,
    workspaceContext,
    tokenCounter: () => ({ ...counter.metrics(), breaker: counter.metrics().breaker.state }),
    measured: (info, prompt, measure) => learnFrom(counter, info.fingerprint, prompt, measure),
    estimate: async (prompt) => (await estimator()).prompt(prompt),
    wantedWindow: () => settings().load.contextSize ?? leastAuto,
    openText: (language, content) => void openText(language, content).catch(showProblem),
    newId: randomUUID,
  };
}
