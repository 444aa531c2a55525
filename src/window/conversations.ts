// The conversations of an editor window: the one in the Chat view, and the one beside it while that is open.
import type { Chat } from '../app/conversation/chat.ts';
import type { OpenPlaces } from '../app/viewApi/sessionList.ts';

interface Beside extends OpenPlaces {
  readonly chats: readonly Chat[];
}

export class WindowConversations {
  private main: Chat | null = null;
  private side: Beside | null = null;

  /** The main one first. */
  get chats(): readonly Chat[] {
    return [...(this.main === null ? [] : [this.main]), ...(this.side?.chats ?? [])];
  }

  get beside(): OpenPlaces | null {
    return this.side;
  }

  begin(main: Chat): void {
    this.main = main;
  }

  /** From now on conversations can be opened beside. */
  openBeside(side: Beside): void {
    this.side = side;
  }
}
