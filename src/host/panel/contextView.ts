// Shows and hides the Context view. It is hidden until somebody asks for it: a view that appears gets the share of the side bar that
// package.json gives it, while one that is opened from its title gets the editor's minimum height.
import * as vscode from 'vscode';

const shownKey = 'tidemark.contextShown';

/** `seen` hears whether the view is in sight. The user's choice is kept for all folders. */
export class ContextView {
  readonly #memento: vscode.Memento;
  readonly #seen: (shown: boolean) => void;
  #visible = false;

  constructor(memento: vscode.Memento, seen: (shown: boolean) => void) {
    this.#memento = memento;
    this.#seen = seen;
    if (memento.get<boolean>(shownKey) === true) void this.#place(true);
  }

  async show(): Promise<void> {
    await this.#choose(true);
    await vscode.commands.executeCommand('tidemark.context.focus');
  }

  toggle(): Promise<void> {
    return this.#visible ? this.#choose(false) : this.show();
  }

  /** The view was filled, came back, or went: the editor closes and moves views, too. */
  visible(now: boolean): void {
    this.#visible = now;
    this.#seen(now);
  }

  async #choose(shown: boolean): Promise<void> {
    await this.#memento.update(shownKey, shown);
    await this.#place(shown);
  }

  async #place(shown: boolean): Promise<void> {
    await vscode.commands.executeCommand('setContext', shownKey, shown);
  }
}
