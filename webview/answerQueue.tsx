// Messages that wait until the running answer is there, each with a button that takes it back into the composer.
import type { ViewState } from '../src/protocol/view.ts';
import { tell } from './host.ts';
import { t } from './l10n.ts';

export function Waiting({ queue }: Pick<ViewState, 'queue'>) {
  if (queue.length === 0) return null;
  return (
    <ul class="waiting" aria-label={t('Waiting messages')}>
      {queue.map(({ id, text }) => (
        <li key={id}>
          <span class="codicon codicon-clock" />
          <span class="waiting-words" title={text}>
            {text}
          </span>
          <button
            type="button"
            class="code-act"
            aria-label={t('Take back: {0}', text)}
            title={t('Take back into the message box')}
            onClick={() => tell({ type: 'unqueue', id })}
          >
            <span class="codicon codicon-discard" />
          </button>
        </li>
      ))}
    </ul>
  );
}
