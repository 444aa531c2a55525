// What commands act on: the conversation, its model, what is stored, and the lists whose numbers the user was shown.
import type { Mechanisms } from '../../core/agent/mechanisms.ts';
import type { Archive, Journal } from '../../core/stored/storedSession.ts';
import type { IdleWork } from '../idle/idleWork.ts';
import type { Notes } from '../memory/noteCommands.ts';
import type { Numbers } from '../memory/numbers.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { rowsOn } from '../ports/commandLine.ts';
import type { ConversationPorts, Importing } from '../ports/conversationPorts.ts';
import type { Conversation } from '../session/conversation.ts';
import type { Session } from '../session/session.ts';
import type { AgentEngines } from '../slots/windowEngines.ts';
import type { Turns } from '../turn/turns.ts';
import type { WhatIf } from './whatIf.ts';

/** What opens and deletes conversations. */
export interface OpensSessions extends Importing {
  /** The one that is open. */
  readonly session: { readonly id: string };
  /** Deletes a session with everything stored for it; words when it cannot be. */
  deleteSession(id: string): string | null;
}

/** What the user may do to a conversation by commands. */
export interface Chatting extends OpensSessions {
  readonly session: Session;
  readonly prompts: {
    own(): Promise<{
      readonly usable: readonly { readonly name: string; readonly description: string }[];
      readonly refused: readonly string[];
    }>;
  };
  newSession(): void;
  open(): Promise<void>;
  refreshWorkspace(): Promise<void>;
  keepUnfolded(session: Session): void;
}

export interface CommandParts {
  readonly conversation: Pick<Conversation, 'session' | 'now'>;
  readonly engines: AgentEngines;
  readonly turns: Turns;
  readonly work: IdleWork;
}

export interface CommandDesk extends Notes, CommandParts {
  readonly chat: Chatting;
  readonly ports: ConversationPorts;
  /** Null where nothing can be stored. */
  readonly sessions: (Archive & Journal) | null;
  readonly sessionNumbers: Numbers;
  readonly whatIf: WhatIf;
}

export const row = rowsOn<CommandDesk, CommandDesk>((desk, act) => act(desk));
export const silent: CommandAnswer = { title: '', text: '' };

export function mechanismsOf({ engines, turns, ports }: CommandDesk, session: Session): Mechanisms {
  return turns.mechanisms(session, engines.life.loaded?.contextSize ?? ports.wantedWindow());
}
