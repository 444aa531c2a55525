// Reports as files: the buttons that save and open one, and one from a file, which is no conversation that goes on.
import { useState } from 'preact/hooks';
import type { ReportFile } from '../../src/protocol/questions.ts';
import { ask } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { Calls } from '../window/calls.tsx';
import { WindowBar } from '../window/windowBar.tsx';
import { StackTree } from './stackTree.tsx';
import { Verbatim } from './verbatim.tsx';

export function ReportActions({ open }: { open: (file: ReportFile) => void }) {
  const [words, say] = useState('');
  const fail = (error: unknown) => say(String((error as Error).message));
  const save = () => ask('saveReport', {}).then(say, fail);
  const choose = () =>
    ask('openReport', {}).then((file) => {
      if (file !== null) open(file);
    }, fail);
  return (
    <div class="report-actions">
      <div class="buttons">
        <vscode-button appearance="secondary" title={t('Save this as a file')} onClick={() => void save()}>
          {t('Save report')}
        </vscode-button>
        <vscode-button appearance="secondary" title={t('Open a saved context report')} onClick={() => void choose()}>
          {t('Open report')}
        </vscode-button>
      </div>
      <div class="said" role="status">
        {words}
      </div>
    </div>
  );
}

/** Scrolls to the top, where the view says that the report is from a file: the conversation may have been scrolled down. */
function toTop(view: HTMLElement | null): void {
  view?.scrollIntoView({ block: 'start' });
}

export function FileView({ file: { name, stack, calls, prompt }, back }: { file: ReportFile; back: () => void }) {
  return (
    <main class="context from-file" ref={toTop}>
      <div class="from-file-line">
        <span class="codicon codicon-file" />
        <span role="status">{t('From the file {0}, not from the open conversation', name)}</span>
        <vscode-button appearance="secondary" onClick={back}>
          {t('Back to the conversation')}
        </vscode-button>
      </div>
      <WindowBar stack={stack} slot={null} />
      <StackTree stack={stack} live={null} />
      <Calls calls={calls} shifts={true} />
      {prompt !== '' && (
        <>
          <h3>{t('The exact prompt')}</h3>
          <Verbatim name={t('The exact prompt')} text={prompt} />
        </>
      )}
    </main>
  );
}
