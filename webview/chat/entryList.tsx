// The list of entries in the Chat view: what was said so far, what is asked, and that the model is at work.
import { continuesAnswers } from '../../src/protocol/engineView.ts';
import type { ViewState } from '../../src/protocol/view.ts';
import { GoesOn } from '../answer/continueButton.tsx';
import { ReviewedFiles } from '../review/blockRows.tsx';
import { ChangingMessages } from '../review/turnChanges.tsx';
import { aboutSeconds, number } from '../shared/format.ts';
import { t } from '../shared/l10n.ts';
import { ShownSession } from '../shared/looks.ts';
import { Rows } from './answerRows.tsx';
import { Approval } from './approval.tsx';
import type { useEnd } from './useEnd.ts';
import { Welcome } from './welcome.tsx';

interface EntryListProps {
  readonly state: ViewState;
  readonly end: Pick<ReturnType<typeof useEnd>, 'list' | 'follow' | 'from'>;
}

export function EntryList({ state, end: { list, follow, from } }: EntryListProps) {
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
