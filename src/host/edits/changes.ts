// Changes that wait in a diff editor for the user's word. Accepting writes into the editor's buffer and saves nothing.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { showWarning } from '../system/toast.ts';
import { type Change, changedText } from './placeChange.ts';
import { readOnlyWords } from './readOnly.ts';

const scheme = 'tidemark-change';

interface Proposal {
  readonly file: vscode.Uri;
  /** The file's text that it was made for. */
  readonly base: string;
  readonly change: Change;
  /** Makes it anew for the text as it is now; null where that cannot be known. */
  readonly again: (() => Promise<void>) | null;
}

export class Changes implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly proposals = new Map<string, Proposal>();
  private readonly parts: vscode.Disposable;
  private count = 0;

  constructor() {
    this.parts = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const tab of closed) this.proposals.delete(proposed(tab)?.query ?? '');
      }),
    );
  }

  dispose(): void {
    this.parts.dispose();
  }

  provideTextDocumentContent({ query }: vscode.Uri): string {
    const found = this.proposals.get(query);
    return found === undefined ? '' : changedText(found.base, found.change);
  }

  /** Shows the change beside the file as it is. */
  async show(proposal: Proposal): Promise<void> {
    this.count += 1;
    const query = String(this.count);
    this.proposals.set(query, proposal);
    const uri = vscode.Uri.from({ scheme, path: proposal.file.path, query });
    const title = vscode.l10n.t('{0}: proposed, {1}', basename(proposal.file.path), proposal.change.words);
    await vscode.commands.executeCommand('vscode.diff', proposal.file, uri, title, { preview: true });
  }

  /** Writes the change of the diff that is in front, unless the file is another one by now. */
  async accept(): Promise<void> {
    const [tab, proposal] = this.front();
    if (tab === null || proposal === null)
      return say(vscode.l10n.t('There is no proposed change in the editor in front.'));
    const { file, base, change, again } = proposal;
    const document = await vscode.workspace.openTextDocument(file);
    const locked = await readOnlyWords(document);
    if (locked !== null) return say(locked);
    if (document.getText() !== base) return this.refuse(tab, basename(file.path), again);
    const range = new vscode.Range(document.positionAt(change.from), document.positionAt(change.to));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(file, range, change.text);
    if (!(await vscode.workspace.applyEdit(edit)))
      return say(vscode.l10n.t('The editor did not take the change. The file is as it was.'));
    await vscode.window.tabGroups.close(tab);
    const at = new vscode.Range(range.start, document.positionAt(change.from + change.text.length));
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    editor.revealRange(at, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  async discard(): Promise<void> {
    const [tab] = this.front();
    if (tab === null) return say(vscode.l10n.t('There is no proposed change in the editor in front.'));
    await vscode.window.tabGroups.close(tab);
  }

  private async refuse(tab: vscode.Tab, name: string, again: Proposal['again']): Promise<void> {
    const words = vscode.l10n.t('{0} changed since it was compared, so nothing was written.', name);
    if (again === null) return say(`${words} ${vscode.l10n.t('Select the place and apply the code again.')}`);
    const answer = await showWarning(`Tidemark: ${words}`, vscode.l10n.t('Compare again'));
    if (answer === undefined) return;
    await vscode.window.tabGroups.close(tab);
    await again();
  }

  private front(): readonly [vscode.Tab | null, Proposal | null] {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const uri = tab === undefined ? null : proposed(tab);
    return tab === undefined || uri === null ? [null, null] : [tab, this.proposals.get(uri.query) ?? null];
  }
}

function proposed({ input }: vscode.Tab): vscode.Uri | null {
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === scheme ? input.modified : null;
}

function say(words: string): void {
  void showWarning(`Tidemark: ${words}`);
}
