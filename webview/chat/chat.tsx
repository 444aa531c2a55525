// The Chat view: the model's state, the conversation, the composer and what the last turn cost.
import { render } from 'preact';
import { needsModel } from '../../src/protocol/engineView.ts';
import { lacksModel, loadQuestion } from '../../src/protocol/loadQuestion.ts';
import type { ViewState } from '../../src/protocol/view.ts';
import { pressCode } from '../answer/codeActs.ts';
import { Waiting } from '../composer/answerQueue.tsx';
import { Composer } from '../composer/composer.tsx';
import { PlanBar } from '../review/planBar.tsx';
import { ReviewBar } from '../review/reviewBar.tsx';
import { SessionsView } from '../sessions/sessions.tsx';
import { tell, useHost } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { registerToolkit } from '../shared/toolkit.ts';
import { ContextBar } from '../window/contextBar.tsx';
import { ServerBadges } from '../window/serverBadge.tsx';
import { EngineLine } from './engineLine.tsx';
import { EntryList } from './entryList.tsx';
import { Spoken } from './spoken.tsx';
import { ToLatest } from './toLatest.tsx';
import { useEnd } from './useEnd.ts';

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
        <EntryList state={state} end={{ list, follow, from }} />
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
