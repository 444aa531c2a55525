// The contents of the next prompt: its parts as a tree, the same as exact text, or the prompt as it would be in a window of another size.
import { useState } from 'preact/hooks';
import type { StackReport } from '../../src/core/report/report.ts';
import type { ReportFile } from '../../src/protocol/questions.ts';
import type { ViewState } from '../../src/protocol/view.ts';
import { PromptText } from '../inspector/promptText.tsx';
import { ReportActions } from '../inspector/reportFile.tsx';
import { StackTree } from '../inspector/stackTree.tsx';
import { WhatIfPanel } from '../inspector/whatIf.tsx';
import { t } from '../shared/l10n.ts';

const looks = [
  { id: 'parts', name: t('Parts'), title: t('The parts of the prompt with their tokens') },
  { id: 'text', name: t('Exact text'), title: t('The text that the model gets, part by part in color') },
  { id: 'other', name: t('Other size'), title: t('The prompt as it would be in a larger or smaller window') },
] as const;
type Look = (typeof looks)[number]['id'];

interface ContentsProps {
  readonly stack: StackReport;
  readonly state: ViewState;
  /** Shows a report from a file instead. */
  readonly open: (file: ReportFile) => void;
}

export function Contents({ stack, state, open }: ContentsProps) {
  const [chosen, choose] = useState<Look>('parts');
  // A server that is spoken to by messages does not tell the text that its model gets.
  const { grade = 'exact' } = state.engine.model?.server ?? {};
  const offered = looks.filter(({ id }) => id !== 'text' || grade === 'exact');
  const look = offered.find(({ id }) => id === chosen)?.id ?? 'parts';
  return (
    <>
      <div class="looks">
        {offered.map(({ id, name, title }) => (
          <button
            key={id}
            type="button"
            class="chip"
            aria-pressed={id === look}
            title={title}
            onClick={() => choose(id)}
          >
            {name}
          </button>
        ))}
      </div>
      {look === 'parts' && (
        <>
          <StackTree stack={stack} live={{ toolsOff: state.toolsOff }} />
          <ReportActions open={open} />
        </>
      )}
      {look === 'text' && <PromptText stack={stack} />}
      {look === 'other' && <WhatIfPanel stack={stack} state={state} />}
    </>
  );
}
