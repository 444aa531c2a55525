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
  private times = 0;

  constructor(chat: ShowingChat, changed: ChangedFiles | null) {
    this.chat = chat;
    this.changed = changed;
    this.heard = changed?.subscribe(() => void this.show()) ?? null;
  }

  /** The latest look wins. */
  async show(): Promise<void> {
    if (this.changed === null) return;
    this.times += 1;
    const { times, chat } = this;
    const { id } = chat.session;
    const review = await this.changed.view(id);
    if (times === this.times && id === chat.session.id) chat.set({ review });
  }

  dispose(): void {
    this.heard?.dispose();
  }
}
