// Changes of files: kept in the store, as long as the settings say; and lines that are rewritten in place.

import type * as vscode from 'vscode';
import { removeLeftovers } from '../edits/files/leftovers.ts';
import { memorySnapshots } from '../edits/review/memorySnapshots.ts';
import { changesIn } from '../host/edits/changes.ts';
import { type EditInPlace, registerEditInPlace } from '../host/edits/editInPlace.ts';
import { showProblem } from '../host/handlers/receive.ts';
import type { Focus } from '../host/panel/focus.ts';
import { EditorReview } from '../host/review/editorReview.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';

const day = 86_400_000;

export function createReview(storage: Store | null, settings: () => Settings): EditorReview {
  // A command that was killed may have left files behind.
  void removeLeftovers().catch(showProblem);
  const limits = () => {
    const { bytes, days } = settings().snapshots;
    return { bytes, since: Date.now() - days * day };
  };
  const stored = storage === null || storage.readOnly ? null : storage.fileSnapshots;
  return new EditorReview(stored ?? memorySnapshots(), limits, stored !== null);
}

interface RewritingParts extends Omit<EditInPlace, 'changes' | 'log'> {
  readonly focus: Focus;
  readonly review: EditorReview;
}

/** Rewritten lines wait as a change of the conversation in focus. */
export function rewritesInPlace(
  { focus, review, ...parts }: RewritingParts,
  log: vscode.OutputChannel,
): vscode.Disposable {
  const changes = () => changesIn(review.reviews, focus.current.chat.sessions.session.id);
  return registerEditInPlace({ ...parts, changes, log: (words) => log.appendLine(words) });
}
