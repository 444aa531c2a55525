// What agents changed, in this editor: for its views, for the lines of open files, and for the buttons that keep it or take it back.
import * as vscode from 'vscode';
import type { ChangedFiles } from '../../app/ports/changedFiles.ts';
import type { ItemId } from '../../core/dialog/dialog.ts';
import type { Disposable } from '../../core/emitter.ts';
import type { FileSnapshots, SnapshotLimits } from '../../core/stored/fileSnapshots.ts';
import type { Hunk } from '../../edits/review/hunks.ts';
import { textOf } from '../../edits/review/look.ts';
import { type ReviewedNow, Reviews } from '../../edits/review/reviews.ts';
import { snapshotReport } from '../../edits/review/snapshotReport.ts';
import type { Standing } from '../../edits/review/standing.ts';
import type { ReviewedFile, ReviewView } from '../../protocol/reviewView.ts';
import { editorFiles } from '../edits/editorFiles.ts';
import { type AgentChanges, hunkViews } from '../edits/reviewable.ts';
import { showProblem } from '../handlers/receive.ts';
import { chooses, showWarning } from '../system/toast.ts';
import { Overwrites } from './overwriting.ts';

/** Milliseconds without a key before a file is looked at again. */
const pause = 200;

export class EditorReview implements ChangedFiles, AgentChanges, vscode.Disposable {
  readonly reviews: Reviews;
  private readonly store: FileSnapshots;
  private readonly limits: () => SnapshotLimits;
  private readonly overwrites = new Overwrites();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly parts: vscode.Disposable;
  /** Of the files that are open in editors, by path. */
  private seen = new Map<string, Standing>();
  private timer: NodeJS.Timeout | undefined;
  /** What waits in an open file is another thing now. */
  readonly onDidChange = this.changed.event;

  constructor(store: FileSnapshots, limits: () => SnapshotLimits) {
    this.store = store;
    this.limits = limits;
    this.reviews = new Reviews({ store, files: editorFiles, now: Date.now }, this.overwrites.agree);
    const written = ({ uri }: { readonly uri: vscode.Uri }) => this.written(uri);
    this.parts = vscode.Disposable.from(
      this.overwrites,
      this.changed,
      this.reviews.subscribe(() => void this.look()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => written(document)),
      vscode.workspace.onDidSaveTextDocument(written),
      vscode.window.onDidChangeVisibleTextEditors(() => void this.look()),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && this.reviews.look()),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
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
    return this.reviews.news(session);
  }

  told(session: string): void {
    this.reviews.told(session);
  }

  report(session: string): string {
    return snapshotReport(this.store, session, this.limits(), Date.now());
  }

  async offerUndo(session: string, messages: readonly ItemId[]): Promise<boolean> {
    const turns = this.reviews.turns(session).filter(({ message, undone }) => !undone && messages.includes(message));
    const [first] = turns;
    if (first === undefined) return true;
    const names = [...new Set(turns.flatMap(({ files }) => files))].join('\n');
    const undo = vscode.l10n.t('Undo Changes');
    const answer = await chooses(
      vscode.l10n.t('Undo what was changed since this message, too?'),
      vscode.l10n.t('Files that were changed:\n{0}', names),
      undo,
      vscode.l10n.t('Leave Changes'),
    );
    if (answer === undo) await this.undoTurn(session, first.message);
    return answer !== undefined;
  }

  async undoTurn(session: string, message: ItemId): Promise<void> {
    await this.reported(() => this.reviews.undoTurn(session, message));
  }

  async redoTurn(session: string, message: ItemId): Promise<void> {
    await this.reported(() => this.reviews.redoTurn(session, message));
  }

  async decide(what: 'keep' | 'undo', file: vscode.Uri, hunk: number | null): Promise<boolean> {
    if ((await this.reviews.standing(file.fsPath)) === null) return false;
    await this.reviews[what](file.fsPath, hunk);
    return true;
  }

  has(file: vscode.Uri): boolean {
    return this.seen.has(file.fsPath);
  }

  hunks(file: vscode.Uri): readonly Hunk[] {
    return this.seen.get(file.fsPath)?.hunks ?? [];
  }

  async before(file: vscode.Uri): Promise<string | null> {
    const standing = await this.reviews.standing(file.fsPath).catch(() => null);
    if (standing === null) return null;
    return standing.base === null ? '' : textOf(standing.base);
  }

  private async reported(work: () => Promise<readonly string[]>): Promise<void> {
    try {
      const left = await work();
      if (left.length > 0) void showWarning(`Tidemark: ${vscode.l10n.t('Left as they are: {0}', left.join(', '))}`);
    } catch (error) {
      showProblem(error);
    }
  }

  /** Not at each key. */
  private written({ scheme, fsPath }: vscode.Uri): void {
    if (scheme !== 'file' || this.store.file(fsPath) === null) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.reviews.look(), pause);
  }

  private async look(): Promise<void> {
    const open = vscode.window.visibleTextEditors.flatMap(({ document: { uri } }) =>
      uri.scheme === 'file' ? [uri.fsPath] : [],
    );
    const all = open.map(async (path) => [path, await this.reviews.standing(path).catch(() => null)] as const);
    const found = (await Promise.all(all)).flatMap(([path, one]) => (one === null ? [] : [[path, one] as const]));
    if (found.length === 0 && this.seen.size === 0) return;
    this.seen = new Map(found);
    this.changed.fire();
  }
}

function fileView({ uri, shown, standing, problem }: ReviewedNow): ReviewedFile {
  const named = { file: uri, name: shown, problem };
  if (standing === null) return { ...named, is: 'changed', state: 'waits', hunks: [] };
  const { base, current, hunks } = standing;
  const kind = current === null ? 'deleted' : base === null ? 'new' : 'changed';
  return { ...named, is: kind, state: hunks.length > 0 ? 'waits' : 'undone', hunks: hunkViews(hunks) };
}
