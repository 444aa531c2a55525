// `/conversations` and its kin, typed in the chat: lists, opens, names, searches, exports and deletes stored conversations.
import { dayOf } from '../../core/dialog/day.ts';
import { literal } from '../../core/report/reportText.ts';
import type { Archive, Journal, SessionSummary, StoredSession } from '../../core/stored/storedSession.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { commandOf, numbered } from '../ports/commandLine.ts';
import type { ConversationPorts, Importing } from '../ports/conversationPorts.ts';
import { notThere } from '../session/sessions.ts';
import { sessionMarkdown } from './sessionMarkdown.ts';

export const sessionsHelp = [
  '- `/conversations` the conversations of this folder, the latest first',
  '- `/conversations open N` go on with one',
  '- `/conversations rename N TITLE` name it; without a title its first message names it again',
  '- `/conversations delete N` delete it with everything stored for it',
  '- `/conversations export N json`, `export N markdown` open it as a document',
  '- `/conversations import` take an exported one in',
  '- `/conversations search WORDS` find what was said',
].join('\n');

/** The chat as this handler sees it. */
export interface OpensSessions extends Importing {
  /** The one that is open. */
  readonly session: { readonly id: string };
  /** Deletes a session with everything stored for it; words when it cannot be. */
  deleteSession(id: string): string | null;
}

type Outside = Pick<ConversationPorts, 'openText' | 'importFile' | 'elsewhere'>;

const title = 'Conversations';
export const noStoreToList = 'Conversations cannot be stored at present, so there are none to list.';
/** Characters. */
export const longestTitle = 120;

export class SessionsHandler {
  private readonly sessions: (Archive & Journal) | null;
  private readonly chat: OpensSessions;
  private readonly ports: Outside;
  /** What the numbers of the last list mean, so that a list that changed meanwhile deletes nothing else. */
  private shown: readonly SessionSummary[] | null = null;

  constructor(sessions: (Archive & Journal) | null, chat: OpensSessions, ports: Outside) {
    this.sessions = sessions;
    this.chat = chat;
    this.ports = ports;
  }

  /** Null for a line that is no such command. */
  answer(line: string): CommandAnswer | null {
    // `/sessions` is its former name.
    const command = commandOf(line, '/conversations') ?? commandOf(line, '/sessions');
    if (command === null) return null;
    const { what, rest } = command;
    const { sessions } = this;
    if (sessions === null) return { title, text: noStoreToList };
    switch (what) {
      case '':
        return { title, text: this.list(sessions) };
      case 'help':
        return { title, text: sessionsHelp };
      case 'import':
        this.ports.importFile(this.chat);
        return { title, text: 'Choose an exported conversation.' };
      case 'search':
        if (rest === '') return { title, text: '`/conversations search` needs words.', again: true };
        return { title, text: this.search(sessions, rest) };
      case 'open':
      case 'rename':
      case 'delete':
      case 'export':
        return this.about(what, rest, sessions);
      default:
        return { title, text: `There is no \`/conversations ${literal(what)}\`.\n\n${sessionsHelp}`, again: true };
    }
  }

  private list(sessions: Archive): string {
    const listed = sessions.sessions(this.chat.workspace);
    this.shown = listed;
    if (listed.length === 0) return 'No conversation is stored for this folder yet.';
    const rows = listed.map(({ id, title: name, turns, written }, i) => {
      const open = id === this.chat.session.id ? ' (open)' : '';
      return `| ${i + 1} | ${literal(name)}${open} | ${turns} | ${day(written)} |`;
    });
    return ['| # | | turns | last |', '|---:|---|---:|---|', ...rows].join('\n');
  }

  private search(sessions: Archive, words: string): string {
    const hits = sessions.search(this.chat.workspace, words, 20);
    if (hits.length === 0) return `No results for ${literal(words)}.`;
    const found = [...new Map(hits.map(({ session }) => [session.id, session])).values()];
    this.shown = found;
    const rows = hits.map(({ session, line }) => {
      const number = found.findIndex(({ id }) => id === session.id) + 1;
      return `| ${number} | ${literal(session.title)} | ${literal(line)} | ${day(session.written)} |`;
    });
    return ['| # | conversation | | last |', '|---:|---|---|---|', ...rows].join('\n');
  }

  private about(
    what: 'open' | 'rename' | 'delete' | 'export',
    rest: string,
    sessions: Archive & Journal,
  ): CommandAnswer {
    const said = numbered(rest);
    if (said !== null && this.shown === null) {
      // The line does not go back into the composer: sent again, its number would mean another conversation.
      return { title, text: `${this.list(sessions)}\n\nNothing was done. Use the numbers of this list.` };
    }
    const session = said === null ? undefined : this.shown?.[said.number - 1];
    if (session === undefined || said === null) {
      const text = `\`/conversations ${what}\` needs the number of a conversation; \`/conversations\` shows them.`;
      return { title, text, again: true };
    }
    if (what === 'export' && !['', 'json', 'markdown'].includes(said.text))
      return { title, text: 'A conversation is exported as `json` or `markdown`.', again: true };
    const stored = sessions.session(session.id);
    return { title, text: stored === null ? notThere : this.change(what, session, stored, said.text, sessions) };
  }

  private change(
    what: 'open' | 'rename' | 'delete' | 'export',
    session: SessionSummary,
    stored: StoredSession,
    words: string,
    sessions: Archive,
  ): string {
    const name = literal(session.title);
    switch (what) {
      case 'open':
        if (session.id !== this.chat.session.id && this.ports.elsewhere(session.id))
          return `Shown where it is open: ${name}`;
        return this.chat.openSession(session.id) ?? `Opened: ${name}`;
      case 'rename': {
        const short = words.slice(0, longestTitle);
        sessions.rename(session.id, short);
        return short === '' ? 'Its first message names it again.' : `Renamed: ${literal(short)}`;
      }
      case 'delete':
        return this.chat.deleteSession(session.id) ?? `Deleted with everything stored for it: ${name}`;
      case 'export':
        if (words === 'json') this.ports.openText('json', sessions.exportJson(session.id));
        else this.ports.openText('markdown', sessionMarkdown(stored, session.title));
        return `Opened as a document: ${name}`;
      default:
        return what satisfies never;
    }
  }
}

function day(milliseconds: number): string {
  return dayOf(new Date(milliseconds));
}
