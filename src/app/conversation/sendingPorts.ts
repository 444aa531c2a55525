// The ports of sending, made of the parts of its conversation.
import type { Draft } from '../composer/draft.ts';
import type { Prompts } from '../composer/prompts.ts';
import type { Readiness } from '../idle/readiness.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import type { Conversation } from '../session/conversation.ts';
import type { DraftChoice } from '../turn/finding.ts';
import { type MeantMessage, meantNow } from '../turn/meantNow.ts';

/** Ports of sending, besides the conversation. */
export interface SendingPorts {
  /** Tells what a text means as it is written now. `choice`: about what is found for it, in place of the draft's. */
  readonly meant: (text: string, choice?: DraftChoice) => MeantMessage;
  /** Answers a command, which the user typed or chose; null for words to the model. */
  readonly command: (line: string, typed: boolean) => Promise<void> | null;
  /** The name of a prompt stands for its words; any other line for itself. */
  readonly expand: (text: string) => ReturnType<Prompts['expand']>;
  /** The composer: words that were used leave it, others come back. */
  readonly composer: Pick<Draft, 'take' | 'giveBack' | 'takeBack'>;
  /** Before messages are asked anew: offers to take back what they changed. False where the user would rather not ask. Never rejects. */
  readonly offerUndo: (messages: readonly string[]) => Promise<boolean>;
  /** Takes back what a message changed, without a question. Gives what could not be. */
  readonly undo: (message: string) => Promise<readonly string[]>;
  /** Makes ready for the next message. */
  readonly open: () => Promise<void>;
}

interface SendingParts {
  readonly conversation: Conversation;
  readonly draft: Draft;
  readonly prompts: Prompts;
  readonly ready: Readiness;
}

export function sendingPorts(
  { conversation, draft, prompts, ready }: SendingParts,
  ports: Pick<ConversationPorts, 'project' | 'changedFiles'>,
  command: SendingPorts['command'],
): SendingPorts {
  return {
    command,
    meant: (text, choice = draft.choiceFor(text)) => meantNow(text, ports.project.mentions, choice),
    expand: (text) => prompts.expand(text),
    composer: draft,
    offerUndo: async (messages) => (await ports.changedFiles?.offerUndo(conversation.session.id, messages)) ?? true,
    undo: async (message) => (await ports.changedFiles?.undo(conversation.session.id, [message])) ?? [],
    open: () => ready.open(),
  };
}

/** The name of a prompt stands for its words. Null where there is no such prompt, which is said. */
export async function expanded(
  ports: Pick<SendingPorts, 'expand'>,
  written: MeantMessage,
  tell: (words: string) => void,
): Promise<MeantMessage | null> {
  const said = await ports.expand(written.text);
  if (said.ok) return { ...written, text: said.text };
  tell(said.words);
  return null;
}
