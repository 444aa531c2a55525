// The gate between two files: closed while a model needs the processor, and never passed for long without a look at the requests.

/** Milliseconds of reading after which requests are looked at. */
const slice = 10;

export class Gate {
  private readonly now: () => number;
  private since: number;
  private opened: Promise<void> | null = null;
  private open: () => void = () => undefined;

  constructor(now: () => number) {
    this.now = now;
    this.since = now();
  }

  hold(paused: boolean): void {
    if (paused && this.opened === null) {
      this.opened = new Promise((resolve) => {
        this.open = resolve;
      });
    } else if (!paused && this.opened !== null) {
      this.opened = null;
      this.open();
    }
  }

  async pass(): Promise<void> {
    while (this.opened !== null) await this.opened;
    if (this.now() - this.since < slice) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.since = this.now();
  }
}
