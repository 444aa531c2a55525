// An entry of the user as it is kept and shown: one line.

/** Line breaks, control characters and runs of white space become single spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}
