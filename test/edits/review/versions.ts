// Texts that show whether they are whole: every line says which version it belongs to, the first how many there are.
export const fileNames = ['a.txt', 'b.txt', 'c.txt'] as const;

export function version(number: number): string {
  const lines = 200 + (number % 3000);
  return `${lines} lines of ${number}\n${`version ${number}, and words to fill the line\n`.repeat(lines)}`;
}

export function isWhole(text: string): boolean {
  const number = /^\d+ lines of (\d+)\n/.exec(text)?.[1];
  return number !== undefined && text === version(Number(number));
}
