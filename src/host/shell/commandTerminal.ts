// A read-only terminal that shows the commands of models as they run. It is made with the first one and opens only by the user's hand.
import * as vscode from 'vscode';
import type { CommandWatch } from '../../shell/tool.ts';

export class CommandTerminal implements vscode.Disposable {
  private readonly writing = new vscode.EventEmitter<string>();
  private terminal: vscode.Terminal | null = null;
  /** Text for a terminal that is not open yet. */
  private waiting = '';
  private isOpen = false;

  watch(text: string): CommandWatch {
    this.terminal ??= this.create();
    this.write(`\r\n$ ${asLines(text)}\r\n`);
    return {
      onText: (said) => this.write(asLines(said)),
      onEnd: (words) => this.write(`\r\n[${asLines(words)}]\r\n`),
    };
  }

  show(): void {
    this.terminal ??= this.create();
    this.terminal.show(true);
  }

  dispose(): void {
    this.terminal?.dispose();
    this.writing.dispose();
  }

  private create(): vscode.Terminal {
    const pty: vscode.Pseudoterminal = {
      onDidWrite: this.writing.event,
      open: () => {
        this.isOpen = true;
        this.writing.fire(this.waiting);
        this.waiting = '';
      },
      close: () => {
        this.isOpen = false;
        this.terminal = null;
      },
    };
    const name = vscode.l10n.t('Tidemark Commands');
    return vscode.window.createTerminal({ name, pty, iconPath: new vscode.ThemeIcon('terminal'), isTransient: true });
  }

  private write(text: string): void {
    if (this.isOpen) this.writing.fire(text);
    else this.waiting = (this.waiting + text).slice(-100_000);
  }
}

/** Line feeds as a terminal wants them, and nothing that it would act on. */
function asLines(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f]/g, '').replace(/\r?\n/g, '\r\n');
}
