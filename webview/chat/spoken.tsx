// The words that a screen reader says of the conversation, each once: that the model works, and what came. Words that stream are silent.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Entry, ViewState } from '../../src/protocol/view.ts';
import { renderMarkdown } from '../answer/markdown.ts';
import { ownFences } from '../answer/ownFences.ts';
import { safeHtml } from '../shared/answerHtml.ts';
import { t } from '../shared/l10n.ts';
import { approvalTitle } from './approval.tsx';

/** Characters of an answer that are said; the rest can be read. */
const most = 600;

export function Spoken({ state: { session, running, entries, asks, engine } }: { state: ViewState }) {
  const [words, say] = useState('');
  const [alarm, raise] = useState('');
  const last = entries.at(-1);
  const many = entries.length;
  const heard = useRef({ session, running, last: last?.id, many });
  useEffect(() => {
    const before = heard.current;
    heard.current = { session, running, last: last?.id, many };
    // A view or a session that opens has old faults.
    const fault =
      before.session === session ? entries.slice(before.many).findLast(({ kind }) => kind === 'fault') : null;
    if (fault?.kind === 'fault') raise(`${fault.message} ${fault.advice}`);
    else if (before.session !== session || (running && !before.running)) raise('');
    if (before.session !== session) say('');
    else if (running && !before.running) say(t('Working…'));
    else if (!running && before.running) say(wordsOf(entries.findLast(({ kind }) => ends.has(kind))));
    else if (last?.kind === 'info' && last.id !== before.last) say(last.title);
  }, [session, running, last?.id, many]);
  // The alarm is over once a model is ready.
  useEffect(() => {
    if (engine.state === 'ready') raise('');
  }, [engine.state]);
  const question = asks === null ? '' : approvalTitle(asks);
  return (
    <>
      <div class="unseen spoken" role="status">
        {words}
      </div>
      <div class="unseen alarm" role="alert">
        {question === '' ? alarm : question}
      </div>
    </>
  );
}

/** The kinds of entry that a turn can end with. A fault is said as an alarm, and an answer before the next question was said already. */
const ends: ReadonlySet<Entry['kind']> = new Set(['answer', 'fault', 'user']);

function wordsOf(entry: Entry | undefined): string {
  if (entry?.kind !== 'answer') return '';
  if (entry.end === 'cancelled') return t('Stopped.');
  if (entry.text === '') return '';
  const words = withoutMarks(entry.text);
  return words.length <= most
    ? t('Answer: {0}', words)
    : t('Answer: {0}… (truncated)', words.slice(0, most).toWellFormed());
}

/** The words of Markdown, as they are read. */
function withoutMarks(markdown: string): string {
  const body = new DOMParser().parseFromString(
    safeHtml(renderMarkdown(ownFences(markdown, false), { live: false, edits: false })),
    'text/html',
  ).body;
  for (const button of body.querySelectorAll('button')) if (!button.classList.contains('place')) button.remove();
  return (body.textContent ?? '').replace(/\s+/g, ' ').trim();
}
