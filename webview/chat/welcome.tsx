// An empty conversation: what Tidemark is, a model as the first step, then messages to begin with.
import { useEffect, useState } from 'preact/hooks';
import { needsModel } from '../../src/protocol/engineView.ts';
import type { DownloadView, EngineView } from '../../src/protocol/view.ts';
import { ask, tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';

interface WelcomeProps {
  readonly engine: EngineView;
  readonly download: DownloadView | null;
}

export function Welcome({ engine, download }: WelcomeProps) {
  return (
    <div class="welcome">
      {needsModel(engine) ? <FirstStep downloads={download !== null} /> : <Begin />}
      {download !== null && <Downloading {...download} />}
    </div>
  );
}

function FirstStep({ downloads }: { downloads: boolean }) {
  return (
    <>
      <p class="lead">
        {t(
          'Ask about your code with a model that runs on this computer. You see what it sees, what that costs, and why.',
        )}
      </p>
      {!downloads && (
        <div class="buttons">
          <vscode-button onClick={() => tell({ type: 'chooseModel' })}>{t('Get a Model')}</vscode-button>
          <vscode-button appearance="secondary" onClick={() => tell({ type: 'chooseFile' })}>
            {t('Choose a GGUF File')}
          </vscode-button>
        </div>
      )}
      <p class="small">
        {t(
          'Models are ranked for this computer. Nothing is downloaded until you confirm; Tidemark uses the network for nothing else.',
        )}
      </p>
    </>
  );
}

function Downloading({ name, words, share }: DownloadView) {
  const percent = Math.round(share * 100);
  return (
    <div class="download">
      <p>{t('Downloading {0}', name)}</p>
      <div
        class="progress"
        role="progressbar"
        aria-label={t('Downloading {0}', name)}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <span style={{ width: `${percent}%` }} />
      </div>
      <p class="small">{words}</p>
      <div class="buttons">
        <vscode-button appearance="secondary" onClick={() => tell({ type: 'pauseDownload' })}>
          {t('Pause')}
        </vscode-button>
      </div>
    </div>
  );
}

function Begin() {
  return (
    <>
      <Ground />
      <Examples />
    </>
  );
}

/** Says what the user can ask about, or offers the way to it where there is nothing yet. */
function Ground() {
  const { folder, trusted } = document.body.dataset;
  if (folder === 'false')
    return (
      <Blocked act="openFolder" label={t('Open Folder')}>
        {t("No folder is open. You can chat, but the model can't look anything up.")}
      </Blocked>
    );
  if (trusted === 'false')
    return (
      <Blocked act="manageTrust" label={t('Manage Trust')}>
        {t('Restricted Mode: no files are read or changed until you trust this folder.')}
      </Blocked>
    );
  return <p class="lead">{t('Ask about your code. You see what the model gets before you send it.')}</p>;
}

interface BlockedProps {
  readonly act: 'openFolder' | 'manageTrust';
  readonly label: string;
  readonly children: string;
}

function Blocked({ act, label, children }: BlockedProps) {
  return (
    <>
      <p class="lead">{children}</p>
      <div class="buttons">
        <vscode-button onClick={() => tell({ type: act })}>{label}</vscode-button>
      </div>
    </>
  );
}

/** Messages to begin with, each sent by one click. */
function Examples() {
  const [messages, show] = useState<readonly string[]>([]);
  useEffect(() => {
    // Without examples the composer is still there.
    ask('examples', {}).then(show, () => show([]));
  }, []);
  if (messages.length === 0) return null;
  return (
    <ul class="examples" aria-label={t('Suggested messages')}>
      {messages.map((text) => (
        <li key={text}>
          <button type="button" onClick={() => tell({ type: 'send', text })}>
            {text.replaceAll('`', '')}
          </button>
        </li>
      ))}
    </ul>
  );
}
