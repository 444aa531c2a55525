// The index and the embedding model of a window, wired together, and how far they are for the views.
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Chat } from '../../app/conversation/chat.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { readPower } from '../system/power.ts';
import { showWarning } from '../system/toast.ts';
import { type EmbeddingPorts, LoadedEmbedding } from './embedding.ts';
import { EditorFinding } from './finding.ts';

interface FindingBase {
  readonly workspace: Workspace;
  readonly engine: EmbeddingPorts['engine'];
  /** Has the chat model, once it is loaded. */
  readonly life: { readonly loaded: unknown };
  readonly settings: () => Settings;
}

export interface FindingParts {
  readonly finding: EditorFinding;
  readonly embedding: LoadedEmbedding;
}

/** A model that cannot be loaded takes nothing with it: the words are left. */
function complainOf(log: (words: string) => void): EmbeddingPorts['complain'] {
  return (path, reason) => {
    const words = vscode.l10n.t(
      'The embedding model {0} cannot be used: {1} Passages are found by words alone; tidemark.finding.model names another one.',
      path,
      reason,
    );
    log(words);
    const other = vscode.l10n.t('Choose another one');
    void showWarning(words, other).then((chosen) => {
      if (chosen === other) void vscode.commands.executeCommand('tidemark.findByMeaning');
    });
  };
}

/** The index of the open folders, and the embedding model that lies beside the chat model. */
export function createFinding(
  extension: vscode.ExtensionContext,
  log: vscode.OutputChannel,
  { workspace, engine, life, settings }: FindingBase,
): FindingParts {
  const say = (words: string) => log.appendLine(words);
  const embedding: LoadedEmbedding = new LoadedEmbedding(
    {
      engine,
      path: () => settings().finding.model,
      load: () => settings().load,
      running: () => life.loaded !== null,
      saving: async () => (await readPower()) === 'saver',
      log: say,
      complain: complainOf(say),
    },
    () => finding,
  );
  const finding = new EditorFinding(workspace, {
    dist: join(extension.extensionPath, 'dist'),
    storage: (extension.storageUri ?? extension.globalStorageUri).fsPath,
    enabled: () => settings().finding.enabled,
    vectorOf: (text, signal) => embedding.vectorOf(text, signal),
    embeds: () => embedding.active,
    log: say,
  });
  return { finding, embedding };
}

/** Starts the index, and shows how far it is in every view. */
export function showIndex({
  finding,
  embedding,
  chats,
}: FindingParts & { readonly chats: () => readonly Chat[] }): vscode.Disposable {
  void finding.client();
  const show = () => {
    embedding.changed();
    const { status } = finding;
    const index = status === null ? null : { ...status, vectors: embedding.active ? status.vectors : null };
    for (const { view, draft } of chats()) {
      view.set({ index });
      // A changed index may find something else for the draft.
      void draft.again();
    }
  };
  return vscode.Disposable.from(
    finding.subscribe(show),
    // The file that is open weighs more: a draft shows what a message would bring now.
    vscode.window.onDidChangeActiveTextEditor(() => {
      for (const { draft } of chats()) void draft.again();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void finding.restart()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void finding.restart()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const names = ['tidemark.finding.enabled', 'files.exclude', 'search.exclude'];
      if (names.some((name) => change.affectsConfiguration(name))) void finding.restart();
      if (change.affectsConfiguration('tidemark.finding.model')) show();
    }),
  );
}
