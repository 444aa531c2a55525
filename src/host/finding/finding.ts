// Finding in the editor: the index of the open folders in its thread, kept up to date, and the passages that a message brings.

import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Finding, FindQuery } from '../../app/ports/finding.ts';
import { aborted } from '../../core/aborted.ts';
import { type Failing, type Named, nothingFailing, nothingNamed } from '../../core/agent/intent.ts';
import type { Signal } from '../../core/dialog/tool.ts';
import { type Disposable, Emitter } from '../../core/emitter.ts';
import { reasonOf } from '../../core/faults/faults.ts';
import type { MappedFile } from '../../core/prompt/bundle.ts';
import type { DeclaringLine } from '../../core/prompt/declaring.ts';
import { type Found, type LeftOut, nothingFound, nothingLeftOut } from '../../core/prompt/found.ts';
import { defaultLimits } from '../../finding/build.ts';
import { FindingClient } from '../../finding/client.ts';
import type { CommandText, Query, Status } from '../../finding/finder.ts';
import type { FoundSymbol } from '../../finding/symbols.ts';
import type { ParsedCommand } from '../../shell/judge/parse.ts';
import { findRoots } from '../../tools/files/paths.ts';
import type { Workspace } from '../../tools/files/workspace.ts';

export interface FindingPorts {
  /** The folder of what ships. */
  readonly dist: string;
  /** The editor's storage for this workspace: the index is kept there, and goes with it. */
  readonly storage: string;
  readonly enabled: () => boolean;
  /** The vector of a question; undefined without an embedding model. */
  readonly vectorOf: (text: string, signal: Signal) => Promise<Query['vector']>;
  readonly embeds: () => boolean;
  readonly log: (words: string) => void;
}

/** Files that were changed last, for the ranking. */
const mostEdited = 8;
/** Milliseconds that the first message waits for a folder that was never read. */
const readingWaits = 15_000;
/** Files of the map: more than fit, so that exact counts decide. */
const mostMapped = 200;
/** Names of a list. */
const mostNames = 50;
/** Milliseconds that a prompt waits for the map. */
const mapWaits = 3000;

export class EditorFinding implements Finding, vscode.Disposable {
  private readonly workspace: Workspace;
  private readonly ports: FindingPorts;
  private readonly changes = new Emitter<void>();
  private readonly edited = new Set<string>();
  private opened: Promise<FindingClient | null> | null = null;
  private watching: vscode.Disposable | null = null;
  private last: Status | null = null;
  private paused = false;
  /** True once the index of these folders is up to date. */
  private reading: Promise<boolean> = Promise.resolve(false);
  /** The reading of a folder for the first time, which somebody waits for; null while nobody does. */
  private hurried: Promise<void> | null = null;
  /** The map of the index as it is. */
  private mapped: Promise<readonly MappedFile[] | null> | null = null;

  constructor(workspace: Workspace, ports: FindingPorts) {
    this.workspace = workspace;
    this.ports = ports;
  }

  get embeds(): boolean {
    return this.ports.embeds();
  }

  /** The index as it was when it was last asked; null where there is none. */
  get status(): Status | null {
    return this.last;
  }

  /** Calls back when the index changed. */
  subscribe(listener: () => void): Disposable {
    return this.changes.subscribe(listener);
  }

  /** Paths of the file that is open, and of those changed last, as the index names them: the nearest first. */
  get near(): readonly string[] {
    const open = vscode.window.activeTextEditor?.document.uri;
    const shown = open?.scheme === 'file' ? [vscode.workspace.asRelativePath(open, undefined)] : [];
    return [...new Set([...shown, ...[...this.edited].reverse()])];
  }

  /** The index's thread; null where it is switched off, the folders are not trusted, or none is open. */
  client(): Promise<FindingClient | null> {
    this.opened ??= this.open().catch((error: unknown) => {
      this.ports.log(`index: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    });
    return this.opened;
  }

  private async open(): Promise<FindingClient | null> {
    const roots = await findRoots(this.workspace);
    const key = createHash('sha256')
      .update(JSON.stringify(roots.map(({ real }) => real)))
      .digest('hex')
      .slice(0, 24);
    const folder = join(this.ports.storage, 'index');
    const file = join(folder, `${key}.db`);
    // A folder that is not trusted is not read, and what an earlier version read of it goes.
    const wanted = this.ports.enabled() && vscode.workspace.isTrusted;
    if (!wanted) for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    if (!wanted || roots.length === 0) return null;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const grammars = join(this.ports.dist, 'grammars');
    const params = { file, roots, exclude: excluded(), limits: defaultLimits, grammars };
    const client = new FindingClient(join(this.ports.dist, 'finding.cjs'), params, () => void this.look(client));
    if (this.paused) client.hold(true);
    this.watching = watchFolders(client, (path) => this.touched(path), this.ports.log);
    this.reading = client.request('refresh', null).then(
      async () => {
        await this.look(client);
        return true;
      },
      (error: unknown) => {
        this.ports.log(`index: ${String(error)}`);
        return false;
      },
    );
    return client;
  }

  private touched(path: string): void {
    const shown = vscode.workspace.asRelativePath(path, undefined);
    this.edited.delete(shown);
    this.edited.add(shown);
    for (const oldest of this.edited) if (this.edited.size > mostEdited) this.edited.delete(oldest);
  }

  private async look(client: FindingClient): Promise<void> {
    this.mapped = null;
    this.last = await client.request('status', null).catch(() => null);
    this.changes.emit();
  }

  async find({ meaning, ...asked }: FindQuery, signal: Signal): Promise<Found> {
    try {
      const client = await this.client();
      if (client === null || signal.aborted) return nothingFound;
      // A draft is looked up again once the index has changed; a message is not.
      const first = this.firstReading(client);
      if (meaning) await Promise.race([first, aborted(signal)]);
      const vector = meaning ? await this.ports.vectorOf(asked.text, signal).catch(() => undefined) : undefined;
      const near = this.near;
      const query: Query = { ...asked, near, ...(vector === undefined ? {} : { vector }) };
      return await client.request('find', query, signal);
    } catch (error) {
      this.ports.log(`index: ${String(error)}`);
      return nothingFound;
    }
  }

  /** Waits for a folder that was never read, before a model that holds the reading up; not for long, where the folder is large. */
  private firstReading(client: FindingClient): Promise<void> {
    this.hurried ??= this.hurry(client).finally(() => {
      this.hurried = null;
    });
    return this.hurried;
  }

  private async hurry(client: FindingClient): Promise<void> {
    const status = await client.request('status', null).catch(() => null);
    if (status === null || (status.passages > 0 && status.left === 0)) return;
    const { promise: late, resolve: stop } = Promise.withResolvers<void>();
    const timer = setTimeout(stop, readingWaits);
    client.hold(false);
    await Promise.race([this.reading, late]);
    clearTimeout(timer);
    client.hold(this.paused);
  }

  async leftOut(): Promise<LeftOut> {
    try {
      return (await (await this.client())?.request('leftOut', null)) ?? nothingLeftOut;
    } catch (error) {
      this.ports.log(`index: ${String(error)}`);
      return nothingLeftOut;
    }
  }

  /** Names that the code declares, by a part of them; none without an index. Never rejects. */
  async symbols(typed: string): Promise<readonly FoundSymbol[]> {
    try {
      return (await (await this.client())?.request('symbols', { typed, most: mostNames })) ?? [];
    } catch (error) {
      this.ports.log(`symbols: ${String(error)}`);
      return [];
    }
  }

  /** Lines of other files that declare names which a file uses; none without an index. Never rejects. */
  async declaring(names: readonly string[], path: string, most: number): Promise<readonly DeclaringLine[]> {
    try {
      return (await (await this.client())?.request('declaring', { names, path, most })) ?? [];
    } catch (error) {
      this.ports.log(`declaring: ${String(error)}`);
      return [];
    }
  }

  /** Places of a text that the grammar of its file does not take; null where nobody can tell. Never rejects. */
  async syntaxFaults(path: string, text: string): Promise<number | null> {
    try {
      return (await (await this.client())?.request('syntaxFaults', { path, text })) ?? null;
    } catch (error) {
      this.ports.log(`syntax: ${String(error)}`);
      return null;
    }
  }

  /** A command line as bash would read it; null where nothing here can. Never rejects. */
  async readCommand(command: CommandText): Promise<ParsedCommand | null> {
    try {
      return (await (await this.client())?.request('readCommand', command)) ?? null;
    } catch (error) {
      this.ports.log(`command: ${String(error)}`);
      return null;
    }
  }

  /** Things of the folder that the words of a message name; nothing without an index. Never rejects. */
  async named(text: string): Promise<Named> {
    try {
      return (await (await this.client())?.request('named', { text })) ?? nothingNamed;
    } catch (error) {
      this.ports.log(`names: ${String(error)}`);
      return nothingNamed;
    }
  }

  /** The file that a failing output is about; none without an index. Never rejects. */
  async failing(output: string): Promise<Failing> {
    try {
      return (await (await this.client())?.request('failing', { output })) ?? nothingFailing;
    } catch (error) {
      this.ports.log(`failing: ${String(error)}`);
      return nothingFailing;
    }
  }

  /** The map of the folders; null where there is no index, or not soon: then it is there for the next prompt. Never rejects. */
  async map(): Promise<readonly MappedFile[] | null> {
    const late = new Promise<null>((resolve) => setTimeout(resolve, mapWaits, null).unref());
    if (!(await Promise.race([this.client().then(() => this.reading), late]))) return null;
    this.mapped ??= this.readMap();
    return Promise.race([this.mapped, late]);
  }

  private async readMap(): Promise<readonly MappedFile[] | null> {
    try {
      return (await (await this.client())?.request('map', { most: mostMapped })) ?? null;
    } catch (error) {
      this.ports.log(`map: ${String(error)}`);
      return null;
    }
  }

  /** A model needs the processor: nothing is read until it does not. */
  hold(paused: boolean): void {
    this.paused = paused;
    void this.opened?.then((client) => client?.hold(paused));
  }

  /** Folders, settings or trust are others now. */
  async restart(): Promise<void> {
    await this.end();
    await this.client();
    this.changes.emit();
  }

  private async end(): Promise<void> {
    const { opened } = this;
    this.opened = null;
    this.last = null;
    this.watching?.dispose();
    this.watching = null;
    await (await opened)?.dispose();
  }

  dispose(): void {
    void this.end();
  }
}

/** Returns the globs that the user hides from the Explorer, and from searches. */
function excluded(): readonly string[] {
  const globs = ['files', 'search'].flatMap((section) =>
    Object.entries(vscode.workspace.getConfiguration(section).get<Record<string, unknown>>('exclude', {})),
  );
  return globs.flatMap(([glob, on]) => (on === true ? [glob] : []));
}

// Tells the index what changes: files on disk, and texts that are not saved.

/** Milliseconds without a further change. Ignored paths and new files wait longer: they cost a look at the folders. */
const soonMilliseconds = 80;
const laterMilliseconds = 1000;
/** So many changes at once are read as a change of the whole folder. */
const manyPaths = 500;

/** `touched` hears of texts that the user changes. */
function watchFolders(
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
