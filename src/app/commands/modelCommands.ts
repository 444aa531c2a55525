// `/speed`: how fast the loaded model is here, and which settings would serve better. `/probe`: what it can do, by a test.
import { abilitiesText } from '../../core/abilities/abilities.ts';
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import { speedText } from '../../core/model/speed.ts';
import { isPocket } from '../model/engineViews.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import type { Command } from '../ports/commandLine.ts';
import type { WindowEngine } from '../slots/windowEngines.ts';
import { type CommandContext, row } from './commandContext.ts';

const speedDetail = 'Measure how fast this model is here, and which settings suit it';

export const modelCommands: readonly Command<CommandContext>[] = [
  {
    ...{ name: 'speed', detail: speedDetail, icon: 'dashboard', title: 'Speed' },
    rows: [row('', [], '', (context) => alone(context, 'Speed', 'measured', speed), { needsModel: true })],
  },
  {
    ...{ name: 'probe', detail: "Test this model's abilities", icon: 'beaker', title: 'Test of the model' },
    rows: [row('', [], '', (context) => alone(context, 'Test of the model', 'tested', probe), { needsModel: true })],
  },
];

/** The words of what was found out; null where it was interrupted. */
type Job = (context: CommandContext, info: ModelInfo, at: WindowEngine, signal: AbortSignal) => Promise<string | null>;

async function alone(context: CommandContext, title: string, done: string, job: Job): Promise<CommandAnswer> {
  // The agent may name another engine by then.
  const at = context.turns.context.engines.answering();
  const info = isBusy(context) ? null : await at.life.ensure();
  if (info === null || isBusy(context))
    return { title, text: `Not ${done}: the model is at work. Try again when it is idle.`, again: true };
  const text = await context.ready.work.alone((signal) => job(context, info, at, signal));
  if (text === null) return { title, text: `Not ${done}: it was interrupted.` };
  // Idle work that was interrupted for the measurement goes on.
  return { title, text, after: () => context.ready.open() };
}

const speed: Job = async (_, __, { engine }, signal) => {
  if (engine.speed === null) return 'The speed of this engine cannot be measured from here.';
  const found = await engine.speed(signal);
  return found.rows.length === 0 ? null : speedText(found);
};

const probe: Job = async ({ turns }, info, at, signal) => {
  if (isPocket(info)) return 'The pocket model was trained on the tools of this project, and has them.';
  const nature = await turns.context.engines.abilities.test(info, at.engine, signal);
  if (nature === null) return null;
  at.life.show();
  return abilitiesText(nature);
};

/** A model that computes something else meanwhile would be found slower than it is. */
function isBusy({ conversation, ready: { work } }: CommandContext): boolean {
  return conversation.now.running || conversation.now.compacting || work.scheduler.isOthers(work);
}
