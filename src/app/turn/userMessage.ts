// The user's message: what it means when it is written, and as a turn begins with it, with the day and what goes with it.
import { dayInMessage, modelAgent } from '../../core/agent/modelAgent.ts';
import { dayOf } from '../../core/dialog/day.ts';
import type { MayShow } from '../../core/dialog/tool.ts';
import type { MayCallShow } from '../../core/turn/runTool.ts';
import type { UserMessage } from '../../core/turn/turnPorts.ts';
import type { ChangedFiles } from '../ports/changedFiles.ts';
import { changingKinds } from '../ports/mention.ts';
import type { Mentions } from '../ports/project.ts';
import { orStopped } from '../ports/stopping.ts';
import type { Session } from '../session/session.ts';
import { besideNext, taken } from './besideNext.ts';
import type { FoundChoice } from './finding.ts';
import { attach, mentionsIn } from './mentions.ts';
import type { AgentContext, TurnPlan } from './planTurn.ts';

export type Resolve = Mentions['resolve'];

/** A message as it was written. */
export interface MeantMessage {
  readonly text: string;
  readonly resolve: Resolve;
  readonly choice: FoundChoice;
}

/** Files, folders and symbols are read when the message is sent: the newest text of a file is what is asked about. */
export function meantNow(text: string, mentions: Mentions, choice: FoundChoice): MeantMessage {
  // The words of a prompt, which its name stands for, may mean any of them.
  const kinds = text.startsWith('/') ? changingKinds : changingKinds.filter((one) => named(text, one));
  const { signal } = new AbortController();
  const seen = new Map<string, ReturnType<Resolve>>(
    kinds.map((kind) => [kind, mentions.resolve({ kind, word: `@${kind}`, name: '', lines: null }, signal)]),
  );
  return { text, choice, resolve: (mention, stop) => seen.get(mention.kind) ?? mentions.resolve(mention, stop) };
}

function named(text: string, kind: string): boolean {
  return mentionsIn(text).some((one) => one.kind === kind);
}

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
  // What asks the editor may never get an answer.
  const mentioned = await orStopped(attach(text, { resolve, show }, counter, least.high, signal), signal);
  begin();
  const attachments = [...besideNext(session, changedFiles), ...mentioned.map(({ attachment }) => attachment)];
  taken(session, changedFiles);
  return { text, ...dayInMessage(modelAgent(main.info.name), dayOf(clock.now())), attachments };
}
