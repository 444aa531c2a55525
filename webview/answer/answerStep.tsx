// A tool step as a row that opens: what was asked, what came back, how long it took and what it costs in the prompt.
import type { Entry } from '../../src/protocol/view.ts';
import { number, seconds } from '../shared/format.ts';
import { t } from '../shared/l10n.ts';
import { entryKey, useOpened } from '../shared/looks.ts';
import { visible } from '../shared/visible.ts';
import { PlacesText } from './places.tsx';
import { outcomeWords, stepWords } from './stepWords.ts';

type StepEntry = Extract<Entry, { kind: 'step' }>;

const icons = { running: 'loading codicon-modifier-spin', ok: 'check', failed: 'warning' };
const states = { running: t('running'), ok: t('done'), failed: t('failed') };

export function StepRow({ entry: { id, tool, input, state, head, body, milliseconds, tokens } }: { entry: StepEntry }) {
  const opened = useOpened(entryKey(id));
  const words = stepWords(tool, input);
  const call = (
    <>
      {tool} <code>{input}</code>
    </>
  );
  const result = visible(body === '' ? head : body);
  const cost = [
    milliseconds === null ? '' : seconds(milliseconds),
    tokens === null ? '' : t('{0} tokens', number(tokens)),
  ].filter(Boolean);
  return (
    <details class={`step ${state}`} {...opened}>
      <summary>
        <span class={`codicon codicon-${icons[state]}`} role="img" aria-label={states[state]} />
        <span class="step-title">{words ?? call}</span>
        {head !== '' && <span class="step-head">{outcomeWords(head, input)}</span>}
        {cost.length > 0 && <span class="step-cost">{cost.join(' · ')}</span>}
      </summary>
      {words !== null && <div class="step-call">{call}</div>}
      {state !== 'running' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <pre tabIndex={0}>{opened.open ? <PlacesText text={result} /> : result}</pre>
      )}
    </details>
  );
}
