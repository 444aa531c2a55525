// Texts that stand nowhere on disk, shown beside each other in the editor.
import { basename } from 'node:path';
import * as vscode from 'vscode';

const scheme = 'tidemark-restored';

/** The text of a file without the changes that wait. */
export const beforeScheme = 'tidemark-before';

/** The file as it was before beside what it is now. The address names the time, since the editor keeps what it has read. */
export async function compareWithBefore(file: vscode.Uri, title: (name: string) => string): Promise<void> {
  const before = file.with({ scheme: beforeScheme, query: String(Date.now()) });
  await vscode.commands.executeCommand('vscode.diff', before, file, title(basename(file.path)), { preview: true });
}

export class VirtualTexts implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registered: vscode.Disposable;
  private times = 0;

  constructor() {
    this.registered = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? '',
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    );
  }

  /** `title`: with the file's name in it. */
  async compare(file: string, before: string, after: string, title: (name: string) => string): Promise<void> {
    this.times += 1;
    const sides = [before, after].map((text, side) => {
      const uri = vscode.Uri.file(file).with({ scheme, query: `${this.times}.${side}` });
      this.texts.set(uri.toString(), text);
      return uri;
    });
    await vscode.commands.executeCommand('vscode.diff', ...sides, title(basename(file)), { preview: true });
  }

  dispose(): void {
    this.registered.dispose();
  }
}
