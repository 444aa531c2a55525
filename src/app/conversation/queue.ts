// The messages that wait while an answer is written: sent one after the other, each as it was meant when it was written.
import type { ViewState } from '../../protocol/view.ts';
import type { MeantMessage } from '../turn/meantNow.ts';

interface QueueView {
  readonly snapshot: Pick<ViewState, 'queue'>;
  set(values: Pick<ViewState, 'queue'>): void;
  /** What a text means as it is written now. */
  meant(text: string): MeantMessage;
}

export class Queue {
  private readonly view: QueueView;
  private numbered = 0;
  private readonly waiting = new Map<number, MeantMessage>();

  constructor(view: QueueView) {
    this.view = view;
  }

  add(message: MeantMessage): void {
    this.numbered += 1;
    this.waiting.set(this.numbered, message);
    this.view.set({ queue: [...this.view.snapshot.queue, { id: this.numbered, text: message.text }] });
  }

  /** Takes the first out; null where none waits. */
  next(): MeantMessage | null {
    const [first, ...queue] = this.view.snapshot.queue;
    if (first === undefined) return null;
    this.view.set({ queue });
    const message = this.waiting.get(first.id) ?? this.view.meant(first.text);
    this.waiting.delete(first.id);
    return message;
  }

  /** Takes one out, and returns its words; null where it does not wait any more. */
  remove(id: number): string | null {
    const { queue } = this.view.snapshot;
    const found = queue.find((one) => one.id === id);
    if (found === undefined) return null;
    this.view.set({ queue: queue.filter((one) => one !== found) });
    this.waiting.delete(id);
    return found.text;
  }

  /** What the waiting messages mean is forgotten; their words stay with the view. */
  clear(): void {
    this.waiting.clear();
  }
}
