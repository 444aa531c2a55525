// A text in Markdown as it grows: its blocks are rendered once each, and only the last one again while words arrive.
import { useContext, useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { drawDiagrams } from '../drawings/diagrams.ts';
import { drawFormulas } from '../drawings/formulas.ts';
import { ReviewedFiles, showBlockRows } from '../review/blockRows.tsx';
import { safeHtml } from '../shared/answerHtml.ts';
import { showBlockChanges } from './codeChange.ts';
import { colourBlocks } from './codeColour.ts';
import { type DrawnBlock, noBlocks, renderMarkdown, splitBlocks } from './markdown.ts';
import { ownFences } from './ownFences.ts';

interface TextProps extends DrawnBlock {
  readonly text: string;
}

export function MarkdownText({ text, live, edits }: TextProps) {
  const split = useRef(noBlocks);
  // Only a model's fences need a reader; what Tidemark writes is shown to the letter.
  split.current = splitBlocks(edits ? ownFences(text, live) : text, split.current);
  const { blocks } = split.current;
  return (
    <div class="markdown">
      {blocks.map((block, i) => (
        // Blocks only grow at the end, so their places are their names.
        <Block key={i} text={block} live={live && i === blocks.length - 1} edits={edits} />
      ))}
    </div>
  );
}

function Block({ text, live, edits }: TextProps) {
  const root = useRef<HTMLDivElement>(null);
  const html = useMemo(() => safeHtml(renderMarkdown(text, { live, edits })), [text, live, edits]);
  const files = useContext(ReviewedFiles);
  // What was drawn before is drawn again before it is seen as text.
  useLayoutEffect(() => {
    if (root.current === null) return;
    drawFormulas(root.current);
    colourBlocks(root.current);
  }, [html]);
  useLayoutEffect(() => {
    if (root.current === null || !edits) return;
    showBlockRows(root.current, files);
    showBlockChanges(root.current);
  }, [html, files, edits]);
  // A diagram in a list that still grows would be drawn with every word.
  useEffect(() => {
    if (root.current !== null && !live) drawDiagrams(root.current);
  }, [html, live]);
  return useMemo(() => <div ref={root} class="block" dangerouslySetInnerHTML={{ __html: html }} />, [html]);
}
