// The short commands of the composer: a new session, this one as a document, and what can be typed at all.
import { literal } from '../../core/report/reportText.ts';
import type { Archive, Journal } from '../../core/stored/storedSession.ts';
import type { Prompts } from '../composer/prompts.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { commandOf } from '../ports/commandLine.ts';
import { knownCommands } from '../ports/commandTable.ts';
import type { ConversationPorts } from '../ports/conversationPorts.ts';
import { sessionMarkdown } from './sessionMarkdown.ts';

/** The chat as this handler sees it. */
export interface Beginning {
  readonly session: { readonly id: string };
  readonly prompts: Prompts;
  newSession(): void;
  open(): Promise<void>;
}

const silent: CommandAnswer = { title: '', text: '' };

export class ShortHandler {
  private readonly sessions: (Archive & Journal) | null;
  private readonly chat: Beginning;
  private readonly ports: Pick<ConversationPorts, 'openText' | 'changedFiles'>;

  constructor(
    sessions: (Archive & Journal) | null,
    chat: Beginning,
    ports: Pick<ConversationPorts, 'openText' | 'changedFiles'>,
  ) {
    this.sessions = sessions;
    this.chat = chat;
    this.ports = ports;
  }

  /** Null for a line that is no such command. */
  answer(line: string): Promise<CommandAnswer> | CommandAnswer | null {
    if (commandOf(line, '/help') !== null) return this.help();
    if (commandOf(line, '/export') !== null) return this.export();
    if (commandOf(line, '/changes') !== null) return this.changes();
    if (commandOf(line, '/new') === null) return null;
    this.chat.newSession();
    return { ...silent, after: () => this.chat.open() };
  }

  private async help(): Promise<CommandAnswer> {
    const { usable, refused } = await this.chat.prompts.own();
    const own = usable.map(({ name, description }) => `- \`/${name}\` ${literal(description) || 'your own prompt'}`);
    const text = [
      ...knownCommands.map(({ name, detail }) => `- \`/${name}\` ${detail}`),
      ...(own.length === 0 ? [] : ['', 'Your prompts in `.tidemark/prompts`:', '', ...own]),
      ...(refused.length === 0 ? [] : ['', ...refused.map((words) => `- ${words}`)]),
      '',
      'Use `@` to attach context: `@file:src/a.ts`, `@file:src/a.ts:10-40`, `@folder:src`, `@symbol:name`, `@selection`, `@changes`, `@problems`, `@terminal`, `@codebase`.',
      '',
      'A file `.tidemark/prompts/name.md` is a prompt of your own, `/name`; `{{arguments}}` in it is replaced by the text after the name.',
    ];
    return { title: 'Help', text: text.join('\n') };
  }

  private changes(): CommandAnswer {
    const { changedFiles } = this.ports;
    const text = changedFiles?.report(this.chat.session.id) ?? 'Nothing can be stored, so no file is changed here.';
    return { title: 'Changes', text };
  }

  private export(): CommandAnswer {
    const { sessions } = this;
    const title = 'Export';
    const stored = sessions?.session(this.chat.session.id) ?? null;
    if (sessions === null)
      return { title, text: 'Conversations cannot be stored at present, so there is none to export.' };
    if (stored === null || stored.dialog.path.length === 0) return { title, text: 'Nothing was said yet.' };
    const listed = sessions.sessions(stored.workspace).find(({ id }) => id === stored.id);
    this.ports.openText('markdown', sessionMarkdown(stored, listed?.title ?? stored.title));
    return silent;
  }
}
