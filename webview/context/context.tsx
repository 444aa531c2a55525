// The Context view: what the model sees, what it cost and why. The window and one line on top, below them one tab at a time.
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { StackReport } from '../../src/core/report/report.ts';
import type { ReportFile } from '../../src/protocol/questions.ts';
import type { ViewState } from '../../src/protocol/view.ts';
import { FileView } from '../inspector/reportFile.tsx';
import { Summaries } from '../inspector/summaries.tsx';
import { chosen, useHost } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { ShownSession } from '../shared/looks.ts';
import { registerToolkit } from '../shared/toolkit.ts';
import { StatusLine } from '../window/statusLine.tsx';
import { WindowBar } from '../window/windowBar.tsx';
import { Contents } from './contents.tsx';
import { Performance } from './performance.tsx';
import { Suggestions } from './suggestions.tsx';
import { TabPanel, Tabs } from './tabs.tsx';

const tabs = [
  { id: 'contents', name: t('Contents'), title: t('What the next prompt is made of, in exact tokens') },
  { id: 'performance', name: t('Performance'), title: t('What each turn cost, and what the cache saved') },
  { id: 'summaries', name: t('Summaries'), title: t('Summaries that replaced older turns') },
  { id: 'suggestions', name: t('Inline'), title: t('What inline suggestions cost, request by request') },
] as const;
type Tab = (typeof tabs)[number]['id'];

/** Messages that only the Chat view draws. They are skipped, since an answer's words arrive many times a second. */
const conversation = ['entry', 'text', 'cut'] as const;

function ContextView() {
  const state = useHost(conversation);
  const [file, open] = useState<ReportFile | null>(null);
  if (state === null) return <p class="starting">{t('Starting…')}</p>;
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
  const offered = tabs.filter(({ id }) => id !== 'suggestions' || state.caret !== null);
  const [wanted, show] = useState(chosen.load);
  const tab = offered.find(({ id }) => id === wanted)?.id ?? 'contents';
  const choose = (id: Tab) => {
    chosen.save(id);
    show(id);
  };
  const { contextTab } = state;
  useEffect(() => {
    if (contextTab !== null) choose(contextTab.id);
  }, [contextTab]);
  return (
    <>
      <WindowBar stack={stack} slot={state} />
      <StatusLine {...state} />
      <Tabs label={t('Context')} tabs={offered} chosen={tab} choose={choose} />
      <TabPanel id={tab}>
        {tab === 'contents' && <Contents key={state.session} stack={stack} state={state} open={open} />}
        {tab === 'performance' && <Performance state={state} />}
        {tab === 'suggestions' && state.caret !== null && <Suggestions sums={state.caret} />}
        {tab === 'summaries' && <Summaries changed={[state.session, state.compacting, stack.state, stack.total]} />}
      </TabPanel>
    </>
  );
}

registerToolkit();
const root = document.getElementById('root');
root?.replaceChildren();
if (root !== null) render(<ContextView />, root);
