// The Context view: what the model sees, what it cost and why. The window and the cache on top, below them one section at a time.
import { render } from 'preact';
import { useState } from 'preact/hooks';
import type { StackReport } from '../../src/core/report/report.ts';
import type { ReportFile } from '../../src/protocol/questions.ts';
import type { ViewState } from '../../src/protocol/view.ts';
import { FoldLine } from '../chat/foldLine.tsx';
import { Folds } from '../inspector/foldsView.tsx';
import { PromptText } from '../inspector/promptText.tsx';
import { FileView, ReportActions } from '../inspector/reportFile.tsx';
import { StackTree } from '../inspector/stackTree.tsx';
import { TurnsChart } from '../inspector/turnsChart.tsx';
import { WhatIfPanel } from '../inspector/whatIf.tsx';
import { chosen, tell, useHost } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { ShownSession } from '../shared/looks.ts';
import { registerToolkit } from '../shared/toolkit.ts';
import { CacheView, Calls, WarmthLine } from '../window/cache.tsx';
import { WindowBar } from '../window/windowBar.tsx';

const sections = ['Stack', 'Prompt', 'Cache', 'Folds', 'Turns', 'WhatIf'] as const;
const sectionNames = {
  Stack: t('Stack'),
  Prompt: t('Prompt'),
  Cache: t('Cache'),
  Folds: t('Folds'),
  Turns: t('Turns'),
  WhatIf: t('What if'),
};
type Section = (typeof sections)[number];

/** What only the Chat view shows; an answer's words arrive many times a second. */
const conversation = ['entry', 'text', 'cut'] as const;

function ContextView() {
  const state = useHost(conversation);
  const [file, open] = useState<ReportFile | null>(null);
  if (state === null) return null;
  if (file !== null) return <FileView file={file} back={() => open(null)} />;
  const { stack } = state;
  return (
    <main class="context" data-engine={state.engine.state} data-running={String(state.running)}>
      <ShownSession.Provider value={state.session}>
        {stack === null ? <Empty state={state} /> : <Inspected stack={stack} state={state} open={open} />}
      </ShownSession.Provider>
    </main>
  );
}

function Empty({ state: { engine } }: { state: ViewState }) {
  return (
    <p class="hint">
      {engine.message} {engine.advice}
    </p>
  );
}

interface Shown {
  readonly stack: StackReport;
  readonly state: ViewState;
  /** Shows a report from a file instead. */
  readonly open: (file: ReportFile) => void;
}

function Inspected({ stack, state, open }: Shown) {
  const [section, show] = useState<Section>(() => sections.find((name) => name === chosen.load()) ?? 'Stack');
  const choose = (name: Section) => {
    chosen.save(name);
    show(name);
  };
  return (
    <>
      <WindowBar stack={stack} slot={state} />
      <WarmthLine warm={state.warm} warming={state.warming} resting={state.resting} />
      {state.folding && <FoldLine />}
      {state.stale && <Stale />}
      <nav class="sections" aria-label={t('Sections')}>
        {sections.map((name) => (
          <button
            key={name}
            type="button"
            aria-current={name === section ? 'true' : undefined}
            onClick={() => choose(name)}
          >
            {sectionNames[name]}
          </button>
        ))}
      </nav>
      <Section section={section} stack={stack} state={state} open={open} />
    </>
  );
}

function Section({ section, stack, state, open }: Shown & { section: Section }) {
  switch (section) {
    case 'Stack':
      return (
        <>
          <StackTree key={state.session} stack={stack} live={{ toolsOff: state.toolsOff }} />
          <Calls calls={state.calls} />
          <ReportActions open={open} />
        </>
      );
    case 'Prompt':
      return <PromptText stack={stack} />;
    case 'Cache':
      return <CacheView state={state} />;
    case 'Folds':
      return <Folds changed={[state.session, state.folding, stack.state, stack.total]} />;
    case 'Turns':
      return <TurnsChart turns={state.turns} />;
    case 'WhatIf':
      return <WhatIfPanel stack={stack} state={state} />;
    default:
      return section satisfies never;
  }
}

/** The session keeps the workspace texts it began with until turns are dropped, or the user asks for the new ones. */
function Stale() {
  return (
    <div class="stale">
      <span class="codicon codicon-history" />
      <span class="stale-words" role="status">
        {t('Workspace files changed since this session read them.')}
      </span>
      <vscode-button appearance="secondary" onClick={() => tell({ type: 'refreshWorkspace' })}>
        {t('Refresh')}
      </vscode-button>
    </div>
  );
}

registerToolkit();
const root = document.getElementById('root');
if (root !== null) render(<ContextView />, root);
