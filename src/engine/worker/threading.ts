// Sets the threads that decode, by what was measured so far. The library asks for their number at each batch.
import { cpus } from 'node:os';
import type { Llama } from 'node-llama-cpp';
import { Threads, type Work } from '../../core/threads.ts';

/** The system counts in hundredths of a second: a shorter time says nothing. */
const shortest = 150;
/** Tokens of a stretch whose pace counts: shorter ones say more about the overhead. */
const least: Readonly<Record<Work, number>> = { prefill: 64, generation: 4 };

export interface Threading {
  /** Decodes a stretch of so many tokens. */
  during<T>(work: Work, tokens: number, job: () => Promise<T>): Promise<T>;
  /** Begins a stretch; the function it returns ends it. */
  begin(work: Work): (tokens: number) => void;
}

/** The user set the number, or all is computed elsewhere: nothing to find. */
export const fixedThreads: Threading = { during: (_, __, job) => job(), begin: () => () => undefined };

/** For a context that was made with all cores. */
export function measuredThreads(llama: Pick<Llama, 'maxThreads' | 'cpuMathCores'>): Threading {
  const cores = Math.max(1, llama.cpuMathCores);
  const threads = new Threads(cores);
  const look = lookAtOthers();
  const begin = (work: Work) => {
    const number = threads.next(work);
    llama.maxThreads = number;
    const started = performance.now();
    return (tokens: number) => {
      const milliseconds = performance.now() - started;
      if (tokens >= least[work]) threads.done(work, { threads: number, tokens, milliseconds });
      const seen = look();
      if (seen !== null) threads.saw(seen.cores, seen.milliseconds);
    };
  };
  return {
    begin,
    during: async (work, tokens, job) => {
      const end = begin(work);
      const result = await job();
      end(tokens);
      return result;
    },
  };
}

/** Cores that other processes were busy on since the last look; null after too short a time. */
function lookAtOthers(): () => { readonly cores: number; readonly milliseconds: number } | null {
  let last = { at: performance.now(), busy: busyTime(), own: ownTime() };
  return () => {
    const at = performance.now();
    const milliseconds = at - last.at;
    if (milliseconds < shortest) return null;
    const now = { at, busy: busyTime(), own: ownTime() };
    const others = now.busy - last.busy - (now.own - last.own);
    last = now;
    return { cores: Math.max(0, others / milliseconds), milliseconds };
  };
}

/** Milliseconds of all processors together, without what gives way by itself. */
function busyTime(): number {
  return cpus().reduce((sum, { times: { user, sys, irq } }) => sum + user + sys + irq, 0);
}

function ownTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
