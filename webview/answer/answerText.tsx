// A text in Markdown as it grows: its blocks are rendered once each, and only the last one again while words arrive. Of a long one only the pieces
// near the view are drawn.
import { useContext, useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { drawDiagrams } from '../drawings/diagrams.ts';
import { drawFormulas } from '../drawings/formulas.ts';
import { ReviewedFiles, showBlockRows } from '../review/blockRows.tsx';
import { safeHtml } from '../shared/answerHtml.ts';
import { heightOfText, useNear } from '../shared/near.ts';
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
  const pieces = piecesOf(split.current.blocks);
  return (
    <div class="markdown">
      {pieces.map((blocks, i) => {
        const isLast = i === pieces.length - 1;
        // Blocks only grow at the end, so their places are their names.
        return <Piece key={i} blocks={blocks} live={live && isLast} edits={edits} near={i === 0 || isLast} />;
      })}
    </div>
  );
}

/** Characters and blocks that are drawn at once: more would hold the view up. */
const mostCharacters = 8000;
const mostBlocks = 20;

/** Neighbours together, as many as may be drawn at once; a longer block alone. */
function piecesOf(blocks: readonly string[]): readonly (readonly string[])[] {
  const pieces: string[][] = [];
  let length = 0;
  for (const block of blocks) {
    const piece = pieces.at(-1);
    length += block.length;
    if (piece !== undefined && piece.length < mostBlocks && length <= mostCharacters) piece.push(block);
    else {
      pieces.push([block]);
      length = block.length;
    }
  }
  return pieces;
}

interface PieceProps extends DrawnBlock {
  readonly blocks: readonly string[];
  readonly near: boolean;
}

function Piece({ blocks, live, edits, near }: PieceProps) {
  const [made, place] = useNear(near);
  const text = blocks.join('');
  const drawn = useMemo(
    () =>
      made &&
      blocks.map((block, i) => <Block key={i} text={block} live={live && i === blocks.length - 1} edits={edits} />),
    [made, text, live, edits],
  );
  const height = `${heightOfText(text)}px`;
  if (!made) return <div ref={place} class="piece" style={{ height }} />;
  return (
    <div class="piece made" style={{ containIntrinsicHeight: `auto ${height}` }}>
      {drawn}
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
