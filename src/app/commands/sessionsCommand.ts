// `/conversations`, `/new` and `/export`: lists, opens, names, searches, exports and deletes stored conversations.
import { type Command, format, lineOf, numberOf, rowsOn, wordsLeft } from '../ports/commandLine.ts';
import { row as anyRow, type CommandContext, silent } from './commandContext.ts';
import type { StoredSessions } from './storedSessions.ts';

const title = 'Conversations';

const row = rowsOn<CommandContext, StoredSessions>(({ stored }, act) => stored.refusal ?? act(stored));
const number = numberOf('a conversation', '/conversations');

export const sessionsCommand: Command<CommandContext> = {
  ...{
    name: 'conversations',
    former: 'sessions',
    detail: 'Earlier conversations of this folder',
    icon: 'history',
    title,
  },
  rows: [
    row('', [], 'the conversations of this folder, the latest first', (stored) => ({ title, text: stored.list() })),
    row('open', [number], 'go on with one', (stored, at) => stored.one(at, (one) => stored.open(one))),
    row('take', [number], 'go on with one that another window has, which loses it', (stored, at) =>
      stored.one(at, (one) => stored.open(one, true)),
    ),
    row(
      'rename',
      [number, lineOf('TITLE')],
      'name it; without a title its first message names it again',
      (stored, at, words) => stored.one(at, (one) => stored.rename(one, words)),
    ),
    row('delete', [number], 'delete it with everything stored for it', (stored, at) =>
      stored.one(at, (one) => stored.remove(one)),
    ),
    row('export', [number, format], 'open it as a document', (stored, at, as) =>
      stored.one(at, (one) => stored.export(one, as)),
    ),
    row('import', [], 'take an exported one in', (stored) => stored.import()),
    row('search', [wordsLeft('words', 'WORDS')], 'find what was said', async (stored, words) => ({
      title,
      text: await stored.search(words),
    })),
  ],
};

export const newCommand: Command<CommandContext> = {
  ...{ name: 'new', detail: 'Start a new conversation', icon: 'add', title: 'New' },
  rows: [
    anyRow('', [], '', ({ stored, ready }) => {
      stored.begin();
      return { ...silent, after: () => ready.open() };
    }),
  ],
};

export const exportCommand: Command<CommandContext> = {
  ...{ name: 'export', detail: 'Open this conversation as a Markdown document', icon: 'export', title: 'Export' },
  rows: [anyRow('', [], '', ({ stored }) => stored.exportOpen())],
};
