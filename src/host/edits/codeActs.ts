// Does in the editor what the buttons of a code block say. In a folder that is not trusted, code can only be copied.

import * as vscode from 'vscode';
import { hasSecretMark } from '../../core/prompt/leftOut.ts';
import type { CodeAct } from '../../protocol/view.ts';
import { showProblem } from '../handlers/receive.ts';
import { showWarning } from '../system/toast.ts';
import { type Applying, applyCode } from './applyCode.ts';
import { createFile } from './createFile.ts';
import { typeInTerminal } from './inTerminal.ts';
import { readOnlyWords } from './readOnly.ts';
import { commandsIn } from './terminalText.ts';

/** The parts that the acts of code blocks need. */
export interface CodeActing extends Applying {
  /** Runs commands as a model's own are run; false where they do not run here. */
  readonly run: (commands: string) => Promise<boolean>;
}

export function runCodeAct(act: CodeAct, applying: CodeActing): void {
  void doAct(act, applying).catch(showProblem);
}

async function doAct(act: CodeAct, applying: CodeActing): Promise<void> {
  const { workspace, changes, last } = applying;
  if (act.type === 'copyCode') return vscode.env.clipboard.writeText(act.code);
  if (!vscode.workspace.isTrusted)
    throw new Error(vscode.l10n.t('In Restricted Mode, code can only be copied. Trust the folder to apply it.'));
  // Applied to its file, a mark gives way to the line that it stands for; anywhere else it would stand as text.
  if (act.type !== 'applyCode' && hasSecretMark(act.code))
    throw new Error(
      vscode.l10n.t('This code contains a placeholder for an omitted line with a secret. Apply the code to its file.'),
    );
  switch (act.type) {
    case 'insertCode':
      return insertCode(act.code, last.editor);
    case 'applyCode':
      return applyCode(act, applying);
    case 'createFile': {
      const there = await createFile(workspace, changes, act);
      return there === null ? undefined : applyCode({ ...act, path: there }, applying);
    }
    case 'runCode':
      return (await applying.run(commandsIn(act.code))) ? undefined : typeInTerminal(act.code);
    case 'typeCode':
      return typeInTerminal(act.code);
    default:
      return act.type satisfies never;
  }
}

// Puts a code block where the cursor is, in place of what is selected.

/** `editor`: the one that was used last, since a view that has the focus leaves none active. */
async function insertCode(code: string, editor: vscode.TextEditor | undefined): Promise<void> {
  if (editor === undefined) {
    void showWarning(vscode.l10n.t('Open a file and place the cursor where the code goes, then try again.'));
    return;
  }
  const locked = await readOnlyWords(editor.document);
  if (locked !== null) return void showWarning(`Tidemark: ${locked}`);
  const text = code.replace(/\n$/, '');
  const { document, selections, viewColumn = vscode.ViewColumn.Active } = editor;
  // An editor behind another tab of its group takes no change until it is shown again.
  const shown = await vscode.window.showTextDocument(document, viewColumn);
  const edited = await shown.edit((edit) => {
    for (const selection of selections) edit.replace(selection, text);
  });
  if (!edited) throw new Error(vscode.l10n.t("Couldn't insert the code. The file is unchanged."));
}
