// The line about the model while it is not ready, or where there is something to know about it: what is wrong and what to do then.
import type { EngineView } from '../../src/protocol/view.ts';
import { t } from '../shared/l10n.ts';
import { FaultActions } from './faultActions.tsx';

interface EngineLineProps {
  readonly engine: EngineView;
  /** The welcome, or the conversation, asks already, so this line need not. */
  readonly asked: boolean;
}

export function EngineLine({ engine, asked }: EngineLineProps) {
  const { state, message, advice, note, actions } = engine;
  if (state === 'ready') return <ReadyNote engine={engine} />;
  // Another window has the model: a question, no fault.
  const elsewhere = actions[0]?.do.type === 'loadHere';
  const busy = state === 'loading' || state === 'restarting';
  return (
    <div class={`engine ${state}${elsewhere ? ' elsewhere' : ''}`}>
      <span class={busy ? 'codicon codicon-loading codicon-modifier-spin' : 'dot'} />
      <div class="engine-words">
        <div role="status">
          <div class="engine-message">{message}</div>
          {advice !== '' && !asked && <div class="advice">{advice}</div>}
          {note !== '' && <div class="advice">{note}</div>}
        </div>
        {state === 'failed' && !asked && <FaultActions actions={actions} />}
      </div>
    </div>
  );
}

/** A line that opens; nothing is drawn where the engine has no advice, note or action. */
function ReadyNote({ engine: { message, advice, note, actions, model } }: { engine: EngineView }) {
  const demo = model?.pocket ? t('Tiny demo model: often wrong.') : '';
  const words = [advice, note, demo].filter(Boolean).join(' ');
  if (words === '' && actions.length === 0) return null;
  return (
    <details class="engine ready">
      <summary>
        <span class="codicon codicon-info" /> <span class="engine-note">{words || message}</span>
      </summary>
      <div class="engine-words">
        <div class="engine-message">{message}</div>
        <div class="advice">{words}</div>
        <FaultActions actions={actions} />
      </div>
    </details>
  );
}
