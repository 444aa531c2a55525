// A row for one stored conversation: a button that opens it, and other acts on it, which are confirmed in the row.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SessionChange, SessionView } from '../../src/protocol/questions.ts';
import { pageLanguage, t } from '../shared/l10n.ts';
import { nameArea, type TextField } from '../shared/toolkit.ts';
import { when } from './sessionsWhen.ts';

interface RowProps {
  readonly row: SessionView;
  /** The words that are searched for; '' for none. */
  readonly words: string;
  readonly change: (wanted: SessionChange) => Promise<void>;
}

type Mode = 'shown' | 'seize' | 'rename' | 'delete' | 'export';

export function SessionRowView({ row, words, change }: RowProps) {
  const [mode, turn] = useState<Mode>('shown');
  const item = useRef<HTMLLIElement>(null);
  const was = useRef<Mode>('shown');
  // The pressed button is gone, so the focus moves to the question and back.
  useEffect(() => {
    if (mode === was.current) return;
    was.current = mode;
    const to = item.current?.querySelector<HTMLElement>('[data-first]');
    to?.focus();
    if (mode === 'rename') (to as TextField | null)?.select();
  }, [mode]);
  const back = () => turn('shown');
  const act = (what: SessionChange['what'], title = '') => {
    // A row that goes gives the focus to its neighbour.
    const next = item.current?.nextElementSibling ?? item.current?.previousElementSibling;
    back();
    void change({ id: row.id, what, title }).then(() => {
      if (what === 'delete' && item.current === null) focusRow(next);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && mode !== 'shown') back();
    else if (mode === 'shown' && event.key === 'Delete') turn('delete');
    else if (mode === 'shown' && event.key === 'F2') turn('rename');
    else return;
    event.stopPropagation();
    event.preventDefault();
  };
  return (
    <li ref={item} class={`session ${row.current ? 'current' : ''}`} onKeyDown={onKeyDown}>
      {mode === 'seize' && <Seize row={row} sure={() => act('seize')} back={back} />}
      {mode === 'rename' && <Rename row={row} save={(title) => act('rename', title)} back={back} />}
      {mode === 'delete' && <Delete row={row} sure={() => act('delete')} back={back} />}
      {mode === 'export' && <Export act={act} back={back} />}
      {mode === 'shown' && (
        <Shown
          row={row}
          words={words}
          open={() => (row.elsewhere ? turn('seize') : act('open'))}
          beside={() => act('beside')}
          turn={turn}
        />
      )}
    </li>
  );
}

/** A line of Markdown as it is read. */
function withoutMarks(line: string): string {
  return line.replace(/^(?:#+|>|[-*+]|\d+\.) +/, '').replace(/`|\*\*|__/g, '');
}

/** The words that were searched for stand out. */
function Found({ text, words }: { text: string; words: string }) {
  const wanted = words
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (wanted.length === 0) return <>{text}</>;
  const parts = text.split(new RegExp(`(${wanted.join('|')})`, 'gi'));
  return <>{parts.map((part, i) => (i % 2 === 1 ? <mark key={i}>{part}</mark> : part))}</>;
}

interface ShownProps {
  readonly row: SessionView;
  readonly words: string;
  readonly open: () => void;
  readonly beside: () => void;
  readonly turn: (mode: Mode) => void;
}

const buttons = [
  ['rename', 'edit', t('Rename (F2)'), (name: string) => t('Rename: {0}', name)],
  ['export', 'export', t('Export'), (name: string) => t('Export: {0}', name)],
  ['delete', 'trash', t('Delete (Delete)'), (name: string) => t('Delete: {0}', name)],
] as const;

function Shown({ row, words, open, beside, turn }: ShownProps) {
  const { title, turns, written, line, current, beside: there, elsewhere } = row;
  const name = title === '' ? t('(empty)') : withoutMarks(title);
  return (
    <>
      <button type="button" class="session-open" data-first onClick={open}>
        <span class="session-title">
          <Found text={name} words={words} />
        </span>
        {line !== '' && (
          <span class="session-line">
            <Found text={withoutMarks(line)} words={words} />
          </span>
        )}
        <span class="session-facts">
          {current && `${t('open')} · `}
          {there && `${t('open beside')} · `}
          {elsewhere && `${t('open in another window')} · `}
          {turns === 1 ? t('1 turn') : t('{0} turns', turns)} ·{' '}
          <span title={new Date(written).toLocaleString(pageLanguage)}>{when(written, Date.now())}</span>
        </span>
      </button>
      <span class="session-buttons">
        <vscode-button
          appearance="icon"
          aria-label={t('Open to the Side: {0}', name)}
          title={t('Open to the Side')}
          onClick={beside}
        >
          <span class="codicon codicon-split-horizontal" />
        </vscode-button>
        {buttons.map(([mode, icon, words, about]) => (
          <vscode-button key={mode} appearance="icon" aria-label={about(name)} title={words} onClick={() => turn(mode)}>
            <span class={`codicon codicon-${icon}`} />
          </vscode-button>
        ))}
      </span>
    </>
  );
}

interface SureProps {
  readonly row: SessionView;
  readonly sure: () => void;
  readonly back: () => void;
}

function Seize({ row, ...act }: SureProps) {
  const words = t(
    'This conversation is open in another window, or was when that window closed unexpectedly. If you open it here, the other window can no longer use it.',
  );
  return <Sure about={t('Open {0} here?', row.title)} words={words} yes={t('Open Here')} no={t('Cancel')} {...act} />;
}

function Delete({ row, ...act }: SureProps) {
  const words = t("Delete “{0}”? Its messages, reports and summaries can't be restored.", row.title);
  return <Sure about={t('Delete {0}?', row.title)} words={words} yes={t('Delete')} no={t('Keep')} {...act} />;
}

interface QuestionProps extends Omit<SureProps, 'row'> {
  /** The question in short, for those who hear it. */
  readonly about: string;
  readonly words: string;
  readonly yes: string;
  readonly no: string;
}

function Sure({ about, words, yes, no, sure, back }: QuestionProps) {
  return (
    <div class="session-question" role="alertdialog" aria-label={about}>
      <div>{words}</div>
      <div class="buttons">
        <vscode-button data-first onClick={sure}>
          {yes}
        </vscode-button>
        <vscode-button appearance="secondary" onClick={back}>
          {no}
        </vscode-button>
      </div>
    </div>
  );
}

function Rename({ row, save, back }: { row: SessionView; save: (title: string) => void; back: () => void }) {
  const name = useRef<TextField>(null);
  useEffect(() => nameArea(name.current, t('Name of the conversation')), []);
  const done = () => save(name.current?.value ?? row.title);
  return (
    <div class="session-question">
      <vscode-text-field
        ref={name}
        data-first
        placeholder={t('Named after the first message')}
        value={row.title}
        onKeyDown={(event) => event.key === 'Enter' && done()}
      />
      <div class="buttons">
        <vscode-button onClick={done}>{t('Rename')}</vscode-button>
        <vscode-button appearance="secondary" onClick={back}>
          {t('Cancel')}
        </vscode-button>
      </div>
    </div>
  );
}

function Export({ act, back }: { act: (what: SessionChange['what']) => void; back: () => void }) {
  return (
    <div class="session-question">
      <div>{t('Markdown is for reading. JSON is complete and can be imported.')}</div>
      <div class="buttons">
        <vscode-button data-first onClick={() => act('exportMarkdown')}>
          Markdown
        </vscode-button>
        <vscode-button onClick={() => act('exportJson')}>JSON</vscode-button>
        <vscode-button appearance="secondary" onClick={back}>
          {t('Cancel')}
        </vscode-button>
      </div>
    </div>
  );
}

function focusRow(row: Element | null | undefined): void {
  const open = row?.isConnected === true ? row.querySelector<HTMLElement>('.session-open') : null;
  (open ?? document.querySelector<HTMLElement>('.sessions-search'))?.focus();
}
