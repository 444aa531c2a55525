// `/sessions` and its kin, typed in the chat: lists, opens, names, searches, exports and deletes stored conversations.
import { literal } from '../core/reportText.ts';
import type { Archive, Journal, SessionSummary } from '../core/storedSession.ts';
import { commandOf, numbered } from './commandLine.ts';
import type { Answer } from './contextDesk.ts';
import { sessionMarkdown } from './sessionMarkdown.ts';

export const sessionsHelp = [
  '- `/sessions` the conversations of this folder, the latest first',
  '- `/sessions open N` go on with one',
  '- `/sessions rename N TITLE` name it; without a title its first message names it again',
  '- `/sessions delete N` delete it with all its traces',
  '- `/sessions export N json`, `export N markdown` open it as a document',
  '- `/sessions import` take an exported one in',
  '- `/sessions search WORDS` find what was said',
].join('\n');

/** What the desk needs of the chat. */
export interface SessionHands {
  readonly workspace: () => string;
  /** The session that is open. */
  readonly current: () => string;
  /** Goes on with a stored session; words when it cannot be. */
  open(session: string): string | null;
  /** Deletes a session with all its traces. Words when it cannot be. */
  delete(session: string): string | null;
  readonly openText: (language: 'json' | 'markdown', text: string) => void;
  /** Lets the user choose a file to take in. */
  readonly importFile: () => void;
}

const title = 'Sessions';

export class SessionsDesk {
  private readonly sessions: (Archive & Journal) | null;
  private readonly hands: SessionHands;
  /** What the numbers of the last list mean, so that a list that changed meanwhile deletes nothing else. */
  private shown: readonly SessionSummary[] = [];

  constructor(sessions: (Archive & Journal) | null, hands: SessionHands) {
    this.sessions = sessions;
    this.hands = hands;
  }

  /** Null for a line that is no such command. */
  answer(line: string): Answer | null {
    const command = commandOf(line, '/sessions');
    if (command === null) return null;
    const { what, rest } = command;
    const { sessions } = this;
    if (sessions === null)
      return { title, text: 'Conversations cannot be stored at present, so there are none to list.' };
    switch (what) {
      case '':
        return { title, text: this.list(sessions) };
      case 'help':
        return { title, text: sessionsHelp };
      case 'import':
        this.hands.importFile();
        return { title, text: 'Choose an exported session.' };
      case 'search':
        return { title, text: this.search(sessions, rest) };
      case 'open':
      case 'rename':
      case 'delete':
      case 'export':
        return { title, text: this.about(what, rest, sessions) };
      default:
        return { title, text: `There is no \`/sessions ${literal(what)}\`.\n\n${sessionsHelp}` };
    }
  }

  private list(sessions: Archive): string {
    this.shown = sessions.sessions(this.hands.workspace());
    if (this.shown.length === 0) return 'No conversation is stored for this folder yet.';
    const rows = this.shown.map(({ id, title: name, turns, written }, i) => {
      const open = id === this.hands.current() ? ' (open)' : '';
      return `| ${i + 1} | ${literal(name)}${open} | ${turns} | ${day(written)} |`;
    });
    return ['| # | | turns | last |', '|---:|---|---:|---|', ...rows].join('\n');
  }

  private search(sessions: Archive, words: string): string {
    if (words === '') return '`/sessions search` needs words.';
    const hits = sessions.search(this.hands.workspace(), words, 20);
    if (hits.length === 0) return `Nothing that was said holds ${literal(words)}.`;
    const found = [...new Map(hits.map(({ session }) => [session.id, session])).values()];
    this.shown = found;
    const rows = hits.map(({ session, line }) => {
      const number = found.findIndex(({ id }) => id === session.id) + 1;
      return `| ${number} | ${literal(session.title)} | ${literal(line)} | ${day(session.written)} |`;
    });
    return ['| # | session | | last |', '|---:|---|---|---|', ...rows].join('\n');
  }

  private about(what: 'open' | 'rename' | 'delete' | 'export', rest: string, sessions: Archive & Journal): string {
    const said = numbered(rest);
    if (this.shown.length === 0) this.list(sessions);
    const session = said === null ? undefined : this.shown[said.number - 1];
    if (session === undefined || said === null)
      return `\`/sessions ${what}\` needs the number of a session; \`/sessions\` shows them.`;
    switch (what) {
      case 'open':
        return this.hands.open(session.id) ?? `Opened: ${literal(session.title)}`;
      case 'rename':
        sessions.rename(session.id, said.text.slice(0, 120));
        return said.text === '' ? 'Its first message names it again.' : `Renamed: ${literal(said.text)}`;
      case 'delete':
        return this.hands.delete(session.id) ?? `Deleted with all its traces: ${literal(session.title)}`;
      case 'export':
        return this.export(session, said.text, sessions);
      default:
        return what satisfies never;
    }
  }

  private export(session: SessionSummary, format: string, sessions: Archive & Journal): string {
    if (format !== '' && format !== 'json' && format !== 'markdown')
      return 'A session is exported as `json` or `markdown`.';
    if (format === 'json') this.hands.openText('json', sessions.exportJson(session.id));
    else {
      const stored = sessions.session(session.id);
      if (stored === null) return 'It is not there any more.';
      this.hands.openText('markdown', sessionMarkdown(stored, session.title));
    }
    return `Opened as a document: ${literal(session.title)}`;
  }
}

function day(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
