// What agents changed, in this editor: for its views, for the lines of open files, and for the buttons that keep it or take it back.
import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ChangedFiles } from '../../app/ports/changedFiles.ts';
import type { ItemId } from '../../core/dialog/dialog.ts';
import type { Disposable } from '../../core/emitter.ts';
import { reasonOf } from '../../core/faults/faults.ts';
import type { FileSnapshots, SnapshotLimits } from '../../core/stored/fileSnapshots.ts';
import type { Hunk } from '../../edits/review/hunks.ts';
import { textOf } from '../../edits/review/look.ts';
import { type ReviewedNow, Reviews } from '../../edits/review/reviews.ts';
import { snapshotReport } from '../../edits/review/snapshotReport.ts';
import type { Standing } from '../../edits/review/standing.ts';
import type { ReviewedFile, ReviewView } from '../../protocol/reviewView.ts';
import { compareChange } from '../edits/changeLenses.ts';
import { editorFiles } from '../edits/editorFiles.ts';
import { type AgentChanges, hunkViews } from '../edits/reviewable.ts';
import { showProblem } from '../handlers/receive.ts';
import { chooses, showWarning } from '../system/toast.ts';
import { mayOverwrite } from './overwriting.ts';
import { VirtualTexts } from './virtualTexts.ts';

/** Milliseconds after which what is too much, or too old, goes. */
const rest = 10_000;
/** Milliseconds without a key before a file is looked at again. */
const pause = 200;

export class EditorReview implements ChangedFiles, AgentChanges, vscode.Disposable {
  readonly reviews: Reviews;
  private readonly store: FileSnapshots;
  private readonly limits: () => SnapshotLimits;
  private readonly texts = new VirtualTexts();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly parts: vscode.Disposable;
  /** Of the files that are open in editors, by the paths that they are open with. */
  private seen = new Map<string, Standing>();
  private readonly writtenTo = new Set<string>();
  private looking = false;
  private again = false;
  private timer: NodeJS.Timeout | undefined;
  private trimming: NodeJS.Timeout | undefined;
  /** What waits in an open file is another thing now. */
  readonly onDidChange = this.changed.event;

  constructor(store: FileSnapshots, limits: () => SnapshotLimits) {
    this.store = store;
    this.limits = limits;
    this.reviews = new Reviews({
      store,
      files: editorFiles,
      now: Date.now,
      agree: (what) => mayOverwrite(this.texts, what),
      failed: showProblem,
    });
    const written = ({ uri }: { readonly uri: vscode.Uri }) => this.written(uri);
    this.parts = vscode.Disposable.from(
      this.texts,
      this.changed,
      this.reviews.subscribe(() => {
        void this.look();
        this.trimSoon();
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => written(document)),
      vscode.workspace.onDidSaveTextDocument(written),
      vscode.window.onDidChangeVisibleTextEditors(() => void this.look()),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && this.reviews.look()),
    );
    void this.look();
    this.trimSoon();
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearTimeout(this.trimming);
    this.parts.dispose();
  }

  subscribe(listener: () => void): Disposable {
    return this.reviews.subscribe(listener);
  }

  async view(session: string): Promise<ReviewView> {
    try {
      const files = (await this.reviews.of(session)).map(fileView);
      const messages = this.reviews.turns(session).map(({ message, undone }) => ({ item: message, undone }));
      return { files, messages };
    } catch (error) {
      showProblem(error);
      return { files: [], messages: [] };
    }
  }

  news(session: string): string {
    return this.orSay('', () => this.reviews.news(session));
  }

  told(session: string): void {
    this.orSay(undefined, () => this.reviews.told(session));
  }

  report(session: string): string {
    return snapshotReport(this.store, session, this.limits(), Date.now());
  }

  async offerUndo(session: string, messages: readonly ItemId[]): Promise<boolean> {
    const turns = this.reviews.turns(session).filter(({ message, undone }) => !undone && messages.includes(message));
    if (turns.length === 0) return true;
    const names = [...new Set(turns.flatMap(({ files }) => files))].join('\n');
    const undo = vscode.l10n.t('Undo Changes');
    const answer = await chooses(
      vscode.l10n.t('Undo what was changed since this message, too?'),
      vscode.l10n.t('Files that were changed:\n{0}', names),
      undo,
      vscode.l10n.t('Leave Changes'),
    );
    if (answer !== undo) return answer !== undefined;
    const done = await sayLeft(this.reviews.undoTurns(session, new Set(messages)));
    this.reviews.forgetNews(session, new Set(messages));
    return done;
  }

  async decide(what: 'keep' | 'undo', file: vscode.Uri, key: string | null): Promise<boolean> {
    const path = await realPath(file.fsPath);
    if ((await this.reviews.standing(path).catch(() => null)) === null) return false;
    await this.reviews[what](path, key);
    return true;
  }

  /** What waits in a file of a session against what was before, or what was taken back against what is there. */
  async compare(session: string, uri: string): Promise<void> {
    const found = (await this.reviews.of(session)).find((one) => one.uri === uri);
    if (found?.standing === null || found === undefined) return;
    const { row, base, current, waits } = found.standing;
    const [before, now] = [base === null ? '' : textOf(base), current?.text ?? ''];
    const redo = row.redo === undefined || row.redo === null ? null : this.store.content(row.redo);
    const title = (name: string) => vscode.l10n.t('{0}: before and after', name);
    if (!waits) return this.texts.compare(found.path, now, redo === null ? '' : textOf(redo), title);
    if (current !== null) return compareChange(vscode.Uri.file(found.path));
    await this.texts.compare(found.path, before, now, title);
  }

  has(file: vscode.Uri): boolean {
    return this.seen.has(file.fsPath);
  }

  hunks(file: vscode.Uri): readonly Hunk[] {
    return this.seen.get(file.fsPath)?.hunks ?? [];
  }

  async before(file: vscode.Uri): Promise<string | null> {
    const standing = await this.reviews.standing(await realPath(file.fsPath)).catch(() => null);
    if (standing === null) return null;
    return standing.base === null ? '' : textOf(standing.base);
  }

  private trimSoon(): void {
    clearTimeout(this.trimming);
    this.trimming = setTimeout(() => this.orSay(undefined, () => this.store.trim(this.limits())), rest);
  }

  /** A store that fails keeps no message from being sent. */
  private orSay<T>(otherwise: T, work: () => T): T {
    try {
      return work();
    } catch (error) {
      showProblem(error);
      return otherwise;
    }
  }

  /** Not at each key. */
  private written({ scheme, fsPath }: vscode.Uri): void {
    if (scheme !== 'file') return;
    this.writtenTo.add(fsPath);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.lookAgain(), pause);
  }

  private async lookAgain(): Promise<void> {
    const files = await Promise.all([...this.writtenTo].map(realPath));
    this.writtenTo.clear();
    if (files.some((file) => this.store.file(file) !== null)) this.reviews.look();
  }

  /** One look at a time: what changes meanwhile is looked at once more. */
  private async look(): Promise<void> {
    this.again = true;
    if (this.looking) return;
    this.looking = true;
    while (this.again) {
      this.again = false;
      await this.lookOnce();
    }
    this.looking = false;
  }

  private async lookOnce(): Promise<void> {
    const open = vscode.window.visibleTextEditors.flatMap(({ document: { uri } }) =>
      uri.scheme === 'file' ? [uri.fsPath] : [],
    );
    const all = open.map(
      async (path) => [path, await this.reviews.standing(await realPath(path)).catch(() => null)] as const,
    );
    const found = (await Promise.all(all)).flatMap(([path, one]) => (one === null ? [] : [[path, one] as const]));
    if (found.length === 0 && this.seen.size === 0) return;
    this.seen = new Map(found);
    this.changed.fire();
  }
}

/** A folder may be open by a link. */
export function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** Whether nothing was left as it is; what was, is said. */
export async function sayLeft(work: Promise<readonly string[]>): Promise<boolean> {
  const left = await work.catch((error: unknown) => [reasonOf(error)]);
  if (left.length > 0) void showWarning(`Tidemark: ${vscode.l10n.t('Left as they are: {0}', left.join(', '))}`);
  return left.length === 0;
}

function fileView({ uri, shown, standing, problem }: ReviewedNow): ReviewedFile {
  const named = { file: uri, name: shown, problem };
  if (standing === null) return { ...named, is: 'changed', state: 'waits', hunks: [] };
  const { base, current, hunks } = standing;
  const kind = current === null ? 'deleted' : base === null ? 'new' : 'changed';
  return { ...named, is: kind, state: hunks.length > 0 ? 'waits' : 'undone', hunks: hunkViews(hunks) };
}
