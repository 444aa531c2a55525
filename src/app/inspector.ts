// What the Context view looks at more closely: an item, the exact prompt, the folds.
import type { FoldView, ItemView, PromptView } from '../protocol/questions.ts';
import type { Chat } from './chat.ts';

export class Inspector {
  private readonly chat: Chat;

  constructor(chat: Chat) {
    this.chat = chat;
  }

  async item(_at: number): Promise<ItemView | null> {
    this.chat.snapshot;
    throw new Error('not built yet');
  }

  async prompt(): Promise<PromptView> {
    throw new Error('not built yet');
  }

  async folds(): Promise<readonly FoldView[]> {
    throw new Error('not built yet');
  }
}
