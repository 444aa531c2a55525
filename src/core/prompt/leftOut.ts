// What stands in a text where a part of it is missing.

/** `what`: lines or characters, in words. */
export function leftOut(what: string): string {
  return `[${what} are left out here: all of it would take too much of the window]`;
}
