// A chat with who answers what its views ask. A window may have several.

import { Completions } from '../composer/completions.ts';
import { Chat } from '../conversation/chat.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import type { Storage } from '../ports/storage.ts';
import type { EditorWindow } from '../slots/editorWindow.ts';
import { Inspector } from './inspector.ts';
import { type OpenPlaces, SessionList } from './sessionList.ts';
import { ViewQuestions, type ViewQuestionsParts } from './viewQuestions.ts';

export interface OpenConversation {
  readonly chat: Chat;
  readonly desk: ViewQuestions;
  /** Called when it is closed while the window goes on. */
  readonly ended: () => void;
}

export interface ConversationParts extends Pick<ViewQuestionsParts, 'reports' | 'examples' | 'blockChange'> {
  readonly storage: Storage | null;
  /** Their `holder` is this conversation's alone: by it a session is leased to one place, also among those of one window. */
  readonly ports: ConversationPorts;
  readonly together: EditorWindow;
  readonly places: () => OpenPlaces | null;
}

export function openConversation(parts: ConversationParts): Omit<OpenConversation, 'ended'> {
  const { storage, ports, together, places, reports, examples, blockChange } = parts;
  const chat = new Chat(together, storage, ports);
  const desk = new ViewQuestions({
    chat,
    inspector: new Inspector(chat),
    completions: new Completions(ports.mentions, chat.prompts),
    sessions: new SessionList(storage?.sessions ?? null, chat, ports.openText, places),
    reports,
    examples,
    blockChange,
  });
  return { chat, desk };
}
