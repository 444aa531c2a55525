// Above the composer: the files that were changed, with Keep and Undo for each, for each change in it, and for all.
import type { HunkView, ReviewedFile, ReviewView } from '../../src/protocol/reviewView.ts';
import { number } from '../shared/format.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { useOpened } from '../shared/looks.ts';

export function ReviewBar({ review: { files }, running }: { review: ReviewView; running: boolean }) {
  const opened = useOpened('review', true);
  if (files.length === 0) return null;
  const waiting = files.filter(({ state }) => state === 'waits');
  const title = waiting.length === 0 ? t('Undone changes') : filesChanged(waiting.length);
  return (
    <details class="review" {...opened}>
      <summary>
        <span class="review-title">{title}</span>
        <Size hunks={waiting.flatMap(({ hunks }) => hunks)} />
      </summary>
      {waiting.length > 0 && (
        <div class="review-all">
          <Act
            label={t('Keep All')}
            icon="check-all"
            disabled={running}
            onClick={() => tell({ type: 'keepChanges' })}
          />
          <Act label={t('Undo All')} icon="discard" disabled={running} onClick={() => tell({ type: 'undoChanges' })} />
          <Act label={t('Open All')} icon="diff-multiple" onClick={() => tell({ type: 'openChanges' })} />
        </div>
      )}
      <ul class="review-files" aria-label={title}>
        {files.map((file) => (
          <ReviewRow key={file.file} file={file} running={running} />
        ))}
      </ul>
    </details>
  );
}

function filesChanged(count: number): string {
  return count === 1 ? t('1 changed file') : t('{0} changed files', number(count));
}

interface ReviewRowProps {
  readonly file: ReviewedFile;
  readonly running: boolean;
  /** In place of the file's name, with labels at its buttons. */
  readonly title?: string;
  /** Keys all of the row's changes. */
  readonly all?: string;
}

export function ReviewRow({ file, running, title, all = '' }: ReviewRowProps) {
  const about = { file: file.file, of: file.name, running, labelled: title !== undefined };
  const compare = () => tell({ type: 'compareChange', file: file.file });
  const isUndone = file.state === 'undone';
  return (
    <li>
      <div class="review-row">
        <button type="button" class="review-name" title={t('Compare {0}', file.name)} onClick={compare}>
          {title ?? file.name}
        </button>
        <Kind file={file} />
        {!isUndone && <Size hunks={file.hunks} />}
        {isUndone ? (
          <Act
            label={t('Redo')}
            of={file.name}
            icon="redo"
            disabled={running}
            onClick={() => tell({ type: 'redoChange', file: file.file })}
          />
        ) : (
          <Decide {...about} change={all} hunks={file.hunks} />
        )}
      </div>
      {file.problem !== '' && <div class="review-problem">{file.problem}</div>}
      {file.hunks.length > 1 && (
        <ul class="review-hunks">
          {file.hunks.map((hunk) => (
            <HunkRow key={hunk.key} {...about} hunk={hunk} />
          ))}
        </ul>
      )}
    </li>
  );
}

interface DecideProps {
  /** The file's URI. */
  readonly file: string;
  /** The file, or file and lines, that the buttons are about, for a screen reader. */
  readonly of: string;
  readonly running: boolean;
  readonly labelled: boolean;
}

function HunkRow({ hunk, ...about }: DecideProps & { hunk: HunkView }) {
  const { line, added } = hunk;
  const place = added > 1 ? t('lines {0}–{1}', line, line + added - 1) : t('line {0}', line);
  return (
    <li class="review-row">
      <span class="review-name">{place}</span>
      <Size hunks={[hunk]} />
      <Decide {...about} of={`${about.of}, ${place}`} change={hunk.key} hunks={[hunk]} />
    </li>
  );
}

/** Keep and Undo. While a turn runs, nothing of an agent's changes is decided. */
function Decide(props: DecideProps & { change: string; hunks: readonly HunkView[] }) {
  const { file, change: key, of, labelled, hunks } = props;
  const disabled = props.running && hunks.some(({ author }) => author === 'agent');
  const act = (type: 'keepChange' | 'undoChange') => () => tell({ type, file, key });
  const shared = { of, labelled, disabled };
  return (
    <>
      <Act {...shared} label={t('Keep')} icon="check" onClick={act('keepChange')} />
      <Act {...shared} label={t('Undo')} icon="discard" onClick={act('undoChange')} />
    </>
  );
}

function Kind({ file: { is, state, saved } }: { file: ReviewedFile }) {
  const words = { changed: '', new: t('new'), deleted: t('deleted') };
  const text = [state === 'undone' ? t('undone') : words[is], saved ? '' : t('not saved')].filter(
    (word) => word !== '',
  );
  return text.length === 0 ? null : <span class="review-kind">{text.join(', ')}</span>;
}

function Size({ hunks }: { hunks: readonly HunkView[] }) {
  const sum = (of: (hunk: HunkView) => number) => hunks.reduce((total, hunk) => total + of(hunk), 0);
  if (hunks.length === 0) return null;
  return (
    <span class="review-size">
      <span class="added">+{sum(({ added }) => added)}</span>{' '}
      <span class="removed">−{sum(({ removed }) => removed)}</span>
    </span>
  );
}

interface ActProps {
  readonly label: string;
  /** The file, or file and lines, that the button is about, for a screen reader. */
  readonly of?: string;
  readonly icon: string;
  /** Whether the label is shown, which it also is without `of`. */
  readonly labelled?: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

export function Act({ label, of, icon, labelled = of === undefined, disabled = false, onClick }: ActProps) {
  return (
    <button
      type="button"
      class="review-act"
      title={label}
      aria-label={of === undefined ? label : `${label}: ${of}`}
      disabled={disabled}
      onClick={onClick}
    >
      <span class={`codicon codicon-${icon}`} /> {labelled && label}
    </button>
  );
}
