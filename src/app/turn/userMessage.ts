// The user's message as a turn begins with it: its words, the day, what goes with it, and who decides what it wants.
import { blockNote, runToolName } from '../../core/agent/editing.ts';
import { callsTools } from '../../core/agent/graph.ts';
import { intentOf } from '../../core/agent/intent.ts';
import { dayInMessage, modelAgent } from '../../core/agent/modelAgent.ts';
import { dayOf } from '../../core/dialog/day.ts';
import { filesAmong } from '../../core/dialog/filesNamed.ts';
import type { MayShow } from '../../core/dialog/tool.ts';
import type { MayCallShow } from '../../core/turn/gate.ts';
import type { TurnPorts, UserMessage } from '../../core/turn/turnPorts.ts';
import type { ChangedFiles } from '../ports/changedFiles.ts';
import type { Project } from '../ports/project.ts';
import { orStopped } from '../ports/stopping.ts';
import type { Session } from '../session/session.ts';
import { besideNext, taken } from './besideNext.ts';
import { noChoice } from './finding.ts';
import type { MeantMessage } from './meantNow.ts';
import { attach, spoken, withoutMentions } from './mentions.ts';
import type { AgentContext, TurnPlan } from './planTurn.ts';

interface MessageContext extends Pick<AgentContext, 'counter' | 'clock' | 'project'> {
  readonly changedFiles: ChangedFiles | null;
}

/** `begin` is called once nothing can fail any more. */
export async function userMessage(
  session: Session,
  { text: words, resolve, choice, draw }: MeantMessage,
  { counter, clock, project, changedFiles }: MessageContext,
  { main, least, settings }: Pick<TurnPlan, 'main' | 'least' | 'settings'>,
  { begin, mayShow }: { readonly begin: () => void; readonly mayShow: MayCallShow },
  signal: AbortSignal,
): Promise<UserMessage> {
  const text = spoken(words);
  const show = (word: string): MayShow => {
    const call = { id: clock.newId(), name: 'attach', arguments: { file: word } };
    return (request) => mayShow(call, request);
  };
  // The editor may never answer a mention that asks it, so a stop ends the wait.
  const mentioned = await orStopped(attach(words, { resolve, show }, counter, least.high, signal), signal);
  const named = await project.finding.named(withoutMentions(text));
  begin();
  const given = mentioned.map(({ attachment }) => attachment);
  const { edits } = settings.agent;
  const intent = intentOf({ edits, named, pointed: filesAmong(given), choice: choice.intent });
  const attachments = draw?.beside ?? [...besideNext(session, changedFiles, project), ...given];
  if (draw === undefined) taken(session, changedFiles);
  return { text, ...dayInMessage(modelAgent(main.info.name), dayOf(clock.now())), intent, attachments };
}

/** Whether the model writes its changes as blocks: it calls no tools, and was not trained for a prompt of its own. */
const writesBlocks = ({ setup: { graph }, main: { info } }: TurnPlan) =>
  !callsTools(graph) && modelAgent(info.name) === null;

/**
 * Whether the model is asked what a message wants: one that is here, in a slot that forgets the question, in a mode that does more than answer. One that calls
 * tools says it by its calls.
 */
export function asksAct(plan: TurnPlan): boolean {
  const { setup, main, settings } = plan;
  return settings.agent.edits && setup.cache.erases && main.info.server === undefined && writesBlocks(plan);
}

/** Whether commands run in a session. */
export function runsCommands(project: Project, session: string): boolean {
  return project.tools(session).some(({ schema }) => schema.name === runToolName);
}

/** `meant`: null for an answer that goes on. */
export function decidingPorts(
  plan: TurnPlan,
  meant: MeantMessage | null,
  { shell = 'sh' }: Pick<Project, 'shell'>,
): Pick<TurnPorts, 'asksAct' | 'note' | 'drawn'> {
  const { choice: { read } = noChoice, draw } = meant ?? {};
  if (draw !== undefined) return { asksAct: 'never', note: () => draw.note, drawn: draw };
  const asks = read === null ? 'first' : 'last';
  return { asksAct: asksAct(plan) ? asks : 'never', ...(writesBlocks(plan) && { note: blockNote.bind(null, shell) }) };
}
