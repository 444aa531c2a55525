// The conversation as a model in a prompt of its own reads it: earlier entries and the compacted items, each with who said it.
import type { CallItem, Item, ResultItem } from '../../dialog/dialog.ts';
import { sectionNames } from '../stateText.ts';
import type { SummaryEntry } from '../summary.ts';

export interface CitedSource {
  readonly by: 'user' | 'model' | 'tool';
  /** With the name of who said it. */
  readonly text: string;
  /** A call, which its results stand with. */
  readonly round?: boolean;
}

/** In this order: the entries of the summary that stands in the prompt, those that stand nowhere in it, and its items. */
export function sourcesOf(earlier: readonly SummaryEntry[], items: readonly Item[]): readonly CitedSource[] {
  const sources: CitedSource[] = earlier.map(({ section, text, by }) => ({
    by,
    text: `${sectionNames[section]}: ${text}`,
  }));
  for (const item of items) {
    const call = sources.at(-1);
    if (item.origin === 'result' && call?.round === true) sources[sources.length - 1] = withResult(call, item);
    else sources.push(...sourceOf(item));
  }
  return sources;
}

function withResult(call: CitedSource, { head, body }: ResultItem): CitedSource {
  return { ...call, by: 'tool', text: `${call.text}\n${head}\n${body}` };
}

function sourceOf(item: Item): readonly CitedSource[] {
  const source = (by: CitedSource['by'], name: string, text: string): readonly CitedSource[] => [
    { by, text: `${name}: ${text}` },
  ];
  switch (item.origin) {
    case 'user':
      return source('user', 'User', item.text);
    case 'assistant':
      return source('model', 'Assistant', item.text);
    case 'call':
      return source('model', 'Call', callWords(item)).map((one) => ({ ...one, round: true }));
    case 'attachment':
      // Retrieved passages are still in the folder, and nobody said them.
      if (item.found !== undefined) return [];
      return source('tool', 'Attachment', `${item.head}\n${item.body}`);
    case 'result':
      return source('tool', 'Result', `${item.head}\n${item.body}`);
    case 'knowledge':
      return source('tool', 'Looked up', `${item.before} ${item.after}`);
    case 'note':
      return [];
    default:
      return item satisfies never;
  }
}

function callWords({ calls }: CallItem): string {
  return calls.map(({ name, arguments: said }) => `${name} ${JSON.stringify(said)}`).join('; ');
}
