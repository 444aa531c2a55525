// Markdown to HTML by markdown-it with raw HTML switched off, so that nothing a model writes becomes markup.
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ html: false, linkify: false, breaks: true });

/** A place such as `src/tides.ts:12`: a file name with an extension, a colon and a line. */
const place = /((?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,5}):(\d+)/g;

/** A day by itself, and no part of a path or of a longer number. */
const day = /(?<![\w./-])(\d{4}-\d\d-\d\d)(?![\w./-])/;

// Links lead out of the editor and pictures would load from the net: both are shown as their text.
markdown.disable(['image']);
markdown.renderer.rules.link_open = (tokens, index) =>
  `<span title="${markdown.utils.escapeHtml(String(tokens[index]?.attrGet('href') ?? ''))}">`;
markdown.renderer.rules.link_close = () => '</span>';
markdown.renderer.rules.text = (tokens, index) => withPlaces(tokens[index]?.content ?? '');
markdown.renderer.rules.code_inline = (tokens, index) => `<code>${withPlaces(tokens[index]?.content ?? '')}</code>`;

export function renderMarkdown(text: string): string {
  return markdown.render(text);
}

/** Places become buttons; a day stays on one line. */
function withPlaces(text: string): string {
  return markdown.utils
    .escapeHtml(text)
    .split(day)
    .map((part, i) => (i % 2 === 1 ? `<span class="day">${part}</span>` : part.replace(place, placeButton)))
    .join('');
}

function placeButton(all: string, path: string, line: string): string {
  return `<button class="place" data-path="${path}" data-line="${line}">${all}</button>`;
}
