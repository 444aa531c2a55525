// What the buttons of a code block do in the editor. In a folder that is not trusted, code can only be copied.
import * as vscode from 'vscode';
import type { AppliedView } from '../../protocol/appliedView.ts';
import type { CodeAct } from '../../protocol/view.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { showProblem } from '../handlers/receive.ts';
import type { LastEditor } from '../mentions/mentionSelection.ts';
import { type Applying, applyCode } from './applyCode.ts';
import { compareChange, showChanges } from './changeLenses.ts';
import { Changes } from './changes.ts';
import { createFile } from './createFile.ts';
import { insertCode } from './insertCode.ts';
import { runInTerminal, typeInTerminal } from './inTerminal.ts';
import { type AgentChanges, firstOf } from './reviewable.ts';

export interface CodeActs extends vscode.Disposable {
  readonly run: (act: CodeAct) => void;
  readonly decide: (what: 'keepChange' | 'undoChange' | 'compareChange', file: string, hunk: number | null) => void;
}

/** `tell` hears of each change that waits to be kept or undone. */
export function createCodeActs(
  workspace: Workspace,
  last: LastEditor,
  tell: (applied: readonly AppliedView[]) => void,
  review: AgentChanges | null,
  filesOf: (message: string) => readonly string[],
): CodeActs {
  const changes = new Changes();
  const all = firstOf(review === null ? [changes] : [changes, review]);
  // A block that was applied lies over what an agent changed.
  const decided = async (what: 'keep' | 'undo', file: vscode.Uri, hunk: number | null, key: string | null) => {
    if (changes.has(file) || !(await review?.decide(what, file, key))) await changes[what](file, hunk);
  };
  const deeds = {
    keepChange: (file: vscode.Uri, hunk: number | null, key: string | null) => decided('keep', file, hunk, key),
    undoChange: (file: vscode.Uri, hunk: number | null, key: string | null) => decided('undo', file, hunk, key),
    compareChange: (file: vscode.Uri) => compareChange(file),
  };
  type Deed = keyof typeof deeds;
  const decide = (what: Deed, file: vscode.Uri, hunk: number | null, key: string | null = null) =>
    void deeds[what](file, hunk, key).catch(showProblem);
  /** Without arguments it is about the editor in front. */
  const command = (name: string, what: Deed) =>
    vscode.commands.registerCommand(`tidemark.${name}`, (given?: unknown, hunk?: unknown, key?: unknown) => {
      const file = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
      if (file !== undefined)
        decide(what, file, typeof hunk === 'number' ? hunk : null, typeof key === 'string' ? key : null);
    });
  const registered = vscode.Disposable.from(
    changes,
    all,
    showChanges(all),
    changes.onDidChange(() => tell(changes.views)),
    command('keepChange', 'keepChange'),
    command('undoChange', 'undoChange'),
    command('compareChange', 'compareChange'),
    // Their names before; gone with the next version.
    command('acceptChange', 'keepChange'),
    command('discardChange', 'undoChange'),
  );
  return {
    run: (act) => void doAct(act, { workspace, changes, last, filesOf }).catch(showProblem),
    decide: (what, file, hunk) => decide(what, vscode.Uri.parse(file), hunk),
    dispose: () => registered.dispose(),
  };
}

async function doAct(act: CodeAct, applying: Applying): Promise<void> {
  const { workspace, changes, last } = applying;
  if (act.type === 'copyCode') return vscode.env.clipboard.writeText(act.code);
  if (!vscode.workspace.isTrusted)
    throw new Error(vscode.l10n.t('In Restricted Mode, code can only be copied. Trust the folder to apply it.'));
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
      return runInTerminal(act.code);
    case 'typeCode':
      return typeInTerminal(act.code);
    default:
      return act.type satisfies never;
  }
}
