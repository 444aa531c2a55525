// The waits of tests: a gate that is opened by hand, and moments in which the work under way goes on.

import type { Signal } from '../../../src/core/dialog/tool.ts';

/** A promise and the function that settles it. */
export function gate() {
  const { promise: closed, resolve: open } = Promise.withResolvers<void>();
  return { closed, open };
}

export const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Resolves when the signal says stop. */
export const stopped = (signal: Signal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/** Enough moments for any step that waits for no timer. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await tick();
}

/** Time enough for work that begins with a timer. */
export const soon = (milliseconds = 20) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Waits, moment by moment, until it holds. */
export async function until(holds: () => boolean): Promise<void> {
  const latest = Date.now() + 30_000;
  while (!holds()) {
    if (Date.now() > latest) throw new Error(`not within 30 seconds: ${holds}`);
    await tick();
  }
}
