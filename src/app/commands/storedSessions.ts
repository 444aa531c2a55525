// Stored conversations, and all that commands do to them by the numbers of their list.
import { dayOf } from '../../core/dialog/day.ts';
import { literal } from '../../core/report/reportText.ts';
import type { Archive, Journal, SessionSummary } from '../../core/stored/storedSession.ts';
import { Numbers, numbered } from '../memory/numbers.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import type { EditorActs, OpensSessions } from '../ports/editorActs.ts';
import { notThere } from '../session/sessions.ts';
import { openDocument } from './sessionMarkdown.ts';

const title = 'Conversations';
export const noStoreToList = 'Conversations cannot be stored at present, so there are none to list.';
const noStoreToExport = 'Conversations cannot be stored at present, so there is none to export.';
/** Characters. */
export const longestTitle = 120;

export class StoredSessions {
  private readonly chat: OpensSessions;
  private readonly archive: (Archive & Journal) | null;
  private readonly editor: EditorActs;
  private readonly numbers: Numbers;

  constructor(chat: OpensSessions, archive: (Archive & Journal) | null, editor: EditorActs) {
    this.chat = chat;
    this.archive = archive;
    this.editor = editor;
    this.numbers = new Numbers({ title, command: '/conversations', workspace: () => chat.workspace });
  }

  /** Why nothing can be done; null where it can. */
  get refusal(): CommandAnswer | null {
    return this.archive === null ? { title, text: noStoreToList } : null;
  }

  private get stored(): Archive & Journal {
    if (this.archive === null) throw new Error(noStoreToList);
    return this.archive;
  }

  /** Begins another conversation. */
  begin(): void {
    this.chat.newSession();
  }

  list(): string {
    const listed = this.stored.sessions(this.chat.workspace);
    this.numbers.list(numbered('', listed));
    if (listed.length === 0) return 'No conversation is stored for this folder yet.';
    const rows = listed.map(({ id, title: name, turns, written }, i) => {
      const isOpen = id === this.chat.session.id ? ' (open)' : '';
      return `| ${i + 1} | ${literal(name)}${isOpen} | ${turns} | ${day(written)} |`;
    });
    return ['| # | | turns | last |', '|---:|---|---:|---|', ...rows].join('\n');
  }

  async search(words: string): Promise<string> {
    const { hits } = await this.stored.search(this.chat.workspace, words, 20);
    if (hits.length === 0) return `No results for ${literal(words)}.`;
    const found = [...new Map(hits.map(({ session }) => [session.id, session])).values()];
    this.numbers.list(numbered('', found));
    const rows = hits.map(({ session, line }) => {
      const at = found.findIndex(({ id }) => id === session.id) + 1;
      return `| ${at} | ${literal(session.title)} | ${literal(line)} | ${day(session.written)} |`;
    });
    return ['| # | conversation | | last |', '|---:|---|---|---|', ...rows].join('\n');
  }

  /** Acts on what the user was shown with that number; the words say what was done. */
  one(at: number, act: (session: SessionSummary) => string): CommandAnswer {
    const id = this.numbers.chosen(`${at}`, () => this.list());
    if (typeof id !== 'string') return id;
    const session = this.stored.sessions(this.chat.workspace).find((other) => other.id === id);
    return { title, text: session === undefined ? notThere : act(session) };
  }

  /** `seizes`: another window that has it loses it. */
  open({ id, title: name }: SessionSummary, seizes = false): string {
    if (id !== this.chat.session.id && this.editor.showsElsewhere(id))
      return `Shown where it is open: ${literal(name)}`;
    return this.chat.openSession(id, seizes) ?? `Opened: ${literal(name)}`;
  }

  rename({ id }: SessionSummary, words: string): string {
    const short = words.slice(0, longestTitle);
    this.stored.rename(id, short);
    return short === '' ? 'Its first message names it again.' : `Renamed: ${literal(short)}`;
  }

  remove({ id, title: name }: SessionSummary): string {
    return this.chat.deleteSession(id) ?? `Deleted with everything stored for it: ${literal(name)}`;
  }

  export(session: SessionSummary, as: 'json' | 'markdown'): string {
    return openDocument(this.stored, this.editor, session, as)
      ? `Opened as a document: ${literal(session.title)}`
      : notThere;
  }

  /** Opens the one that is open as a document. */
  exportOpen(): CommandAnswer {
    const { archive, chat, editor } = this;
    const stored = archive?.session(chat.session.id) ?? null;
    if (archive === null) return { title: 'Export', text: noStoreToExport };
    if (stored === null || stored.dialog.path.length === 0) return { title: 'Export', text: 'Nothing was said yet.' };
    const listed = archive.sessions(stored.workspace).find(({ id }) => id === stored.id);
    openDocument(archive, editor, listed ?? stored, 'markdown');
    return { title: '', text: '' };
  }

  import(): CommandAnswer {
    this.editor.importFile(this.chat);
    return { title, text: 'Choose an exported conversation.' };
  }
}

function day(milliseconds: number): string {
  return dayOf(new Date(milliseconds));
}
