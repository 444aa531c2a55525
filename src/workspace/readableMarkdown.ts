// Markdown as a model needs it: without what is there for the eye. Pictures, badges, tags of HTML, comments and lists of contents go; words
// and code stay. Every pattern is bounded: a folder's README is not ours.

const fence = /^\s*(`{3,}|~{3,})/;
/** A picture, also as a link: badges are such. */
const target = String.raw`(?:\([^)\n]{0,500}\)|\[[^\]\n]{0,200}\])`;
const image = String.raw`!\[[^\]\n]{0,200}\]${target}`;
const picture = new RegExp(String.raw`\[${image}\]${target}|${image}`, 'g');
/** Names that Markdown files write. A tag counts where it has an attribute, stands alone in HTML, or is closed somewhere. */
const names =
  'a|abbr|article|audio|b|blockquote|br|center|code|dd|details|div|dl|dt|em|figure|font|footer|h[1-6]|header|hr|i|img|kbd|li|nav|ol|p|picture|section|small|source|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul|video';
const attributed = new RegExp(String.raw`(?<![\w$])<(?:${names})\s[^<>\n]{0,500}=[^<>\n]{0,1000}>`, 'g');
const lone = /<(?:br|hr)\s?\/?>/g;
const opening = new RegExp(String.raw`(?<![\w$])<(${names})>`, 'g');
const closing = new RegExp(String.raw`<\/(${names})>`, 'g');
/** An entry of a list of contents. */
const entry = /^\s*(?:[-*+]|\d+[.)])\s+\[[^\]\n]{0,200}\]\(#[^)\n]{0,200}\)\s*$/;
const contents = /^\s{0,3}(?:#{1,6}\s+|\*\*)?(?:table of contents|contents|toc)(?:\*\*|:)?\s*$/i;
/** A line that defines where a reference link leads. */
const reference =
  /^\s{0,3}\[(?!\^)[^\]\n]{1,200}\]:\s+<?(?:https?:\/\/|[./#]|[\w-]{1,100}[/.]\w)\S{0,1000}(?:\s+"[^"\n]{0,200}")?\s*$/;
/** Lines that a comment may go over. */
const longestComment = 200;

export function readableMarkdown(text: string): string {
  const lines = text.split('\n');
  const closed = new Set(lines.flatMap((line) => [...line.matchAll(closing)].map(([, name = '']) => name)));
  const kept: string[] = [];
  let open = '';
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const mark = fence.exec(line)?.[1] ?? '';
    const end = open === '' && mark === '' ? commentEnd(lines, i) : i;
    if (end > i) i = end;
    else if (mark !== '' || open !== '') {
      if (mark !== '') open = open === '' ? mark : mark.startsWith(open) ? '' : open;
      kept.push(line);
    } else if (!entry.test(line) && !reference.test(line)) kept.push(...readableLine(line, closed));
  }
  return withoutEmptyContents(kept)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The last line of a comment that begins with this line and goes over several; the line itself where none does. */
function commentEnd(lines: readonly string[], at: number): number {
  const line = lines[at] ?? '';
  if (!line.trimStart().startsWith('<!--') || line.includes('-->')) return at;
  const behind = lines
    .slice(at + 1, at + longestComment)
    .findIndex((other) => other.includes('-->') || fence.test(other));
  const end = at + 1 + behind;
  return behind >= 0 && (lines[end] ?? '').trimEnd().endsWith('-->') ? end : at;
}

/** Nothing where nothing to read was in it but pictures and tags. Code within it, and code that stands further in, stays. */
function readableLine(line: string, closed: ReadonlySet<string>): readonly string[] {
  if (/^(?: {4}|\t)/.test(line)) return [line];
  const pair = (tag: string, name: string) => (closed.has(name) ? '' : tag);
  const plain = (part: string) =>
    part
      .replace(/<!--[^\n]{0,2000}?-->/g, '')
      .replace(picture, '')
      .replace(attributed, '')
      .replace(lone, '')
      .replace(opening, pair)
      .replace(closing, '');
  const kept = line
    .split(/(`+[^`\n]{1,1000}`+)/)
    .map((part) => (part.startsWith('`') ? part : plain(part)))
    .join('');
  if (kept === line) return [line];
  const margin = line.slice(0, line.length - line.trimStart().length);
  return /[\p{L}\p{N}]/u.test(kept) ? [margin + kept.trim()] : [];
}

function withoutEmptyContents(lines: readonly string[]): readonly string[] {
  return lines.filter((line, i) => {
    if (!contents.test(line)) return true;
    const next = lines.slice(i + 1).find((other) => other.trim() !== '');
    return next !== undefined && !/^\s{0,3}#/.test(next);
  });
}
