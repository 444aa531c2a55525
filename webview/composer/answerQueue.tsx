// Messages that wait until the running answer is there, each with a button that takes it back into the composer.
import type { ViewState } from '../../src/protocol/view.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';

export function Waiting({ queue }: Pick<ViewState, 'queue'>) {
  if (queue.length === 0) return null;
  return (
    <ul class="waiting" aria-label={t('Queued messages')}>
      {queue.map(({ id, text }) => (
        <li key={id}>
          <span class="codicon codicon-clock" />
          <span class="waiting-words" title={titleOf(text)}>
            {text}
          </span>
          <button
            type="button"
            class="code-act"
            aria-label={t('Edit: {0}', text)}
            title={t('Edit')}
            onClick={() => tell({ type: 'unqueue', id })}
          >
            <span class="codicon codicon-discard" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The host looks at a selection, problems and the terminal when the message is written, and at files when it is sent. */
function titleOf(text: string): string {
  const files = /(^|[\s([{])@(file|folder|symbol):/.test(text) ? [t('Files are read when the message is sent.')] : [];
  const seen = /(^|[\s([{])@(selection|problems|terminal)\b/.test(text)
    ? [t('The selection, problems and terminal output are sent as they were when you wrote this.')]
    : [];
  return [text, ...seen, ...files].join('\n\n');
}
