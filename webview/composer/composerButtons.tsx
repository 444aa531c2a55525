// The composer's buttons: what can be attached, the mode, the model, and the one that sends or stops.
import type { RefObject } from 'preact';
import type { EngineView, ThinkingView } from '../../src/protocol/view.ts';
import { number } from '../shared/format.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import type { TextArea } from '../shared/toolkit.ts';
import { replaceText } from './composerArea.ts';

/** Opens the list of what can be mentioned, as typing an @ does. */
export function AttachButton({ area }: { area: RefObject<TextArea | null> }) {
  const attach = () => {
    const control = area.current?.control;
    if (control === undefined) return;
    const { selectionEnd: at, value } = control;
    replaceText(control, at, at, at === 0 || /\s$/.test(value.slice(0, at)) ? '@' : ' @');
  };
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={t('Add context')}
      title={t('Add context (@)')}
      onClick={attach}
    >
      <span class="codicon codicon-add" />
    </button>
  );
}

/** The default agent answers questions; another one has a name of its own. */
export function ModeButton({ agent, atOnce }: { agent: string; atOnce: boolean }) {
  const edit = atOnce ? t('Edit, then review') : t('Edit');
  const shipped: Readonly<Record<string, string>> = { default: t('Ask'), edit };
  const name = shipped[agent] ?? agent;
  return (
    <button
      type="button"
      class="picker mode-switch"
      aria-label={t('Mode: {0}', name)}
      title={t('Choose the mode: which agent answers')}
      onClick={() => tell({ type: 'chooseAgent' })}
    >
      <span class="picker-name">{name}</span>
      <span class="codicon codicon-chevron-down" />
    </button>
  );
}

/** Only for a model that can be switched. */
export function ThinkButton({ thinking }: { thinking: ThinkingView | null }) {
  if (thinking === null) return null;
  const { on } = thinking;
  return (
    <button
      type="button"
      class="icon-button think-switch"
      aria-label={t('Think before answering')}
      aria-pressed={on}
      title={thinkingTitle(thinking)}
      onClick={() => tell({ type: 'think', on: !on })}
    >
      <span class="codicon codicon-lightbulb" />
    </button>
  );
}

function thinkingTitle({ on, tokens, seconds, onlyLess }: ThinkingView): string {
  const most =
    seconds === null
      ? t('up to {0} tokens', number(tokens))
      : t('up to {0} tokens, about {1} s here', number(tokens), number(seconds));
  if (on) return t('Thinks before each answer: {0}. Click to turn it off.', most);
  return onlyLess
    ? t('Thinks as little as it can. Click to let it think before each answer: {0}.', most)
    : t('Answers at once. Click to let it think before each answer: {0}.', most);
}

export function ModelButton({ engine: { state, model, message, memory, actions } }: { engine: EngineView }) {
  const none = actions[0]?.do.type === 'loadHere' ? t('In another window') : t('No model');
  const name = state === 'ready' && model !== null ? model.name : none;
  const busy = state === 'loading' || state === 'restarting';
  return (
    <button
      type="button"
      class="picker model-switch"
      aria-label={t('Model: {0}', busy ? message : name)}
      title={[t('Choose another model'), message, memory].filter(Boolean).join('\n')}
      onClick={() => tell({ type: 'chooseModel' })}
    >
      <span class="picker-name">{busy ? t('Loading…') : shortened(name)}</span>
      <span class="codicon codicon-chevron-down" />
    </button>
  );
}

/** A model's name without what nearly every file is called. */
function shortened(name: string): string {
  return name.replace(/(?:[\s_-]+(?:instruct|gguf))+$/i, '');
}

interface SendProps {
  readonly empty: boolean;
  readonly running: boolean;
  readonly onSend: () => void;
}

/** Stops a running answer, unless there are words to send after it. */
export function SendOrStop({ empty, running, onSend }: SendProps) {
  const stops = running && empty;
  const [name, title, icon] = stops
    ? [t('Stop'), t('Stop (Escape)'), 'debug-stop']
    : [t('Send'), running ? t('Send after this answer (Enter)') : t('Send (Enter)'), 'send'];
  const run = () => (stops ? tell({ type: 'stop' }) : onSend());
  // When pressed, not when let go: chips that come meanwhile move the button away. Clicks without a mouse have no detail.
  const press = (event: MouseEvent) => {
    event.preventDefault();
    if (event.button === 0) run();
  };
  return (
    <vscode-button
      class="send"
      aria-label={name}
      title={title}
      disabled={empty && !running}
      onMouseDown={press}
      onClick={({ detail }) => detail === 0 && run()}
    >
      <span class={`codicon codicon-${icon}`} />
    </vscode-button>
  );
}
