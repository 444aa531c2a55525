// The words of the question that a command asks.
import { t } from '@vscode/l10n';
import type { TurnWords } from '../core/dialog/tool.ts';
import type { FenceState } from './fence/fence.ts';

/** Why to look closely, a line each. `judged`: what the reader of commands says. */
export function becauseWords(
  text: string,
  judged: string,
  fence: FenceState,
  { message, hasOthers }: TurnWords,
): string {
  const lines = [
    judged,
    fence.kind === 'none' ? t('no fence holds: it can do all that you can do') : '',
    hasOthers && !message.includes(text)
      ? t('your message does not name it, and the model has read texts that are not yours')
      : '',
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** The command with what holds around it, as Markdown. */
export function previewWords(
  { command, within, reason }: { readonly command: string | null; readonly within: string; readonly reason: string },
  fence: FenceState,
): string {
  const parts = [
    `\`\`\`sh\n${(command ?? '').replaceAll('```', "'''")}\n\`\`\``,
    within === '.' ? '' : t('In {0}.', `\`${within.replaceAll('`', '')}\``),
    `${fenceWords(fence)} ${t('Undo does not take back what it changes.')}`,
    reason === '' ? '' : t('The model says why: {0}', reason.replace(/[\s`]+/g, ' ')),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function fenceWords(fence: FenceState): string {
  if (fence.kind !== 'none') return t('Behind a fence: no network, and it can change this folder alone.');
  const mend = fence.remedy === '' ? '' : ` ${t('This mends it: {0}', `\`${fence.remedy}\``)}`;
  return `${t('Without a fence: {0}.', fence.because)}${mend}`;
}
