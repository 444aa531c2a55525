// Reviews what agents and code blocks changed, in this editor: serves its views, the lines of open files, and the buttons that keep a change or take it back.
import * as vscode from 'vscode';
import type { ChangedFiles } from '../../app/ports/changedFiles.ts';
import type { ItemId } from '../../core/dialog/dialog.ts';
import type { Disposable } from '../../core/emitter.ts';
import { reasonOf } from '../../core/faults/faults.ts';
import { oneAtATime } from '../../core/oneAtATime.ts';
import type { FileSnapshots, SnapshotLimits } from '../../core/stored/fileSnapshots.ts';
import { type Hunk, hunkKeys } from '../../edits/review/hunks.ts';
import { contentOf, textOf } from '../../edits/review/look.ts';
import { type ReviewedNow, Reviews } from '../../edits/review/reviews.ts';
import { snapshotReport } from '../../edits/review/snapshotReport.ts';
import type { Standing } from '../../edits/review/standing.ts';
import type { HunkView, ReviewedFile, ReviewView } from '../../protocol/reviewView.ts';
import { realOf } from '../../tools/files/paths.ts';
import { editorFiles } from '../edits/editorFiles.ts';
import { showProblem } from '../handlers/receive.ts';
import { chooses, showWarning } from '../system/toast.ts';
import { mayOverwrite } from './overwriting.ts';
import { compareWithBefore, VirtualTexts } from './virtualTexts.ts';

/** Milliseconds after which what is too much, or too old, goes. */
const rest = 10_000;
/** Milliseconds without a key before a file is looked at again. */
const pause = 200;

export class EditorReview implements ChangedFiles, vscode.Disposable {
  readonly reviews: Reviews;
  /** Former contents of files are stored, so that an agent may change them. */
  readonly keepsEdits: boolean;
  private readonly store: FileSnapshots;
  private readonly limits: () => SnapshotLimits;
  private readonly texts = new VirtualTexts();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly parts: vscode.Disposable;
  /** The changes in files that are open in editors, by the paths that they are open with. */
  private seen = new Map<string, Standing>();
  private shown = '[]';
  private readonly writtenTo = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private trimming: NodeJS.Timeout | undefined;
  /** Fires when what waits in an open file has changed. */
  readonly onDidChange = this.changed.event;

  constructor(store: FileSnapshots, limits: () => SnapshotLimits, keepsEdits: boolean) {
    this.store = store;
    this.keepsEdits = keepsEdits;
    this.limits = limits;
    this.reviews = new Reviews({
      store,
      files: editorFiles,
      now: Date.now,
      agree: (what) => mayOverwrite(this.texts, what),
      failed: showProblem,
    });
    const written = ({ uri }: vscode.TextDocument) => this.written(uri);
    this.parts = vscode.Disposable.from(
      this.texts,
      this.changed,
      this.reviews.subscribe(() => {
        void this.look();
        this.trimSoon();
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => written(document)),
      vscode.workspace.onDidSaveTextDocument(written),
      // A change in a buffer that was closed without saving waits no more.
      vscode.workspace.onDidCloseTextDocument(written),
      vscode.window.onDidChangeVisibleTextEditors(() => void this.look()),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && void this.reviews.look()),
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

  async undo(session: string, messages: readonly ItemId[]): Promise<readonly string[]> {
    const left = await this.reviews.undoTurns(session, new Set(messages));
    this.reviews.forgetNews(session, new Set(messages));
    return left;
  }

  /** `key`: of a hunk, or of a code block; null for all. False where nothing waits in the file. */
  async decide(what: 'keep' | 'undo', file: vscode.Uri, key: string | null): Promise<boolean> {
    const path = await realOf(file.fsPath);
    if (this.store.file(path) === null) return false;
    // A file that cannot be looked at can still be kept.
    const waits = await this.reviews.standing(path).catch(() => true);
    if (waits !== null) await this.reviews[what](path, key);
    return waits !== null;
  }

  /** Compares what waits in a file with what was before, or what was taken back with what is there. */
  async compare(file: vscode.Uri): Promise<void> {
    const path = await realOf(file.fsPath);
    const found = await this.reviews.known(path);
    if (found === null) return;
    const { row, base, current, waits } = found;
    const title = (name: string) => vscode.l10n.t('{0}: before and after', name);
    if (waits && current !== null) return compareWithBefore(file, title);
    const redo = row.redo === undefined || row.redo === null ? null : this.store.content(row.redo);
    const [before, after] = waits ? [textOf(base), ''] : [current?.text ?? '', textOf(redo)];
    await this.texts.compare(path, before, after, title);
  }

  /** None for a file without changes that wait. */
  hunks(file: vscode.Uri): readonly Hunk[] {
    return this.seen.get(file.fsPath)?.hunks ?? [];
  }

  async before(file: vscode.Uri): Promise<string | null> {
    const standing = await this.reviews.standing(await realOf(file.fsPath)).catch(() => null);
    return standing === null ? null : textOf(standing.base);
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
    this.timer = setTimeout(() => void this.lookAgain().catch(showProblem), pause);
  }

  private async lookAgain(): Promise<void> {
    const written = [...this.writtenTo];
    this.writtenTo.clear();
    const files = await Promise.all(written.map((path) => realOf(path)));
    const known = files.filter((file) => this.store.file(file) !== null);
    if (known.length > 0) await this.reviews.look(known);
  }

  private readonly look = oneAtATime(async () => {
    const open = vscode.window.visibleTextEditors.flatMap(({ document: { uri } }) =>
      uri.scheme === 'file' ? [uri.fsPath] : [],
    );
    const all = open.map(async (path) => {
      const standing = await this.reviews.standing(await realOf(path)).catch(() => null);
      return standing === null ? [] : [[path, standing] as const];
    });
    this.seen = new Map((await Promise.all(all)).flat());
    const state = JSON.stringify([...this.seen].map(([path, { base, hunks }]) => [path, contentOf(base), hunks]));
    // Above lines that are told anew the editor takes no click for a moment.
    if (state !== this.shown) this.changed.fire();
    this.shown = state;
  });
}

/** Whether nothing was left as it is; what was, is said. */
export async function sayLeft(work: Promise<readonly string[]>): Promise<boolean> {
  const left = await work.catch((error: unknown) => [reasonOf(error)]);
  if (left.length > 0) void showWarning(`Tidemark: ${vscode.l10n.t('Left as they are: {0}', left.join(', '))}`);
  return left.length === 0;
}

function fileView({ uri, shown, standing, problem }: ReviewedNow): ReviewedFile {
  const named = { file: uri, name: shown, problem };
  if (standing === null) return { ...named, is: 'changed', state: 'waits', saved: true, blocks: [], hunks: [] };
  const { row, base, current, hunks } = standing;
  const kind = current === null ? 'deleted' : base === null ? 'new' : 'changed';
  const state = hunks.length > 0 ? 'waits' : 'undone';
  const blocks = row.applied?.keys ?? [];
  return { ...named, is: kind, state, saved: current?.unsaved !== true, blocks, hunks: hunkViews(standing) };
}

function hunkViews({ hunks }: Standing): readonly HunkView[] {
  const keys = hunkKeys(hunks);
  return hunks.map(({ before, after, author }, i) => ({
    key: keys[i] ?? '',
    line: after.start + 1,
    added: after.lines.length,
    removed: before.lines.length,
    author,
  }));
}
