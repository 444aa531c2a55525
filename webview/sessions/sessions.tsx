// The stored conversations of this folder, over the conversation: searched, opened, named, deleted, exported.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SessionChange, SessionView } from '../../src/protocol/questions.ts';
import { ask, tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { nameArea, type TextField } from '../shared/toolkit.ts';
import { SessionRowView } from './sessionsRow.tsx';

/** Milliseconds without a key before the words are searched for. */
const pause = 150;

const close = () => tell({ type: 'listSessions', shown: false });

/** `session` is the open one. */
export function SessionsView({ session }: { session: string }) {
  const { rows, words, search, problem, change } = useSessions(session);
  // Whether the list closes for a conversation that takes the focus itself: one that is opened or shown beside.
  const left = useRef(false);
  const act = (wanted: SessionChange) => {
    const there = rows?.some(({ id, beside }) => beside && id === wanted.id) === true;
    left.current = wanted.what === 'beside' || (wanted.what === 'open' && there);
    return change(wanted);
  };
  const panel = useRef<HTMLElement>(null);
  const field = useRef<TextField>(null);
  useEffect(() => enter(field.current, left), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(event.key)) move(event, panel.current, field.current);
    else if (event.key === 'Enter' && event.target === field.current && rows?.[0] !== undefined)
      void act({ id: rows[0].id, what: 'open', title: '' });
  };
  return (
    <section
      ref={panel}
      class="sessions"
      role="dialog"
      aria-modal="true"
      aria-label={t('Conversations')}
      onKeyDown={onKeyDown}
    >
      <Head />
      <vscode-text-field
        ref={field}
        class="sessions-search"
        placeholder={t('Search conversations')}
        value={words}
        onInput={({ currentTarget }) => search((currentTarget as TextField).value)}
      />
      <div class="sessions-problem" role="status">
        {problem}
      </div>
      {rows !== null && rows.length === 0 && problem === '' && <Nothing words={words} />}
      <ul class="session-list">
        {rows?.map((row) => (
          <SessionRowView key={row.id} row={row} words={words} change={act} />
        ))}
      </ul>
    </section>
  );
}

function Head() {
  return (
    <div class="sessions-head">
      <h2>{t('Conversations of this folder')}</h2>
      <vscode-button
        appearance="icon"
        aria-label={t('Import Conversation')}
        title={t('Import a conversation from a JSON export')}
        onClick={() => tell({ type: 'importSession' })}
      >
        <span class="codicon codicon-folder-opened" />
      </vscode-button>
      <vscode-button
        appearance="icon"
        aria-label={t('Close')}
        title={t('Back to the conversation (Escape)')}
        onClick={close}
      >
        <span class="codicon codicon-close" />
      </vscode-button>
    </div>
  );
}

function Nothing({ words }: { words: string }) {
  return (
    <p class="hint">
      {words.trim() === '' ? t('No conversations yet. Each one is stored from its first message on.') : t('No results')}
    </p>
  );
}

/** The rows as the host has them for the words, read anew after every change. */
function useSessions(session: string) {
  const [rows, show] = useState<readonly SessionView[] | null>(null);
  const [words, search] = useState('');
  const [problem, say] = useState('');
  const wanted = useRef('');
  wanted.current = words;
  const latest = useRef(Promise.resolve());
  // A newer question ends the search of an older one, which is then answered with an error.
  const read = () => {
    const answer = ask('sessions', { words: wanted.current });
    const act = (then: () => void) => own === latest.current && then();
    const own: Promise<void> = answer.then(
      (found) => {
        act(() => {
          show(found);
          say('');
        });
      },
      (error) => {
        act(() => say(String((error as Error).message)));
      },
    );
    latest.current = own;
    return newest();
  };
  /** Waits until the rows of the newest question are shown: deleting the open conversation begins another one, and so another question. */
  const newest = async (): Promise<void> => {
    const awaited = latest.current;
    await awaited;
    if (awaited !== latest.current) await newest();
  };
  useEffect(() => {
    const timer = setTimeout(() => void read(), words === '' ? 0 : pause);
    return () => clearTimeout(timer);
  }, [words, session]);
  const change = async (wanted: SessionChange) => {
    try {
      const refused = await ask('changeSession', wanted);
      if (wanted.what === 'rename' || wanted.what === 'delete') await read();
      say(refused);
    } catch (error) {
      say(String((error as Error).message));
    }
  };
  return { rows, words, search, problem, change };
}

/** Gives the way back: whoever leaves the list goes on writing. */
function enter(field: TextField | null, left: { readonly current: boolean }): () => void {
  nameArea(field, t('Search conversations'));
  field?.focus();
  // The composer below can take the focus only once it is drawn again.
  return () => queueMicrotask(() => left.current || document.querySelector<HTMLElement>('.composer-input')?.focus());
}

/** From the field into the list, and up and down in it. */
function move(event: KeyboardEvent, panel: HTMLElement | null, field: TextField | null): void {
  const inField = event.target === field;
  const { target } = event;
  if (!(target instanceof Element) || (!inField && target.closest('.session-open') === null)) return;
  if (inField && event.key !== 'ArrowDown') return;
  event.preventDefault();
  const all = [...(panel?.querySelectorAll<HTMLElement>('.session-open') ?? [])];
  const at = all.indexOf(target.closest<HTMLElement>('.session-open') ?? (target as HTMLElement));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key] ?? at;
  if (to < 0) field?.focus();
  else all[Math.min(to, all.length - 1)]?.focus();
}
