// Unloads the model once nothing has needed it for a while: a window that was left takes no memory. It comes back when it is asked for.
import type { Disposable, Emitter } from '../../core/emitter.ts';
import type { ViewDelta, ViewState } from '../../protocol/view.ts';
import type { OneModel } from '../model/oneModel.ts';
import type { Clock } from '../ports/clock.ts';
import type { ShownView } from '../ports/shownView.ts';
import type { WindowEngine } from '../slots/windowEngines.ts';

export interface UnloadingPorts {
  readonly every: Clock['every'];
  /** Whether an engine has something to answer. */
  readonly busy: () => boolean;
  /** After how many minutes of rest; 0 for never. */
  readonly minutes: () => number;
}

type Watched = Pick<ShownView, 'snapshot' | 'subscribe'>;

const minute = 60_000;
/** Stands for whole idle minutes where the current minute has seen use: it counts as none, and the next look makes it 0. */
const used = -1;

/** Only a user's doing changes these; all else of a view changes also by itself. */
const ofUser: ReadonlySet<string> = new Set<keyof ViewState>(['running', 'asks', 'queue', 'draft', 'listing']);

export class Unloading {
  private readonly engines: () => readonly Pick<WindowEngine, 'life' | 'snapshots'>[];
  private readonly views = new Set<Watched>();
  private readonly place: Pick<OneModel, 'lost'>;
  private readonly ports: UnloadingPorts;
  private readonly end: () => void;
  /** Whole minutes since something was done. They are counted, not read off a clock: the time a machine slept is no rest. */
  private quiet = used;
  private storing = false;

  constructor(
    engines: () => readonly Pick<WindowEngine, 'life' | 'snapshots'>[],
    place: Pick<OneModel, 'lost'>,
    ports: UnloadingPorts,
  ) {
    this.engines = engines;
    this.place = place;
    this.ports = ports;
    this.end = ports.every(minute, () => void this.look());
  }

  /** Keeps the model as long as something is done in this conversation and it is open. `written` tells that the user writes. */
  watch(view: Watched, written: Pick<Emitter<void>, 'subscribe'>): Disposable {
    const use = () => this.use();
    const hearing = [view.subscribe((delta) => isUse(delta) && use()), written.subscribe(use)];
    this.views.add(view);
    return {
      dispose: () => {
        for (const one of hearing) one.dispose();
        this.views.delete(view);
      },
    };
  }

  /** Something outside of conversations needs the model. */
  use(): void {
    this.quiet = used;
  }

  dispose(): void {
    this.end();
  }

  private async look(): Promise<void> {
    if (this.storing) return;
    const here = this.here;
    if (this.isBusy()) {
      this.quiet = used;
      return;
    }
    this.quiet += 1;
    const limit = this.ports.minutes();
    const long = limit > 0 && this.quiet >= limit;
    if (!long && !this.place.lost) return;
    this.storing = true;
    for (const { snapshots } of here) await snapshots.keep();
    this.storing = false;
    // A message may have come meanwhile.
    if (this.quiet === used || this.isBusy()) return;
    for (const { life } of here) {
      if (this.place.lost) await life.giveWay();
      else await life.unload(limit);
    }
  }

  /** Engines with a model in the memory of this machine; a model on a server takes none of it. */
  private get here() {
    return this.engines().filter(({ life: { loaded } }) => loaded !== null && loaded.server === undefined);
  }

  private isBusy(): boolean {
    const views = [...this.views].map(({ snapshot }) => snapshot);
    const working = views.some(
      ({ running, compacting, warming, queue }) => running || compacting || warming !== null || queue.length > 0,
    );
    return working || this.here.length === 0 || this.ports.busy();
  }
}

function isUse(delta: ViewDelta): boolean {
  return delta.type !== 'set' || Object.keys(delta.values).some((key) => ofUser.has(key));
}
