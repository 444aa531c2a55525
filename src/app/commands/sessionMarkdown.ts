// A stored conversation as a Markdown document for people.
import { spacedJson } from '../../core/calls/json.ts';
import { compactionOn } from '../../core/compaction/compaction.ts';
import { stateText } from '../../core/compaction/stateText.ts';
import type { Item } from '../../core/dialog/dialog.ts';
import { fenced } from '../../core/report/reportText.ts';
import { restorePruneState } from '../../core/stored/storedPruneState.ts';
import type { Archive, Journal, SessionSummary, StoredSession } from '../../core/stored/storedSession.ts';
import type { EditorActs } from '../ports/editorActs.ts';

/** The path to the head, with tool steps compacted away and the latest summary that stands in a prompt at the end. */
export function sessionMarkdown({ dialog, created, compactions, pruned }: StoredSession, title: string): string {
  const standing = pruned.flatMap(
    (one) => compactionOn(dialog.path, restorePruneState(one, compactions).compaction) ?? [],
  );
  const latest = standing.toSorted((a, b) => b.to - a.to)[0];
  return [
    // Underlined, so that the editor's tab, which takes the first line, shows the title alone.
    title.replace(/\s+/g, ' '),
    '='.repeat(Math.max(3, Math.min(80, title.length))),
    '',
    `Started ${new Date(created).toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
    ...dialog.path.flatMap((item) => ['', ...itemLines(item)]),
    ...(latest === undefined ? [] : ['', '## Summary', '', fenced(stateText(latest.summary))]),
    '',
  ].join('\n');
}

/** Opens a stored conversation as a document; false where it is not there any more. */
export function openDocument(
  sessions: Archive & Journal,
  editor: Pick<EditorActs, 'openText'>,
  { id, title }: Pick<SessionSummary, 'id' | 'title'>,
  as: 'json' | 'markdown',
): boolean {
  const stored = as === 'json' ? null : sessions.session(id);
  if (as === 'json') editor.openText(as, sessions.exportJson(id));
  else if (stored !== null) editor.openText(as, sessionMarkdown(stored, title));
  return as === 'json' || stored !== null;
}

function itemLines(item: Item): readonly string[] {
  switch (item.origin) {
    case 'user':
      return ['## User', '', item.text];
    case 'assistant':
      return ['## Assistant', '', item.text];
    case 'call':
      return [
        ...(item.text.trim() === '' ? [] : [item.text, '']),
        ...item.calls.map(({ name, arguments: said }) => `- \`${name} ${spacedJson(said)}\``),
      ];
    case 'result':
    case 'attachment':
      return details(item.head, item.body);
    case 'knowledge':
      return details('Looked up before answering', (item.before + item.after).trim());
    case 'note':
      return [];
    default:
      return item satisfies never;
  }
}

function details(summary: string, body: string): readonly string[] {
  const shown = summary.replace(/[<>&]/g, (sign) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;' })[sign] ?? sign);
  return ['<details>', `<summary>${shown}</summary>`, '', fenced(body), '', '</details>'];
}
