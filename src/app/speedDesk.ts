// `/speed`: how fast the loaded model is here, and which settings would serve better.
import { speedText } from '../core/speed.ts';
import { commandOf } from './commandLine.ts';
import type { Answer } from './contextDesk.ts';
import type { IdleWork } from './idleWork.ts';
import type { Engine, ModelLife } from './modelLife.ts';

/** The chat as this desk sees it. */
export interface Idle {
  readonly snapshot: { readonly running: boolean; readonly folding: boolean };
  /** Goes on with what was interrupted to measure. */
  open(): Promise<void>;
}

export class SpeedDesk {
  private readonly chat: Idle;
  private readonly engine: Engine;
  private readonly life: ModelLife;
  private readonly work: IdleWork;

  constructor(chat: Idle, engine: Engine, life: ModelLife, work: IdleWork) {
    this.work = work;
    this.chat = chat;
    this.engine = engine;
    this.life = life;
  }

  /** Null for another line. Rejects with a FaultError where no model can be loaded. */
  answer(line: string): Promise<Answer> | null {
    return commandOf(line, '/speed') === null ? null : this.measure();
  }

  private async measure(): Promise<Answer> {
    const title = 'Speed';
    if (!this.isBusy) await this.life.ensure();
    if (this.isBusy)
      return { title, text: 'Not measured: the model is at work. Try again when it is idle.', again: true };
    const speed = await this.work.alone((signal) => this.engine.request('speed', {}, signal));
    if (speed === null || speed.rows.length === 0) return { title, text: 'Not measured: it was interrupted.' };
    return { title, text: speedText(speed), after: () => this.chat.open() };
  }

  /** A model that computes something else meanwhile would be found slower than it is. */
  private get isBusy(): boolean {
    const { running, folding } = this.chat.snapshot;
    return running || folding || this.work.floor.isOthers(this.work);
  }
}
