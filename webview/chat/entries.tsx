// The rows of a conversation, oldest first: messages, answers, tool steps, proposals, faults.

import { useEffect, useRef, useState } from 'preact/hooks';
import { asksToLoad } from '../../src/protocol/loadQuestion.ts';
import type { Entry } from '../../src/protocol/view.ts';
import { AnswerView, type WritingSpeed } from '../answer/answer.tsx';
import { StepRow } from '../answer/answerStep.tsx';
import { MarkdownText } from '../answer/answerText.tsx';
import { ContinueButton } from '../answer/continueButton.tsx';
import { TurnChanges } from '../review/turnChanges.tsx';
import { Deciding, type DecidingAction } from '../shared/deciding.tsx';
import { number } from '../shared/format.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { stateNames } from '../shared/layerNames.ts';
import { entryKey, useOpened } from '../shared/looks.ts';
import { nameArea, type TextArea } from '../shared/toolkit.ts';
import { FaultActions } from './faultActions.tsx';
import { Proposals } from './proposals.tsx';

type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

interface RowProps {
  readonly entry: Entry;
  /** The message that an answer is to. */
  readonly asked: string;
  readonly running: boolean;
  /** How fast the last answer was written; null for the others, and while one is being written. */
  readonly last: WritingSpeed | null;
  readonly next: Entry | undefined;
}

export function EntryRow({ entry, asked, running, last, next }: RowProps) {
  switch (entry.kind) {
    case 'user':
      return <UserMessage entry={entry} running={running} />;
    case 'answer':
      return (
        <AnswerView
          entry={entry}
          asked={asked}
          running={running}
          last={last}
          fault={next?.kind === 'fault' ? next : null}
        />
      );
    case 'step':
      return <StepRow entry={entry} />;
    case 'info':
      return <Info entry={entry} />;
    case 'proposals':
      return <Proposals entry={entry} />;
    case 'fault':
      return <FaultRow entry={entry} running={running} />;
    default:
      return entry satisfies never;
  }
}

function UserMessage({ entry, running }: { entry: Of<'user'>; running: boolean }) {
  const [editing, edit] = useState(false);
  if (editing) {
    const send = (text: string) => {
      edit(false);
      tell({ type: 'edit', item: entry.item, text });
    };
    return <EditMessage text={entry.text} running={running} onSend={send} onCancel={() => edit(false)} />;
  }
  return (
    <div class="message user">
      <Words text={entry.text} id={entry.id} />
      {entry.intent !== undefined && (
        <div class="sent-intent">
          {intentWords(entry.intent)}
          {entry.intent.by === 'model' && entry.intent.act !== 'answer' && (
            <button
              type="button"
              disabled={running || entry.item === ''}
              onClick={() => tell({ type: 'answerInstead', item: entry.item, text: entry.text })}
            >
              {t('Answer instead')}
            </button>
          )}
        </div>
      )}
      <div class="message-acts">
        <TurnChanges item={entry.item} running={running} />
        <Remember entry={entry} />
        <vscode-button
          appearance="icon"
          aria-label={t('Edit and resend')}
          title={t('Edit and resend')}
          disabled={running}
          onClick={() => edit(true)}
        >
          <span class="codicon codicon-edit" />
        </vscode-button>
      </div>
    </div>
  );
}

/** The intent that was used, where it was more than an answer. */
function intentWords({ act, by, files, command, makes }: NonNullable<Of<'user'>['intent']>): string {
  const words = {
    answer: '',
    change: files.length === 0 ? t('Changes') : t('Changes {0}', files.join(', ')),
    run: command === '' ? t('Runs') : t('Runs {0}', command),
    fix: command === '' ? t('Fixes what fails') : t('Fixes what fails in {0}', command),
    make: t('Makes {0}', makes || t('a file')),
  }[act];
  return by === 'model' ? `${words} · ${t('As the model understood it')}` : words;
}

/** A long message shows its beginning; a click shows all of it. */
function Words({ text, id }: { text: string; id: string }) {
  const { open, onToggle } = useOpened(`${entryKey(id)} words`);
  const long = text.length > longMessage || text.split('\n').length > longLines;
  if (!long) return <div class="words">{text}</div>;
  return (
    <details class="long-words" open={open} onToggle={onToggle}>
      <summary title={open ? t('Show less') : t('Show all')}>
        <span class="words">{text}</span>
      </summary>
    </details>
  );
}

/** Characters and lines from which a message of the user is shown in part. */
const longMessage = 700;
const longLines = 8;

/** Puts the message into the composer as something to remember; the user sends it. */
function Remember({ entry }: { entry: Of<'user'> }) {
  return (
    <vscode-button
      appearance="icon"
      aria-label={t('Remember')}
      title={t('Remember for later conversations')}
      disabled={entry.item === ''}
      onClick={() => tell({ type: 'remember', item: entry.item })}
    >
      <span class="codicon codicon-notebook" />
    </vscode-button>
  );
}

/** Not part of the conversation: an answer to a command, or what went with a message. */
function Info({ entry }: { entry: Of<'info'> }) {
  const opened = useOpened(entryKey(entry.id), !entry.folded);
  const { pruned, title, undoes = false, tight = false } = entry;
  const words = (
    <>
      {undoes ? t('Older turns are now a summary') : title}
      {pruned !== undefined && (
        <span class="pruned-mark" title={t('Only its first line is sent, or nothing of it')}>
          {pruned.at.length < pruned.of ? t('{0} of {1} pruned', pruned.at.length, pruned.of) : stateNames.stubbed}
        </span>
      )}
    </>
  );
  return (
    <div class={pruned === undefined ? 'info' : 'info pruned'}>
      {entry.text === '' ? (
        <p class="info-line">{words}</p>
      ) : (
        <details {...opened}>
          <summary>
            {words}
            {undoes && !opened.open && <span class="show">{t('Show')}</span>}
          </summary>
          <MarkdownText text={entry.text} live={false} edits={false} />
        </details>
      )}
      {pruned !== undefined && <Deciding actions={[restoring(pruned)]} about={title} />}
      {undoes && !tight && <Deciding actions={[undoing]} about={title} />}
      {undoes && tight && <p class="hint">{t('The window is too full to undo it.')}</p>}
    </div>
  );
}

const undoing: DecidingAction = { label: t('Undo'), line: '/compact undo', title: t('Restore the original messages') };

/** The Context view has the same button. */
function restoring({ at, tokens }: NonNullable<Of<'info'>['pruned']>): DecidingAction {
  const title = t('Restore it with your next message');
  const label = tokens === 0 ? t('Restore') : t('Restore ({0} tokens)', number(tokens));
  return { label, title, line: `/context restore ${at.join(',')}` };
}

function FaultRow({ entry, running }: { entry: Of<'fault'>; running: boolean }) {
  const question = asksToLoad(entry);
  return (
    <div class={question ? 'fault question' : 'fault'}>
      <span class={`codicon codicon-${question ? 'question' : 'error'}`} />
      <div>
        <div class="fault-message">{entry.message}</div>
        <div class="advice">{entry.advice}</div>
        <FaultActions actions={entry.actions}>
          {entry.canContinue && <ContinueButton main={true} running={running} />}
        </FaultActions>
      </div>
    </div>
  );
}

// A sent message being changed: it has the focus and is in sight; Enter asks again, Shift+Enter breaks the line, Escape leaves it as it was.

interface EditProps {
  readonly text: string;
  readonly running: boolean;
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}

function EditMessage({ text: before, running, onSend, onCancel }: EditProps) {
  const [text, edit] = useState(before);
  const form = useRef<HTMLDivElement>(null);
  const area = useRef<TextArea>(null);
  useEffect(() => {
    // The toolkit makes its text area with the next frame.
    const frame = requestAnimationFrame(() => {
      const control = area.current?.control;
      control?.focus();
      control?.setSelectionRange(control.value.length, control.value.length);
      form.current?.scrollIntoView({ block: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  const sendable = !running && text.trim() !== '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'Escape') onCancel();
    else if (event.key === 'Enter' && !event.shiftKey && sendable) onSend(text);
    else if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="message user editing" ref={form}>
      <vscode-text-area
        ref={(one: TextArea | null) => {
          area.current = one;
          nameArea(one, t('Edited message'));
        }}
        rows={3}
        value={text}
        onInput={(event) => edit((event.currentTarget as TextArea).value)}
        onKeyDown={onKeyDown}
      />
      <div class="buttons">
        <vscode-button disabled={!sendable} onClick={() => onSend(text)}>
          {t('Send')}
        </vscode-button>
        <vscode-button appearance="secondary" onClick={onCancel}>
          {t('Cancel')}
        </vscode-button>
      </div>
    </div>
  );
}
