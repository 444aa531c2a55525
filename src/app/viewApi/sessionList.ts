// The stored conversations of this folder, for the list in the panel: found by words, opened, named, deleted, exported.
import type { Archive, Journal, SessionSummary } from '../../core/stored/storedSession.ts';
import type { SessionChange, SessionView } from '../../protocol/questions.ts';
import { openDocument } from '../commands/sessionMarkdown.ts';
import { longestTitle, noStoreToList } from '../commands/storedSessions.ts';
import type { Chat } from '../conversation/chat.ts';
import type { Readiness } from '../idle/readiness.ts';
import type { EditorActs, OpensSessions } from '../ports/editorActs.ts';
import { notThere } from '../session/sessions.ts';

/** Other places of this window where a conversation can be open. */
export interface OpenPlaces {
  /** Opens it beside; '' where that was done, else why not. */
  beside(id: string): string;
  /** Shows it where it is open; false where it is not. */
  show(id: string): boolean;
  /** Whether it is open beside. */
  has(id: string): boolean;
}

/** The places of one session must not use up the space of the others. */
const mostHits = 1000;

export class SessionList {
  private readonly sessions: (Archive & Journal) | null;
  private readonly chat: OpensSessions;
  private readonly ready: Pick<Readiness, 'open'>;
  private readonly editor: Pick<EditorActs, 'openText'>;
  private readonly places: () => OpenPlaces | null;
  private searching = new AbortController();

  constructor(
    sessions: (Archive & Journal) | null,
    { sessions: chat, ready }: Chat,
    editor: Pick<EditorActs, 'openText'>,
    places: () => OpenPlaces | null = () => null,
  ) {
    this.places = places;
    this.sessions = sessions;
    this.chat = chat;
    this.ready = ready;
    this.editor = editor;
  }

  /** The latest first. With words: those that have all of them in one message or in the title. A newer call ends the search of an older one, which rejects. */
  async list(words: string): Promise<readonly SessionView[]> {
    this.searching.abort();
    this.searching = new AbortController();
    const archive = this.stored();
    const { workspace } = this.chat;
    if (words.trim() === '') return archive.sessions(workspace).map((session) => this.row(session, ''));
    const { hits, sessions } = await archive.search(workspace, words, mostHits, this.searching.signal);
    const lines = new Map(hits.toReversed().map(({ session, line }) => [session.id, line]));
    return sessions.map((session) => this.row(session, lines.get(session.id) ?? ''));
  }

  /** '' where it was done, else why not. Throws where the store fails. */
  change({ id, what, title }: SessionChange): string {
    const archive = this.stored();
    const session = archive.sessions(this.chat.workspace).find((one) => one.id === id);
    if (session === undefined) return notThere;
    switch (what) {
      case 'open':
        return this.open(id, false);
      case 'seize':
        return this.open(id, true);
      case 'beside':
        return this.beside(id);
      case 'rename':
        archive.rename(id, title.trim().slice(0, longestTitle));
        return '';
      case 'delete':
        return this.delete(id);
      case 'exportJson':
      case 'exportMarkdown':
        return openDocument(archive, this.editor, session, what === 'exportJson' ? 'json' : 'markdown') ? '' : notThere;
      default:
        return what satisfies never;
    }
  }

  private open(id: string, seizes: boolean): string {
    const here = id === this.chat.session.id || this.places()?.show(id) === true;
    const problem = here ? null : this.chat.openSession(id, seizes);
    if (problem === null) this.chat.list(false);
    return problem ?? '';
  }

  private beside(id: string): string {
    const problem = this.places()?.beside(id) ?? notThere;
    if (problem === '') this.chat.list(false);
    return problem;
  }

  /** Deletes a conversation. A new one begins where it was the open one; the list stays. */
  private delete(id: string): string {
    const open = id === this.chat.session.id;
    if (!open && this.places()?.has(id) === true)
      return 'This conversation is open beside. Close it there, then delete it.';
    const problem = this.chat.deleteSession(id);
    if (open) void this.ready.open();
    return problem ?? '';
  }

  private stored(): Archive & Journal {
    if (this.sessions === null) throw new Error(noStoreToList);
    return this.sessions;
  }

  private row({ id, title, turns, written }: SessionSummary, line: string): SessionView {
    const current = id === this.chat.session.id;
    const beside = !current && this.places()?.has(id) === true;
    const elsewhere = !current && !beside && this.chat.isElsewhere(id);
    return { id, title, turns, written, line, current, beside, elsewhere };
  }
}
