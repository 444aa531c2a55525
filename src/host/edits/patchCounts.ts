// Models count the lines of their patches wrongly: the heads of hunks are written anew from the lines that follow them.

const head = /^@@(?: -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)?)? ?@@(.*)$/;

/** A hunk without numbers begins at line 1: where it fits is looked for anyway. */
export function withTrueCounts(patch: string): string {
  const lines = patch.replace(/\r\n/g, '\n').replace(/\n+$/, '').split('\n');
  return `${lines.map((line, i) => (head.test(line) ? counted(line, bodyOf(lines, i + 1)) : line)).join('\n')}\n`;
}

function bodyOf(lines: readonly string[], from: number): readonly string[] {
  const end = lines.findIndex(
    (line, i) =>
      i >= from &&
      (head.test(line) ||
        (/^(?:diff |--- .*)/.test(line) && /^\+\+\+ /.test(lines[i + 1] ?? '')) ||
        /^diff /.test(line)),
  );
  return lines.slice(from, end < 0 ? lines.length : end);
}

function counted(line: string, body: readonly string[]): string {
  const [, old = '1', now = '1', rest = ''] = head.exec(line) ?? [];
  const before = body.filter((one) => !/^[+\\]/.test(one)).length;
  const after = body.filter((one) => !/^[-\\]/.test(one)).length;
  return `@@ -${old},${before} +${now},${after} @@${rest}`;
}
