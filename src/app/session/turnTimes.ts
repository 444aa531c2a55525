// Parts of the time of a turn, by the user's clock: the core has none.
import type { Item } from '../../core/dialog/dialog.ts';
import type { CallReport, TurnTimes } from '../../core/report/report.ts';
import type { Approve } from '../../core/turn/gate.ts';
import type { TurnEvent } from '../../core/turn/turnPorts.ts';

export class TurnClock {
  private readonly now: () => number;
  private readonly began: number;
  private firstWord: number | null = null;
  private asked = 0;
  private tools = 0;

  /** `now`: milliseconds. */
  constructor(now: () => number) {
    this.now = now;
    this.began = now();
  }

  heard(event: TurnEvent): void {
    if (event.type === 'text' && event.text !== '') this.firstWord ??= this.now() - this.began;
    if (event.type === 'appended') this.tools += millisecondsOf(event.item);
  }

  /** Asks as it is told to, and counts the time until the answer. */
  asking(ask: Approve): Approve {
    return async (...request) => {
      const began = this.now();
      try {
        return await ask(...request);
      } finally {
        this.asked += this.now() - began;
      }
    };
  }

  times(calls: readonly CallReport[]): TurnTimes {
    const { firstWord, asked, tools } = this;
    const read = calls.reduce((sum, { prefill }) => sum + prefill.milliseconds, 0);
    const written = calls.reduce((sum, { generateMilliseconds }) => sum + generateMilliseconds, 0);
    return { total: this.now() - this.began, firstWord, read, written, tools, asked };
  }
}

function millisecondsOf(item: Item): number {
  return item.origin === 'result' ? (item.milliseconds ?? 0) : 0;
}
