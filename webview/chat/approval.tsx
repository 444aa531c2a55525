// The question that a call asks before it changes, starts or shows anything.
import type { ApprovalView } from '../../src/protocol/view.ts';
import { MarkdownText } from '../answer/answerText.tsx';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';

export function approvalTitle({ calls, effect, tool }: ApprovalView): string {
  if (effect === 'read') return t('Show secrets to the model?');
  if (effect === 'write' && calls > 1) return t('Make these changes?');
  if (effect === 'write') return tool === 'delete_file' ? t('Delete this file?') : t('Make this change?');
  return tool === 'run_command' ? t('Run this command?') : t('Allow {0} to run something?', tool);
}

/** A permission for good, in words. */
function lastingWords({ scope, kind }: ApprovalView['lasting'][number]): string {
  if (kind === 'looks') return t('Always Run Read-Only Commands in This Folder');
  return scope === 'folder' ? t('Always, here') : t('Always, this conversation');
}

/** Several reasons stand below each other. */
const listed = (reasons: string) => (reasons.includes('\n') ? `\n${reasons}` : reasons);

export function Approval({ asks }: { asks: ApprovalView }) {
  const answer = (allowed: boolean) => tell({ type: 'approve', call: asks.call, allowed });
  const title = approvalTitle(asks);
  const ends = asks.lasting.find((one) => one.ends !== '')?.ends;
  return (
    <fieldset class="approval" aria-label={title}>
      <div class="approval-title">
        <span class="codicon codicon-question" /> {title}
      </div>
      {asks.preview === '' ? (
        <code>{asks.input}</code>
      ) : (
        <MarkdownText text={asks.preview} live={false} edits={false} />
      )}
      {asks.because !== '' && <p class="advice">{t('Look closely: {0}.', listed(asks.because.replace(/\.$/, '')))}</p>}
      {ends !== undefined && <p>{t('Always means: {0}.', ends)}</p>}
      <div class="buttons">
        <vscode-button onClick={() => answer(true)}>{asks.effect === 'run' ? t('Run') : t('Allow')}</vscode-button>
        {asks.lasting.map((one, at) => (
          <vscode-button
            appearance="secondary"
            key={lastingWords(one)}
            onClick={() => tell({ type: 'approveLasting', call: asks.call, lasting: at })}
          >
            {lastingWords(one)}
          </vscode-button>
        ))}
        <vscode-button appearance="secondary" onClick={() => answer(false)}>
          {t('Do Not Allow')}
        </vscode-button>
      </div>
    </fieldset>
  );
}
