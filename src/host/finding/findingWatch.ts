// Tells the index what changes: files on disk, and texts that are not saved.
import * as vscode from 'vscode';
import { reasonOf } from '../../core/faults/faults.ts';
import type { FindingClient } from '../../finding/client.ts';

/** Milliseconds without a further change. Ignored paths and new files wait longer: they cost a look at the folders. */
const soonMilliseconds = 80;
const laterMilliseconds = 1000;
/** So many changes at once are read as a change of the whole folder. */
const manyPaths = 500;

/** `touched` hears of texts that the user changes. */
export function watchFolders(
  client: FindingClient,
  touched: (path: string) => void,
  log: (words: string) => void,
): vscode.Disposable {
  const changes = new Changes(client, log);
  const buffer = ({ uri }: vscode.TextDocument, text: string | null) => {
    if (uri.scheme === 'file') changes.buffer(uri.fsPath, text);
  };
  const on = ({ scheme, fsPath }: vscode.Uri) => {
    if (scheme === 'file' && !/[/\\]\.git[/\\]/.test(fsPath)) changes.add(fsPath);
  };
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  for (const document of vscode.workspace.textDocuments) if (document.isDirty) buffer(document, document.getText());
  return vscode.Disposable.from(
    changes,
    watcher,
    watcher.onDidChange(on),
    watcher.onDidCreate(on),
    watcher.onDidDelete(on),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0 || !document.isDirty) return;
      buffer(document, document.getText());
      if (document.uri.scheme === 'file') touched(document.uri.fsPath);
    }),
    vscode.workspace.onDidSaveTextDocument((document) => buffer(document, null)),
    vscode.workspace.onDidCloseTextDocument((document) => buffer(document, null)),
  );
}

/** Changes that come together are told together. */
class Changes {
  private readonly client: FindingClient;
  private readonly log: (words: string) => void;
  private readonly stop = new AbortController();
  private readonly changed = new Set<string>();
  private soon: NodeJS.Timeout | undefined;
  private later: NodeJS.Timeout | undefined;

  constructor(client: FindingClient, log: (words: string) => void) {
    this.client = client;
    this.log = log;
  }

  /** The text of a file as it stands in its editor; null once it is saved or closed. */
  buffer(path: string, text: string | null): void {
    void this.client.request('buffer', { path, text }, this.stop.signal).catch(this.complain);
    this.add(path);
  }

  add(path: string): void {
    this.changed.add(path);
    clearTimeout(this.soon);
    this.soon = setTimeout(() => void this.tell().catch(this.complain), soonMilliseconds);
  }

  private async tell(): Promise<void> {
    const paths = [...this.changed];
    this.changed.clear();
    const few = paths.length <= manyPaths;
    const unknown = few ? await this.client.request('renew', { paths }, this.stop.signal) : paths;
    if (unknown.length > 0) this.look();
  }

  private look(): void {
    clearTimeout(this.later);
    this.later = setTimeout(() => {
      void this.client.request('refresh', null, this.stop.signal).catch(this.complain);
    }, laterMilliseconds);
  }

  private readonly complain = (error: unknown): void => {
    if (!this.stop.signal.aborted) this.log(`index: ${reasonOf(error)}`);
  };

  dispose(): void {
    this.stop.abort();
    clearTimeout(this.soon);
    clearTimeout(this.later);
  }
}
