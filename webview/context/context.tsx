// The Context view: what the model sees, what it cost and why. The window and one line on top, below them one tab at a time.

import { type ComponentChildren, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { StackReport } from '../../src/core/report/report.ts';
import type { ReportFile } from '../../src/protocol/questions.ts';
import type { ViewState } from '../../src/protocol/view.ts';
import { PromptText } from '../inspector/promptText.tsx';
import { FileView, ReportActions } from '../inspector/reportFile.tsx';
import { StackTree } from '../inspector/stackTree.tsx';
import { Summaries } from '../inspector/summaries.tsx';
import { WhatIfPanel } from '../inspector/whatIf.tsx';
import { chosen, useHost } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { ShownSession } from '../shared/looks.ts';
import { registerToolkit } from '../shared/toolkit.ts';
import { StatusLine } from '../window/statusLine.tsx';
import { WindowBar } from '../window/windowBar.tsx';
import { Performance } from './performance.tsx';
import { Suggestions } from './suggestions.tsx';

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

// Tabs as the ARIA Authoring Practices describe them: one stop of the Tab key, arrows go from tab to tab, the panel has the tab's name.

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly id: Id; readonly name: string; readonly title: string }[];
  readonly chosen: Id;
  readonly choose: (id: Id) => void;
}

function Tabs<Id extends string>({ label, tabs, chosen, choose }: TabsProps<Id>) {
  const at = tabs.findIndex(({ id }) => id === chosen);
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const to = steps[event.key];
    const tab = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (tab === undefined) return;
    event.preventDefault();
    choose(tab.id);
    document.getElementById(`tab-${tab.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(({ id, name, title }) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          role="tab"
          aria-selected={id === chosen}
          aria-controls="tab-panel"
          tabIndex={id === chosen ? 0 : -1}
          title={`${name}: ${title}`}
          onClick={() => choose(id)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

function TabPanel({ id, children }: { id: string; children: ComponentChildren }) {
  return (
    <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${id}`}>
      {children}
    </div>
  );
}

// The contents of the next prompt: its parts as a tree, the same as exact text, or the prompt as it would be in a window of another size.
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

function Contents({ stack, state, open }: ContentsProps) {
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
