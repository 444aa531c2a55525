// A request's place with the scheduler: others may have it while the request waits for the user, and it ends once.
import type { Scheduler, Yielding } from './scheduler.ts';

export interface SchedulerPlace {
  /** Waits without holding others up. Rejects as the work does, or as the wait for the next place. */
  outside<T>(work: () => Promise<T>): Promise<T>;
  leave(): void;
}

type Back = () => void;

/** `wait` is called where another has it. Rejects as the wait does. */
export async function takePlace(
  scheduler: Scheduler,
  own: Yielding,
  wait: (take: (signal: AbortSignal) => Promise<Back>) => Promise<Back>,
): Promise<SchedulerPlace> {
  const enter = async () => scheduler.enter(own) ?? (await wait((signal) => scheduler.take(own, signal)));
  let back: Back | null = await enter();
  const leave = () => {
    back?.();
    back = null;
  };
  return {
    leave,
    outside: async (work) => {
      leave();
      scheduler.rested(own);
      try {
        return await work();
      } finally {
        back = await enter();
      }
    },
  };
}
