// The last gate before HTML enters the document: DOMPurify lets pass only what our own renderer makes.
import DOMPurify from 'dompurify';

const data = ['data-path', 'data-line', 'data-act', 'data-language'];

const allowed = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'blockquote', 'ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'em', 'strong', 's'],
    ...['code', 'pre', 'div', 'span', 'button', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['class', 'title', 'start', 'tabindex', 'aria-label', ...data],
  // They are no addresses: a path such as `javascript:x.ts` is words.
  ADD_URI_SAFE_ATTR: data,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

export function safeHtml(html: string): string {
  return DOMPurify.sanitize(html, allowed);
}
