// The queue: messages that wait for the running answer, sent one after the other, each as it was meant when it was written, and commands
// that wait for the model to load.
import type { MeantMessage } from '../turn/meantNow.ts';

/** The wait of a command ends with its signal. */
type Waits = { readonly text: string } & ({ readonly message: MeantMessage } | { readonly stop: AbortController });
type Waiting = Waits & { readonly id: number };

export class Queue {
  private readonly changed: (queue: readonly { readonly id: number; readonly text: string }[]) => void;
  private numbered = 0;
  private waiting: readonly Waiting[] = [];

  /** `changed` is told of what waits after each change. */
  constructor(changed: Queue['changed']) {
    this.changed = changed;
  }

  /** The words of the waiting messages, without the commands. */
  get texts(): readonly string[] {
    return this.waiting.flatMap((one) => ('message' in one ? one.text : []));
  }

  add(message: MeantMessage): void {
    this.push({ text: message.text, message });
  }

  /** Shows a command as long as it waits; false where it was taken out. */
  async hold(text: string, wait: (signal: AbortSignal) => Promise<unknown>): Promise<boolean> {
    const stop = new AbortController();
    const id = this.push({ text, stop });
    const { signal } = stop;
    try {
      await wait(signal);
      return !signal.aborted;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    } finally {
      this.remove(id);
    }
  }

  /** Takes the first message out; null where none waits. */
  next(): MeantMessage | null {
    const first = this.waiting.find((one) => 'message' in one);
    if (first === undefined) return null;
    this.remove(first.id);
    return first.message;
  }

  /** Takes one out, and returns its words; null where it does not wait any more. */
  remove(id: number): string | null {
    const found = this.waiting.find((one) => one.id === id);
    if (found === undefined) return null;
    if ('stop' in found) found.stop.abort();
    this.set(this.waiting.filter((one) => one !== found));
    return found.text;
  }

  /** Takes the messages out. */
  clear(): void {
    if (this.texts.length > 0) this.set(this.waiting.filter((one) => 'stop' in one));
  }

  /** Ends the wait of commands. */
  release(): void {
    for (const one of this.waiting) if ('stop' in one) this.remove(one.id);
  }

  private push(message: Waits): number {
    this.numbered += 1;
    this.set([...this.waiting, { id: this.numbered, ...message }]);
    return this.numbered;
  }

  private set(waiting: readonly Waiting[]): void {
    this.waiting = waiting;
    this.changed(waiting.map(({ id, text }) => ({ id, text })));
  }
}
