// The line about the model: what it is doing, what is wrong and what to do then; a click on it chooses another model.
import type { EngineView } from '../../src/protocol/view.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { FaultActions } from './faultActions.tsx';

interface EngineLineProps {
  readonly engine: EngineView;
  /** The welcome, or the conversation, asks already, so this line need not. */
  readonly asked: boolean;
}

export function EngineLine({ engine, asked }: EngineLineProps) {
  const { state, message, advice, note, memory, actions } = engine;
  const said = asked && actions[0]?.do.type === 'loadHere';
  const busy = state === 'loading' || state === 'restarting';
  return (
    <div class={`engine ${state}`}>
      <span class={busy ? 'codicon codicon-loading codicon-modifier-spin' : 'dot'} />
      <div class="engine-words">
        {state === 'ready' && <ModelSwitch engine={engine} />}
        <div role="status">
          {state !== 'ready' && <div class="engine-message">{message}</div>}
          {advice !== '' && !said && <div class="advice">{advice}</div>}
          {note !== '' && <div class="advice">{note}</div>}
          {state === 'loading' && memory !== '' && <div class="advice">{memory}</div>}
        </div>
        {(state === 'ready' || (state === 'failed' && !asked)) && <FaultActions actions={actions} />}
      </div>
    </div>
  );
}

function ModelSwitch({ engine: { message, memory } }: { engine: EngineView }) {
  return (
    <button
      type="button"
      class="model-switch"
      title={[t('Choose another model'), memory].filter(Boolean).join('\n')}
      onClick={() => tell({ type: 'chooseModel' })}
    >
      <span class="engine-message">{message}</span>
      <span class="codicon codicon-chevron-down" />
    </button>
  );
}
