// The words of the question that a command asks.
import { relative } from 'node:path';
import { t } from '@vscode/l10n';
import type { FolderLook } from './changes/around.ts';
import type { FenceState } from './fence/fence.ts';

/** Why to look closely, a line each. `judged`: what the reader of commands says. `unasked`: the user's message does not name it. */
export function becauseWords(judged: string, fence: FenceState, unasked: boolean): string {
  const lines = [
    judged,
    fence.kind === 'none' ? t('no fence holds: it can do all that you can do') : '',
    unasked
      ? t("your message doesn't mention this command; the model may have taken it from a file or a tool result")
      : '',
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** A command by the model's word, which may be the name of a task, and as it runs. */
interface NamedCommand {
  readonly named: string;
  readonly text: string;
}

/** The command with what holds around it, as Markdown. */
export function previewWords(
  { named, text, within, reason }: NamedCommand & { readonly within: string; readonly reason: string },
  { fence, folder, keeper }: FolderLook,
  unkept: readonly string[] | null,
): string {
  const parts = [
    `\`\`\`sh\n${text.replaceAll('```', "'''")}\n\`\`\``,
    named === text ? '' : t('It is what this project\'s manifest has for "{0}".', named),
    within === '.' ? '' : t('In {0}.', `\`${within.replaceAll('`', '')}\``),
    `${fenceWords(fence)} ${keeper === null ? t("Undo can't revert what the command changes.") : undoWords(folder, unkept)}`,
    reason === '' ? '' : t('The model says why: {0}', reason.replace(/[\s`]+/g, ' ')),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** How far the review takes back what it changes. `unkept`: null where Git was not asked. */
function undoWords(folder: string, unkept: readonly string[] | null): string {
  if (unkept === null) return t('Undo reverts only changes to files that the command names.');
  if (unkept.length === 0) return t("Undo reverts the command's changes, except in files that Git ignores.");
  const names = unkept.slice(0, mostNamed).map((path) => relative(folder, path));
  const more = unkept.length > mostNamed ? ' …' : '';
  const shown = `\`${names.join(', ').replaceAll('`', '')}\`${more}`;
  return unkept.length === 1
    ? t("Undo couldn't revert a change to {0}, or to files that Git ignores.", shown)
    : t(
        "Undo couldn't revert changes to {0} files that Git doesn't track ({1}), or to files that Git ignores.",
        unkept.length,
        shown,
      );
}

const mostNamed = 3;

function fenceWords(fence: FenceState): string {
  if (fence.kind !== 'none') return t('Behind a fence: no network, and it can change this folder alone.');
  const mend = fence.remedy === '' ? '' : ` ${t('To fix this: {0}', `\`${fence.remedy}\``)}`;
  return `${t('Without a fence: {0}.', fence.because)}${mend}`;
}
