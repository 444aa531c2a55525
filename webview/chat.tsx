// The Chat view: the model's state, the conversation, the composer and what the last turn cost.
import { render } from 'preact';
import type { Forecast, ViewState } from '../src/protocol/view.ts';
import { Waiting } from './answerQueue.tsx';
import { Rows } from './answerRows.tsx';
import { pressCode } from './codeActs.ts';
import { Composer } from './composer.tsx';
import { EngineLine } from './engineLine.tsx';
import { FoldLine } from './foldLine.tsx';
import { number, seconds } from './format.ts';
import { tell, useHost } from './host.ts';
import { Sessions } from './sessions.tsx';
import { registerToolkit } from './toolkit.ts';
import { useEnd } from './useEnd.ts';
import { needsModel, Welcome } from './welcome.tsx';

function ChatView() {
  const state = useHost();
  const { list, follow, followAgain } = useEnd(state);
  if (state === null) return null;
  return (
    <>
      {state.listing && <Sessions session={state.session} />}
      <main class="chat" inert={state.listing} data-engine={state.engine.state} data-running={String(state.running)}>
        <EngineLine engine={state.engine} asked={state.entries.length === 0 && needsModel(state.engine)} />
        {state.notice !== '' && <div class="notice">{state.notice}</div>}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <div ref={list} class="entries" role="log" aria-label="Conversation" tabIndex={0} onScroll={follow}>
          {state.entries.length === 0 && !state.running && <Welcome engine={state.engine} />}
          <Rows key={state.session} entries={state.entries} running={state.running} calls={state.calls} />
          {state.running && <Working state={state} />}
          {state.folding && !state.running && <FoldLine />}
        </div>
        <Waiting queue={state.queue} />
        <Composer state={state} onSend={followAgain} />
        <BudgetLine state={state} />
      </main>
    </>
  );
}

function Working({ state }: { state: ViewState }) {
  const last = state.entries.at(-1);
  if (last?.kind === 'answer' && last.end === 'running') return null;
  const { prefill } = state;
  const words = prefill === null ? 'Working…' : readingWords(prefill);
  return (
    <div class="working" role="status">
      <span class="codicon codicon-loading codicon-modifier-spin" /> {words}
    </div>
  );
}

function readingWords({ done, of, remaining }: NonNullable<ViewState['prefill']>): string {
  const left = remaining === null || remaining < 1000 ? '' : `, about ${seconds(remaining)} left`;
  return `Reading the prompt: ${number(done)} of ${number(of)} tokens${left}`;
}

function forecastWords({ tokens, milliseconds, room }: Forecast): string {
  if (room === 'none') return 'This message does not fit the window: shorten it.';
  const time = milliseconds === null || milliseconds < 100 ? '' : `, about ${seconds(milliseconds)}`;
  const crossing = room === 'crossing' ? '; older parts are let go of first' : '';
  return `This message: ${number(tokens)} tokens to read${time}${crossing}`;
}

function BudgetLine({ state: { stack, calls, forecast } }: { state: ViewState }) {
  if (forecast !== null) {
    return (
      <div
        class="budget-line forecast"
        title="What is new in the next prompt, and how long reading it takes at the pace measured so far"
      >
        {forecastWords(forecast)}
      </div>
    );
  }
  if (stack === null) return <div class="budget-line">&nbsp;</div>;
  const sum = (of: (call: (typeof calls)[number]) => number) => calls.reduce((total, call) => total + of(call), 0);
  const used = `${number(stack.total)} of ${number(stack.budget.window)} tokens`;
  const cost = `${number(sum((call) => call.prefill.reused))} reused, ${number(sum((call) => call.prefill.decoded))} decoded`;
  const first = calls[0] === undefined ? '' : `, first word after ${seconds(calls[0].firstTokenMilliseconds)}`;
  return (
    <div
      class="budget-line"
      title="Prompt tokens in the window; tokens of the last turn's prompts by how they got into the KV cache"
    >
      {used}
      {calls.length > 0 && ` · last turn in ${calls.length} ${calls.length === 1 ? 'call' : 'calls'}: ${cost}${first}`}
    </div>
  );
}

/** Places in answers are buttons in rendered Markdown, so one listener serves them all. */
function openPlace({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLElement>('.place') : null;
  const { path, line } = button?.dataset ?? {};
  if (path !== undefined) tell({ type: 'open', path, line: Number(line) });
}

registerToolkit();
document.addEventListener('click', openPlace);
document.addEventListener('click', pressCode);
const root = document.getElementById('root');
if (root !== null) render(<ChatView />, root);
