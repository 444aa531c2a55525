// The list of a workspace's sessions. No item is read for it but the first message.
import type { SessionSummary } from '../core/stored/storedSession.ts';
import type { Connection } from './connection.ts';
import { textIn } from './sessionRows.ts';

/** The longest title taken from a message, in characters. */
const titleLength = 60;

/** The turns are those on the path to the head. So much of a message is read as its beginning can need. */
const list = `
  SELECT s.id, s.workspace, s.created, s.written, s.title, head.turns, (
    SELECT substr(${textIn('first')}, 1, 2000) FROM item first
    WHERE first.session = s.id AND first.origin = 'user' ORDER BY first.sequence LIMIT 1
  ) AS message
  FROM session s LEFT JOIN item head ON head.session = s.id AND head.id = s.head
  WHERE s.workspace = ? AND s.last IS NOT NULL ORDER BY s.last DESC`;

export function summaries(connection: Connection, workspace: string): readonly SessionSummary[] {
  return connection.all(list, workspace).map((row) => ({
    id: String(row.id),
    workspace: String(row.workspace),
    created: Number(row.created),
    title: row.title === '' ? beginning(String(row.message ?? '')) : String(row.title),
    turns: Number(row.turns ?? 0),
    written: Number(row.written),
  }));
}

function beginning(message: string): string {
  const line = [...message.replace(/\s+/g, ' ').trim()];
  return line.length <= titleLength
    ? line.join('')
    : `${line
        .slice(0, titleLength - 1)
        .join('')
        .trimEnd()}…`;
}
