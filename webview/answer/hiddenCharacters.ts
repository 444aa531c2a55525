// Characters that show nothing, or change the order of those around them: with them, code reads otherwise than it runs (CVE-2021-42574).

const hidden =
  /(?![\t\n])[\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

/** Escaped HTML in which each of them stands alone behind its number. The text stays as it is. */
export function withHiddenShown(html: string): string {
  return html.replace(hidden, (one) => {
    const code = one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return `<span class="hidden-character" data-code="U+${code}">${one}</span>`;
  });
}
