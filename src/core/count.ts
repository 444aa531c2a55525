// How a number of tokens is written in words to a reader: with commas.

export function count(tokens: number): string {
  return String(tokens).replace(/\B(?=(\d{3})+$)/g, ',');
}
