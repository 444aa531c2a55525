// Diffs and SEARCH/REPLACE blocks, as models write them, as replacements of lines in files. Numbers in the heads of hunks are often wrong, so
// they only tell apart places that fit equally well.

/** Lines that give way to others. */
export interface PatchHunk {
  readonly old: string;
  readonly new: string;
  /** The line, from 1, at which the patch says that they stand; null where it does not say. */
  readonly line: number | null;
}

export interface FilePatch {
  /** The file's path; null where the patch does not say. */
  readonly path: string | null;
  readonly is: 'change' | 'new' | 'deleted';
  readonly hunks: readonly PatchHunk[];
}

const head = /^@@(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)?)? ?(?:@@|$)|^@@ .*@@$/;
/** Small models write the file's name, or the former text, in the place of SEARCH and REPLACE. */
const search = /^(?:<{5,9} \S.*|-{5,9} (?:SEARCH|ORIGINAL|HEAD|OLD))\s*$/i;
const middle = /^={5,9}\s*$/;
const replace = /^(?:>{5,9} \S.*|\+{5,9} (?:REPLACE|UPDATED|NEW|[\w./-]+))\s*$/i;

export function isPatch(code: string, language: string): boolean {
  if (/^(?:diff|patch|udiff)$/i.test(language)) return true;
  const lines = code.split('\n');
  const at = lines.findIndex((line) => line.trim() !== '');
  return (
    /^(?:diff --git |\*\*\* Begin Patch)/.test(lines[at] ?? '') ||
    (/^--- /.test(lines[at] ?? '') && /^\+\+\+ /.test(lines[at + 1] ?? ''))
  );
}

/** Markers of a merge within other code count as well, and one of our own by itself: they must never reach a file. */
export function isSearchReplace(code: string): boolean {
  const lines = code.split('\n');
  const isMerge = lines.some((line) => search.test(line)) && lines.some((line) => replace.test(line));
  return isMerge || lines.some((line) => /^(?:<{7} SEARCH|>{7} REPLACE)\s*$/.test(line));
}

/** Returns the files of a patch with their hunks; null where a line does not belong to a patch, or renames a file. */
export function readPatch(code: string): readonly FilePatch[] | null {
  const files: { path: string | null; is: FilePatch['is']; hunks: string[][]; starts: (number | null)[] }[] = [];
  const begin = (path: string | null, is: FilePatch['is'] = 'change') =>
    files.push({ path, is, hunks: [], starts: [] });
  const lines = code.replace(/\n+$/, '').split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const next = lines[at + 1] ?? '';
    const codex = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line);
    if (codex !== null)
      begin((codex[2] ?? '').trim(), codex[1] === 'Add' ? 'new' : codex[1] === 'Delete' ? 'deleted' : 'change');
    else if (/^--- /.test(line) && /^\+\+\+ /.test(next) && startsFile(lines, at)) {
      const [from, to] = [nameIn(line.slice(4)), nameIn(next.slice(4))];
      begin(to ?? from, from === null && to !== null ? 'new' : to === null && from !== null ? 'deleted' : 'change');
      at += 1;
    } else if (/^(?:diff |index |similarity |(?:new|deleted) file mode|old mode|new mode|\*\*\* |\\ )/.test(line))
      continue;
    else if (/^rename (?:from|to) /.test(line)) return null;
    else {
      if (files.length === 0) begin(null);
      const file = files.at(-1);
      const found = head.exec(line);
      if (found !== null) {
        file?.hunks.push([]);
        file?.starts.push(found[1] === undefined ? null : Number(found[1]));
      } else if (/^[-+ ]|^$|^\t/.test(line)) {
        if (file?.hunks.length === 0) {
          file.hunks.push([]);
          file.starts.push(null);
        }
        file?.hunks.at(-1)?.push(line);
      } else return null;
    }
  }
  return files.map(({ path, is, hunks, starts }) => ({
    path,
    is,
    hunks: hunks.flatMap((body, i) => hunkOf(body, starts[i] ?? null) ?? []),
  }));
}

/** A removed line may begin with `--` as well: then it stands within a hunk that goes on. */
function startsFile(lines: readonly string[], at: number): boolean {
  const before = lines.slice(0, at).findLast((line) => line !== '');
  return before === undefined || !/^[-+ ]/.test(before) || head.test(lines[at + 2] ?? '');
}

function hunkOf(body: readonly string[], line: number | null): PatchHunk | null {
  const lines = body.toSpliced(body.findLastIndex((one) => one !== '') + 1);
  if (lines.every((one) => !/^[-+]/.test(one))) return null;
  // Models leave out the blank of a context line that is empty, or is indented by a tab.
  const text = (one: string) => (/^[-+ ]/.test(one) ? one.slice(1) : one);
  const side = (mark: '+' | '-') =>
    lines
      .filter((one) => !one.startsWith(mark))
      .map((one) => `${text(one)}\n`)
      .join('');
  return { old: side('+'), new: side('-'), line };
}

/** Returns the path that a patch names, without `a/` or `b/` in front and the time behind a tab; null where it names no file. */
function nameIn(name: string): string | null {
  const plain =
    name
      .split('\t')[0]
      ?.trim()
      .replace(/^"?[ab]\//, '')
      .replace(/"$/, '') ?? '';
  return plain === '' || plain === '/dev/null' || plain === 'dev/null' ? null : plain;
}

/** Returns the SEARCH/REPLACE blocks; null where their marks do not belong together, or other text stands between them. */
export function readSearchReplace(code: string): readonly PatchHunk[] | null {
  const hunks: PatchHunk[] = [];
  let side: 'none' | 'old' | 'new' = 'none';
  let [old, fresh]: [string[], string[]] = [[], []];
  for (const line of code.split('\n')) {
    if (side === 'none') {
      if (search.test(line)) [side, old, fresh] = ['old', [], []];
      else if (line.trim() !== '') return null;
    } else if (side === 'old') {
      if (middle.test(line)) side = 'new';
      else if (search.test(line) || replace.test(line)) return null;
      else old.push(`${line}\n`);
    } else if (replace.test(line)) {
      hunks.push({ old: old.join(''), new: fresh.join(''), line: null });
      side = 'none';
    } else if (search.test(line)) return null;
    else fresh.push(`${line}\n`);
  }
  return side === 'none' && hunks.length > 0 ? hunks : null;
}
