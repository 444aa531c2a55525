// What the agent of the open conversation changed in files, in its view.
import type { Disposable } from '../../core/emitter.ts';
import type { ViewDelta } from '../../protocol/view.ts';
import type { ChangedFiles } from '../ports/changedFiles.ts';
import type { Session } from '../session/session.ts';

interface ShowingChat {
  readonly session: Session;
  set(values: Extract<ViewDelta, { type: 'set' }>['values']): void;
}

export class ShownChanges implements Disposable {
  private readonly chat: ShowingChat;
  private readonly changed: ChangedFiles | null;
  private readonly heard: Disposable | null;
  private looking = false;
  private again = false;

  constructor(chat: ShowingChat, changed: ChangedFiles | null) {
    this.chat = chat;
    this.changed = changed;
    this.heard = changed?.subscribe(() => void this.show()) ?? null;
  }

  /** One look at a time: what changes meanwhile is looked at once more. */
  async show(): Promise<void> {
    this.again = true;
    if (this.changed === null || this.looking) return;
    this.looking = true;
    while (this.again) {
      this.again = false;
      const { id } = this.chat.session;
      const review = await this.changed.view(id);
      if (id === this.chat.session.id) this.chat.set({ review });
    }
    this.looking = false;
  }

  dispose(): void {
    this.heard?.dispose();
  }
}
