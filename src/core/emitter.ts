// Tells those who subscribed of what happens. One who fails does not keep the others from hearing it.

export interface Disposable {
  dispose(): void;
}

export class Emitter<T> {
  private readonly listeners = new Set<(value: T) => void>();

  /** Calls back with every value until what it returns is disposed of. */
  subscribe(listener: (value: T) => void): Disposable {
    // A wrapper for each subscription lets one function subscribe twice.
    const own = (value: T) => listener(value);
    this.listeners.add(own);
    return { dispose: () => void this.listeners.delete(own) };
  }

  /** To all who were there when it began and still are. What a listener throws becomes an unhandled rejection, which is logged. */
  emit(value: T): void {
    for (const listener of [...this.listeners]) {
      if (!this.listeners.has(listener)) continue;
      try {
        listener(value);
      } catch (error) {
        void Promise.reject(error);
      }
    }
  }

  /** Nobody hears anything any more. */
  dispose(): void {
    this.listeners.clear();
  }
}
