// An empty conversation: what Tidemark is, a model as the first step, then messages to begin with.
import { useEffect, useState } from 'preact/hooks';
import type { EngineView, ViewState } from '../../src/protocol/view.ts';
import { number } from '../shared/format.ts';
import { ask, tell } from '../shared/host.ts';
import { fill, t } from '../shared/l10n.ts';

/** Whether nothing goes on before a model file is chosen. */
export function needsModel({ state, actions }: EngineView): boolean {
  return state === 'failed' && actions[0]?.do.type === 'chooseModel';
}

export function Welcome({ engine, offer }: { engine: EngineView; offer: ViewState['embeddingOffer'] }) {
  return (
    <div class="welcome">
      {needsModel(engine) ? <FirstStep /> : <Begin engine={engine} />}
      {offer !== null && <Meaning {...offer} />}
      <p>
        {fill(
          t('{0} keeps something for later sessions, {1} shows what is to be done, and {2} earlier conversations.'),
          <code>/remember</code>,
          <code>/work</code>,
          <code>/sessions</code>,
        )}
      </p>
    </div>
  );
}

function FirstStep() {
  return (
    <>
      <p class="lead">
        {t(
          'Tidemark answers questions about your code with a model that runs on this machine: no account, and nothing of your code leaves it. It shows what the model sees, what that cost and why.',
        )}
      </p>
      <p>
        {t(
          'First it needs a model: a GGUF file with a chat template, for instance of Qwen, Llama or Mistral. One that was trained to call tools looks things up by itself.',
        )}
      </p>
      <div class="buttons">
        <vscode-button onClick={() => tell({ type: 'getModel' })}>{t('Get a model')}</vscode-button>
        <vscode-button appearance="secondary" onClick={() => tell({ type: 'chooseModel' })}>
          {t('Choose model file')}
        </vscode-button>
      </div>
      <p>
        {t(
          'Get a model lists coding models by how well they fit this machine, and asks before it downloads one. That is all that Tidemark uses the network for.',
        )}
      </p>
    </>
  );
}

/** A second model, which makes the first one's work easier. */
function Meaning({ name, size }: NonNullable<ViewState['embeddingOffer']>) {
  return (
    <>
      <p>
        {t(
          'Passages of the folder are found by their words. A small embedding model beside the chat model also finds those that say it in other words.',
        )}
      </p>
      <div class="buttons">
        <vscode-button appearance="secondary" onClick={() => tell({ type: 'getEmbedding' })}>
          {t('Finding by meaning: get {0} ({1})', name, size)}
        </vscode-button>
      </div>
    </>
  );
}

function Begin({ engine }: { engine: EngineView }) {
  return (
    <>
      <Ground />
      <Examples />
      <p>
        {engine.model !== null && `${modelWords(engine.model)} `}
        {fill(
          t(
            'Everything stays on this machine. The Context view shows what the model sees and what it costs; {0} says how to look closer and decide.',
          ),
          <code>/context help</code>,
        )}
      </p>
    </>
  );
}

/** What can be asked about, and the way to it where that is nothing yet. */
function Ground() {
  const { folder, trusted } = document.body.dataset;
  if (folder === 'false')
    return (
      <Blocked act="openFolder" label={t('Open Folder')}>
        {t('No folder is open. You can chat, but nothing can be looked up.')}
      </Blocked>
    );
  if (trusted === 'false')
    return (
      <Blocked act="manageTrust" label={t('Manage Trust')}>
        {t('Restricted Mode: nothing of this folder is read until you trust it.')}
      </Blocked>
    );
  return <p class="lead">{t('Ask about this folder. The model reads it through tools and shows each step.')}</p>;
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

function modelWords({ name, window, device }: NonNullable<EngineView['model']>): string {
  return t('The model is {0} on {1}; its window holds {2} tokens.', name, device, number(window));
}

/** One click sends it. */
function Examples() {
  const [messages, show] = useState<readonly string[]>([]);
  useEffect(() => {
    // Without examples the composer is still there.
    ask('examples', {}).then(show, () => show([]));
  }, []);
  if (messages.length === 0) return null;
  return (
    <ul class="examples" aria-label={t('Messages to begin with')}>
      {messages.map((text) => (
        <li key={text}>
          <button type="button" onClick={() => tell({ type: 'send', text })}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}
