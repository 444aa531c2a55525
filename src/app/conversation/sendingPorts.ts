// What sending needs of the conversation that it belongs to.
import type { Draft } from '../composer/draft.ts';
import type { Prompts } from '../composer/prompts.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import type { Session } from '../session/session.ts';
import { meantNow } from '../turn/meantNow.ts';
import type { SendingPorts } from './sending.ts';

interface SendingChat {
  readonly session: Session;
  readonly draft: Draft;
  readonly prompts: Prompts;
  command(line: string, typed: boolean): Promise<void> | null;
  open(): Promise<void>;
}

export function sendingPorts(chat: SendingChat, ports: ConversationPorts): SendingPorts {
  return {
    meant: (text) => meantNow(text, ports.mentions, chat.draft.choice),
    command: (line) => chat.command(line, true),
    expand: (text) => chat.prompts.expand(text),
    composer: chat.draft,
    offerUndo: async (messages) => (await ports.changedFiles?.offerUndo(chat.session.id, messages)) ?? true,
    open: () => chat.open(),
  };
}
