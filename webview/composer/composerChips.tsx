// The mentions of a draft as chips: each with its tokens and a button that takes it out, or with why it cannot be had.
import type { MentionView } from '../../src/protocol/view.ts';
import { number } from '../shared/format.ts';
import { t } from '../shared/l10n.ts';

interface ChipsProps {
  readonly mentions: readonly MentionView[];
  readonly text: string;
  readonly onRemove: (word: string) => void;
}

export function MentionChips({ mentions, text, onRemove }: ChipsProps) {
  if (mentions.length === 0) return null;
  return (
    <ul class="chips" aria-label={t('Attached to this message')}>
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
  const count = `${exact ? '' : '≈ '}${number(tokens)}`;
  const whole = tokens === 1 ? t('{0} token', count) : t('{0} tokens', count);
  const size = cut ? t('{0} tokens, shortened', count) : whole;
  const icon = problem !== '' ? 'warning' : (icons[word.slice(1).split(':')[0] ?? ''] ?? 'file');
  return (
    <li class={problem === '' ? 'chip' : 'chip problem'} title={problem === '' ? title : problem}>
      <span class={`codicon codicon-${icon}`} />
      <span class="chip-words">
        <span class="chip-name">{word}</span> <span class="chip-size">{problem === '' ? size : problem}</span>
      </span>
      {inText && (
        <button type="button" aria-label={t('Remove {0}', word)} title={t('Remove')} onClick={() => onRemove(word)}>
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
  changes: 'git-compare',
  problems: 'warning',
  terminal: 'terminal',
};
