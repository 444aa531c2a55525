// Gives the views of an editor window what they show besides a conversation: examples, reports, and what a code block would change.
import * as vscode from 'vscode';
import { isPocket } from '../app/model/engineViews.ts';
import type { ModelLife } from '../app/model/modelLife.ts';
import { exampleMessages } from '../app/viewApi/examples.ts';
import type { ViewParts } from '../app/viewApi/openConversation.ts';
import { namedPlaces } from '../host/editor/namedPlaces.ts';
import { reportFiles } from '../host/editor/reportFile.ts';
import { blockChange } from '../host/edits/blockChange.ts';
import type { LastEditor } from '../host/mentions/mentionSelection.ts';
import type { Workspace } from '../tools/files/workspace.ts';
import { mainEntities } from '../workspace/entities.ts';
import type { WindowConversations } from './conversations.ts';

/** `last`: the editor that the user was in. */
export function viewParts(
  open: WindowConversations,
  { workspace, last }: { readonly workspace: Workspace; readonly last: LastEditor },
  life: Pick<ModelLife, 'loaded'>,
  caret: ViewParts['ofWindow']['caret'],
): ViewParts {
  return {
    places: () => open.beside,
    ofWindow: { caret, examples: () => examplesOf(workspace, life.loaded !== null && isPocket(life.loaded)) },
    reports: reportFiles,
    namedPlaces: (named, shown) => namedPlaces(workspace, named, shown),
    blockChange: (block, filesOf) => blockChange(block, { workspace, last, filesOf }),
  };
}

/** Nothing of a folder that is not trusted can be looked up. */
async function examplesOf(workspace: Workspace, pocket: boolean): Promise<readonly string[]> {
  if (!vscode.workspace.isTrusted) return [];
  const entities = await mainEntities(workspace, new AbortController().signal, 8);
  const problems = vscode.languages.getDiagnostics().flatMap(([, all]) => all.filter(({ severity }) => severity <= 1));
  return exampleMessages(entities, { hasFolder: workspace.folders.length > 0, problems: problems.length, pocket });
}
