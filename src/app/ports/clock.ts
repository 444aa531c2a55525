// The port to time and to new names.

export interface Clock {
  now(): Date;
  wait(milliseconds: number): Promise<void>;
  /** Runs something again and again until the returned function is called. */
  every(milliseconds: number, run: () => void): () => void;
  newId(): string;
}
