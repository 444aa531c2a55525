// Reports to the user, as Markdown, what a conversation changed, and what keeping it takes.
import type { FileSnapshots, SnapshotLimits } from '../../core/stored/fileSnapshots.ts';
import { turnsThatChanged } from './standing.ts';

const day = 86_400_000;

/** `now`: Unix milliseconds. */
export function snapshotReport(store: FileSnapshots, session: string, limits: SnapshotLimits, now: number): string {
  const turns = turnsThatChanged(store, session);
  const rows = turns.map(
    ({ files, undone }, i) => `${i + 1}. ${files.map((file) => `\`${file}\``).join(', ')}${undone ? ' (undone)' : ''}`,
  );
  const { bytes, snapshots, oldest } = store.size();
  const age = oldest === null ? '' : `, the oldest ${Math.max(0, Math.round((now - oldest) / day))} days old`;
  const days = Math.round((now - limits.since) / day);
  return [
    rows.length === 0 ? 'This conversation has changed no files.' : 'Files that this conversation changed, by turn:',
    ...(rows.length === 0 ? [] : ['', ...rows]),
    '',
    `Snapshots of all conversations: ${snapshots}, ${megabytes(bytes)} of ${megabytes(limits.bytes)} at most${age}. They are kept for ${days} days (\`tidemark.edits.snapshotMegabytes\`).`,
  ].join('\n');
}

function megabytes(bytes: number): string {
  const size = bytes / 1024 ** 2;
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} MB`;
}
