// Above the composer: the files that the agent changed, with Keep and Undo for each, for each change in it, and for all.
import type { HunkView } from '../../src/protocol/appliedView.ts';
import type { ReviewedFile, ReviewView } from '../../src/protocol/reviewView.ts';
import { number } from '../shared/format.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { useOpened } from '../shared/looks.ts';

type FileAct = 'keepReviewed' | 'undoReviewed';

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
          <FileRow key={file.file} file={file} running={running} />
        ))}
      </ul>
    </details>
  );
}

function filesChanged(count: number): string {
  return count === 1 ? t('1 changed file') : t('{0} changed files', number(count));
}

function FileRow({ file, running }: { file: ReviewedFile; running: boolean }) {
  const act = (type: FileAct, key = '') => tell({ type, file: file.file, key });
  const compare = () => tell({ type: 'compareReviewed', file: file.file });
  const isUndone = file.state === 'undone';
  return (
    <li>
      <div class="review-row">
        <button type="button" class="review-name" title={t('Compare {0}', file.name)} onClick={compare}>
          {file.name}
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
          <>
            <Act label={t('Keep')} of={file.name} icon="check" disabled={running} onClick={() => act('keepReviewed')} />
            <Act
              label={t('Undo')}
              of={file.name}
              icon="discard"
              disabled={running}
              onClick={() => act('undoReviewed')}
            />
          </>
        )}
      </div>
      {file.problem !== '' && <div class="review-problem">{file.problem}</div>}
      {file.hunks.length > 1 && (
        <ul class="review-hunks">
          {file.hunks.map((hunk) => (
            <HunkRow
              key={hunk.key}
              hunk={hunk}
              of={file.name}
              running={running}
              onAct={(type) => act(type, hunk.key)}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

interface HunkRowProps {
  readonly hunk: HunkView;
  readonly of: string;
  readonly running: boolean;
  readonly onAct: (type: FileAct) => void;
}

function HunkRow({ hunk, of, running, onAct }: HunkRowProps) {
  const { line, added } = hunk;
  const place = added > 1 ? t('lines {0}–{1}', line, line + added - 1) : t('line {0}', line);
  const name = `${of}, ${place}`;
  return (
    <li class="review-row">
      <span class="review-name">{place}</span>
      <Size hunks={[hunk]} />
      <Act label={t('Keep')} of={name} icon="check" disabled={running} onClick={() => onAct('keepReviewed')} />
      <Act label={t('Undo')} of={name} icon="discard" disabled={running} onClick={() => onAct('undoReviewed')} />
    </li>
  );
}

function Kind({ file: { is, state } }: { file: ReviewedFile }) {
  const words = { changed: '', new: t('new'), deleted: t('deleted') };
  const text = state === 'undone' ? t('undone') : words[is];
  return text === '' ? null : <span class="review-kind">{text}</span>;
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
  /** What it is about, for who cannot see it. */
  readonly of?: string;
  readonly icon: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

function Act({ label, of, icon, disabled = false, onClick }: ActProps) {
  return (
    <button
      type="button"
      class="review-act"
      title={label}
      aria-label={of === undefined ? label : `${label}: ${of}`}
      disabled={disabled}
      onClick={onClick}
    >
      <span class={`codicon codicon-${icon}`} /> {of === undefined && label}
    </button>
  );
}
