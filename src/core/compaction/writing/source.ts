// What a summariser is given: earlier entries and the compacted items, numbered, so that each new entry can name where it comes from.
import type { Item, ItemId } from '../../dialog/dialog.ts';
import { sectionNames } from '../stateText.ts';
import type { SummaryEntry } from '../summary.ts';
import { clip } from '../words.ts';

export interface CitedSource {
  /** What an entry that cites it names. */
  readonly items: readonly ItemId[];
  readonly by: 'user' | 'model' | 'tool';
  /** A few words that tell it from the others. */
  readonly label: string;
  /** All of it. */
  readonly text: string;
  /** The same without the name of who said it. */
  readonly said: string;
}

/** Numbered from 1 in this order. Results stand with their call, so that a round is one source. */
export function sourcesOf(earlier: readonly SummaryEntry[], items: readonly Item[]): readonly CitedSource[] {
  const kept = earlier.map(({ section, text, by, items: from }): CitedSource => {
    const words = `${sectionNames[section]}: ${text}`;
    return { items: from, by, label: words, text: words, said: text };
  });
  return [...kept, ...items.flatMap(sourceOf)];
}

function sourceOf(item: Item): readonly CitedSource[] {
  const source = (by: CitedSource['by'], name: string, text: string): readonly CitedSource[] => [
    { items: [item.id], by, label: `${name}: ${clip(text, 40)}`, text: `${name}: ${text}`, said: text },
  ];
  switch (item.origin) {
    case 'user':
      return source('user', 'User', item.text);
    case 'assistant':
      return source('model', 'Assistant', item.text);
    case 'call':
      return source(
        'model',
        'Call',
        item.calls.map(({ name, arguments: said }) => `${name} ${JSON.stringify(said)}`).join('; '),
      );
    case 'attachment':
      // What was found for a message is in the folder still, and nobody said it.
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
