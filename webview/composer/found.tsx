// The passages found for the message in the composer: each with its tokens and why, to open, pin or leave out.
import type { FoundView } from '../../src/protocol/view.ts';
import { number } from '../shared/format.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';

interface FoundProps {
  readonly found: readonly FoundView[];
  readonly weak: string;
  readonly goesOn: boolean;
  /** Tokens of what goes in front of the message, and how many of them were read; null while none are. */
  readonly given: number;
  readonly ahead: number | null;
  /** Sends the message without them. */
  readonly onAlone: () => void;
  /** Looks for it all the same. */
  readonly onSearch: () => void;
}

export function FoundList({ found, weak, goesOn, given, ahead, onAlone, onSearch }: FoundProps) {
  if (goesOn)
    return (
      <div class="found">
        <span>
          <span class="codicon codicon-arrow-up" /> {t('Goes on with what stands above')}
        </span>
        <button type="button" class="found-alone" title={t('Adds @codebase to the message')} onClick={onSearch}>
          {t('Search the folder')}
        </button>
      </div>
    );
  if (found.length === 0) return null;
  const sent = goingOf(found, weak);
  const words = sent.length === 0 ? unsentWords(found.length) : foundWords(sent);
  const read = ahead === null || ahead === 0 ? '' : ahead >= given ? t('read') : t('{0} read', number(ahead));
  const title =
    sent.length === 0
      ? t('Only those that you pin are sent')
      : t('Passages from the folder that will be sent with this message');
  const titles = [title, read === '' ? '' : t('What is read already is not read again when you send it.')];
  return (
    <div class="found">
      <details>
        <summary title={titles.filter(Boolean).join('\n')}>
          <span class="codicon codicon-search" /> {[words, read].filter(Boolean).join(', ')}
        </summary>
        {weak !== '' && <p class="found-weak">{t('This may not be what you mean: {0}.', weak)}</p>}
        <ul aria-label={t('Found for this message')}>
          {found.map((one) => (
            <FoundRow key={one.place} one={one} isSent={sent.includes(one)} />
          ))}
        </ul>
      </details>
      {sent.length > 0 && (
        <button
          type="button"
          class="found-alone"
          title={t('Send the message without these passages (Alt+Enter)')}
          onClick={onAlone}
        >
          {t('Send without')}
        </button>
      )}
    </div>
  );
}

/** Doubtful ones go with the message where the user pins them. */
export function goingOf(found: readonly FoundView[], weak: string): readonly FoundView[] {
  return weak === '' ? found : found.filter(({ pinned }) => pinned);
}

function foundWords(sent: readonly FoundView[]): string {
  const tokens = sent.reduce((sum, one) => sum + one.tokens, 0);
  const about = sent.every(({ exact }) => exact) ? number(tokens) : `≈ ${number(tokens)}`;
  return sent.length === 1
    ? t('Found 1 passage, {0} tokens', about)
    : t('Found {0} passages, {1} tokens', sent.length, about);
}

function unsentWords(count: number): string {
  return count === 1
    ? t("Found 1 passage that may not be what you mean; it isn't sent")
    : t("Found {0} passages that may not be what you mean; they aren't sent", count);
}

interface FoundRowProps {
  readonly one: FoundView;
  readonly isSent: boolean;
}

function FoundRow({ one: { place, path, line, why, tokens, exact, pinned }, isSent }: FoundRowProps) {
  const choose = (as: 'removed' | 'pinned' | 'unpinned') => tell({ type: 'chooseFound', place, as });
  const keep = isSent ? t('Pin {0} for later messages', place) : t('Send {0} with this message', place);
  const pin = pinned ? t('Unpin {0}', place) : keep;
  return (
    <li class="found-row">
      <button
        type="button"
        class="found-place"
        title={why}
        disabled={line === 0}
        onClick={() => tell({ type: 'open', path, line })}
      >
        {place}
      </button>
      <span class="found-why">{why}</span>
      <span class="found-size">{`${exact ? '' : '≈ '}${number(tokens)}`}</span>
      <button
        type="button"
        aria-label={pin}
        title={pin}
        aria-pressed={pinned}
        onClick={() => choose(pinned ? 'unpinned' : 'pinned')}
      >
        <span class={`codicon codicon-${pinned ? 'pinned' : 'pin'}`} />
      </button>
      <button
        type="button"
        aria-label={t('Leave {0} out', place)}
        title={t('Leave out')}
        onClick={() => choose('removed')}
      >
        <span class="codicon codicon-close" />
      </button>
    </li>
  );
}

/** How far the index is, while it is being made. */
export function indexWords({ files, left }: { readonly files: number; readonly left: number }): string {
  return t('Indexing the folder: {0} of {1} files', number(files), number(files + left));
}
