// Sets the threads that decode, by what was measured so far. The library asks for their number at each batch.
import { cpus } from 'node:os';
import type { Llama } from 'node-llama-cpp';
import { spareCores, Threads, type Work } from '../../../core/model/threads.ts';
import { foreignProcessors, usableCores } from './allowed.ts';

/** The system counts in hundredths of a second: a shorter time says nothing. */
const shortest = 150;
/** Milliseconds after which an earlier look is too old to count. */
const longest = 2000;
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
  const threads = new Threads(usableCores(llama), foreignProcessors());
  const look = lookAtOthers();
  const begin = (work: Work) => {
    look.begin();
    const number = threads.next(work);
    llama.maxThreads = number;
    const started = performance.now();
    return (tokens: number) => {
      const milliseconds = performance.now() - started;
      if (tokens >= least[work]) threads.done(work, { threads: number, tokens, milliseconds });
      else threads.abandon(work);
      const seen = look.end();
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

/** Tells afterwards whether other programs took cores that are needed here, as of now. */
export function looksForOthers(): () => boolean {
  const look = lookAtOthers();
  return () => (look.end()?.cores ?? 0) - foreignProcessors() > spareCores;
}

/** Sees on how many cores other processes are busy while a stretch runs; null where too short a time has passed. */
function lookAtOthers() {
  const seen = () => ({ at: performance.now(), busy: busyTime(), own: ownTime() });
  let last = seen();
  return {
    begin: () => {
      if (performance.now() - last.at > longest) last = seen();
    },
    end: () => {
      const milliseconds = performance.now() - last.at;
      if (milliseconds < shortest) return null;
      const before = last;
      last = seen();
      const others = last.busy - before.busy - (last.own - before.own);
      return { cores: Math.max(0, others / milliseconds), milliseconds };
    },
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
