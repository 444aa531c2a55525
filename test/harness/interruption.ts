// Ctrl-C and kill, as one promise that the entry points race their work against.

export class Interrupted extends Error {
  readonly exitCode: number;
  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}`);
    this.exitCode = signal === 'SIGINT' ? 130 : 143;
  }
}

/**
 * Resolves at the first signal. Later ones do nothing: a terminal and npm may each deliver the same Ctrl-C, and stopping is already under way.
 * The end of the parent counts as SIGHUP: npm passes a kill on to the shell in between, and that shell to nobody.
 */
export function interruption(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
    const parent = process.ppid;
    const look = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(look);
      resolve('SIGHUP');
    }, 300).unref();
  });
}

/** The work's result, or the Error `Interrupted` as soon as a signal arrives; what the work has opened is closed by its owner's `finally`. */
export function unlessInterrupted<T>(work: Promise<T>, signals: Promise<NodeJS.Signals>): Promise<T> {
  return Promise.race([
    work,
    signals.then((signal) => {
      throw new Interrupted(signal);
    }),
  ]);
}
