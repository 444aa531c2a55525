// Bars beside the lines that an agent changed, in the editor's own way, as long as changes wait in a file that is open.
import * as vscode from 'vscode';
import { beforeScheme } from '../edits/changeLenses.ts';
import type { EditorReview } from './editorReview.ts';

export function showBars(review: EditorReview): vscode.Disposable {
  let control: vscode.SourceControl | null = null;
  const follow = () => {
    const waits = vscode.window.visibleTextEditors.some(({ document }) => review.has(document.uri));
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
    provideOriginalResource: (uri) => (review.has(uri) ? uri.with({ scheme: beforeScheme }) : undefined),
  };
  return control;
}
