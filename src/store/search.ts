// Finds words in what users and the model said, and in the titles of conversations.
import type { Searched, SearchHit } from '../core/stored/storedSession.ts';
import type { Connection } from './connection.ts';
import { textIn } from './sessionRows.ts';
import { summaries } from './summaries.ts';

/** The longest line of a hit, in characters. */
const lineLength = 160;

const spoken = `
  SELECT item.session, item.id, ${textIn('item')} AS text
  FROM item INDEXED BY item_spoken JOIN session ON session.id = item.session
  WHERE item.origin IN ('user', 'assistant') AND session.workspace = ? ORDER BY item.sequence DESC`;

/** In any case of letters. Compared here because SQLite knows the cases of ASCII only. */
export function search(connection: Connection, workspace: string, text: string, limit: number): Searched {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const all = summaries(connection, workspace);
  const sessions = new Map(all.map((session) => [session.id, session]));
  const hits: SearchHit[] = [];
  const [first] = words;
  if (first === undefined || limit < 1) return { hits, sessions: [] };
  for (const row of connection.each(spoken, workspace)) {
    const said = String(row.text);
    const session = sessions.get(String(row.session));
    if (session === undefined || !holdsAll(said, words)) continue;
    hits.push({ session, item: String(row.id), line: lineAround(said, first) });
    if (hits.length >= limit) break;
  }
  const hit = new Set(hits.map(({ session }) => session));
  return { hits, sessions: all.filter((session) => hit.has(session) || holdsAll(session.title, words)) };
}

function holdsAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

/** The line in which the word stands first, cut on both sides where it is long. */
function lineAround(text: string, word: string): string {
  const lines = text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  const line = lines.find((one) => one.toLowerCase().includes(word)) ?? '';
  const characters = [...line];
  if (characters.length <= lineLength) return line;
  const before = [...line.slice(0, line.toLowerCase().indexOf(word))].length;
  // A third of the space for what stands before the word, and no more of it than leaves the rest full.
  const from = Math.max(0, Math.min(before - Math.floor(lineLength / 3), characters.length - lineLength + 1));
  const most = lineLength - (from > 0 ? 1 : 0);
  const cut = characters.length - from > most;
  const shown = characters.slice(from, from + most - (cut ? 1 : 0)).join('');
  return `${from > 0 ? '…' : ''}${shown}${cut ? '…' : ''}`;
}
