// Unloads the model once nothing has needed it for a while: a window that was left takes no memory. It comes back when it is asked for.
import type { Disposable } from '../../core/emitter.ts';
import type { ViewDelta, ViewState } from '../../protocol/view.ts';
import type { ModelLife } from '../model/modelLife.ts';
import type { OneModel } from '../model/oneModel.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import type { Snapshots } from '../slots/snapshots.ts';

export interface UnloadingPorts {
  readonly every: ConversationPorts['every'];
  /** Whether the engine has something to answer. */
  readonly busy: () => boolean;
  /** After how many minutes of rest; 0 for never. */
  readonly minutes: () => number;
}

interface Watched {
  readonly snapshot: ViewState;
  subscribe(listener: (delta: ViewDelta) => void): Disposable;
}

const minute = 60_000;
/** Stands for whole idle minutes where the current minute has seen use: it counts as none, and the next look makes it 0. */
const used = -1;

/** What changes without anybody's doing. */
const unasked: ReadonlySet<string> = new Set<keyof ViewState>([
  'engine',
  'slots',
  'stale',
  'toolsOff',
  'notice',
  'editor',
  'applied',
  'contextShown',
  'download',
  'agent',
  'changesAtOnce',
  'review',
]);

export class Unloading {
  private readonly snapshots: Pick<Snapshots, 'keep'>;
  private readonly chats = new Set<Watched>();
  private readonly life: ModelLife;
  private readonly place: Pick<OneModel, 'lost'>;
  private readonly ports: UnloadingPorts;
  private readonly end: () => void;
  /** Whole minutes since something was done. They are counted, not read off a clock: the time a machine slept is no rest. */
  private quiet = used;
  private storing = false;

  constructor(
    snapshots: Pick<Snapshots, 'keep'>,
    life: ModelLife,
    place: Pick<OneModel, 'lost'>,
    ports: UnloadingPorts,
  ) {
    this.snapshots = snapshots;
    this.life = life;
    this.place = place;
    this.ports = ports;
    this.end = ports.every(minute, () => void this.look());
  }

  /** What is done in this conversation keeps the model, as long as it is open. */
  watch(chat: Watched): Disposable {
    const hearing = chat.subscribe((delta) => {
      if (isUse(delta)) this.quiet = used;
    });
    this.chats.add(chat);
    return {
      dispose: () => {
        hearing.dispose();
        this.chats.delete(chat);
      },
    };
  }

  dispose(): void {
    this.end();
  }

  private async look(): Promise<void> {
    // A model on a server takes no memory here.
    if (this.storing || this.life.loaded?.server !== undefined) return;
    if (this.isBusy()) {
      this.quiet = used;
      return;
    }
    this.quiet += 1;
    const limit = this.ports.minutes();
    const long = limit > 0 && this.quiet >= limit;
    if (!long && !this.place.lost) return;
    this.storing = true;
    await this.snapshots.keep();
    this.storing = false;
    // A message may have come meanwhile.
    if (this.quiet === used || this.isBusy()) return;
    if (this.place.lost) await this.life.giveWay();
    else await this.life.unload(limit);
  }

  private isBusy(): boolean {
    const views = [...this.chats].map(({ snapshot }) => snapshot);
    const working = views.some(
      ({ running, folding, warming, queue }) => running || folding || warming !== null || queue.length > 0,
    );
    return working || this.life.loaded === null || this.ports.busy();
  }
}

function isUse(delta: ViewDelta): boolean {
  return delta.type !== 'set' || Object.keys(delta.values).some((key) => !unasked.has(key));
}
