// Tells an engine process that hangs from one that works: it beats once a second while it has work, and a generation tells how far it is.
// Beats are counted by this process's own ticks, so a machine that slept is no process that hung.
import type { Fault } from '../core/faults/fault.ts';

/** Without a beat for so many ticks it is said; one that was told to stop is ended after fewer. */
const saidAfter = 10;
const endedAfter = 3;
/** A chat template gets no longer: on a slow machine one is tried within a second. */
const templateAfter = 10;
/** A request that tells nothing for so many times its longest silence before, or for so many ticks where there was none, makes no progress. */
const longer = 10;
const fewest = 60;
/** The same for one that a server answers: who waits for it is told soon, and may stop it. */
const fewestElsewhere = 20;

/** A running request: ticks since its last progress, and the most ticks between two. A request that reports no progress is never late. */
interface Progress {
  silent: number;
  longest: number;
  /** A server answers it: that it is silent says nothing of this process. */
  readonly elsewhere: boolean;
}

/** The reports that a request makes to the watch. */
export interface WatchedRequest {
  readonly told: () => void;
  /** The user stopped it. */
  readonly stopped: () => void;
  readonly end: () => void;
}

export interface HangPorts {
  /** The process has not answered for so many seconds; null once it answers again. */
  readonly quiet: (seconds: number | null) => void;
  /** The process is to be ended. */
  readonly end: () => void;
  /** Runs it at each tick, until the function that comes back is called. */
  readonly every: (run: () => void) => () => void;
}

export class HangWatch {
  private readonly ports: HangPorts;
  private readonly asked = new Set<Progress>();
  private stopping = 0;
  private silent = 0;
  private said: number | null = null;
  private still: (() => void) | null = null;
  /** The chat template is tried now. */
  inTemplate = false;
  /** Why the process was ended; '' where it was not. */
  reason = '';

  constructor(ports: HangPorts) {
    this.ports = ports;
  }

  /** The process said something. */
  heard(): void {
    this.silent = 0;
    this.say();
  }

  /** A request was sent. `tells`: it says how far it is. `elsewhere`: a server answers it. */
  begin(tells: boolean, elsewhere = false): WatchedRequest {
    const own: Progress = { silent: tells ? 0 : Number.NEGATIVE_INFINITY, longest: 0, elsewhere };
    this.asked.add(own);
    this.still ??= this.ports.every(() => this.tick());
    let isStopping = false;
    return {
      told: () => {
        own.longest = Math.max(own.longest, own.silent);
        // The others may wait for this one.
        for (const one of this.asked) if (one.silent > 0) one.silent = 0;
        this.heard();
      },
      stopped: () => {
        if (isStopping) return;
        isStopping = true;
        this.stopping += 1;
      },
      end: () => {
        if (isStopping) this.stopping -= 1;
        this.asked.delete(own);
        if (this.asked.size === 0) this.rest();
      },
    };
  }

  /** Nothing waits any more. */
  rest(): void {
    this.still?.();
    this.still = null;
    this.silent = 0;
    this.say();
  }

  private tick(): void {
    this.silent += 1;
    for (const one of this.asked) one.silent += 1;
    this.say();
    if (this.inTemplate && this.silent >= templateAfter) this.end(`it did not end within ${templateAfter} seconds`);
    const stuck = this.stuck(({ elsewhere }) => !elsewhere);
    if (this.stopping > 0 && (this.silent >= endedAfter || stuck > 0))
      this.end(`it did not answer for ${Math.max(this.silent, stuck)} seconds`);
  }

  private end(reason: string): void {
    this.reason = reason;
    this.ports.end();
  }

  /** Seconds for which one of such requests has told nothing, where that is much longer than before; 0 otherwise. */
  private stuck(counts: (request: Progress) => boolean): number {
    const isLate = ({ silent, longest, elsewhere }: Progress) =>
      silent >= (elsewhere ? fewestElsewhere : Math.max(fewest, longer * longest));
    return Math.max(0, ...[...this.asked].filter((one) => counts(one) && isLate(one)).map(({ silent }) => silent));
  }

  private say(): void {
    const silent = this.silent >= saidAfter ? this.silent : this.stuck(() => true);
    const seconds = silent > 0 ? silent : null;
    if (seconds === this.said) return;
    this.said = seconds;
    this.ports.quiet(seconds);
  }
}

/** Which fault the end of the process is. A chat template is a program of whoever made the file, and this is how a bad one ends. */
export function faultAt({ inTemplate, reason }: HangWatch, ended: string): Fault {
  if (inTemplate)
    return { kind: 'templateUnusable', reason: reason === '' ? `the process ended over it (${ended})` : reason };
  return { kind: 'engineCrashed', reason: reason === '' ? ended : reason };
}
