// What the buttons of a code block do in the editor. In a folder that is not trusted, code can only be copied.
import * as vscode from 'vscode';
import type { CodeAct } from '../../protocol/view.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { showProblem } from '../handlers/receive.ts';
import type { LastEditor } from '../mentions/mentionSelection.ts';
import { applyCode } from './applyCode.ts';
import { applyPatch } from './applyPatch.ts';
import type { Changes } from './changes.ts';
import { createFile } from './createFile.ts';
import { insertCode } from './insertCode.ts';
import { runInTerminal, typeInTerminal } from './inTerminal.ts';

/** `changes`: of the conversation that the answer is in. */
export function runCodeAct(workspace: Workspace, last: LastEditor, changes: Changes, act: CodeAct): void {
  void doAct(workspace, changes, act, last).catch(showProblem);
}

async function doAct(workspace: Workspace, changes: Changes, act: CodeAct, last: LastEditor): Promise<void> {
  if (act.type === 'copyCode') return vscode.env.clipboard.writeText(act.code);
  if (!vscode.workspace.isTrusted)
    throw new Error(vscode.l10n.t('In Restricted Mode, code can only be copied. Trust the folder to apply it.'));
  switch (act.type) {
    case 'insertCode':
      return insertCode(act.code, last.editor);
    case 'applyCode':
      return applyCode(workspace, changes, act, last);
    case 'applyPatch':
      return applyPatch(workspace, changes, act);
    case 'createFile':
      return createFile(workspace, changes, act);
    case 'runCode':
      return runInTerminal(act.code);
    case 'typeCode':
      return typeInTerminal(act.code);
    default:
      return act.type satisfies never;
  }
}
