// Which language a code block has and which file it belongs to, as its fence or the line before it says.

export interface CodePlace {
  /** As it was written, or what the file's ending says; '' where nothing does. */
  readonly language: string;
  readonly path: string | null;
}

/** A relative or absolute path of a file with an ending. */
const file = String.raw`(?:[A-Za-z]:)?[\\/]?(?:[\w@.()[\]+-]+[\\/])*[\w@.()[\]+-]*\.[A-Za-z]\w{0,9}`;
const alone = new RegExp(`^${file}$`);
/** A path with a folder, its lines, and words behind a colon. */
const before = new RegExp(`^(${file})(?::\\d+(?:-\\d+)?)?:(?:\\s|$)`);

/** Reads a fence's words: `ts`, `src/a.ts`, `ts src/a.ts`, `ts:src/a.ts`, `ts title="src/a.ts"`, `10:20:src/a.ts`. */
export function fencePlace(info: string): CodePlace {
  const named = /\b(?:title|file|filename|path|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S+))/i.exec(info);
  const [first = '', second = ''] = info.split(/\s+/);
  const given = named?.[1] ?? named?.[2] ?? named?.[3];
  if (given !== undefined) return { language: languageIn(first), path: pathIn(given) };
  const behind = /^([\w+#-]*):(?:\d+:)?(.+)$/.exec(first);
  if (behind !== null && alone.test(behind[2] ?? '')) {
    const path = behind[2] ?? '';
    const word = behind[1] ?? '';
    return { language: /^\d*$/.test(word) ? endingOf(path) : word, path };
  }
  if (alone.test(first)) return { language: endingOf(first), path: first };
  return { language: languageIn(first), path: pathIn(second) };
}

/** The path that a line of code is made of, alone or in a comment, perhaps with its lines: models head a block so. */
export function placeAlone(line: string): string | null {
  const bare = line
    .trim()
    .replace(/^(?:\/\/|#|--|;|\/\*|<!--)\s*/, '')
    .replace(/\s*(?:\*\/|-->)$/, '')
    .replace(/^(?:file(?:name)?|path):\s*/i, '')
    .replace(/:\d+(?:-\d+)?:?$/, '');
  return alone.test(bare) ? bare : null;
}

/** The path that such a line begins with, where it is no code: not in a comment, alone, or with words behind it. */
export function placeAbove(line: string): string | null {
  if (/^\s*(?:\/\/|#|--|;|\/\*|<!--)/.test(line)) return null;
  const [, path = null] = before.exec(line.trim()) ?? [];
  return placeAlone(line) ?? (path?.includes('/') === true ? path : null);
}

/** The path that ends a line such as `In **src/a.ts**:`, marked up or with a folder, so that "Node.js:" is none. */
export function placeInLine(line: string): string | null {
  const text = line.trim().replace(/:$/, '');
  if (text.length > 200) return null;
  const marked = new RegExp(`(?:\`(${file})\`|\\*\\*\`?(${file})\`?\\*\\*)$`).exec(text.replace(/:(\*\*|`)$/, '$1'));
  if (marked !== null) return marked[1] ?? marked[2] ?? null;
  const last =
    text
      .replace(/^(#+|[-*]|\d+\.)\s+/, '')
      .split(/\s+/)
      .at(-1) ?? '';
  return alone.test(last) && (last.includes('/') || last === text) ? last : null;
}

function languageIn(word: string): string {
  return /^[\w+#.-]{1,30}$/.test(word) ? word : '';
}

function pathIn(word: string): string | null {
  return alone.test(word) ? word : null;
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}
