// The Chat view: the model's state, the conversation, the composer and what the last turn cost.
import { render } from 'preact';
import { continuesAnswers } from '../../src/protocol/engineView.ts';
import { loadQuestion } from '../../src/protocol/loadQuestion.ts';
import type { ViewState } from '../../src/protocol/view.ts';
import { pressCode } from '../answer/codeActs.ts';
import { GoesOn } from '../answer/continueButton.tsx';
import { Waiting } from '../composer/answerQueue.tsx';
import { Composer } from '../composer/composer.tsx';
import { followTheme } from '../drawings/diagrams.ts';
import { ReviewedFiles } from '../review/blockRows.tsx';
import { PlanBar } from '../review/planBar.tsx';
import { ReviewBar } from '../review/reviewBar.tsx';
import { ChangingMessages } from '../review/turnChanges.tsx';
import { SessionsView } from '../sessions/sessions.tsx';
import { number, seconds } from '../shared/format.ts';
import { tell, useHost } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { ShownSession } from '../shared/looks.ts';
import { registerToolkit } from '../shared/toolkit.ts';
import { ContextBar } from '../window/contextBar.tsx';
import { ServerBadges } from '../window/serverBadge.tsx';
import { Rows } from './answerRows.tsx';
import { Approval } from './approval.tsx';
import { EngineLine } from './engineLine.tsx';
import { Spoken } from './spoken.tsx';
import { ToLatest } from './toLatest.tsx';
import { useEnd } from './useEnd.ts';
import { needsModel, Welcome } from './welcome.tsx';

function ChatView() {
  const state = useHost();
  const { list, follow, followAgain, from } = useEnd(state);
  if (state === null) return <p class="starting">{t('Starting…')}</p>;
  return (
    <>
      {state.listing && <SessionsView session={state.session} />}
      <main class="chat" inert={state.listing} data-engine={state.engine.state} data-running={String(state.running)}>
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
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <section ref={list} class="entries" aria-label={t('Conversation')} tabIndex={0} onScroll={follow}>
          {state.entries.length === 0 && !state.running && (
            <Welcome engine={state.engine} offer={state.embeddingOffer} download={state.download} />
          )}
          <ShownSession.Provider value={state.session}>
            <ReviewedFiles.Provider value={state.review.files}>
              <ChangingMessages.Provider value={state.review.messages}>
                <GoesOn.Provider value={goesOn(state.engine)}>
                  <Rows
                    key={state.session}
                    entries={state.entries}
                    running={state.running}
                    calls={state.calls}
                    from={from}
                  />
                </GoesOn.Provider>
              </ChangingMessages.Provider>
            </ReviewedFiles.Provider>
          </ShownSession.Provider>
          {state.asks !== null && <Approval asks={state.asks} />}
          {state.running && state.asks === null && <Working state={state} />}
        </section>
        <ToLatest list={list} />
        <PlanBar entries={state.entries} />
        <ReviewBar review={state.review} running={state.running} />
        <Waiting queue={state.queue} />
        <Composer state={state} onSend={followAgain} />
        <ServerBadges engines={[state.engine, ...state.beside]} />
        <ContextBar state={state} />
      </main>
    </>
  );
}

/** As long as no model is there, the one that comes may. */
function goesOn({ model }: ViewState['engine']): boolean {
  return model === null || continuesAnswers(model);
}

/** The conversation asks what the line about the model would ask. */
function isAsked({ entries, engine }: ViewState): boolean {
  return entries.length === 0 ? needsModel(engine) : loadQuestion(entries) !== null;
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
  return t('Decoding the prompt: {0} of {1} tokens, about {2} left', ...read, seconds(remaining));
}

/** Places in answers are buttons in rendered Markdown, so one listener serves them all. */
function openPlace({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLElement>('.place') : null;
  const { path, line } = button?.dataset ?? {};
  if (path !== undefined) tell({ type: 'open', path, line: Number(line) });
}

registerToolkit();
window.addEventListener('focus', () => tell({ type: 'focused', on: true }));
window.addEventListener('blur', () => tell({ type: 'focused', on: false }));
document.addEventListener('click', openPlace);
document.addEventListener('click', pressCode);
followTheme();
const root = document.getElementById('root');
root?.replaceChildren();
if (root !== null) render(<ChatView />, root);
