// The context of commands: the conversation, its model, what is stored, and the lists whose numbers the user was shown.
import type { Mechanisms } from '../../core/agent/mechanisms.ts';
import type { Readiness } from '../idle/readiness.ts';
import type { Notes } from '../memory/noteCommands.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { rowsOn } from '../ports/commandLine.ts';
import type { Conversation } from '../session/conversation.ts';
import type { Session } from '../session/session.ts';
import type { Turns } from '../turn/turns.ts';
import type { StoredSessions } from './storedSessions.ts';
import type { WhatIf } from './whatIf.ts';

/** Prompts of the user's own, and words about those that cannot be used. */
export interface OwnPrompts {
  readonly usable: readonly { readonly name: string; readonly description: string }[];
  readonly refused: readonly string[];
}

export interface CommandContext extends Notes {
  readonly conversation: Conversation;
  readonly turns: Turns;
  readonly ready: Readiness;
  readonly stored: StoredSessions;
  readonly whatIf: WhatIf;
  readonly ownPrompts: () => Promise<OwnPrompts>;
  /** Runs the tests and mends what fails. */
  readonly fix: () => Promise<void>;
}

export const row = rowsOn<CommandContext, CommandContext>((context, act) => act(context));
export const silent: CommandAnswer = { title: '', text: '' };

export function mechanismsOf({ turns }: CommandContext, session: Session): Mechanisms {
  const { engines, settings } = turns.context;
  return turns.mechanisms(session, engines.life.loaded?.contextSize ?? settings().wantedWindow);
}
