// Texts of files and tools as they are shown: what would turn the order of the words round, or is no letter at all, is spelled out.

/** Marks of direction (Unicode Standard Annex #9), and control characters but for tab and line break. */
const hidden = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|(?![\t\n\r])\p{Cc}/gu;

export function visible(text: string): string {
  return text.replace(
    hidden,
    (mark) => `⟨U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
