// Markdown as a model needs it: without what is there for the eye. Pictures, badges, HTML tags, comments and lists of contents go; words and
// code stay.

const fence = /^\s{0,3}(`{3,}|~{3,})/;
/** A picture, also as a link: badges are such. */
const picture =
  /\[!\[[^\]]*\](?:\([^)\s]*(?:\s+"[^"]*")?\)|\[[^\]]*\])\](?:\([^)]*\)|\[[^\]]*\])|!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g;
/** Of the names of HTML only: `<T>` and `<path>` in prose are words. */
const tag =
  /<\/?(?:a|abbr|article|aside|audio|b|blockquote|br|center|dd|del|details|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|iframe|img|ins|kbd|li|main|mark|nav|ol|p|picture|section|small|source|span|strike|strong|sub|summary|sup|svg|table|tbody|td|tfoot|th|thead|tr|u|ul|video)(?:\s[^<>]*)?\/?>/gi;
/** An entry of a list of contents. */
const entry = /^\s*(?:[-*+]|\d+[.)])\s+\[[^\]]*\]\(#[^)]*\)\s*$/;
const contents = /^\s{0,3}(?:#{1,6}\s+|\*\*)?(?:table of contents|contents|toc)(?:\*\*|:)?\s*$/i;
/** Where a link of a reference leads. */
const reference = /^\s{0,3}\[[^\]]+\]:\s+\S+(?:\s+"[^"]*")?\s*$/;

export function readableMarkdown(text: string): string {
  const lines: string[] = [];
  let open = '';
  for (const line of withoutComments(text).split('\n')) {
    const mark = fence.exec(line)?.[1] ?? '';
    if (mark !== '') open = open === '' ? mark : mark.startsWith(open) ? '' : open;
    if (open !== '' || mark !== '') lines.push(line);
    else if (!entry.test(line) && !reference.test(line)) lines.push(...readableLine(line));
  }
  return withoutEmptyContents(lines)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Nothing where nothing to read was in it but pictures and tags. */
function readableLine(line: string): readonly string[] {
  const kept = line
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(picture, '').replace(tag, '')))
    .join('');
  if (kept === line) return [line];
  const words = kept.replace(/^\s+|\s+$/g, '');
  return /[\p{L}\p{N}]/u.test(words) ? [words] : [];
}

/** Also over several lines, but not where a fence is open. */
function withoutComments(text: string): string {
  const parts = text.split(/(^\s{0,3}(?:`{3,}|~{3,})[^\n]*\n[\s\S]*?\n\s{0,3}(?:`{3,}|~{3,})[^\S\n]*$)/m);
  return parts.map((part) => (fence.test(part) ? part : part.replace(/<!--[\s\S]*?-->/g, ''))).join('');
}

function withoutEmptyContents(lines: readonly string[]): readonly string[] {
  return lines.filter((line, i) => {
    if (!contents.test(line)) return true;
    const next = lines.slice(i + 1).find((other) => other.trim() !== '');
    return next !== undefined && !/^\s{0,3}#/.test(next);
  });
}
