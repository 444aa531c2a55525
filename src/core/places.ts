// Places that programs name in their output: a file and a line in it, in whatever form. Whether there is such a file is for others to say.

export interface NamedPlace {
  /** The path as it is written, without `file://`; with `/` between its parts. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The line of output without it. */
  readonly rest: string;
  /** Written as Python does, which prints the most recent call last. */
  readonly isPython: boolean;
}

/** `src/a.ts:12:3`, `C:\a.cs(12,5)`, `File "a.py", line 12`, `a.php on line 12`, `a.rb line 12`. */
const pattern =
  /(?:File "|file:\/\/)?((?:[A-Za-z]:[\\/])?[\w@.~+/\\$-]*\w)(:|\(|",? line |",? on line | on line | line )(\d+)(?:[:,]\d+)?\)?:?/g;
/** Characters of a line that are looked at. */
const most = 1000;

export function placesIn(said: string): readonly NamedPlace[] {
  return [...said.slice(0, most).matchAll(pattern)].flatMap(({ 0: all, 1: path = '', 2: sign = '', 3: line, index }) =>
    /[A-Za-z]/.test(path)
      ? [
          {
            path: path.replaceAll('\\', '/'),
            line: Number(line),
            rest: `${said.slice(0, index)} ${said.slice(index + all.length)}`.replace(/^[\s,:]+/, ''),
            isPython: sign.startsWith('"'),
          },
        ]
      : [],
  );
}

/** The only one of some paths that a written one stands for: itself, the end of it, or what it is the end of. */
export function fileOf(path: string, files: readonly string[]): string | null {
  const shown = path.replace(/^\.\//, '');
  const found = files.filter((one) => one === shown || shown.endsWith(`/${one}`) || one.endsWith(`/${shown}`));
  return found.find((one) => one === shown) ?? (found.length === 1 ? (found[0] ?? null) : null);
}
