// `/speed`: how fast the loaded model is here, and which settings would serve better. `/probe`: what it can do, by a test.
import { abilitiesText } from '../../core/abilities/abilities.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import { speedText } from '../../core/model/speed.ts';
import type { IdleWork } from '../idle/idleWork.ts';
import { isPocket } from '../model/engineViews.ts';
import type { Abilities } from '../ports/abilities.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { commandOf } from '../ports/commandLine.ts';
import type { Conversation } from '../session/conversation.ts';
import type { AgentEngines, WindowEngine } from '../slots/windowEngines.ts';

/** What this handler needs of a conversation. */
type SpeedConversation = Pick<Conversation, 'running' | 'folding'>;

interface SpeedPorts {
  readonly abilities: () => Abilities;
  /** Goes on with what was interrupted to measure. */
  readonly open: () => Promise<void>;
}

/** The words of what was found out; null where it was interrupted. */
type Job = (info: ModelInfo, at: WindowEngine, signal: AbortSignal) => Promise<string | null>;

export class SpeedHandler {
  private readonly conversation: SpeedConversation;
  private readonly engines: AgentEngines;
  private readonly work: IdleWork;
  private readonly ports: SpeedPorts;

  constructor(conversation: SpeedConversation, engines: AgentEngines, work: IdleWork, ports: SpeedPorts) {
    this.work = work;
    this.conversation = conversation;
    this.engines = engines;
    this.ports = ports;
  }

  /** Null for another line. Rejects with a FaultError where no model can be loaded. */
  answer(line: string): Promise<CommandAnswer> | null {
    if (commandOf(line, '/speed') !== null)
      return this.alone('Speed', 'measured', (_, at, signal) => this.speed(at, signal));
    if (commandOf(line, '/probe') === null) return null;
    return this.alone('Test of the model', 'tested', (info, at, signal) => this.probe(info, at, signal));
  }

  private async alone(title: string, done: string, job: Job): Promise<CommandAnswer> {
    // The agent may name another engine by then.
    const at = this.engines.answering();
    const info = this.isBusy ? null : await at.life.ensure();
    if (info === null || this.isBusy)
      return { title, text: `Not ${done}: the model is at work. Try again when it is idle.`, again: true };
    const text = await this.work.alone((signal) => job(info, at, signal));
    if (text === null) return { title, text: `Not ${done}: it was interrupted.` };
    return { title, text, after: this.ports.open };
  }

  private async speed({ engine }: WindowEngine, signal: AbortSignal): Promise<string | null> {
    if (engine.speed === null) return 'The speed of this engine cannot be measured from here.';
    const speed = await engine.speed(signal);
    return speed.rows.length === 0 ? null : speedText(speed);
  }

  private async probe(info: ModelInfo, at: WindowEngine, signal: AbortSignal): Promise<string | null> {
    if (isPocket(info)) return 'The pocket model was trained on the tools of this project, and has them.';
    const nature = await this.ports.abilities().test(info, at.engine, signal);
    if (nature === null) return null;
    at.life.show();
    return abilitiesText(nature);
  }

  /** A model that computes something else meanwhile would be found slower than it is. */
  private get isBusy(): boolean {
    const { running, folding } = this.conversation;
    return running || folding || this.work.scheduler.isOthers(this.work);
  }
}
