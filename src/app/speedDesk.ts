// `/speed`: how fast the loaded model is here, and which settings would serve better.
import { type Speed, speedText } from '../core/speed.ts';
import { commandOf } from './commandLine.ts';
import type { Answer } from './contextDesk.ts';
import type { Engine, ModelLife } from './modelLife.ts';

/** The chat as this desk sees it. */
export interface Idle {
  readonly snapshot: { readonly running: boolean; readonly folding: boolean };
}

export class SpeedDesk {
  private readonly chat: Idle;
  private readonly engine: Engine;
  private readonly life: ModelLife;

  constructor(chat: Idle, engine: Engine, life: ModelLife) {
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
    await this.life.ensure();
    // A model that computes something else meanwhile would be found slower than it is.
    const { running, folding } = this.chat.snapshot;
    if (running || folding)
      return { title, text: 'Not measured: the model is at work. Try again when it is idle.', again: true };
    const speed: Speed = await this.engine.request('speed', {});
    return { title, text: speedText(speed) };
  }
}
