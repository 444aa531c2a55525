// The quick fix on a problem: asks the model about it.
import * as vscode from 'vscode';

/** So many problems of one place get an action. */
const most = 3;

export function registerCodeActions(): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions: ({ uri }, _range, { diagnostics }) =>
      (uri.scheme === 'file' && vscode.workspace.isTrusted ? diagnostics : [])
        .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning)
        .slice(0, most)
        .map((diagnostic) => actionFor(uri, diagnostic)),
  };
  // For any language at once, so that the fixes of a language's own extension come first.
  return vscode.languages.registerCodeActionsProvider('*', provider, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}

function actionFor(uri: vscode.Uri, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const title = vscode.l10n.t('Ask Tidemark to fix this');
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { command: 'tidemark.fix', title, arguments: [uri, diagnostic] };
  action.diagnostics = [diagnostic];
  return action;
}
