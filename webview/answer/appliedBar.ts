// Below a code block that was applied: the file, what changed in it, and Keep and Undo for all of it and for each change.
import { createContext } from 'preact';
import { type AppliedView, blockKey, type HunkView } from '../../src/protocol/appliedView.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';

export const AppliedChanges = createContext<readonly AppliedView[]>([]);

/** Brings the bars below an element to what is applied now. The blocks themselves are rendered Markdown. */
export function showApplied(root: HTMLElement, applied: readonly AppliedView[]): void {
  for (const block of root.querySelectorAll<HTMLElement>('.code')) {
    block.querySelector(':scope > .applied')?.remove();
    if (applied.length === 0) continue;
    const key = blockKey(block.dataset.path ?? null, block.querySelector('pre code')?.textContent ?? '');
    const files = applied.filter(({ blocks }) => blocks.includes(key));
    if (files.length > 0) block.append(bar(files));
  }
}

function bar(files: readonly AppliedView[]): HTMLElement {
  const all = document.createElement('div');
  all.className = 'applied';
  for (const file of files) {
    all.append(row(t('Applied to {0}', file.name), sumOf(file.hunks), file.file, -1));
    if (file.hunks.length > 1)
      all.append(...file.hunks.map((hunk, at) => row(linesOf(hunk), sumOf([hunk]), file.file, at)));
  }
  return all;
}

function row(words: string, sizes: string, file: string, hunk: number): HTMLElement {
  const line = document.createElement('div');
  line.className = hunk < 0 ? 'applied-row' : 'applied-row hunk';
  const name = document.createElement('span');
  name.className = 'applied-name';
  name.textContent = words;
  name.title = words;
  const size = document.createElement('span');
  size.className = 'applied-size';
  size.textContent = sizes;
  const act = (type: 'keepChange' | 'undoChange' | 'compareChange', label: string) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.setAttribute('aria-label', `${label}: ${words}`);
    button.addEventListener('click', () => tell({ type, file, hunk }));
    return button;
  };
  line.append(name, size, act('keepChange', t('Keep')), act('undoChange', t('Undo')));
  if (hunk < 0) line.append(act('compareChange', t('Compare')));
  return line;
}

function linesOf({ line, added }: HunkView): string {
  return added > 1 ? t('lines {0}–{1}', line, line + added - 1) : t('line {0}', line);
}

function sumOf(hunks: readonly HunkView[]): string {
  const sum = (of: (hunk: HunkView) => number) => hunks.reduce((total, hunk) => total + of(hunk), 0);
  return `+${sum(({ added }) => added)} −${sum(({ removed }) => removed)}`;
}
