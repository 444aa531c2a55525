// The tool that looks into compacted turns: the model asks for words, and gets the few items that hold most of them.
import type { Item } from '../../core/dialog/dialog.ts';
import type { Tool } from '../../core/dialog/tool.ts';
import { oneLine } from '../../core/memory/line.ts';
import { labelOf } from '../../core/report/decisions.ts';
import { rawText } from '../../core/report/reportText.ts';
import type { Session } from '../session/session.ts';

/** Items in an answer, and characters of each, at most. */
const most = 5;
const longest = 400;
/** Characters of the words that an answer repeats. */
const longestHead = 80;

/** Whether anything was compacted. From then on `recall` stays, so that the prompt's head does. */
export function isCompacted({ compactions }: Session['state']): boolean {
  return compactions.some(({ checkpoint: summary }) => summary !== null);
}

export function recallTools(session: Session): readonly Tool[] {
  if (!isCompacted(session.state)) return [];
  return [
    {
      schema: {
        name: 'recall',
        description: 'Find what was said or found in earlier, compacted turns of this conversation.',
        parameters: {
          type: 'object',
          properties: { words: { type: 'string', description: 'words that stand there' } },
          required: ['words'],
        },
      },
      effect: 'read',
      run: async ({ words }) => recall(session, String(words ?? '')),
    },
  ];
}

function recall({ state }: Session, words: string) {
  const to = Math.max(0, ...state.pruned.map(({ compaction }) => compaction?.to ?? 0));
  const wanted = [...new Set(words.toLowerCase().match(/[\p{L}\p{N}_$./-]+/gu) ?? [])];
  if (wanted.length === 0) return { ok: false, head: 'recall needs words that stand in an earlier turn.', body: '' };
  const found = state.dialog.path
    .slice(0, to)
    .map((item, at) => ({ item, at, text: state.marks.evicted.has(item.id) ? '' : textOf(item) }))
    .map((one) => ({ ...one, hits: wanted.filter((word) => one.text.toLowerCase().includes(word)).length }))
    .filter(({ hits }) => hits > 0)
    .toSorted((a, b) => b.hits - a.hits || b.at - a.at)
    .slice(0, most)
    .toSorted((a, b) => a.at - b.at);
  // A head is one line, whatever was asked for.
  const asked = `recall "${oneLine(words).slice(0, longestHead)}"`;
  if (found.length === 0) return { ok: true, head: `${asked}: nothing in compacted turns.`, body: '' };
  const lines = found.map(({ item, at, text }) => `${at} ${kindOf(item)}: ${around(text, wanted)}`);
  return { ok: true, head: `${asked}: ${found.length} of ${to} compacted items:`, body: lines.join('\n') };
}

/** A directive says nothing that is worth finding. What the user took out is not found either. */
function textOf(item: Item): string {
  return item.origin === 'note' ? '' : rawText(item);
}

function kindOf(item: Item): string {
  return labelOf(item).split(':', 1)[0] ?? '';
}

/** The text around the first of the words. */
function around(text: string, wanted: readonly string[]): string {
  const lower = text.toLowerCase();
  const first = Math.min(...wanted.map((word) => lower.indexOf(word)).filter((at) => at >= 0));
  const from = text.length <= longest ? 0 : Math.max(0, Math.min(first - longest / 4, text.length - longest));
  const part = text
    .slice(from, from + longest)
    .replace(/\s+/g, ' ')
    .trim();
  return `${from > 0 ? '… ' : ''}${part}${from + longest < text.length ? ' …' : ''}`;
}
