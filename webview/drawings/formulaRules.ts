// Finds formulas in Markdown: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`, told from prices, shell variables, and formulas that are not finished.
import { tex } from '@mdit/plugin-tex';
import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';

/** So many lines at most: beyond them an opening mark is words, so that a stream need not wait for its end for ever. */
const longest = 100;

/** And so many characters within a paragraph. */
const farthest = 2000;

const ends: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]' };

/** Formulas are looked for only where they are drawn; everywhere else their marks are words like any other. */
export interface FormulaPlace {
  readonly formulas?: boolean;
}

const drawn = ({ env }: { readonly env?: unknown }): boolean => (env as FormulaPlace | undefined)?.formulas === true;

/** Takes the plugin in, but asks its rules only where the text is surely a formula. */
export function addFormulas(markdown: MarkdownIt): void {
  const { inline, block, renderer, utils } = markdown;
  const source = (words: string, display: boolean) =>
    `<span class="formula${display ? ' display' : ''}">${utils.escapeHtml(words)}</span>`;
  const add = (delimiters: 'dollars' | 'brackets') => {
    const known = new Set<unknown>([...inline.ruler.getRules(''), ...block.ruler.getRules('')]);
    // The plugin's types are those of an older markdown-it.
    const plugin = tex as unknown as (to: MarkdownIt, options: object) => void;
    plugin(markdown, { delimiters, render: (words: string) => words });
    const name = delimiters === 'dollars' ? 'dollar' : 'bracket';
    const inLine = inline.ruler.getRules('').find((rule) => !known.has(rule));
    const ofLines = block.ruler.getRules('').find((rule) => !known.has(rule));
    inline.ruler.at(
      `math_inline_${name}`,
      (state, silent) => drawn(state) && standsAlone(state) && inLine?.(state, silent) === true,
    );
    block.ruler.at(
      `math_block_${name}`,
      (state, start, end, silent) =>
        drawn(state) && isWhole(state, start, end) && ofLines?.(state, start, end, silent) === true,
      { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
    );
  };
  add('dollars');
  add('brackets');
  inline.ruler.before(
    'math_inline_bracket',
    'formula_display',
    (state, silent) => drawn(state) && display(state, silent),
  );
  renderer.rules.math_inline = (tokens, index) => {
    const { content = '', markup = '$' } = tokens[index] ?? {};
    return source(`${markup}${content}${ends[markup] ?? (markup === '$' ? '$' : '\\)')}`, markup in ends);
  };
  renderer.rules.math_block = (tokens, index) => {
    const { content = '', markup = '$$' } = tokens[index] ?? {};
    return source(`${markup}${content}${ends[markup] ?? ''}`, true);
  };
}

/** Whether a mark opens a formula. No letter or digit may touch a dollar from outside, as in editors; code and a price with words are none. */
function standsAlone({ src, pos }: StateInline): boolean {
  const rest = src.slice(pos, pos + farthest);
  if (!rest.startsWith('$')) return rest.includes('\\)');
  if (/[\w$\\]/.test(src[pos - 1] ?? '')) return false;
  const content = /^(?:\\.|[^\\$`])+(?=\$)/s.exec(rest.slice(1))?.[0];
  if (content === undefined || /^[\d.,]+\s+[a-z]{2,}/i.test(content)) return false;
  return !/[\w$]/.test(src[pos + content.length + 2] ?? '');
}

/** A formula of its own row that stands among words. */
function display(state: StateInline, silent: boolean): boolean {
  const mark = state.src.slice(state.pos, state.pos + 2);
  const close = ends[mark];
  if (close === undefined) return false;
  const from = state.pos + 2;
  const end = state.src.slice(from, from + farthest).indexOf(close) + from;
  const content = state.src.slice(from, Math.max(from, end));
  if (content.trim() === '' || content.includes('`') || end + 2 > state.posMax) return false;
  if (/^\s|\s$/.test(content) && !/[\\^_={}<>+*/-]/.test(content)) return false;
  if (!silent) Object.assign(state.push('math_inline', 'math', 0), { content, markup: mark });
  state.pos = end + 2;
  return true;
}

/** Whether the lines from here are one formula: its end is there, ends its line, and is not far. */
function isWhole(state: StateBlock, start: number, end: number): boolean {
  const line = (i: number) => state.src.slice((state.bMarks[i] ?? 0) + (state.tShift[i] ?? 0), state.eMarks[i]).trim();
  const close = ends[line(start).slice(0, 2)];
  if (close === undefined) return false;
  const last = Math.min(end, start + longest);
  for (let i = start; i < last; i++) {
    if (i > start && line(i) !== '' && (state.sCount[i] ?? 0) < state.blkIndent) return false;
    const words = i === start ? line(i).slice(2) : line(i);
    const at = words.indexOf(close);
    if (at >= 0) return at + 2 === words.length && (i > start || words.slice(0, at).trim() !== '');
  }
  return false;
}

/** How many of the first `many` blocks no formula can reach into that is still being written. */
export function beforeOpenFormula(blocks: readonly string[], many: number): number {
  let settled = many;
  for (let i = blocks.length - 1, lines = 0; i >= 0 && lines <= longest; i--) {
    const block = blocks[i] ?? '';
    if (i < many && hasOpenFormula(block)) settled = i;
    lines += block.split('\n').length - 1;
  }
  return settled;
}

/** The first line with its end decides what becomes of an opening mark, so only a mark without one is open. */
function hasOpenFormula(block: string): boolean {
  if (/^ {0,3}(?:```|~~~)/.test(block)) return false;
  const lines = block.split('\n');
  return Object.entries(ends).some(([mark, close]) => {
    const open = lines.findLastIndex((line) => line.trimStart().startsWith(mark));
    return (
      open >= 0 && ![lines[open]?.trimStart().slice(2), ...lines.slice(open + 1)].some((line) => line?.includes(close))
    );
  });
}
