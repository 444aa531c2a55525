// The last gate before HTML enters the document: DOMPurify lets pass only what our own renderer makes.
import DOMPurify from 'dompurify';

const data = ['data-path', 'data-line', 'data-act', 'data-language', 'data-href', 'data-code'];

const allowed = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'blockquote', 'ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'em', 'strong', 's'],
    ...['code', 'pre', 'div', 'span', 'button', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['class', 'title', 'start', 'tabindex', 'aria-label', ...data],
  // Data attributes are no addresses: a path such as `javascript:x.ts` is only text.
  ADD_URI_SAFE_ATTR: data,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

export function safeHtml(html: string): string {
  return DOMPurify.sanitize(html, allowed);
}

const math = {
  ALLOWED_TAGS: [
    ...['math', 'mrow', 'mi', 'mo', 'mn', 'mtext', 'mspace', 'mfrac', 'msqrt', 'mroot', 'msub', 'msup', 'msubsup'],
    ...['munder', 'mover', 'munderover', 'mmultiscripts', 'mprescripts', 'mtable', 'mtr', 'mtd', 'mpadded', 'mphantom'],
    ...['menclose', 'mstyle'],
  ],
  ALLOWED_ATTR: [
    ...['display', 'displaystyle', 'scriptlevel', 'mathvariant', 'stretchy', 'fence', 'separator', 'form', 'symmetric'],
    ...['largeop', 'movablelimits', 'accent', 'accentunder', 'linethickness', 'lspace', 'rspace', 'minsize', 'maxsize'],
    ...['width', 'height', 'depth', 'voffset', 'notation', 'columnspan', 'rowspan', 'mathbackground', 'class', 'style'],
  ],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

/** How a formula's parts may be laid out and coloured: no function, no address, and nowhere but in their place. */
const layout =
  /^(?:display|width|height|color|(?:padding|border|margin)(?:-(?:left|right|top|bottom))?|text-align|math-depth|font-(?:weight|style)):[\w\s.%#-]+$/;

/** A gate of its own for what becomes of LaTeX: MathML, and nothing else. */
const gate = DOMPurify(window);
gate.addHook('uponSanitizeAttribute', (_element, attribute) => {
  const { attrName, attrValue } = attribute;
  const only = (mark: string, fits: (part: string) => boolean) => attrValue.split(mark).filter(fits).join(mark);
  if (attrName === 'style') attribute.attrValue = only(';', (part) => layout.test(part));
  if (attrName === 'class') attribute.attrValue = only(' ', (name) => name.startsWith('tml-'));
});

export function safeFormula(html: string): string {
  return gate.sanitize(html, math);
}
