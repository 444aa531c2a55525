// What a draft mentions, as chips: each with its tokens and a button that takes it out, or with why it cannot be had.
import type { MentionView } from '../src/protocol/view.ts';
import { number } from './format.ts';

interface ChipsProps {
  readonly mentions: readonly MentionView[];
  readonly text: string;
  readonly onRemove: (word: string) => void;
}

export function MentionChips({ mentions, text, onRemove }: ChipsProps) {
  if (mentions.length === 0) return null;
  return (
    <ul class="chips" aria-label="Goes with this message">
      {mentions.map((mention) => (
        <Chip key={mention.word} mention={mention} inText={text.includes(mention.word)} onRemove={onRemove} />
      ))}
    </ul>
  );
}

interface ChipProps {
  readonly mention: MentionView;
  readonly inText: boolean;
  readonly onRemove: ChipsProps['onRemove'];
}

function Chip({ mention: { word, title, tokens, exact, problem, cut }, inText, onRemove }: ChipProps) {
  const size = `${exact ? '' : '≈ '}${number(tokens)} ${tokens === 1 ? 'token' : 'tokens'}${cut ? ', shortened' : ''}`;
  const icon = problem !== '' ? 'warning' : (icons[word.slice(1).split(':')[0] ?? ''] ?? 'file');
  return (
    <li class={problem === '' ? 'chip' : 'chip problem'} title={problem === '' ? title : problem}>
      <span class={`codicon codicon-${icon}`} />
      <span class="chip-words">
        <span class="chip-name">{word}</span> <span class="chip-size">{problem === '' ? size : problem}</span>
      </span>
      {inText && (
        <button type="button" aria-label={`Remove ${word}`} title="Remove" onClick={() => onRemove(word)}>
          <span class="codicon codicon-close" />
        </button>
      )}
    </li>
  );
}

const icons: Readonly<Record<string, string>> = {
  folder: 'folder',
  symbol: 'symbol-method',
  selection: 'list-selection',
  problems: 'warning',
  terminal: 'terminal',
};
