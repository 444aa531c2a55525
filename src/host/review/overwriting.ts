// Asks before something is overwritten that somebody else wrote: a comparison of what is there with what would be, and a yes.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { textOf } from '../../edits/review/look.ts';
import type { Agree, Overwriting } from '../../edits/review/review.ts';
import { showWarning } from '../system/toast.ts';

const scheme = 'tidemark-restored';

/** The comparison stays open while the question waits. */
export class Overwrites implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registered: vscode.Disposable;
  private times = 0;

  constructor() {
    this.registered = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? '',
    });
  }

  readonly agree: Agree = async ({ file, shown, current, target }: Overwriting) => {
    this.times += 1;
    const sides = [current?.text ?? '', target === null ? '' : textOf(target)].map((text, side) => {
      const uri = vscode.Uri.file(file).with({ scheme, query: `${this.times}.${side}` });
      this.texts.set(uri.toString(), text);
      return uri;
    });
    try {
      const title = vscode.l10n.t('{0}: now and after it is overwritten', basename(file));
      await vscode.commands.executeCommand('vscode.diff', ...sides, title, { preview: true });
      return await this.ask(shown, target === null);
    } finally {
      for (const side of sides) this.texts.delete(side.toString());
    }
  };

  private async ask(shown: string, goes: boolean): Promise<boolean> {
    const words = goes
      ? vscode.l10n.t('{0} was written since the model changed it. Delete it all the same?', shown)
      : vscode.l10n.t('{0} was written since the model changed it. Overwrite it all the same?', shown);
    const yes = goes ? vscode.l10n.t('Delete') : vscode.l10n.t('Overwrite');
    return (await showWarning(`Tidemark: ${words}`, yes, vscode.l10n.t('Leave It'))) === yes;
  }

  dispose(): void {
    this.registered.dispose();
  }
}
