// Files with changes that wait for the user's word, wherever they come from: blocks that were applied, or an agent.
import * as vscode from 'vscode';
import { type Hunk, hunkKeys } from '../../edits/review/hunks.ts';
import type { HunkView } from '../../protocol/appliedView.ts';

export interface Reviewable {
  readonly onDidChange: vscode.Event<void>;
  /** Of a file that is open. */
  has(file: vscode.Uri): boolean;
  /** None for a file without changes that wait. */
  hunks(file: vscode.Uri): readonly Hunk[];
  /** The text of a file without the changes that wait; null where none wait. */
  before(file: vscode.Uri): string | null | Promise<string | null>;
}

/** What an agent changed, which stays until the user decides. */
export interface AgentChanges extends Reviewable {
  /** `key`: of one of its hunks; null for all. False where nothing of an agent waits in it. */
  decide(what: 'keep' | 'undo', file: vscode.Uri, key: string | null): Promise<boolean>;
}

export function hunkViews(hunks: readonly Hunk[]): readonly HunkView[] {
  const keys = hunkKeys(hunks);
  return hunks.map(({ before, after }, i) => ({
    key: keys[i] ?? '',
    line: after.start + 1,
    added: after.lines.length,
    removed: before.lines.length,
  }));
}

/** The first that knows a file answers for it. */
export function firstOf(all: readonly Reviewable[]): Reviewable & vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const heard = all.map((one) => one.onDidChange(() => changed.fire()));
  const of = (file: vscode.Uri) => all.find((one) => one.has(file));
  return {
    onDidChange: changed.event,
    has: (file) => of(file) !== undefined,
    hunks: (file) => of(file)?.hunks(file) ?? [],
    before: async (file) => {
      for (const one of all) {
        const text = await one.before(file);
        if (text !== null) return text;
      }
      return null;
    },
    dispose: () => vscode.Disposable.from(changed, ...heard).dispose(),
  };
}
