// Sources for a summariser: earlier entries and the compacted items, numbered, so that each new entry can cite its origin.
import type { CallItem, Item, ItemId, ResultItem } from '../../dialog/dialog.ts';
import { sectionNames } from '../stateText.ts';
import type { SummaryEntry } from '../summary.ts';

export interface CitedSource {
  /** Items that an entry names when it cites this source. */
  readonly items: readonly ItemId[];
  readonly by: 'user' | 'model' | 'tool';
  /** Whether it stands in the prompt, where its first words name it. */
  readonly inPrompt: boolean;
  /** A name for the kind of source, such as a message of the user. */
  readonly name: string;
  /** All of it. */
  readonly text: string;
  /** The same without the name of who said it. */
  readonly said: string;
  /** A call, which its results stand with. */
  readonly round?: boolean;
}

/**
 * Numbered from 1 in this order: the entries of the summary that stands in the prompt, those that stand nowhere in it, and its items. Results
 * stand with their call, so that a round is one source.
 */
export function sourcesOf(
  earlier: readonly SummaryEntry[],
  elsewhere: readonly SummaryEntry[],
  items: readonly Item[],
): readonly CitedSource[] {
  const entry = ({ section, text, by, items: from }: SummaryEntry, inPrompt: boolean): CitedSource => {
    const name = sectionNames[section];
    return { items: from, by, inPrompt, name, text: `${name}: ${text}`, said: text };
  };
  const sources = [...earlier.map((one) => entry(one, true)), ...elsewhere.map((one) => entry(one, false))];
  for (const item of items) {
    const call = sources.at(-1);
    if (item.origin === 'result' && call?.round === true) sources[sources.length - 1] = withResult(call, item);
    else sources.push(...sourceOf(item));
  }
  return sources;
}

function withResult(call: CitedSource, { id, head, body }: ResultItem): CitedSource {
  const text = `${call.text}\n${head}\n${body}`;
  return { ...call, items: [...call.items, id], by: 'tool', text };
}

function sourceOf(item: Item): readonly CitedSource[] {
  const source = (by: CitedSource['by'], name: string, text: string): readonly CitedSource[] => [
    { items: [item.id], by, inPrompt: true, name, text: `${name}: ${text}`, said: text },
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
