// Words of a text as a compaction looks at them: a message's own ones, code-like names, paths, and what two texts have in common.

/** A text without its code blocks. */
export function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?(```|$)/g, '\n');
}

/** How a line begins that was pasted: quotes, tables, logs, stack traces, shells, patches and indented code. */
const pastedLine = new RegExp(
  [
    String.raw`^\s*(?:>|[|$%]\s|\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|\[?(?:ERROR|WARN|INFO|DEBUG|TRACE|FATAL)\b|npm (?:ERR!|WARN)|File "|Traceback|Caused by)`,
    String.raw`^\s*(?:at \S.{0,300}:(?:line )?\d+\)?\s*$|[\w.$]{0,120}(?:Error|Exception):|error(?:\[\w{1,9}\])?:|warning:|fatal:|panic:)`,
    String.raw`^(?:[+-]{3} \S|@@ |(?:\t| {4})\s*(?:\/\/|#)|(?:\t| {4}).{0,300}[;{}]\s*$)`,
  ].join('|'),
);

/** Characters read at each end of a longer message: the middle is assumed to be pasted text. */
const longestEnd = 8000;

/** A message's own words, and what stands in it of others' words. Code blocks are in neither. */
export function ownWords(text: string): { readonly own: string; readonly pasted: string } {
  const words = withoutCode(text);
  const isLong = words.length > 2 * longestEnd;
  const ends = isLong ? `${words.slice(0, longestEnd)}\n${words.slice(-longestEnd)}` : words;
  const lines = ends.split('\n');
  const own = lines.filter((line) => !pastedLine.test(line));
  return { own: own.join('\n'), pasted: lines.filter((line) => pastedLine.test(line)).join('\n') };
}

/** With a folder an ending or another folder tells a path from `and/or`. */
const path = /^(?:\.{0,2}\/)?(?:[\w@.+-]+\/){2,}[\w@.+-]+$|^(?:\.{0,2}\/)?[\w@.+-]+\/[\w@+-][\w@+.-]*\.[a-z]{1,5}\d?$/;
/** Without one only a known ending tells a file from a member, `e.g.` or a host. */
const file =
  /^[\w@+-][\w@+.-]*\.(?:[cm]?[jt]sx?|json[c5]?|mdx?|txt|ya?ml|toml|ini|lock|xml|html?|s?css|less|sql|csv|py|rs|go|c|cc|cpp|cxx|h|hpp|cs|java|kts?|swift|rb|php|pl|sh|ps1|bat|vue|svelte|gradle|proto|dart|lua|exs?|scala|log|env|gguf)$/;

/** Scripts without spaces between words. */
const spaceless = String.raw`\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af`;
const bareName = new RegExp(
  String.raw`\d{1,3}(?:,\d{3})+|(?:(?![${spaceless}])[\p{L}\p{N}_$@#./:~+-])+(?:\(\))?`,
  'gu',
);
/** A longer run of letters and signs is data. */
const longestName = 200;

/** Names that stand for one thing and that a summary must not change: code names, numbers, versions, hosts, tickets. */
export function namesOf(text: string): { readonly files: readonly string[]; readonly identifiers: readonly string[] } {
  const quoted = [...text.matchAll(/`([^`\n]{2,80})`/g)].map(([, inside = '']) => inside.trim());
  const bare = text.replace(/`[^`\n]*`/g, ' ').match(bareName) ?? [];
  const files = new Set<string>();
  const identifiers = new Set<string>();
  for (const [word, isQuoted] of [
    ...quoted.map((one) => [one, true] as const),
    ...bare.map((one) => [one, false] as const),
  ]) {
    if (word.length > longestName) continue;
    const name = isQuoted ? word : word.replace(/^[.:/~+-]+(?=[^/])|[.:,/~+-]+$/g, '');
    const place = name.replace(/(?::\d+){1,2}(?:-\d+)?$/, '');
    if (path.test(place) || file.test(place)) files.add(place);
    else if (isQuoted ? !/\s/.test(name) : isIdentifier(name)) identifiers.add(name);
  }
  return { files: [...files], identifiers: [...identifiers] };
}

function isIdentifier(word: string): boolean {
  if (word.length < 3 || word.length > 80) return false;
  if (/\d/.test(word)) return /\p{L}/u.test(word) || /\d{3}/.test(word) || /\d\.\d/.test(word);
  return /\p{Ll}\p{Lu}|\w_\w|::|\w\(\)$|^\p{Lu}{2,}-/u.test(word);
}

const contentWord = new RegExp(String.raw`[${spaceless}]|(?:(?![${spaceless}])[\p{L}\p{N}_$]){2,}`, 'gu');

/** Words that carry meaning, in lower case and without their endings. */
function contentWords(text: string): readonly string[] {
  const plain = plainNumbers(text.toLowerCase()).replace(/n['’]t\b/g, ' not');
  const words = plain.match(contentWord) ?? [];
  return words.filter((one) => !empty.has(one)).map((one) => one.replace(/(?<=\p{L}{3})(?:ing|ed|ies|es|s|e|y)$/u, ''));
}

const empty = new Set(
  'the an and or of to in is are was be it this that we you with for on as at by do not must never only please will would should shall may can our your my me from has have if so then than yes yep ok okay sure'.split(
    ' ',
  ),
);

/** The share of the content words of `text` that stand in `other` too; 1 for a text without any. */
export function sharedWords(text: string, other: string): number {
  const wanted = new Set(contentWords(text));
  if (wanted.size === 0) return 1;
  const there = new Set(contentWords(other));
  return [...wanted].filter((one) => there.has(one)).length / wanted.size;
}

/** Without the commas between groups of digits. */
export function plainNumbers(text: string): string {
  return text.replace(/(?<=\d),(?=\d{3})/g, '');
}

export function clip(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}
