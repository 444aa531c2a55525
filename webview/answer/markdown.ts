// Markdown to HTML by markdown-it with raw HTML switched off, block by block, so that a stream renders its last block only.
import MarkdownIt, { type Token } from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { fencePlace, place, plainPath } from '../../src/core/answer/fileNames.ts';
import { addFormulas, type FormulaPlace } from '../drawings/formulaRules.ts';
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
  /** An answer, whose code may go into files and whose formulas are drawn; else all is only to be read and copied. */
  readonly edits: boolean;
}

/** How a block of a text is drawn. */
export interface BlockDrawing extends DrawnBlock {
  /** A part of its code follows in another block. */
  readonly continued: boolean;
}

const still: BlockDrawing = { live: false, edits: false, continued: false };

interface Environment extends BlockDrawing, FormulaPlace {
  readonly lines: readonly string[];
  /** The number of a list's first item, where the text does not say it. */
  readonly start?: number | null;
}

// Pictures would load from the net: they are shown as their text. A link's definition would be known to its own block only.
markdown.disable(['image', 'reference']);
const { rules } = markdown.renderer;
addLinks(markdown);
rules.text = (tokens, index) => withPlaces(tokens[index]?.content ?? '');
rules.code_inline = (tokens, index) => {
  const text = tokens[index]?.content ?? '';
  // `src/a.ts` line 12, `src/a.ts` file, line 12
  const line = /^(?:\s+file)?,?\s+\(?(?:at |on |in )?lines?\s+(\d+)/i.exec(tokens[index + 1]?.content ?? '')?.[1];
  const isFile = plainPath.test(text) && (line !== undefined || text.includes('/'));
  const button = () => placeButton(escapeHtml(text), escapeHtml(text), line ?? '');
  return `<code>${isFile ? button() : withPlaces(text)}</code>`;
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
  const { live, continued } = environment;
  return codeBlock(content, words, { edits, open: live && !closed, continued });
};
rules.ordered_list_open = (tokens, index, options, env, self) => {
  const { start } = env as Partial<Environment>;
  if (tokens[index]?.level === 0 && typeof start === 'number') tokens[index].attrSet('start', String(start));
  return self.renderToken(tokens, index, options);
};
for (const cell of ['th_open', 'td_open'] as const) {
  rules[cell] = (tokens, index) => {
    const side = /(right|center)/.exec(String(tokens[index]?.attrGet('style') ?? ''))?.[0];
    return `<${cell.slice(0, 2)}${side === undefined ? '' : ` class="${side}"`}>`;
  };
}

addTasks(markdown);
addFormulas(markdown);

/** The HTML of a text. */
export function renderMarkdown(text: string, drawing: Partial<Environment> = still): string {
  return markdown.render(text, { ...still, ...drawing, formulas: drawing.edits, lines: text.split('\n') });
}

/** The kind of a part of a huge block, whose beginning stands before it. */
export type BlockPart =
  /** Rows of a table with this head. */
  | { readonly kind: 'rows'; readonly head: string }
  /** Items of a list; `start` is the number of the first one, null where it has none. */
  | { readonly kind: 'items'; readonly start: number | null }
  /** Lines of a quote or of indented code. */
  | { readonly kind: 'lines' }
  /** Words of a paragraph. */
  | { readonly kind: 'words' }
  /** Lines of code; `closed`: the last one is the fence that ends it. */
  | { readonly kind: 'code'; readonly fence: string; readonly closed: boolean }
  | { readonly kind: 'plain' };

export interface TextBlock {
  readonly text: string;
  /** The beginning of a huge block stands by itself like any other block: null. */
  readonly part: BlockPart | null;
}

/** The HTML of a block of a text. */
export function renderBlock({ text, part }: TextBlock, drawing: BlockDrawing): string {
  switch (part?.kind) {
    case 'rows':
      return renderMarkdown(part.head + text, drawing);
    case 'items':
      return renderMarkdown(text, { ...drawing, start: part.start });
    case 'words':
      return `<p>${markdown.renderInline(text.trim(), { ...drawing, formulas: drawing.edits })}</p>`;
    case 'code':
      return `<pre class="code-rest" tabindex="0"><code>${escapeHtml(codeOfPart(text, part.closed))}</code></pre>`;
    case 'plain':
      return `<div class="plain">${escapeHtml(text)}</div>`;
    default:
      return renderMarkdown(text, drawing);
  }
}

/** The code of a part, without the fence that ends it. */
export function codeOfPart(text: string, closed: boolean): string {
  return closed ? text.slice(0, text.trimEnd().lastIndexOf('\n') + 1) : text;
}

/** The tokens of the blocks alone: what stands in their lines is read when they are drawn. */
export function parseBlocks(text: string): readonly Token[] {
  const tokens: Token[] = [];
  markdown.block.parse(text.replace(/\r\n?/g, '\n'), markdown, { formulas: true }, tokens);
  return tokens;
}

/** Places become buttons; a day stays on one line. */
function withPlaces(text: string): string {
  return escapeHtml(text)
    .split(day)
    .map((part, i) => (i % 2 === 1 ? `<span class="day">${part}</span>` : part.replace(place, placeButton)))
    .join('');
}
