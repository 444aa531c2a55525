// A chat with who answers what its views ask. A window may have several.

import { Completions } from '../composer/completions.ts';
import { Prompts } from '../composer/prompts.ts';
import { type Chat, createChat } from '../conversation/chat.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import type { CheckedStorage } from '../ports/storage.ts';
import type { EditorWindow } from '../slots/editorWindow.ts';
import { Inspector } from './inspector.ts';
import { type OpenPlaces, SessionList } from './sessionList.ts';
import { ViewQuestions, type ViewQuestionsParts } from './viewQuestions.ts';

export interface OpenConversation {
  readonly chat: Chat;
  readonly questions: ViewQuestions;
  /** Called when it is closed while the window goes on. */
  readonly ended: () => void;
}

export interface ViewParts extends Pick<ViewQuestionsParts, 'reports' | 'ofWindow' | 'namedPlaces' | 'blockChange'> {
  readonly places: () => OpenPlaces | null;
}

/** The `holder` of the ports is this conversation's alone: by it a session is leased to one place, also among those of one window. */
export function openConversation(
  window: EditorWindow,
  storage: CheckedStorage | null,
  ports: ConversationPorts,
  { places, ...asked }: ViewParts,
): Omit<OpenConversation, 'ended'> {
  const chat = createChat(window, storage, ports);
  const { project, editor } = ports;
  const questions = new ViewQuestions({
    ...asked,
    chat,
    inspector: new Inspector(chat),
    completions: new Completions(project.mentions, new Prompts(project)),
    sessions: new SessionList(storage?.sessions ?? null, chat, editor, places),
  });
  return { chat, questions };
}
