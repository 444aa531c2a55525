// Bars beside the lines that changed, in the editor's own way, which shows those that went as well, as long as changes wait in an open file.
import * as vscode from 'vscode';
import type { EditorReview } from './editorReview.ts';
import { beforeScheme } from './virtualTexts.ts';

export function showBars(review: EditorReview): vscode.Disposable {
  let control: vscode.SourceControl | null = null;
  const follow = () => {
    const waits = vscode.window.visibleTextEditors.some(({ document }) => review.hunks(document.uri).length > 0);
    if (waits === (control !== null)) return;
    control?.dispose();
    control = waits ? createControl(review) : null;
  };
  return vscode.Disposable.from(review.onDidChange(follow), { dispose: () => control?.dispose() });
}

function createControl(review: EditorReview): vscode.SourceControl {
  const control = vscode.scm.createSourceControl('tidemark', 'Tidemark');
  control.inputBox.visible = false;
  control.quickDiffProvider = {
    provideOriginalResource: (uri) => (review.hunks(uri).length > 0 ? uri.with({ scheme: beforeScheme }) : undefined),
  };
  return control;
}
