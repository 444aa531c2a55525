// Whether a server that sends nothing still works. No clock says so: a long prompt on a slow machine takes as long as it takes. While it is
// silent it is asked in between, by other requests, whether it is there and busy.
import type { FaultError } from '../../../core/faults/faults.ts';
import type { Http } from './http.ts';
import { asShape } from './shape.ts';

/** Looks in a row that find nobody at work before the answer is given up. */
const mostIdle = 2;
/** Looks in a row at a server that does not tell whether it works, of which the last finds nobody: with the one that gives it up an hour in all, in
 * which the slowest machine decodes a prompt. */
const mostBlind = 179;

/** Paths that tell whether the server works, and whether it is there; `busy` is null when the server does not tell the former. */
interface Looking {
  readonly busy: string | null;
  readonly there: string;
}

const llamaServer: Looking = { busy: '/slots', there: '/health' };

export class Silence {
  /** Why the answer was given up; null while it is not. */
  fault: FaultError | null = null;
  private readonly http: Http;
  private readonly leaving: AbortController;
  private readonly milliseconds: number;
  private readonly looking: Looking;
  private timer: NodeJS.Timeout;
  private last = performance.now();
  private idle = 0;
  private blind = 0;
  private stopped = false;

  /** `leaving` is aborted where nobody is there any more. */
  constructor(http: Http, leaving: AbortController, looking = llamaServer) {
    this.looking = looking;
    const milliseconds = http.patience.long;
    this.http = http;
    this.leaving = leaving;
    this.milliseconds = milliseconds;
    this.timer = setTimeout(() => void this.look(), milliseconds);
  }

  /** Call when the server did a part of the work. Mere bytes show only that the server is there. */
  heard(): void {
    this.last = performance.now();
    this.idle = 0;
    this.blind = 0;
    this.rest();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private rest(): void {
    clearTimeout(this.timer);
    if (!this.stopped) this.timer = setTimeout(() => void this.look(), this.milliseconds);
  }

  private async look(): Promise<void> {
    const asked = this.last;
    const works = await this.works();
    // The server may have spoken meanwhile, or the caller stopped waiting.
    if (this.stopped || this.last !== asked) return;
    this.idle = works ? 0 : this.idle + 1;
    if (this.idle < mostIdle) return this.rest();
    const seconds = Math.round((performance.now() - this.last) / 1000);
    this.fault = this.http.fault({ is: 'silent', seconds });
    this.leaving.abort();
  }

  /**
   * A slot is busy, or the server is there and does not come to answer, which it does between two steps only. Where it does not tell of
   * its slots, that it is there must do, for a while.
   */
  private async works(): Promise<boolean> {
    const limit = AbortSignal.timeout(this.milliseconds);
    const { busy } = this.looking;
    try {
      const slots = busy === null ? null : await this.http.json(busy, null, limit);
      if (slots === null) throw new Error('it does not tell');
      return Array.isArray(slots) && slots.some((slot) => asShape(slot).is_processing === true);
    } catch {
      this.blind += limit.aborted ? 0 : 1;
      return this.blind < mostBlind && (await this.isThere());
    }
  }

  private async isThere(): Promise<boolean> {
    return this.http.json(this.looking.there, null, AbortSignal.timeout(this.milliseconds)).then(
      () => true,
      () => false,
    );
  }
}
