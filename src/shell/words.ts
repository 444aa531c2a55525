// The words of the question that a command asks.
import { t } from '@vscode/l10n';
import type { TurnWords } from '../core/dialog/tool.ts';
import type { Behind } from './behind.ts';
import type { Before } from './changes/changes.ts';
import type { FenceState } from './fence/fence.ts';
import { canKeepAll } from './process/shell.ts';

/** Why to look closely, a line each. `judged`: what the reader of commands says. */
export function becauseWords(
  judged: string,
  fence: FenceState,
  { message, hasOthers, isTaken, withNetwork }: TurnWords,
  text: string,
): string {
  const lines = [
    judged,
    fence.kind === 'none' ? t('no fence holds: it can do all that you can do') : '',
    withNetwork === true && fence.kind !== 'none'
      ? t('it gets the network: it can send what it reads, and reach the programs of this computer')
      : '',
    hasOthers && !message.includes(text) ? unnamedWords(isTaken === true) : '',
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function unnamedWords(isTaken: boolean): string {
  return isTaken
    ? t('the model took your message for a request to run this command of your project')
    : t("your message doesn't mention this command; the model may have taken it from a file or a tool result");
}

export interface Previewed {
  /** The model's word, which may be the name of a task, and the command as it runs. */
  readonly named: string;
  readonly text: string;
  /** From the open folder on. */
  readonly within: string;
  readonly reason: string;
  readonly behind: Behind;
  readonly fence: FenceState;
  /** The folder as it is; null for a command that only looks. */
  readonly before: Before | null;
  /** Nothing can be taken back. */
  readonly isUnkept: boolean;
  /** The part of git that may write to the repository, with its folders; null for other commands. */
  readonly git: { readonly part: string; readonly folders: readonly string[] } | null;
  readonly makesRepository: boolean;
  /** A part of it is Git. */
  readonly startsGit: boolean;
}

/** The command with what stands behind it and what holds around it, as Markdown. */
export function previewWords(asked: Previewed): string {
  const { named, text, within, reason, behind, fence, before } = asked;
  const parts = [
    blockOf(visible(text), 'sh'),
    named === text ? '' : t('It is what this project\'s manifest has for "{0}".', named),
    ...behind.scripts.map(
      ({ file, text: script }) =>
        `${t('It runs this script of {0}:', codeOf(file))}\n\n${blockOf(visible(script), '')}`,
    ),
    within === '.' ? '' : t('In {0}.', codeOf(within)),
    gitWords(asked),
    asked.makesRepository ? t('It makes a repository, which Git and the editor use from then on.') : '',
    `${fenceWords(fence, before)} ${asked.isUnkept ? t("Undo can't revert what the command changes.") : undoWords(before)}`,
    reason === '' ? '' : t('The model says why: {0}', reason.replace(/[\s`]+/g, ' ')),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Returns a block of code, with a fence longer than any within. */
function blockOf(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}

function codeOf(text: string): string {
  return `\`${visible(text).replaceAll('`', "'").replaceAll('\n', ' ')}\``;
}

/** Signs that show as nothing, or that move others, by their number; blanks other than the usual one as well. */
function visible(text: string): string {
  return text
    .replace(/\r\n?/g, (end) => `\\u{d}${end === '\r' ? '' : '\n'}`)
    .replace(
      /[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]|[^\P{Cc}\n\t]|[^\P{Zs} ]/gu,
      (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`,
    );
}

function gitWords({ git, before, fence, startsGit }: Previewed): string {
  if (git === null)
    return startsGit && before !== null && fence.kind !== 'none'
      ? t(
          "It can't write to the repository: only one command of Git, such as {0}, may, and alone.",
          codeOf('git commit'),
        )
      : '';
  const { programs = [], hooks = [] } = before?.git ?? {};
  const places = git.folders.map(codeOf).join(', ');
  return [
    t("It writes to the repository {0}. Undo doesn't take back what Git stores.", places),
    hooks.length === 0 ? '' : t('The hooks of the repository do not run: {0}.', hooks.map(codeOf).join(', ')),
    programs.length === 0
      ? ''
      : t('The settings of the repository name programs, which may run: {0}.', programs.map(codeOf).join(', ')),
  ]
    .filter((one) => one !== '')
    .join(' ');
}

/** How far the review takes back what it changes. */
function undoWords(before: Before | null): string {
  if (before === null) return '';
  if (before.git === null) return t('Undo reverts new files, and changes to files that the command names.');
  const { unkept } = before;
  if (unkept.length === 0) return t("Undo reverts the command's changes, except in files that Git ignores.");
  const names = unkept.slice(0, mostNamed);
  const shown = `${codeOf(names.join(', '))}${unkept.length > mostNamed ? ' …' : ''}`;
  return unkept.length === 1
    ? t("Undo couldn't revert a change to {0}, or to files that Git ignores.", shown)
    : t(
        "Undo couldn't revert changes to {0} files that Git doesn't track ({1}), or to files that Git ignores.",
        unkept.length,
        shown,
      );
}

const mostNamed = 3;

function fenceWords(fence: FenceState, before: Before | null): string {
  if (fence.kind !== 'none') {
    const root = before?.git?.root;
    const above =
      root === undefined || root === before?.folder ? '' : ` ${t('It can read the repository {0}.', codeOf(root))}`;
    return `${t('Behind a fence: no network; it can change this folder alone, and read it, the programs of the system and their settings.')}${above}`;
  }
  const mend = fence.remedy === '' ? '' : ` ${t('To fix this: {0}', codeOf(fence.remedy))}`;
  const left = canKeepAll() ? '' : ` ${t('What it starts may go on after it has ended.')}`;
  return `${t('Without a fence: {0}.', fence.because)}${mend}${left}`;
}

/** Says in words what ends a permission. */
export function endsWords(names: readonly string[]): string {
  if (names.length === 0) return t('this line in this folder');
  const shown = names.slice(0, mostWatched).join(', ');
  return names.length <= mostWatched
    ? t('this line in this folder, until one of these files changes: {0}; others, such as sources, may', shown)
    : t(
        'this line in this folder, until one of these files or of {1} more changes: {0}; others, such as sources, may',
        shown,
        names.length - mostWatched,
      );
}

const mostWatched = 6;
