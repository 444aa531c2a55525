// Gathers what is known about the workspace without being asked, in the editor: its bundle behind a watched cache.
import * as vscode from 'vscode';
import type { WorkspaceContext } from '../../app/ports/project.ts';
import type { Disposable } from '../../core/emitter.ts';
import { emptyBundle, type MappedFile } from '../../core/prompt/bundle.ts';
import type { TokenCounter } from '../../core/prompt/counter.ts';
import type { WorkspaceContextSettings } from '../../settings/settings.ts';
import type { Workspace } from '../../tools/files/workspace.ts';
import { createBundle, fileShare, headFiles, mayChangeBundle } from '../../workspace/bundle.ts';
import { BundleCache } from '../../workspace/cache.ts';

export interface WatchedContext extends WorkspaceContext, vscode.Disposable {
  /** Calls back when a change of the workspace made another bundle. */
  subscribe(listener: () => void): Disposable;
}

export function createWorkspaceContext(
  workspace: Workspace,
  counter: TokenCounter,
  settings: () => WorkspaceContextSettings,
  model: () => string | null,
  mapped: () => Promise<readonly MappedFile[] | null>,
): WatchedContext {
  /** The last bundle was made of this. */
  let asked = { files: [] as readonly string[], overview: false, mapTokens: 0, maxTokens: 0 };
  let known = '';
  const stop = new AbortController();
  /** Whether the last bundle has a map: then a change of a source file changes nothing. */
  let hasMap = false;
  const create = async () => {
    // A repository that is not trusted puts no words into the prompt.
    if (!vscode.workspace.isTrusted) return emptyBundle;
    const { mapTokens, ...texts } = asked;
    const mappedFiles = texts.overview && mapTokens > 0 ? await mapped() : null;
    const map = mappedFiles === null || mappedFiles.length === 0 ? null : { files: mappedFiles, maxTokens: mapTokens };
    hasMap = map !== null;
    const fileMaxTokens = Math.floor(texts.maxTokens * fileShare);
    return createBundle(workspace, { ...texts, map, fileMaxTokens }, counter, stop.signal);
  };
  const relevant = (path: string) =>
    mayChangeBundle(workspace, { files: asked.files, overview: asked.overview && !hasMap }, path);
  const cache = new BundleCache({ create, watch: watchFiles, relevant, now: Date.now, later }, settings());
  return {
    bundle: async (maxTokens, looksAround) => {
      const now = settings();
      cache.configure(now);
      const files = headFiles(now.files, looksAround);
      asked = { files, mapTokens: now.mapTokens, maxTokens, overview: now.overview && looksAround };
      // Another model counts otherwise, so it cuts the texts elsewhere.
      const wanted = JSON.stringify([asked, vscode.workspace.isTrusted, model()]);
      if (wanted !== known) cache.invalidate();
      known = wanted;
      // A workspace that cannot be read injects nothing; the tools say what is wrong with it.
      return cache.get().catch(() => emptyBundle);
    },
    stale: (bundle) => cache.stale(bundle),
    renew: () => cache.invalidate(),
    counts: () => cache.stats,
    subscribe: (listener) => cache.subscribe(listener),
    dispose: () => {
      stop.abort();
      cache.dispose();
    },
  };
}

function watchFiles(changed: (path: string) => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const tell = (uri: vscode.Uri) => changed(uri.fsPath);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(tell),
    watcher.onDidCreate(tell),
    watcher.onDidDelete(tell),
    vscode.workspace.onDidChangeTextDocument(({ document }) => tell(document.uri)),
  );
}

function later(run: () => void, milliseconds: number): vscode.Disposable {
  const timer = setTimeout(run, milliseconds);
  return { dispose: () => clearTimeout(timer) };
}
