// Below a code block that was applied: the rows of the review that it made, with Keep and Undo.
import { createContext, render } from 'preact';
import { blockKey, type ReviewedFile } from '../../src/protocol/reviewView.ts';
import { codeIn } from '../shared/blockCode.ts';
import { t } from '../shared/l10n.ts';
import { ReviewRow } from './reviewBar.tsx';

export const ReviewedFiles = createContext<readonly ReviewedFile[]>([]);

/** Brings the rows below the blocks of an element to what waits now. The blocks themselves are rendered Markdown. */
export function showBlockRows(root: HTMLElement, files: readonly ReviewedFile[]): void {
  if (files.every(({ blocks }) => blocks.length === 0) && root.querySelector('.applied') === null) return;
  for (const block of root.querySelectorAll<HTMLElement>('.code')) {
    const there = block.querySelector<HTMLElement>(':scope > .applied');
    const key = blockKey(block.dataset.path ?? null, codeIn(block));
    const own = files.filter(({ blocks }) => blocks.includes(key));
    if (own.length === 0 && there !== null) render(null, there);
    if (own.length === 0) there?.remove();
    else render(<BlockRows files={own} block={key} />, there ?? rowsBelow(block));
  }
}

function rowsBelow(block: HTMLElement): HTMLElement {
  const rows = document.createElement('div');
  rows.className = 'applied';
  block.append(rows);
  return rows;
}

function BlockRows({ files, block }: { files: readonly ReviewedFile[]; block: string }) {
  return (
    <ul class="review-files">
      {files.map((file) => {
        const hunks = file.hunks.filter(({ author }) => author === 'block');
        const name = t('Applied to {0}', file.name);
        return <ReviewRow key={file.file} file={{ ...file, hunks }} title={name} all={block} running={false} />;
      })}
    </ul>
  );
}
