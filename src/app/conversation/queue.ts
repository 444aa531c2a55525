// The messages that wait while an answer is written: sent one after the other, each as it was meant when it was written.
import type { MeantMessage } from '../turn/meantNow.ts';

interface Waiting {
  readonly id: number;
  readonly message: MeantMessage;
}

export class Queue {
  private readonly changed: (queue: readonly { readonly id: number; readonly text: string }[]) => void;
  private numbered = 0;
  private waiting: readonly Waiting[] = [];

  /** `changed` is told of what waits after each change. */
  constructor(changed: Queue['changed']) {
    this.changed = changed;
  }

  get texts(): readonly string[] {
    return this.waiting.map(({ message }) => message.text);
  }

  add(message: MeantMessage): void {
    this.numbered += 1;
    this.set([...this.waiting, { id: this.numbered, message }]);
  }

  /** Takes the first out; null where none waits. */
  next(): MeantMessage | null {
    const [first, ...rest] = this.waiting;
    if (first === undefined) return null;
    this.set(rest);
    return first.message;
  }

  /** Takes one out, and returns its words; null where it does not wait any more. */
  remove(id: number): string | null {
    const found = this.waiting.find((one) => one.id === id);
    if (found === undefined) return null;
    this.set(this.waiting.filter((one) => one !== found));
    return found.message.text;
  }

  clear(): void {
    if (this.waiting.length > 0) this.set([]);
  }

  private set(waiting: readonly Waiting[]): void {
    this.waiting = waiting;
    this.changed(waiting.map(({ id, message }) => ({ id, text: message.text })));
  }
}
