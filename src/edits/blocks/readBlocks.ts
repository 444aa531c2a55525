// Reads what the code blocks of an answer are: code for a file, or for whichever file declares the same; a diff; SEARCH/REPLACE blocks.
import { t } from '@vscode/l10n';
import { placeAbove } from '../../core/answer/fileNames.ts';
import { type AnswerBlock, blocksIn } from '../../core/answer/readAnswer.ts';
import { isPatch, isSearchReplace, type PatchHunk, readPatch, readSearchReplace } from './patches.ts';

/** `path`: null where the answer does not say; then nothing but `code` can be placed, by what it declares. */
export type AnswerEdit = { readonly path: string | null } & (
  | { readonly is: 'code'; readonly code: string }
  | { readonly is: 'hunks'; readonly hunks: readonly PatchHunk[] }
  | { readonly is: 'new'; readonly code: string }
  | { readonly is: 'deleted' }
  | { readonly is: 'unreadable'; readonly words: string }
);

/** Edits of the blocks of an answer, in their order. Commands for a shell, and output of programs, are none. */
export function blockEdits(answer: string): readonly AnswerEdit[] {
  return blocksIn(answer).flatMap((block) => {
    if (block.closed || block.path === null) return block.closed ? editsOf(block) : [];
    const words = t("The code block for {0} isn't closed.", block.path);
    return [{ path: block.path, is: 'unreadable', words }];
  });
}

const noCode =
  /^(?:sh|bash|zsh|fish|shell|shellscript|shell-session|console|terminal|powershell|pwsh|ps1|cmd|bat|batch|text|txt|plaintext|output|log|mermaid)$/i;

export function editsOf({
  language,
  path,
  code,
}: Pick<AnswerBlock, 'language' | 'path' | 'code'>): readonly AnswerEdit[] {
  if (code.trim() === '') return [];
  if (isSearchReplace(code)) {
    const hunks = readSearchReplace(code);
    if (hunks === null)
      return [{ path, is: 'unreadable', words: t('The marks of SEARCH and REPLACE do not belong together.') }];
    const [first, ...others] = hunks;
    return first?.old.trim() === '' && others.length === 0
      ? [{ path, is: 'new', code: first.new }]
      : [{ path, is: 'hunks', hunks }];
  }
  if (isPatch(code, language)) return patchEdits(code, path);
  if (path === null && noCode.test(language)) return [];
  return /^(?:markdown|md|mdx|text|txt)$/i.test(language) ? [{ path, is: 'code', code }] : parts(code, path);
}

function patchEdits(code: string, named: string | null): readonly AnswerEdit[] {
  const files = readPatch(code);
  if (files === null || files.length === 0)
    return [{ path: named, is: 'unreadable', words: t('This is not a patch that can be applied.') }];
  return files.flatMap(({ path, is, hunks }): readonly AnswerEdit[] => {
    const at = path ?? named;
    if (is === 'deleted') return [{ path: at, is }];
    if (is === 'new') return [{ path: at, is, code: hunks.map((hunk) => hunk.new).join('') }];
    return hunks.length === 0 ? [] : [{ path: at, is: 'hunks', hunks }];
  });
}

/** Some models put parts of several places into one fence, each below the line that names it, with its lines. */
function parts(code: string, named: string | null): readonly AnswerEdit[] {
  const lines = code.replace(/\n$/, '').split('\n');
  const starts = lines.flatMap((line, i) => (i === 0 || isPlaceWithLines(line) ? [i] : []));
  return starts.map((start, i) => {
    const part = lines.slice(start, starts[i + 1]);
    const path = isPlaceWithLines(part[0] ?? '') ? placeAbove(part[0] ?? '') : null;
    const own = (path === null ? part : part.slice(1)).map((line) => `${line}\n`).join('');
    // Blank lines stand between two parts, and belong to neither.
    const text = i === starts.length - 1 ? own : own.replace(/\n+$/, '\n');
    return { path: path ?? (i === 0 ? named : null), is: 'code', code: text };
  });
}

function isPlaceWithLines(line: string): boolean {
  return /^[^\s:]+\/[^\s:]+:\d+(?:-\d+)?:?$/.test(line.trim()) && placeAbove(line) !== null;
}
