/** Brackets that open, less those that close. Those within strings and comments count alike on both sides of a comparison. */
export function bracketsIn(text: string): number {
  return (text.match(/[([{]/g)?.length ?? 0) - (text.match(/[)\]}]/g)?.length ?? 0);
}
