// A text in Markdown as it grows: its blocks are rendered once each, and only the last one again while words arrive. Of a long one only the pieces
// near the view are drawn, and a huge one is read in several steps.

import { useContext, useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { drawFormulas } from '../drawings/formulas.ts';
import { ReviewedFiles, showBlockRows } from '../review/blockRows.tsx';
import { safeHtml } from '../shared/answerHtml.ts';
import { restOfCode } from '../shared/blockCode.ts';
import { ask } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { heightOfText, useNear } from '../shared/near.ts';
import { blockIn } from './codeActs.ts';
import { withHiddenShown } from './codeBlock.ts';
import { type Blocks, noBlocks, splitBlocks } from './cutting.ts';
import { highlight } from './highlight.ts';
import { codeOfPart, type DrawnBlock, renderBlock, type TextBlock } from './markdown.ts';
import { ownFences } from './ownFences.ts';
import { checkPlaces } from './places.tsx';

interface TextProps extends DrawnBlock {
  readonly text: string;
}

export function MarkdownText({ text, live, edits }: TextProps) {
  // Only a model's fences need a reader; what Tidemark writes is shown to the letter.
  const all = useMemo(() => (edits ? ownFences(text, live) : text), [text, live, edits]);
  const read = useBlocks(all);
  const left = all.length - read.current.text.length;
  const pieces = piecesOf(shownBlocks(read, live && left === 0));
  return (
    <div class="markdown">
      {pieces.map((blocks, i) => (
        // Blocks only grow at the end, so their places are their names.
        <Piece key={i} blocks={blocks} edits={edits} near={i === 0 || (left === 0 && i === pieces.length - 1)} />
      ))}
      {left > 0 && <div class="piece" style={{ height: `${heightOfText(all.slice(-left))}px` }} />}
    </div>
  );
}

/** Milliseconds for which a text is read at once. */
const longest = 30;

/** The blocks of a text; of a huge one as far as it is read. */
function useBlocks(text: string): { readonly current: Blocks } {
  const read = useRef(noBlocks);
  const [, goOn] = useReducer((steps: number, _: null) => steps + 1, 0);
  const until = performance.now() + longest;
  read.current = splitBlocks(text, read.current, () => performance.now() < until);
  useEffect(() => {
    if (read.current.text.length === text.length) return;
    const timer = setTimeout(goOn, 0, null);
    return () => clearTimeout(timer);
  });
  return read;
}

interface ShownBlock extends TextBlock {
  readonly live: boolean;
  /** Tells what follows of its code in other blocks; null where it is whole. */
  readonly rest: (() => string) | null;
}

function shownBlocks(read: { readonly current: Blocks }, live: boolean): readonly ShownBlock[] {
  const { blocks } = read.current;
  const last = blocks.at(-1)?.part;
  const isOpenCode = last?.kind === 'code' && !last.closed;
  const open = isOpenCode ? blocks.findLastIndex(({ part }) => part === null) : blocks.length - 1;
  return blocks.map((block, i) => {
    const goesOn = block.part === null && blocks[i + 1]?.part?.kind === 'code';
    return { ...block, live: live && i >= open, rest: goesOn ? () => codeFrom(read.current.blocks, i + 1) : null };
  });
}

function codeFrom(blocks: readonly TextBlock[], from: number): string {
  const end = blocks.findIndex(({ part }, i) => i >= from && part?.kind !== 'code');
  const parts = blocks.slice(from, end < 0 ? undefined : end);
  return parts.map(({ text, part }) => codeOfPart(text, part?.kind === 'code' && part.closed)).join('');
}

/** Characters and blocks that are drawn at once: more would hold the view up. */
const mostCharacters = 8000;
const mostBlocks = 20;

/** Neighbours together, as many as may be drawn at once; a longer block alone. */
function piecesOf(blocks: readonly ShownBlock[]): readonly (readonly ShownBlock[])[] {
  const pieces: ShownBlock[][] = [];
  let length = 0;
  for (const block of blocks) {
    const piece = pieces.at(-1);
    length += block.text.length;
    if (piece !== undefined && piece.length < mostBlocks && length <= mostCharacters) piece.push(block);
    else {
      pieces.push([block]);
      length = block.text.length;
    }
  }
  return pieces;
}

interface PieceProps {
  readonly blocks: readonly ShownBlock[];
  readonly edits: boolean;
  readonly near: boolean;
}

function Piece({ blocks, edits, near }: PieceProps) {
  const text = blocks.map((block) => block.text).join('');
  const [made, place] = useNear(near, Math.max(text.length, (blocks.length * mostCharacters) / mostBlocks));
  const state = blocks.map(({ live, rest }) => `${live} ${rest !== null}`).join();
  const drawn = useMemo(
    () => made && blocks.map((block, i) => <Block key={i} block={block} edits={edits} />),
    [made, text, state, edits],
  );
  const height = `${heightOfText(text)}px`;
  if (!made) return <div ref={place} class="piece" style={{ height }} />;
  return (
    <div class="piece made" style={{ containIntrinsicHeight: `auto ${height}` }}>
      {drawn}
    </div>
  );
}

function Block({ block, edits }: { readonly block: ShownBlock; readonly edits: boolean }) {
  const { text, part, live, rest } = block;
  const continued = rest !== null;
  const root = useRef<HTMLDivElement>(null);
  const html = useMemo(
    () => safeHtml(renderBlock({ text, part }, { live, edits, continued })),
    [text, part, live, edits, continued],
  );
  const files = useContext(ReviewedFiles);
  // Formulas and colours are drawn again before the browser paints, so that a block never flashes as plain text.
  useLayoutEffect(() => {
    const code = root.current?.querySelector('.code.continued') ?? null;
    if (root.current === null) return;
    if (code !== null && rest !== null) restOfCode.set(code, rest);
    drawFormulas(root.current);
    colourBlocks(root.current);
  }, [html]);
  useLayoutEffect(() => {
    if (root.current === null || !edits) return;
    showBlockRows(root.current, files);
    showBlockChanges(root.current);
  }, [html, files, edits]);
  useEffect(() => {
    if (root.current !== null && edits && !live) checkPlaces(root.current);
  }, [html, edits, live]);
  return useMemo(() => <div ref={root} class="block" dangerouslySetInnerHTML={{ __html: html }} />, [html]);
}

// Below the head of a code block: what Apply would change now. It is asked for what is in sight, and again when the user turns to the block.

/** Asks anew for each block of an element that can be applied, once it is in sight. */
function showBlockChanges(root: HTMLElement): void {
  for (const block of root.querySelectorAll<HTMLElement>('.code:has(.code-change)')) {
    seen.unobserve(block);
    seen.observe(block);
    block.addEventListener('pointerenter', turnedTo);
    block.addEventListener('focusin', turnedTo);
  }
}

const seen = new IntersectionObserver((all) => {
  for (const { isIntersecting, target } of all) if (isIntersecting && target instanceof HTMLElement) look(target);
});

function turnedTo({ currentTarget }: Event): void {
  if (currentTarget instanceof HTMLElement) look(currentTarget);
}

/** The question that a block asked last: an earlier answer may come later. */
const latest = new WeakMap<HTMLElement, object>();

function look(block: HTMLElement): void {
  const own = {};
  latest.set(block, own);
  // A rejected question draws nothing, since the button, once pressed, says why it cannot apply the block.
  ask('blockChange', blockIn(block)).then(
    ({ words, why }) => {
      if (latest.get(block) === own) draw(block, words, why);
    },
    () => undefined,
  );
}

function draw(block: HTMLElement, words: string, why: string): void {
  const [line] = block.querySelectorAll<HTMLElement>('.code-change');
  const [button] = block.querySelectorAll<HTMLElement>('[data-act="applyCode"]');
  if (line === undefined || button === undefined) return;
  if (line.textContent !== words) line.textContent = words;
  line.title = why;
  button.setAttribute('aria-label', [t('Apply to a file'), words, why].filter((one) => one !== '').join('. '));
}

// Colours the code blocks of a rendered text one at a time while the browser is idle, so that a stream never waits for it.
const waiting: HTMLElement[] = [];

/** Coloured ones, since a stream renders the block it is in again and again. */
const known = new Map<string, string | null>();
const most = 100;

/** Colours at once what was coloured before, and asks for the colours of all other whole blocks below an element. */
function colourBlocks(root: HTMLElement): void {
  const blocks = [...root.querySelectorAll<HTMLElement>('.code-plain')];
  for (const code of blocks) if (known.has(keyOf(code))) colour(code);
  const others = blocks.filter((code) => code.matches('.code-plain'));
  if (others.length === 0) return;
  if (waiting.length === 0) void idle().then(next);
  waiting.push(...others);
}

function next(): void {
  const code = waiting.shift();
  if (code?.isConnected === true) colour(code);
  if (waiting.length > 0) void idle().then(next);
}

function colour(code: HTMLElement): void {
  const key = keyOf(code);
  const html = known.get(key) ?? coloured(code);
  if (known.size >= most) known.clear();
  known.set(key, html);
  code.classList.remove('code-plain');
  if (html !== null) code.innerHTML = html;
}

function coloured(code: HTMLElement): string | null {
  const html = highlight(code.textContent ?? '', languageOf(code));
  return html === null ? null : safeHtml(withHiddenShown(html));
}

function keyOf(code: HTMLElement): string {
  return `${languageOf(code)}\n${code.textContent}`;
}

function languageOf(code: HTMLElement): string {
  return code.closest<HTMLElement>('.code')?.dataset.language ?? '';
}

// Waits until the browser has nothing else to do, or for a second.

/** Safari has no idle callbacks. */
function idle(): Promise<unknown> {
  return new Promise((resolve) =>
    'requestIdleCallback' in window ? requestIdleCallback(resolve, { timeout: 1000 }) : setTimeout(resolve, 50),
  );
}
