// Which conversation the user turned to last, where two are open: the Context view is about that one, and says which.
import { t } from '@vscode/l10n';
import type { OpenConversation } from '../../app/viewApi/openConversation.ts';
import { type Disposable, Emitter } from '../../core/emitter.ts';
import type { HostToView, ViewState } from '../../protocol/view.ts';
import type { ViewSource } from '../views/views.ts';

export class Focus implements ViewSource {
  private conversation: OpenConversation;
  private readonly messages = new Emitter<HostToView>();
  private readonly names = new Emitter<void>();
  private following: Disposable;

  constructor(conversation: OpenConversation) {
    this.conversation = conversation;
    this.following = this.follow(conversation);
  }

  get current(): OpenConversation {
    return this.conversation;
  }

  get snapshot(): ViewState {
    return this.conversation.chat.view.snapshot;
  }

  turn(conversation: OpenConversation): void {
    if (conversation === this.conversation) return;
    this.following.dispose();
    this.conversation = conversation;
    this.following = this.follow(conversation);
    this.messages.emit({ type: 'snapshot', state: this.snapshot });
    this.rename();
  }

  subscribe(listener: (message: HostToView) => void): Disposable {
    return this.messages.subscribe(listener);
  }

  /** Calls back at once, and whenever another conversation, or another name of it, is in focus. */
  named(listener: () => void): Disposable {
    listener();
    return this.names.subscribe(listener);
  }

  rename(): void {
    this.names.emit();
  }

  private follow({ chat }: OpenConversation): Disposable {
    return chat.view.subscribe((delta) => {
      this.messages.emit(delta);
      if (delta.type === 'begin' || (delta.type === 'entry' && delta.entry.kind === 'user')) this.rename();
    });
  }
}

/** Returns the name of a conversation for narrow places: its first message. */
export function conversationName({ entries }: ViewState): string {
  const first = entries.find(({ kind }) => kind === 'user');
  const line = first?.kind === 'user' ? first.text.replace(/\s+/g, ' ').trim() : '';
  if (line === '') return t('New Conversation');
  return line.length <= 40 ? line : `${line.slice(0, 39)}…`;
}
