// Names of files in answers: which text is one, which file a code block says that it belongs to, and places such as `src/a.ts:12`.

export interface CodePlace {
  /** The language as it was written, or as the file's ending implies; '' when neither is known. */
  readonly language: string;
  readonly path: string | null;
}

/** Files that have no ending, or whose whole name tells what they are. */
const wholeNames =
  'Makefile|GNUmakefile|Dockerfile|Containerfile|Jenkinsfile|Vagrantfile|Gemfile|Rakefile|Procfile|Brewfile|Podfile|Fastfile|Justfile|justfile|Caddyfile|Tiltfile|BUILD|WORKSPACE|LICENSE|LICENCE|README|CHANGELOG|CONTRIBUTING|NOTICE|AUTHORS|CODEOWNERS|OWNERS';
const isWholeName = new RegExp(`^(?:${wholeNames})$`);

/** A relative or absolute path of a file, as one text; null for any other text. */
function asFileName(text: string): string | null {
  const path = text.trim();
  if (path.length > 260 || /[\p{Cc}"<>|*?`]|:\/\//u.test(path) || !/^(?:[A-Za-z]:[\\/])?[^:]*$/.test(path)) return null;
  const last = path.split(/[\\/]/).at(-1) ?? '';
  return isWholeName.test(last) || /^\.[\p{L}\p{N}][\p{L}\p{N}_.-]*$|[^.\s]\.[\p{L}][\p{L}\p{N}_~-]{0,15}$/u.test(last)
    ? path
    : null;
}

const isOneWord = (text: string) => !/\s/.test(text);
/** Lines as they stand behind a path in what we print: `(lines 1-9)`, `(lines 1-9, selected)`, `(12 lines)`, and a passage's names before it: `:3 area, 9 edge (lines 1-9)`. */
const printed = String.raw`(?::\d+ [\p{L}\p{N}_$]+(?:, \d+ [\p{L}\p{N}_$]+)*)?\s*\((?:lines? \d+(?:\s*[-–]\s*\d+)?(?: of \d+)?(?:, selected)?|\d+ lines?)\)`;
const lines = new RegExp(String.raw`(?::\d+(?:-\d+)?:?|#L\d+(?:-L?\d+)?|${printed})$`, 'u');
/** Lines behind a path: `:1-9`, `#L1-L9`, and those that we print. */
const withoutLines = (text: string) => text.replace(lines, '');
/** Commas and colons end no name, and words in brackets stand beside one. */
const bare = (text: string) =>
  text
    .trim()
    .replace(/^(?:(?:file(?:name)?|path|datei|found)\s*:|File(?= ))\s*/i, '')
    .replace(/[,:]$/, '');

/** Reads a fence's words: `ts`, `src/a.ts`, `ts src/a.ts`, `ts:src/a.ts`, `ts title="src/a.ts"`, `10:20:src/a.ts`. */
export function fencePlace(info: string): CodePlace {
  const named = /\b(?:title|file|filename|path|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S+))/i.exec(info);
  const [first = ''] = info.split(/\s+/);
  const given = named?.[1] ?? named?.[2] ?? named?.[3];
  if (given !== undefined) return { language: languageIn(first), path: asFileName(given) };
  const words = info.replace(/(?:^|\s)\{[^}]*\}(?=\s|$)/g, ' ').trim();
  const behind = /^([\w+#-]*):(?:\d+:)?(?!\/\/)(.+)$/.exec(words);
  const called = behind === null ? null : asFileName(withoutLines(behind[2] ?? ''));
  if (called !== null) {
    const word = behind?.[1] ?? '';
    return { language: /^\d*$/.test(word) ? endingOf(called) : word, path: called };
  }
  const alone = isOneWord(words) && !isWholeName.test(words) ? asFileName(withoutLines(words)) : null;
  if (alone !== null) return { language: endingOf(alone), path: alone };
  const rest = words
    .slice(first.length)
    .trim()
    .replace(/^(?:\/\/|#|[-–—:])\s*/, '')
    .replace(/^\(([^()]*)\)$/, '$1');
  return { language: languageIn(first), path: asFileName(withoutLines(bare(rest))) };
}

const commented = /^(?:\/\/|#|--|;|%|\/\*|<!--|\{\/\*|"""|''')\s*/;

/** The path that a line of code is made of, alone or in a comment, perhaps with its lines: models head a block so. In Markdown `#` is a heading. */
export function placeAlone(line: string, isMarkdown = false): string | null {
  const trimmed = line.trim();
  if (isMarkdown && !/^<!--/.test(trimmed)) return null;
  const isComment = commented.test(trimmed);
  const words = trimmed.replace(commented, '').replace(/\s*(?:\*\/\}?|-->|"""|''')$/, '');
  const path = asFileName(withoutLines(bare(words)));
  if (path === null || (!isComment && isWholeName.test(path))) return null;
  return isOneWord(path) || /^(?:file(?:name)?|path)\s*:/i.test(words) ? path : null;
}

/** The path that such a line begins with, where it is no code: not in a comment, alone, or with words behind it. */
export function placeAbove(line: string): string | null {
  if (commented.test(line.trim())) return null;
  const [, path = ''] = /^(\S+?)(?::\d+(?:-\d+)?)?:(?:\s|$)/.exec(line.trim()) ?? [];
  return placeAlone(line) ?? (path.includes('/') ? asFileName(path) : null);
}

const edits =
  /^(?:[-*#\d.)\s]*)(?:in|file|datei|updated?|update|change|modify|edit|create|replace|add|here(?:'s|’s| is| are)?|now|the|new|save|write|put|step \d+)\b/i;

/** The path that ends a line such as `In **src/a.ts**:`, marked up or with a folder, so that "Node.js:" is none. */
export function placeInLine(line: string): string | null {
  const text = line.trim().replace(/:$/, '');
  if (text.length > 200) return null;
  const marks = [...text.matchAll(/\*\*`([^`*]+)`:?\*\*|\*\*([^`*]+?):?\*\*|`([^`]+)`/g)].flatMap((found) => {
    const path = asFileName(withoutLines(bare(found[1] ?? found[2] ?? found[3] ?? '')));
    return path === null ? [] : [{ path, isLast: found.index + found[0].length === text.length }];
  });
  const last =
    marks.findLast(({ isLast }) => isLast) ?? (marks.length === 1 && edits.test(text) ? marks[0] : undefined);
  if (last !== undefined) return last.path;
  const plain = text.replace(/^(?:#+|[-*]|\d+[.)])\s+/, '');
  const whole = asFileName(withoutLines(bare(plain)));
  if (whole !== null && (isOneWord(whole) || /^(?:file(?:name)?|path|datei)\s*:/i.test(plain))) return whole;
  const word = plain.split(/\s+/).at(-1) ?? '';
  const path = asFileName(withoutLines(word));
  if (path === null) return null;
  if (path.includes('/')) return path;
  return line.trim().endsWith(':') && edits.test(text) && !/^[A-Z]\w*\.js$/.test(path) ? path : null;
}

function languageIn(word: string): string {
  return /^[\w+#.-]{1,30}$/.test(word) ? word : '';
}

export function endingOf(path: string): string {
  return /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

const sign = String.raw`[\p{L}\p{N}_@$+~%#=.-]|\[{1,2}[\p{L}\p{N}_.-]+\]{1,2}`;
const folder = String.raw`(?:(?:${sign})+|\([\p{L}\p{N}_.-]+\))[\\/]`;
const spelled = String.raw`(?:[A-Za-z]:[\\/]|/|~/)?(?:${folder})*(?:(?:${sign})*[\p{L}\p{N}_$%+\]-]\.[A-Za-z]\w{0,9}|${wholeNames})`;

const beforeLine = String.raw`:|#L|(?: file)?,? \(?(?:at |on |in )?lines? `;

/**
 * A place in a text, such as `src/a.ts:12-14` or `src/a.ts, line 12`; its groups are the path and the first line. Neither holds a sign that
 * means something in markup.
 */
export const place = new RegExp(
  String.raw`(?<![\p{L}\p{N}_@$+~%#=.\\/:)\]-])(${spelled})(?:${beforeLine})(\d+)(?:-L?\d+)?`,
  'gu',
);

/** A whole text that is the path of a file, of signs that mean nothing in markup. */
export const plainPath = new RegExp(`^${spelled}$`, 'u');

const mentioned = new RegExp(
  String.raw`@file:"([^"\n]+)"|(?<![\p{L}\p{N}_$+~%#=.\\/])(?:@file:)?(${spelled})(?![\p{L}\p{N}_$+~%#=\\/-])`,
  'gu',
);

/** Texts in words that may be names of files, in their order, each once. */
export function namesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(mentioned)].map(([, quoted, plain = '']) => quoted ?? plain))];
}
