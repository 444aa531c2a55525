// The user's message as a turn begins with it: its words, the day, and what goes with it.
import { dayInMessage, modelAgent } from '../../core/agent/modelAgent.ts';
import { dayOf } from '../../core/dialog/day.ts';
import type { MayShow } from '../../core/dialog/tool.ts';
import type { MayCallShow } from '../../core/turn/gate.ts';
import type { UserMessage } from '../../core/turn/turnPorts.ts';
import type { ChangedFiles } from '../ports/changedFiles.ts';
import { orStopped } from '../ports/stopping.ts';
import type { Session } from '../session/session.ts';
import { besideNext, taken } from './besideNext.ts';
import type { MeantMessage } from './meantNow.ts';
import { attach } from './mentions.ts';
import type { AgentContext, TurnPlan } from './planTurn.ts';

interface MessageContext extends Pick<AgentContext, 'counter' | 'clock'> {
  readonly changedFiles: ChangedFiles | null;
}

/** `begin` is called once nothing can fail any more. */
export async function userMessage(
  session: Session,
  { text: words, resolve }: MeantMessage,
  { counter, clock, changedFiles }: MessageContext,
  { main, least }: Pick<TurnPlan, 'main' | 'least'>,
  { begin, mayShow }: { readonly begin: () => void; readonly mayShow: MayCallShow },
  signal: AbortSignal,
): Promise<UserMessage> {
  const text = words.trim();
  const show = (word: string): MayShow => {
    const call = { id: clock.newId(), name: 'attach', arguments: { file: word } };
    return (request) => mayShow(call, request);
  };
  // The editor may never answer a mention that asks it, so a stop ends the wait.
  const mentioned = await orStopped(attach(text, { resolve, show }, counter, least.high, signal), signal);
  begin();
  const attachments = [...besideNext(session, changedFiles), ...mentioned.map(({ attachment }) => attachment)];
  taken(session, changedFiles);
  return { text, ...dayInMessage(modelAgent(main.info.name), dayOf(clock.now())), attachments };
}
