// `/conversations`, `/new` and `/export`: lists, opens, names, searches, exports and deletes stored conversations.
import { dayOf } from '../../core/dialog/day.ts';
import { literal } from '../../core/report/reportText.ts';
import type { Archive, Journal, SessionSummary } from '../../core/stored/storedSession.ts';
import { numbered } from '../memory/numbers.ts';
import type { CommandAnswer } from '../ports/answer.ts';
import { type Command, format, lineOf, numberOf, rowsOn, wordsLeft } from '../ports/commandLine.ts';
import { notThere } from '../session/sessions.ts';
import { row as anyRow, type CommandDesk, silent } from './commandDesk.ts';
import { openDocument } from './sessionMarkdown.ts';

const title = 'Conversations';
export const noStoreToList = 'Conversations cannot be stored at present, so there are none to list.';
const noStoreToExport = 'Conversations cannot be stored at present, so there is none to export.';
/** Characters. */
export const longestTitle = 120;

interface Stored extends CommandDesk {
  readonly sessions: Archive & Journal;
}

const row = rowsOn<CommandDesk, Stored>((desk, act) => {
  const { sessions } = desk;
  return sessions === null ? { title, text: noStoreToList } : act({ ...desk, sessions });
});
const number = numberOf('a conversation', '/conversations');

export const sessionsCommand: Command<CommandDesk> = {
  ...{
    name: 'conversations',
    former: 'sessions',
    detail: 'Earlier conversations of this folder',
    icon: 'history',
    title,
  },
  rows: [
    row('', [], 'the conversations of this folder, the latest first', (desk) => ({ title, text: list(desk) })),
    row('open', [number], 'go on with one', one(open)),
    row('rename', [number, lineOf('TITLE')], 'name it; without a title its first message names it again', one(rename)),
    row('delete', [number], 'delete it with everything stored for it', one(remove)),
    row('export', [number, format], 'open it as a document', one(exportOne)),
    row('import', [], 'take an exported one in', ({ ports, chat }) => {
      ports.importFile(chat);
      return { title, text: 'Choose an exported conversation.' };
    }),
    row('search', [wordsLeft('words', 'WORDS')], 'find what was said', async (desk, words) => ({
      title,
      text: await search(desk, words),
    })),
  ],
};

export const newCommand: Command<CommandDesk> = {
  ...{ name: 'new', detail: 'Start a new conversation', icon: 'add', title: 'New' },
  rows: [
    anyRow('', [], '', ({ chat }) => {
      chat.newSession();
      return { ...silent, after: () => chat.open() };
    }),
  ],
};

export const exportCommand: Command<CommandDesk> = {
  ...{ name: 'export', detail: 'Open this conversation as a Markdown document', icon: 'export', title: 'Export' },
  rows: [anyRow('', [], '', exportOpen)],
};

function list({ sessions, chat, sessionNumbers }: Stored): string {
  const listed = sessions.sessions(chat.workspace);
  sessionNumbers.list(numbered('', listed));
  if (listed.length === 0) return 'No conversation is stored for this folder yet.';
  const rows = listed.map(({ id, title: name, turns, written }, i) => {
    const isOpen = id === chat.session.id ? ' (open)' : '';
    return `| ${i + 1} | ${literal(name)}${isOpen} | ${turns} | ${day(written)} |`;
  });
  return ['| # | | turns | last |', '|---:|---|---:|---|', ...rows].join('\n');
}

async function search({ sessions, chat, sessionNumbers }: Stored, words: string): Promise<string> {
  const { hits } = await sessions.search(chat.workspace, words, 20);
  if (hits.length === 0) return `No results for ${literal(words)}.`;
  const found = [...new Map(hits.map(({ session }) => [session.id, session])).values()];
  sessionNumbers.list(numbered('', found));
  const rows = hits.map(({ session, line }) => {
    const at = found.findIndex(({ id }) => id === session.id) + 1;
    return `| ${at} | ${literal(session.title)} | ${literal(line)} | ${day(session.written)} |`;
  });
  return ['| # | conversation | | last |', '|---:|---|---|---|', ...rows].join('\n');
}

/** Acts on what the user was shown with that number; the words say what was done. */
function one<R extends readonly unknown[]>(act: (desk: Stored, session: SessionSummary, ...rest: R) => string) {
  return (desk: Stored, at: number, ...rest: R): CommandAnswer => {
    const id = desk.sessionNumbers.chosen(`${at}`, () => list(desk));
    if (typeof id !== 'string') return id;
    const session = desk.sessions.sessions(desk.chat.workspace).find((other) => other.id === id);
    return { title, text: session === undefined ? notThere : act(desk, session, ...rest) };
  };
}

function open({ chat, ports }: Stored, { id, title: name }: SessionSummary): string {
  if (id !== chat.session.id && ports.elsewhere(id)) return `Shown where it is open: ${literal(name)}`;
  return chat.openSession(id) ?? `Opened: ${literal(name)}`;
}

function rename({ sessions }: Stored, { id }: SessionSummary, words: string): string {
  const short = words.slice(0, longestTitle);
  sessions.rename(id, short);
  return short === '' ? 'Its first message names it again.' : `Renamed: ${literal(short)}`;
}

function remove({ chat }: Stored, { id, title: name }: SessionSummary): string {
  return chat.deleteSession(id) ?? `Deleted with everything stored for it: ${literal(name)}`;
}

function exportOne({ sessions, ports }: Stored, session: SessionSummary, as: 'json' | 'markdown'): string {
  return openDocument(sessions, ports.openText, session, as)
    ? `Opened as a document: ${literal(session.title)}`
    : notThere;
}

function exportOpen({ sessions, chat, ports }: CommandDesk): CommandAnswer {
  const stored = sessions?.session(chat.session.id) ?? null;
  if (sessions === null) return { title: 'Export', text: noStoreToExport };
  if (stored === null || stored.dialog.path.length === 0) return { title: 'Export', text: 'Nothing was said yet.' };
  const listed = sessions.sessions(stored.workspace).find(({ id }) => id === stored.id);
  openDocument(sessions, ports.openText, listed ?? stored, 'markdown');
  return silent;
}

function day(milliseconds: number): string {
  return dayOf(new Date(milliseconds));
}
