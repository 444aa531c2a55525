// Above the composer: the steps of the task that the model works on, as it wrote them down last.
import { isUnfinished, type PlanStep, planToolName, readPlan } from '../../src/core/dialog/plan.ts';
import type { Entry } from '../../src/protocol/view.ts';
import { number } from '../shared/format.ts';
import { t } from '../shared/l10n.ts';
import { useOpened } from '../shared/looks.ts';
import { visible } from '../shared/visible.ts';

const icons = { open: 'circle-large-outline', doing: 'arrow-right', done: 'check' } as const;
const states = { open: t('open'), doing: t('being done'), done: t('done') };

export function PlanBar({ entries }: { entries: readonly Entry[] }) {
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
