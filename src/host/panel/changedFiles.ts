// Acts on the code blocks of a conversation and on the files that it changed: what its view asks for, and what the editor shows of them.
import type * as vscode from 'vscode';
import type { Chat } from '../../app/conversation/chat.ts';
import type { Session } from '../../app/session/session.ts';
import { filesNamed } from '../../core/dialog/filesNamed.ts';
import type { ReviewRequest } from '../../protocol/reviewView.ts';
import type { CodeAct } from '../../protocol/view.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { changesIn } from '../edits/changes.ts';
import { runCodeAct } from '../edits/codeActs.ts';
import { showProblem } from '../handlers/receive.ts';
import type { LastEditor } from '../mentions/mentionSelection.ts';
import { showChanges } from '../review/changeLenses.ts';
import type { EditorReview } from '../review/editorReview.ts';
import { showBars } from '../review/quickDiff.ts';
import { doReview, registerChanges } from '../review/reviewDeeds.ts';
import type { Focus } from './focus.ts';

/** The acts that the view of a conversation asks for, in its session. */
export function changingFiles(workspace: Workspace, last: LastEditor, review: EditorReview) {
  return {
    code: (act: CodeAct, { sessions, sending }: Chat) => {
      const { id, state } = sessions.session;
      const filesOf = (message: string) => filesNamed(state.dialog.path, message);
      runCodeAct(act, {
        workspace,
        changes: changesIn(review.reviews, id),
        last,
        filesOf,
        run: (command) => sending.runBlock(command),
      });
    },
    review: (request: ReviewRequest, session: Session) => void doReview(review, request, session).catch(showProblem),
  };
}

/** Lenses, bars and commands for changes; the commands are about the conversation in focus. */
export function reviewParts(review: EditorReview, focus: Focus): readonly vscode.Disposable[] {
  const session = () => focus.current.chat.sessions.session.id;
  return [review, showChanges(review), showBars(review), registerChanges(review, session)];
}
