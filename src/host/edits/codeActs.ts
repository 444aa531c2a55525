// What the buttons of a code block do in the editor. In a folder that is not trusted, code can only be copied.
import * as vscode from 'vscode';
import type { CodeAct } from '../../protocol/view.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { register, showProblem } from '../handlers/receive.ts';
import type { LastEditor } from '../mentions/mentionSelection.ts';
import { applyCode } from './applyCode.ts';
import { Changes } from './changes.ts';
import { createFile } from './createFile.ts';
import { insertCode } from './insertCode.ts';

export interface CodeActs extends vscode.Disposable {
  readonly run: (act: CodeAct) => void;
}

export function createCodeActs(workspace: Workspace, last: LastEditor): CodeActs {
  const changes = new Changes();
  const registered = vscode.Disposable.from(
    changes,
    register('acceptChange', () => void changes.accept().catch(showProblem)),
    register('discardChange', () => void changes.discard().catch(showProblem)),
  );
  return {
    run: (act) => void doAct(workspace, changes, act, last).catch(showProblem),
    dispose: () => registered.dispose(),
  };
}

async function doAct(workspace: Workspace, changes: Changes, act: CodeAct, last: LastEditor): Promise<void> {
  if (act.type === 'copyCode') return vscode.env.clipboard.writeText(act.code);
  if (!vscode.workspace.isTrusted) {
    throw new Error(
      vscode.l10n.t(
        'This folder is not trusted, so code of an answer is only copied. Trust the folder to write to it.',
      ),
    );
  }
  switch (act.type) {
    case 'insertCode':
      return insertCode(act.code, last.editor);
    case 'applyCode':
      return applyCode(workspace, changes, act, last);
    case 'createFile':
      return createFile(workspace, changes, act);
    default:
      return act.type satisfies never;
  }
}
