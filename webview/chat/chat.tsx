// The Chat view: the model's state, the conversation, the composer and what the last turn cost.
import { render } from 'preact';
import { loadQuestion } from '../../src/protocol/loadQuestion.ts';
import type { Forecast, ViewState } from '../../src/protocol/view.ts';
import { pressCode } from '../answer/codeActs.ts';
import { Waiting } from '../composer/answerQueue.tsx';
import { Composer } from '../composer/composer.tsx';
import { indexWords } from '../composer/found.tsx';
import { followTheme } from '../drawings/diagrams.ts';
import { SessionsView } from '../sessions/sessions.tsx';
import { number, seconds } from '../shared/format.ts';
import { tell, useHost } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { ShownSession } from '../shared/looks.ts';
import { registerToolkit } from '../shared/toolkit.ts';
import { Rows } from './answerRows.tsx';
import { Approval } from './approval.tsx';
import { EngineLine } from './engineLine.tsx';
import { FoldLine } from './foldLine.tsx';
import { Spoken } from './spoken.tsx';
import { useEnd } from './useEnd.ts';
import { needsModel, Welcome } from './welcome.tsx';

function ChatView() {
  const state = useHost();
  const { list, follow, followAgain, from } = useEnd(state);
  if (state === null) return null;
  return (
    <>
      {state.listing && <SessionsView session={state.session} />}
      <main class="chat" inert={state.listing} data-engine={state.engine.state} data-running={String(state.running)}>
        <EngineLine engine={state.engine} asked={isAsked(state)} />
        {state.notice !== '' && <div class="notice">{state.notice}</div>}
        <Spoken state={state} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <section ref={list} class="entries" aria-label={t('Conversation')} tabIndex={0} onScroll={follow}>
          {state.entries.length === 0 && !state.running && (
            <Welcome engine={state.engine} offer={state.embeddingOffer} />
          )}
          <ShownSession.Provider value={state.session}>
            <Rows key={state.session} entries={state.entries} running={state.running} calls={state.calls} from={from} />
          </ShownSession.Provider>
          {state.asks !== null && <Approval asks={state.asks} />}
          {state.running && state.asks === null && <Working state={state} />}
          {state.folding && !state.running && <FoldLine />}
        </section>
        <Waiting queue={state.queue} />
        <Composer state={state} onSend={followAgain} />
        <BudgetLine state={state} />
      </main>
    </>
  );
}

/** The conversation asks what the line about the model would ask. */
function isAsked({ entries, engine }: ViewState): boolean {
  return entries.length === 0 ? needsModel(engine) : loadQuestion(entries) !== null;
}

function Working({ state }: { state: ViewState }) {
  const last = state.entries.at(-1);
  if (last?.kind === 'answer' && last.end === 'running') return null;
  const { prefill } = state;
  const other = state.waitsForOther ? t('Waits for the other conversation…') : t('Working…');
  const words = prefill === null ? other : readingWords(prefill);
  return (
    <div class="working">
      <span class="codicon codicon-loading codicon-modifier-spin" /> {words}
    </div>
  );
}

function readingWords({ done, of, remaining }: NonNullable<ViewState['prefill']>): string {
  const read = [number(done), number(of)] as const;
  if (remaining === null || remaining < 1000) return t('Reading the prompt: {0} of {1} tokens', ...read);
  return t('Reading the prompt: {0} of {1} tokens, about {2} left', ...read, seconds(remaining));
}

function forecastWords({ tokens, own, most, later, milliseconds, room }: Forecast): string {
  if (room === 'none') return t('This message does not fit the window: shorten it.');
  const short = milliseconds === null || milliseconds < 100;
  const range = most > own ? t('{0} to {1}', number(tokens), number(tokens + most - own)) : number(tokens);
  const cost = short
    ? t('This message: {0} tokens to read', range)
    : t('This message: {0} tokens to read, about {1}', range, seconds(milliseconds));
  const whole = later === 0 ? cost : t('{0}; the whole turn about {1}', cost, number(tokens + later));
  return room === 'crossing' ? t('{0}; older parts are let go of first', whole) : whole;
}

function BudgetLine({ state: { stack, calls, forecast, index } }: { state: ViewState }) {
  if (index !== null && index.left > 0) return <div class="budget-line">{indexWords(index)}</div>;
  if (forecast !== null) {
    return (
      <div
        class="budget-line forecast"
        title={t('What is new in the next prompt, and how long reading it takes at the pace measured so far')}
      >
        {forecastWords(forecast)}
      </div>
    );
  }
  if (stack === null) return <div class="budget-line">&nbsp;</div>;
  const used = t('{0} of {1} tokens', number(stack.total), number(stack.budget.window));
  return (
    <div
      class="budget-line"
      title={t("Prompt tokens in the window; tokens of the last turn's prompts by how they got into the KV cache")}
    >
      {used}
      {calls[0] !== undefined && ` · ${turnWords(calls, calls[0].firstTokenMilliseconds)}`}
    </div>
  );
}

function turnWords(calls: ViewState['calls'], first: number): string {
  const sum = (of: (call: (typeof calls)[number]) => number) => calls.reduce((total, call) => total + of(call), 0);
  const reused = number(sum((call) => call.prefill.reused));
  const decoded = number(sum((call) => call.prefill.decoded));
  return calls.length === 1
    ? t('last turn in 1 call: {0} reused, {1} decoded, first word after {2}', reused, decoded, seconds(first))
    : t(
        'last turn in {0} calls: {1} reused, {2} decoded, first word after {3}',
        calls.length,
        reused,
        decoded,
        seconds(first),
      );
}

/** Places in answers are buttons in rendered Markdown, so one listener serves them all. */
function openPlace({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLElement>('.place') : null;
  const { path, line } = button?.dataset ?? {};
  if (path !== undefined) tell({ type: 'open', path, line: Number(line) });
}

registerToolkit();
window.addEventListener('focus', () => tell({ type: 'focused' }));
document.addEventListener('click', openPlace);
document.addEventListener('click', pressCode);
followTheme();
const root = document.getElementById('root');
if (root !== null) render(<ChatView />, root);
