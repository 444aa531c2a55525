// Every attempt to compact: what it came to, the summary entry by entry, the turns it took in; the standing one can be changed.
import { useState } from 'preact/hooks';
import type { CompactionView } from '../../src/protocol/questions.ts';
import { Deciding } from '../shared/deciding.tsx';
import { seconds } from '../shared/format.ts';
import { ask } from '../shared/host.ts';
import { pageLanguage, t } from '../shared/l10n.ts';
import { labelWords } from '../shared/layerNames.ts';
import { useOpened } from '../shared/looks.ts';
import { nameArea, type TextArea } from '../shared/toolkit.ts';
import { useAnswer } from './useAnswer.ts';
import { Verbatim } from './verbatim.tsx';

export function Summaries({ changed }: { changed: unknown }) {
  const [again, setAgain] = useState(0);
  const [undone, say] = useState('');
  const { value, problem } = useAnswer('compactions', {}, `${JSON.stringify(changed)} ${again}`);
  if (problem !== '') return <p class="hint">{problem}</p>;
  if (value === null) return <p class="hint">{t('Reading…')}</p>;
  const renew = () => setAgain(again + 1);
  return (
    <section class="compactions">
      <div class="said" role="status">
        {undone}
      </div>
      {value.length === 0 && (
        <p class="hint">
          {t('No summaries yet. When the conversation grows long, a summary replaces its older turns while you read.')}
        </p>
      )}
      {!value.some(({ standing }) => standing) && (
        <Deciding
          about={t('older turns')}
          done={renew}
          actions={[{ label: t('Compact now'), line: '/compact', title: t('Replace older turns with a summary') }]}
        />
      )}
      {value.toReversed().map((compaction) => (
        <CompactionDetails key={compaction.id} compaction={compaction} renew={renew} undo={say} />
      ))}
    </section>
  );
}

interface CompactionProps {
  readonly compaction: CompactionView;
  readonly renew: () => void;
  /** Gets what undoing it came to. */
  readonly undo: (words: string) => void;
}

function CompactionDetails({ compaction, renew, undo }: CompactionProps) {
  const { words, standing, undone, edited, milliseconds, created, entries, compacted } = compaction;
  const marks = [standing ? t('in the prompt') : '', undone ? t('undone') : '', edited ? t('edited') : ''].filter(
    Boolean,
  );
  const opened = useOpened(`compaction ${compaction.id}`, standing);
  const time = new Date(created).toLocaleTimeString(pageLanguage, { hour: '2-digit', minute: '2-digit' });
  return (
    <details class="compaction" {...opened}>
      <summary>
        {words}{' '}
        {marks.map((mark) => (
          <span key={mark} class="state">
            {mark}
          </span>
        ))}
        <span class="hint"> {t('{0}, took {1}', time, seconds(milliseconds))}</span>
      </summary>
      {standing && (
        <Deciding
          about={t('the last summary')}
          done={(words) => {
            undo(words);
            renew();
          }}
          actions={[{ label: t('Undo'), line: '/compact undo', title: t('Restore the original messages') }]}
        />
      )}
      {entries.length > 0 && (
        <>
          <h3>{t('Summary')}</h3>
          <ol class="entries-list">
            {entries.map((entry) => (
              <EntryLine key={entry.number} entry={entry} changeable={standing} renew={renew} />
            ))}
          </ol>
        </>
      )}
      {compacted.length > 0 && <Before compacted={compacted} />}
    </details>
  );
}

function Before({ compacted }: Pick<CompactionView, 'compacted'>) {
  return (
    <>
      <h3>{t('Replaced messages')}</h3>
      <ul class="compacted-items">
        {compacted.map(({ at, label }) => (
          <CompactedItem key={at} at={at} label={label} />
        ))}
      </ul>
    </>
  );
}

function CompactedItem({ at, label }: CompactionView['compacted'][number]) {
  const { open, onToggle } = useOpened(`compacted ${at}`);
  return (
    <li>
      <details open={open} onToggle={onToggle}>
        <summary class="row">
          <span class="number">{at}</span>
          <span class="label">{labelWords(label)}</span>
        </summary>
        {open && <Words at={at} label={label} />}
      </details>
    </li>
  );
}

function Words({ at, label }: CompactionView['compacted'][number]) {
  const { value, there, problem } = useAnswer('item', { at }, '');
  if (value !== null) return <Verbatim name={label} text={value.raw} />;
  return <p class="hint">{there ? t('No longer stored.') : problem || t('Reading…')}</p>;
}

interface LineProps {
  readonly entry: CompactionView['entries'][number];
  readonly changeable: boolean;
  readonly renew: () => void;
}

function EntryLine({ entry: { number, section, text }, changeable, renew }: LineProps) {
  const [draft, edit] = useState<string | null>(null);
  const [problem, say] = useState('');
  const change = (words: string) =>
    ask('command', { line: `/compact edit ${number} ${words.replace(/\s+/g, ' ').trim()}` }).then(
      () => {
        edit(null);
        renew();
      },
      (error: unknown) => say(String((error as Error).message)),
    );
  if (draft !== null)
    return (
      <li class="entry-line editing">
        <vscode-text-area
          ref={(area: TextArea | null) => nameArea(area, t('Entry {0}', number))}
          rows={3}
          value={draft}
          onInput={(event) => edit((event.currentTarget as TextArea).value)}
        />
        <div class="buttons">
          <vscode-button disabled={draft.trim() === ''} onClick={() => void change(draft)}>
            {t('Save')}
          </vscode-button>
          <vscode-button appearance="secondary" onClick={() => edit(null)}>
            {t('Cancel')}
          </vscode-button>
        </div>
        <div role="status">{problem}</div>
      </li>
    );
  return (
    <li class="entry-line">
      <span class="hint">{section}:</span> <span class="words">{text}</span>
      {changeable && (
        <vscode-button
          appearance="icon"
          aria-label={t('Edit: {0}', text)}
          title={t('Edit this entry')}
          onClick={() => edit(text)}
        >
          <span class="codicon codicon-edit" />
        </vscode-button>
      )}
    </li>
  );
}
