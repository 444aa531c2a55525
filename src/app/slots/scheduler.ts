// Whose turn it is to ask the model, where several conversations are open: one at a time, in the order in which they asked.
import { orStopped } from '../ports/stopping.ts';

/** The idle work of a chat, which gives way to any request. By it the floor knows one chat from another. */
export interface Yielding {
  /** Another chat asks the model: what is being done is left. True where something was, which is to be done later. */
  yield(): boolean;
  /** Goes on with what was left. */
  resume(): Promise<void>;
}

interface Waiting {
  readonly own: Yielding;
  readonly enter: () => void;
}

export class Scheduler {
  private holder: Yielding | null = null;
  /** Requests of the holder: a turn of a session that it left may still be ending. */
  private users = 0;
  private waiting: readonly Waiting[] = [];
  private readonly chats = new Set<Yielding>();
  private readonly owed = new Set<Yielding>();

  join(chat: Yielding): void {
    this.chats.add(chat);
  }

  leave(chat: Yielding): void {
    this.chats.delete(chat);
    this.rested(chat);
  }

  /** Whether another chat asks the model. */
  isOthers(own: Yielding): boolean {
    return this.holder !== null && this.holder !== own;
  }

  /** Gives a chat the model; idle work of others gives way. Returns a function to give it back, to be called once; null where another chat has it. */
  enter(own: Yielding): (() => void) | null {
    this.othersYield(own);
    if (this.isOthers(own)) return null;
    this.holder = own;
    this.users += 1;
    return () => this.back();
  }

  /** The same, when those who asked before have given it back. Rejects when the wait is cancelled. */
  async take(own: Yielding, signal: AbortSignal): Promise<() => void> {
    const entered = this.enter(own);
    if (entered !== null) return entered;
    await this.turnOf(own, signal);
    return () => this.back();
  }

  /** Whether another chat asks the model: then this one goes on when that is done. */
  waits(own: Yielding): boolean {
    const waits = this.isOthers(own);
    if (waits && this.chats.has(own)) this.owed.add(own);
    return waits;
  }

  /** Whether idle work may begin. That of the others gives way: two at once would only cut each other off. */
  begins(own: Yielding): boolean {
    if (this.waits(own)) return false;
    this.othersYield(own);
    return true;
  }

  /** Nothing is left to do for this chat now, so another may go on with its idle work. */
  rested(own: Yielding): void {
    this.owed.delete(own);
    const [next] = this.owed;
    if (next === undefined || this.isOthers(next)) return;
    this.owed.delete(next);
    void next.resume();
  }

  private othersYield(own: Yielding): void {
    for (const chat of this.chats) if (chat !== own && chat.yield()) this.owed.add(chat);
  }

  private async turnOf(own: Yielding, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const entry = { own, enter: resolve };
    this.waiting = [...this.waiting, entry];
    try {
      await orStopped(promise, signal);
    } catch (error) {
      if (!this.waiting.includes(entry)) this.back();
      this.waiting = this.waiting.filter((one) => one !== entry);
      throw error;
    }
  }

  private back(): void {
    this.users -= 1;
    if (this.users > 0) return;
    this.holder = this.waiting[0]?.own ?? null;
    const next = this.waiting.filter(({ own }) => own === this.holder);
    this.waiting = this.waiting.filter(({ own }) => own !== this.holder);
    this.users = next.length;
    for (const { enter } of next) enter();
  }
}
