// The Chat view: the model's state, the conversation, the composer and what the last turn cost.

import { type RefObject, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isUnfinished, type PlanStep, planToolName, readPlan } from '../../src/core/dialog/plan.ts';
import type { Grade, ServerInfo } from '../../src/core/engine/modelInfo.ts';
import { continuesAnswers, needsModel } from '../../src/protocol/engineView.ts';
import { lacksModel, loadQuestion } from '../../src/protocol/loadQuestion.ts';
import type { EngineView, Entry, ViewState } from '../../src/protocol/view.ts';
import { pressCode } from '../answer/codeActs.ts';
import { GoesOn } from '../answer/continueButton.tsx';
import { renderMarkdown } from '../answer/markdown.ts';
import { ownFences } from '../answer/ownFences.ts';
import { Composer } from '../composer/composer.tsx';
import { ReviewedFiles } from '../review/blockRows.tsx';
import { ProgramsBar } from '../review/programsBar.tsx';
import { ReviewBar } from '../review/reviewBar.tsx';
import { ChangingMessages } from '../review/turnChanges.tsx';
import { SessionsView } from '../sessions/sessions.tsx';
import { safeHtml } from '../shared/answerHtml.ts';
import { aboutSeconds, number } from '../shared/format.ts';
import { tell, useHost } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { ShownSession, useOpened } from '../shared/looks.ts';
import { registerToolkit } from '../shared/toolkit.ts';
import { visible } from '../shared/visible.ts';
import { ContextBar } from '../window/contextBar.tsx';
import { Rows } from './answerRows.tsx';
import { Approval, approvalTitle } from './approval.tsx';
import { isNearEnd } from './endPlace.ts';
import { FaultActions } from './faultActions.tsx';
import { useEnd } from './useEnd.ts';
import { Welcome } from './welcome.tsx';

function ChatView() {
  const state = useHost();
  const { list, follow, followAgain, from } = useEnd(state);
  if (state === null) return <p class="starting">{t('Starting…')}</p>;
  return (
    <>
      {state.listing && <SessionsView session={state.session} />}
      <main
        class="chat"
        inert={state.listing}
        data-engine={state.engine.state}
        data-running={String(state.running)}
        data-asks={String(state.asks !== null)}
      >
        <EngineLine engine={state.engine} asked={isAsked(state)} />
        {state.beside.map((engine) =>
          engine.state === 'off' || engine.state === 'ready' ? null : (
            <EngineLine key={engine.message} engine={engine} asked={false} />
          ),
        )}
        {state.notice !== '' && <div class="notice">{state.notice}</div>}
        {state.entries.length > 0 && document.body.dataset.trusted === 'false' && (
          <div class="notice">
            {t('Restricted Mode: no files are read or changed until you trust this folder.')}
            <div class="buttons">
              <vscode-button appearance="secondary" onClick={() => tell({ type: 'manageTrust' })}>
                {t('Manage Trust')}
              </vscode-button>
            </div>
          </div>
        )}
        <Spoken state={state} />
        <EntryList state={state} end={{ list, follow, from }} />
        <ToLatest list={list} />
        <PlanBar entries={state.entries} />
        <ProgramsBar programs={state.programs} />
        <ReviewBar review={state.review} running={state.running} />
        <Waiting queue={state.queue} />
        <Composer state={state} onSend={followAgain} />
        <ServerBadges engines={[state.engine, ...state.beside]} />
        <ContextBar state={state} />
      </main>
    </>
  );
}

/** The conversation asks what the line about the model would ask. */
function isAsked({ entries, engine }: ViewState): boolean {
  const lacks = needsModel(engine) && (entries.length === 0 || entries.some(lacksModel));
  return lacks || loadQuestion(entries) !== null;
}

/** Places in answers are buttons in rendered Markdown, so one listener serves them all. */
function openPlace({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLElement>('.place') : null;
  const { path, line } = button?.dataset ?? {};
  if (path !== undefined) tell({ type: 'open', path, line: Number(line) || 1 });
}

registerToolkit();
window.addEventListener('focus', () => tell({ type: 'focused', on: true }));
window.addEventListener('blur', () => tell({ type: 'focused', on: false }));
document.addEventListener('click', openPlace);
document.addEventListener('click', pressCode);
const root = document.getElementById('root');
root?.replaceChildren();
if (root !== null) render(<ChatView />, root);

// A way back to the end of the conversation, for who scrolled away from it. It lies over the list, so nothing moves.
function ToLatest({ list }: { list: RefObject<HTMLElement | null> }) {
  const [away, leave] = useState(false);
  useEffect(() => {
    const { current } = list;
    if (current === null) return;
    const look = () => leave(!isNearEnd(current));
    current.addEventListener('scroll', look, { passive: true });
    return () => current.removeEventListener('scroll', look);
  }, []);
  if (!away) return null;
  return (
    <div class="to-latest">
      <button
        type="button"
        class="icon-button"
        aria-label={t('Jump to latest')}
        title={t('Jump to latest')}
        onClick={() => list.current?.scrollTo(0, list.current.scrollHeight)}
      >
        <span class="codicon codicon-arrow-down" />
      </button>
    </div>
  );
}

// Messages that wait until the running answer is there, each with a button that takes it back into the composer.
function Waiting({ queue }: Pick<ViewState, 'queue'>) {
  if (queue.length === 0) return null;
  return (
    <ul class="waiting" aria-label={t('Queued messages')}>
      {queue.map(({ id, text }) => (
        <li key={id}>
          <span class="codicon codicon-clock" />
          <span class="waiting-words" title={titleOf(text)}>
            {text}
          </span>
          <button
            type="button"
            class="code-act"
            aria-label={t('Edit: {0}', text)}
            title={t('Edit')}
            onClick={() => tell({ type: 'unqueue', id })}
          >
            <span class="codicon codicon-discard" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The host looks at a selection, problems and the terminal when the message is written, and at files when it is sent. */
function titleOf(text: string): string {
  const files = /(^|[\s([{])@(file|folder|symbol):/.test(text) ? [t('Files are read when the message is sent.')] : [];
  const seen = /(^|[\s([{])@(selection|problems|terminal)\b/.test(text)
    ? [t('The selection, problems and terminal output are sent as they were when you wrote this.')]
    : [];
  return [text, ...seen, ...files].join('\n\n');
}

// Above the composer: the steps of the task that the model works on, as it wrote them down last.
const icons = { open: 'circle-large-outline', doing: 'arrow-right', done: 'check' } as const;
const states = { open: t('open'), doing: t('being done'), done: t('done') };

function PlanBar({ entries }: { entries: readonly Entry[] }) {
  const at = entries.findLastIndex((one) => one.kind === 'step' && one.tool === planToolName && one.state === 'ok');
  const steps = stepsOf(entries[at]);
  const opened = useOpened('plan', true);
  const isOver = !isUnfinished(steps) && entries.slice(at).some(({ kind }) => kind === 'user');
  if (steps.length === 0 || isOver) return null;
  const done = steps.filter(({ state }) => state === 'done').length;
  const now = steps.find(({ state }) => state === 'doing')?.text ?? '';
  return (
    <details class="review plan" {...opened}>
      <summary>
        <span class="review-title">{t('Plan: {0} of {1} done', number(done), number(steps.length))}</span>
        {!opened.open && now !== '' && <span class="plan-now">{visible(now)}</span>}
      </summary>
      <ol aria-label={t('Plan')}>
        {steps.map(({ text, state }, i) => (
          <li key={i} class={`plan-step ${state}`}>
            <span class={`codicon codicon-${icons[state]}`} role="img" aria-label={states[state]} />
            <span>{visible(text)}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}

function stepsOf(entry: Entry | undefined): readonly PlanStep[] {
  if (entry?.kind !== 'step') return [];
  try {
    const steps = readPlan(JSON.parse(entry.input));
    return typeof steps === 'string' ? [] : steps;
  } catch {
    return [];
  }
}

// The line about the model while it is not ready, or where there is something to know about it: what is wrong and what to do then.

interface EngineLineProps {
  readonly engine: EngineView;
  /** The welcome, or the conversation, asks already, so this line need not. */
  readonly asked: boolean;
}

function EngineLine({ engine, asked }: EngineLineProps) {
  const { state, message, advice, note, actions } = engine;
  if (state === 'ready') return <ReadyNote engine={engine} />;
  // Another window has the model: a question, no fault.
  const elsewhere = actions[0]?.do.type === 'loadHere';
  const busy = state === 'loading' || state === 'restarting';
  return (
    <div class={`engine ${state}${elsewhere ? ' elsewhere' : ''}`}>
      <span class={busy ? 'codicon codicon-loading codicon-modifier-spin' : 'dot'} />
      <div class="engine-words">
        <div role="status">
          <div class="engine-message">{message}</div>
          {advice !== '' && !asked && <div class="advice">{advice}</div>}
          {note !== '' && <div class="advice">{note}</div>}
        </div>
        {state === 'failed' && !asked && <FaultActions actions={actions} />}
      </div>
    </div>
  );
}

/** A line that opens; nothing is drawn where the engine has no advice, note or action. */
function ReadyNote({ engine: { message, advice, note, actions, model } }: { engine: EngineView }) {
  const demo = model?.pocket ? t('Tiny demo model: often wrong.') : '';
  const words = [advice, note, demo].filter(Boolean).join(' ');
  if (words === '' && actions.length === 0) return null;
  return (
    <details class="engine ready">
      <summary>
        <span class="codicon codicon-info" /> <span class="engine-note">{words || message}</span>
      </summary>
      <div class="engine-words">
        <div class="engine-message">{message}</div>
        <div class="advice">{words}</div>
        <FaultActions actions={actions} />
      </div>
    </details>
  );
}

// The server that a model runs on, if not this editor: what leaves the machine and to where stays in sight, with what is known of the server.
const grades: Readonly<Record<Grade, string>> = {
  exact: t('exact tokens'),
  counted: t('counted tokens'),
  estimated: t('estimated tokens'),
};

/** A badge for each server that a model of the conversation runs on. */
function ServerBadges({ engines }: { engines: readonly EngineView[] }) {
  const servers = engines.flatMap(({ model }) => model?.server ?? []);
  // The same name may be asked with and without encryption.
  const keyOf = ({ host, isEncrypted, software }: ServerInfo) => `${host} ${isEncrypted} ${software}`;
  const each = new Map(servers.map((server) => [keyOf(server), server] as const));
  return [...each].map(([key, server]) => <ServerBadge key={key} server={server} />);
}

function ServerBadge({ server }: { server: ServerInfo }) {
  const opened = useOpened(`server ${server.host}`);
  const { host, isLoopback, isEncrypted, grade, software, reasons, ownSlots } = server;
  const words = isLoopback ? t('Server here: {0}', visible(host)) : t('Sent to {0}', visible(host));
  const open = !isEncrypted && !isLoopback;
  return (
    <details class={`server-badge${open ? ' open-wire' : ''}`} {...opened}>
      <summary>
        <span class={`codicon codicon-${open ? 'unlock' : isLoopback ? 'server-process' : 'lock'}`} />
        <span class="server-words" title={words}>
          {words}
        </span>
        <span class="server-grade">{grades[grade]}</span>
      </summary>
      <ul>
        <li>{isLoopback ? t('Nothing leaves this machine.') : leaves(isEncrypted)}</li>
        <li>{visible(software)}</li>
        {reasons.map((reason) => (
          <li key={reason}>{visible(reason)}</li>
        ))}
        <li>{slotWords(ownSlots)}</li>
      </ul>
    </details>
  );
}

function leaves(encrypted: boolean): string {
  const what = t('Your messages, the code found or read for them, and results of tools leave this machine.');
  return encrypted ? what : `${what} ${t('The connection is not encrypted.')}`;
}

function slotWords(slots: readonly number[] | null): string {
  if (slots === null) return t('The server chooses the slot, which others may use too.');
  return slots.length === 1 ? t('Slot {0} is yours.', String(slots[0])) : t('Slots {0} are yours.', slots.join(', '));
}

// The list of entries in the Chat view: what was said so far, what is asked, and that the model is at work.

interface EntryListProps {
  readonly state: ViewState;
  readonly end: Pick<ReturnType<typeof useEnd>, 'list' | 'follow' | 'from'>;
}

function EntryList({ state, end: { list, follow, from } }: EntryListProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section ref={list} class="entries" aria-label={t('Conversation')} tabIndex={0} onScroll={follow}>
      {state.entries.length === 0 && !state.running && <Welcome engine={state.engine} download={state.download} />}
      <ShownSession.Provider value={state.session}>
        <ReviewedFiles.Provider value={state.review.files}>
          <ChangingMessages.Provider value={state.review.messages}>
            <GoesOn.Provider value={goesOn(state.engine)}>
              <Rows
                key={state.session}
                entries={state.entries}
                running={state.running}
                calls={state.calls}
                times={state.turns.at(-1)?.times ?? null}
                from={from}
              />
            </GoesOn.Provider>
          </ChangingMessages.Provider>
        </ReviewedFiles.Provider>
      </ShownSession.Provider>
      {state.asks !== null && <Approval asks={state.asks} />}
      {state.running && state.asks === null && <Working state={state} />}
    </section>
  );
}

/** The model that comes may, as long as none is there. */
function goesOn({ model }: ViewState['engine']): boolean {
  return model === null || continuesAnswers(model);
}

function Working({ state }: { state: ViewState }) {
  const last = state.entries.at(-1);
  if (last?.kind === 'answer' && last.end === 'running') return null;
  const { prefill } = state;
  const other = state.waitsForOther ? t('Waiting for the other conversation…') : t('Working…');
  const words = prefill === null ? other : readingWords(prefill);
  return (
    <div class="working">
      <span class="codicon codicon-loading codicon-modifier-spin" /> {words}
    </div>
  );
}

function readingWords({ done, of, remaining }: NonNullable<ViewState['prefill']>): string {
  const read = [number(done), number(of)] as const;
  if (remaining === null || remaining < 1000) return t('Decoding the prompt: {0} of {1} tokens', ...read);
  return t('Decoding the prompt: {0} of {1} tokens, about {2} left', ...read, aboutSeconds(remaining));
}

// The words that a screen reader says of the conversation, each once: that the model works, and what came. Words that stream are silent.

/** Characters of an answer that are said; the rest can be read. */
const most = 600;

function Spoken({ state: { session, running, entries, asks, engine } }: { state: ViewState }) {
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
