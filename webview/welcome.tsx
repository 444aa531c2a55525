// An empty conversation: what Tidemark is, a model as the first step, then messages to begin with.
import { useEffect, useState } from 'preact/hooks';
import type { EngineView } from '../src/protocol/view.ts';
import { number } from './format.ts';
import { ask, tell } from './host.ts';

/** Whether nothing goes on before a model file is chosen. */
export function needsModel({ state, actions }: EngineView): boolean {
  return state === 'failed' && actions[0]?.do.type === 'chooseModel';
}

export function Welcome({ engine }: { engine: EngineView }) {
  return (
    <div class="welcome">
      {needsModel(engine) ? <FirstStep /> : <Begin engine={engine} />}
      <p>
        <code>/remember</code> keeps something for later sessions, <code>/work</code> shows what is to be done, and{' '}
        <code>/sessions</code> earlier conversations.
      </p>
    </div>
  );
}

function FirstStep() {
  return (
    <>
      <p class="lead">
        Tidemark answers questions about your code with a model that runs on this machine: no account, no network. It
        shows what the model sees, what that cost and why.
      </p>
      <p>
        First it needs a model: a GGUF file with a chat template, for instance of Qwen, Llama or Mistral. One that was
        trained to call tools looks things up by itself.
      </p>
      <vscode-button onClick={() => tell({ type: 'chooseModel' })}>Choose model file</vscode-button>
    </>
  );
}

function Begin({ engine }: { engine: EngineView }) {
  return (
    <>
      <p class="lead">Ask about this folder. The model reads it through tools and shows each step.</p>
      <Examples />
      <p>
        {engine.model !== null && modelWords(engine.model)}Everything stays on this machine. The Context view shows what
        the model sees and what it costs; <code>/context help</code> says how to look closer and decide.
      </p>
    </>
  );
}

function modelWords({ name, window, device }: NonNullable<EngineView['model']>): string {
  return `The model is ${name} on ${device}; its window holds ${number(window)} tokens. `;
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
    <ul class="examples" aria-label="Messages to begin with">
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
