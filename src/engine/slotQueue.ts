// The requests on a slot, one at a time: those that somebody waits for, and work aside, which gives way to them.

export class SlotQueue {
  /** Requests that somebody waits for, the running one included. */
  private awaited = 0;
  private turn: Promise<unknown> = Promise.resolve();
  private warming: AbortController | null = null;

  /** Runs one request on the slot at a time. */
  async exclusive<T>(job: () => Promise<T>): Promise<T> {
    this.awaited += 1;
    return this.aside(job).finally(() => {
      this.awaited -= 1;
    });
  }

  /** Whether somebody waits for this slot. */
  get isAwaited(): boolean {
    return this.awaited > 0;
  }

  /** The same for work that nobody waits for. */
  aside<T>(job: () => Promise<T>): Promise<T> {
    const result = this.turn.then(job);
    // The queue goes on after a failed job; whoever asked for it gets the failure.
    this.turn = result.catch(() => undefined);
    return result;
  }

  /** Like `aside`, and the job gives way to the next foreground request at once, or within one chunk. */
  background<T>(job: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.interruptBackground();
    const controller = new AbortController();
    this.warming = controller;
    return this.aside(() => job(controller.signal));
  }

  interruptBackground(): void {
    this.warming?.abort();
    this.warming = null;
  }
}
