// Markdown to HTML by markdown-it with raw HTML switched off, block by block, so that a stream renders its last block only.
import MarkdownIt, { type Token } from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { fencePlace, place, plainPath } from '../../src/core/answer/fileNames.ts';
import { addFormulas, beforeOpenFormula, type FormulaPlace } from '../drawings/formulaRules.ts';
import { codeBlock, placeButton } from './codeBlock.ts';
import { addLinks, addTasks } from './markdownParts.ts';
import { type FenceWords, fenceWords } from './ownFences.ts';

const markdown = new MarkdownIt({ html: false, linkify: false, breaks: true }).use(cjkFriendly);
const { escapeHtml } = markdown.utils;

/** A day by itself, and no part of a path or of a longer number. */
const day = /(?<![\w./-])(\d{4}-\d\d-\d\d)(?![\w./-])/;

/** How a block is drawn. */
export interface DrawnBlock {
  /** More of the block is still to come: a fence without its end is still being written. */
  readonly live: boolean;
  /** An answer, whose code may go into files and whose formulas and diagrams are drawn; else all is only to be read and copied. */
  readonly edits: boolean;
}

const still: DrawnBlock = { live: false, edits: false };

type Environment = DrawnBlock & FormulaPlace & { readonly lines: readonly string[] };

// Pictures would load from the net: they are shown as their text. A link's definition would be known to its own block only.
markdown.disable(['image', 'reference']);
const { rules } = markdown.renderer;
addLinks(markdown);
rules.text = (tokens, index) => withPlaces(tokens[index]?.content ?? '');
rules.code_inline = (tokens, index) => {
  const text = tokens[index]?.content ?? '';
  // `src/a.ts` line 12
  const line = /^,?\s+\(?(?:at |on |in )?lines?\s+(\d+)/i.exec(tokens[index + 1]?.content ?? '')?.[1];
  const named = line !== undefined && plainPath.test(text);
  return `<code>${named ? placeButton(escapeHtml(text), escapeHtml(text), line) : withPlaces(text)}</code>`;
};
rules.code_block = (tokens, index) =>
  `<pre tabindex="0"><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>`;
rules.fence = (tokens, index, _options, env) => {
  const environment = { ...still, lines: [], ...(env as Partial<Environment> | undefined) };
  const { content = '', info = '', map = null, markup = '' } = tokens[index] ?? {};
  const [from, to] = map ?? [0, 0];
  const end = to - from > 1 ? (environment.lines[to - 1] ?? '').replace(/^[\s>]+|\s+$/g, '') : '';
  const closed = end.startsWith(markup) && end === markup.charAt(0).repeat(end.length);
  const words: FenceWords = fenceWords(info.trim()) ?? { ...fencePlace(info.trim()), closed: true };
  const edits = environment.edits && words.closed;
  return codeBlock(content, words, { edits, open: environment.live && !closed });
};
for (const cell of ['th_open', 'td_open'] as const) {
  rules[cell] = (tokens, index) => {
    const side = /(right|center)/.exec(String(tokens[index]?.attrGet('style') ?? ''))?.[0];
    return `<${cell.slice(0, 2)}${side === undefined ? '' : ` class="${side}"`}>`;
  };
}

addTasks(markdown);
addFormulas(markdown);

/** The HTML of a text or of one of its blocks. */
export function renderMarkdown(text: string, drawing: DrawnBlock = still): string {
  return markdown.render(text, { ...drawing, formulas: drawing.edits, lines: text.split('\n') });
}

/** A text and where its top-level blocks end. Together the blocks are the text. */
export interface Blocks {
  readonly text: string;
  readonly blocks: readonly string[];
}

export const noBlocks: Blocks = { text: '', blocks: [] };

/** Cuts a text into its top-level blocks. Where it goes on from an earlier one, only its end is looked at again. */
export function splitBlocks(text: string, earlier: Blocks = noBlocks): Blocks {
  if (text === earlier.text) return earlier;
  const goesOn = earlier.text !== '' && text.startsWith(earlier.text);
  const kept = goesOn ? earlier.blocks.slice(0, settledIn(earlier.blocks)) : [];
  const rest = text.slice(kept.reduce((sum, { length }) => sum + length, 0));
  return { text, blocks: [...kept, ...cut(rest)] };
}

/** How many blocks stay as they are: behind an empty line what comes is no part of them, but a list may still go on. */
function settledIn(blocks: readonly string[]): number {
  const last = blocks.length - 1;
  const settled = (block: string, i: number) =>
    i < last && /\n[ \t]*\n$/.test(block) && (i < last - 1 || !/^ {0,3}([-*+]|\d+[.)])\s/.test(block));
  return beforeOpenFormula(blocks, blocks.findLastIndex(settled) + 1);
}

function cut(text: string): readonly string[] {
  // Only where blocks are: what stands in their lines is read when they are drawn.
  const tokens: Token[] = [];
  markdown.block.parse(text.replace(/\r\n?/g, '\n'), markdown, { formulas: true }, tokens);
  const starts = tokens.flatMap(({ level, map, nesting }) =>
    level === 0 && nesting >= 0 && map !== null ? map[0] : [],
  );
  const lines = text.split('\n');
  const edges = [0, ...starts.slice(1), lines.length];
  return edges.slice(1).map((end, i) => {
    const block = lines.slice(edges[i], end).join('\n');
    return end === lines.length ? block : `${block}\n`;
  });
}

/** Places become buttons; a day stays on one line. */
function withPlaces(text: string): string {
  return escapeHtml(text)
    .split(day)
    .map((part, i) => (i % 2 === 1 ? `<span class="day">${part}</span>` : part.replace(place, placeButton)))
    .join('');
}
