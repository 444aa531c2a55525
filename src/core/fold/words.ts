// Words of a text as a fold looks at them: sentences, code-like names, paths, and what two texts have in common.

/** Sentences of a text, one line each; code blocks are left out. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .replace(/```[\s\S]*?(```|$)/g, '\n')
    .split(/\n+|(?<=[.!?。！？])\s+(?=[^a-z\s])/u)
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => /\p{L}/u.test(line));
}

/** With a folder an ending or another folder tells a path from `and/or`, without one an ending from `e.g.`. */
const path =
  /^(?:\.{0,2}\/)?(?:[\w@.+-]+\/){2,}[\w@.+-]+$|^(?:\.{0,2}\/)?(?:[\w@.+-]+\/)?[\w@+-][\w@+.-]+\.[a-z]{1,5}\d?$/;

/** Names that stand for one thing and that a summary must not change: code names, numbers, versions, hosts, tickets. */
export function namesOf(text: string): { readonly files: readonly string[]; readonly identifiers: readonly string[] } {
  const quoted = [...text.matchAll(/`([^`\n]{2,80})`/g)].map(([, inside = '']) => inside.trim());
  const bare = text.replace(/`[^`\n]*`/g, ' ').match(/[\p{L}\p{N}_$@#./:~+-]+(?:\(\))?/gu) ?? [];
  const files = new Set<string>();
  const identifiers = new Set<string>();
  for (const [word, isQuoted] of [
    ...quoted.map((one) => [one, true] as const),
    ...bare.map((one) => [one, false] as const),
  ]) {
    const name = isQuoted ? word : word.replace(/^[.:/~+-]+(?=[^/])|[.:,/~+-]+$/g, '');
    const place = name.replace(/:\d+(-\d+)?$/, '');
    if (path.test(place) && !/^\d+(\.\d+)*$/.test(place)) files.add(place);
    else if (isQuoted ? !/\s/.test(name) : isIdentifier(name)) identifiers.add(name);
  }
  return { files: [...files], identifiers: [...identifiers] };
}

function isIdentifier(word: string): boolean {
  if (word.length < 3 || word.length > 80) return false;
  if (/\d/.test(word)) return /\p{L}/u.test(word) || /\d{3}/.test(word) || /\d\.\d/.test(word);
  return /\p{Ll}\p{Lu}|\w_\w|::|\w\(\)$|^\p{Lu}{2,}-/u.test(word);
}

/** Words that carry meaning, in lower case. */
function contentWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_$]{2,}|[\u3040-\u9fff\uac00-\ud7af]/gu) ?? [];
  return words.filter((word) => !empty.has(word));
}

const empty = new Set(
  'the an and or of to in is are was be it this that we you with for on as at by do not must never only please will would should may can our your my me from has have if so then than'.split(
    ' ',
  ),
);

/** The share of the content words of `text` that stand in `other` too; 1 for a text without any. */
export function sharedWords(text: string, other: string): number {
  const wanted = new Set(contentWords(text));
  if (wanted.size === 0) return 1;
  const there = new Set(contentWords(other));
  return [...wanted].filter((word) => there.has(word)).length / wanted.size;
}

export function clip(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}
