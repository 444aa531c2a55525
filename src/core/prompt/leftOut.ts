// The notes that replace missing parts of a text.

/** `what`: lines or characters, in words. */
export function leftOut(what: string): string {
  return `[${what} are left out here: all of it would take too much of the window]`;
}

/** `kind`: of a secret, in words. Stands in the place of the line that holds it. */
export function secretMark(kind: string): string {
  return `[secret left out: ${kind}]`;
}

const marked = /\[secret left out(?::[^\]\n]*)?\]?/;

/** Whether a text has such a mark in it, cut off ones included. */
export function hasSecretMark(text: string): boolean {
  return marked.test(text);
}
