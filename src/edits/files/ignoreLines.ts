// The lines of Git's ignore files, and whether they name a file.
import ignore from 'ignore';

/** Characters of a line. A longer one makes no regular expression. */
const longest = 2000;
/** Steps, of about a microsecond at worst. */
const mostWork = 1_000_000;
/** A line becomes a regular expression, for each folder of the path; each `**` tries all folders within the one before. */
const workOf = (line: string, depth: number) => line.length * 10 + depth ** line.split('**').length;

/** The lines of a file in `folder` as they would stand in the repository's root. `folder`: with slashes; '' for the root. */
export function ignoreLines(text: string, folder: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const base = `${folder.replace(/[\\*?[]/g, '\\$&')}/`;
  return lines.flatMap((line) => {
    const not = line.startsWith('!') ? '!' : '';
    // A slash is one also behind a backslash, which the library does not take so in front of `**`.
    const pattern = withoutSpaces(line.slice(not.length)).replace(
      /\\(?:(\/)(?!$)|.)/g,
      (all, slash: string | undefined, at) => (at === 0 ? all : (slash ?? all)),
    );
    if (line.startsWith('#') || pattern === '' || pattern === '/') return [];
    if (folder === '') return [not + pattern];
    // A pattern with a slash in it begins at its file's folder, any other fits in each folder below.
    const isPath = pattern.slice(0, -1).includes('/');
    return [`${not}/${base}${isPath ? pattern.replace(/^\//, '') : `**/${pattern}`}`];
  });
}

/** The spaces at its end go, but for one behind a backslash. */
function withoutSpaces(line: string): string {
  const trimmed = line.replace(/(?<! ) +$/, '');
  const escaped = (/(?<!\\)\\*$/.exec(trimmed)?.[0].length ?? 0) % 2 === 1;
  return escaped && trimmed !== line ? `${trimmed} ` : trimmed;
}

/** Whether the last of the lines that fits a path, or a folder above it, ignores it; true where that is too much work to tell. `path`: from the root, with slashes. */
export function isNamedBy(lines: readonly string[], path: string): boolean {
  const depth = path.split('/').length;
  const work = lines.reduce((sum, line) => sum + workOf(line, depth), 0);
  if (work > mostWork || lines.some(({ length }) => length > longest)) return true;
  return ignore({ ignoreCase: process.platform !== 'linux' })
    .add(lines.map(bytesOf))
    .ignores(bytesOf(path));
}

/** Makes a sign of each byte, because Git's `?` stands for a single byte. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}
