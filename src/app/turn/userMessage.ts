// The user's message as a turn begins with it: its words, the day, and what goes with it.
import { dayInMessage, modelAgent } from '../../core/agent/modelAgent.ts';
import { dayOf } from '../../core/dialog/day.ts';
import type { MayShow } from '../../core/dialog/tool.ts';
import type { MayCallShow } from '../../core/turn/runTool.ts';
import type { UserMessage } from '../../core/turn/turnPorts.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import { orStopped } from '../ports/stopping.ts';
import type { Session } from '../session/session.ts';
import { besideNext, taken } from './besideNext.ts';
import type { MeantMessage } from './meantNow.ts';
import { attach } from './mentions.ts';
import type { TurnPlan } from './planTurn.ts';

/** `begin` is called once nothing can fail any more. */
export async function userMessage(
  session: Session,
  { text: words, resolve }: MeantMessage,
  { counter, changedFiles, now, newId }: Pick<ConversationPorts, 'counter' | 'changedFiles' | 'now' | 'newId'>,
  { main, least }: Pick<TurnPlan, 'main' | 'least'>,
  { begin, mayShow }: { readonly begin: () => void; readonly mayShow: MayCallShow },
  signal: AbortSignal,
): Promise<UserMessage> {
  const text = words.trim();
  const show = (word: string): MayShow => {
    const call = { id: newId(), name: 'attach', arguments: { file: word } };
    return (request) => mayShow(call, request);
  };
  // What asks the editor may never get an answer.
  const mentioned = await orStopped(attach(text, { resolve, show }, counter, least.high, signal), signal);
  begin();
  const attachments = [...besideNext(session, changedFiles), ...mentioned.map(({ attachment }) => attachment)];
  taken(session, changedFiles);
  return { text, ...dayInMessage(modelAgent(main.info.name), dayOf(now())), attachments };
}
