// Edits of real files with the drift that models and people bring into them. Each case says what must come of it: the whole text, or a
// refusal. The expected text is built from the places that were chosen, not from any matching.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../test/harness/program.ts';
import { type Random, randomFrom } from './random.ts';
import { curly, type EditCase, inFile, isOnce, type Made, region, replaced, spaced, whole, widened } from './region.ts';

export const kinds = [
  'plain',
  'part of a line',
  'CRLF file',
  'mixed line ends',
  'no last line end',
  'blanks at line ends',
  'moved as a whole',
  'tabs for spaces',
  'spaces for tabs',
  'curly quotes in the file',
  'curly quotes of the model',
  'line numbers copied',
  'CRLF, blanks and moved',
  'stale lines',
  'stale and repeated',
  'repeated',
  'left out in the middle',
  'changes nothing',
] as const;
export type Kind = (typeof kinds)[number];

/** Kinds that must be refused. */
export const refusedKinds: ReadonlySet<Kind> = new Set([
  'stale lines',
  'stale and repeated',
  'repeated',
  'left out in the middle',
  'changes nothing',
]);

const sources = () =>
  globSync(['src/**/*.ts', 'webview/**/*.{tsx,css}', 'docs/*.md', 'test/fixtures/sample/src/*.ts'], {
    cwd: projectRoot,
  })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();

/** `each`: cases of each kind. The same seed gives the same cases for the same files. */
export function corpus(seed: number, each: number): readonly EditCase[] {
  const files = sources().map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }));
  const cases: EditCase[] = [];
  for (const [k, kind] of kinds.entries()) {
    let made = 0;
    for (let n = 0; made < each && n < each * 200; n++) {
      const own = seed + 1000 * (k + 1) + n;
      const random = randomFrom(own);
      const { path, text } = random.pick(files);
      const made1 = makers[kind](text.split('\n'), random);
      if (made1 === null) continue;
      cases.push({ ...made1, kind, seed: own, source: path, seen: made1.seen ?? made1.text });
      made += 1;
    }
    if (made < each) throw new Error(`only ${made} cases of "${kind}"`);
  }
  return cases;
}

const makers: Readonly<Record<Kind, (lines: readonly string[], random: Random) => Made | null>> = {
  plain: (lines, random) => {
    const found = region(lines, random);
    return found === null ? null : inFile(found, (line) => line);
  },
  'part of a line': (lines, random) => {
    const found = region(lines, random, 1);
    const [old = '', put = ''] = [found?.old[0]?.trim(), found?.put[0]?.trim()];
    if (found === null || found.put.length > 1 || old === put) return null;
    return { ...inFile(found, (line) => line), old, new: put };
  },
  'CRLF file': (lines, random) => {
    const found = region(lines, random);
    if (found === null) return null;
    const made = inFile(found, (line) => line);
    const dos = (text: string) => text.replaceAll('\n', '\r\n');
    return { ...made, text: dos(made.text), expected: dos(made.expected ?? '') };
  },
  'mixed line ends': (lines, random) => {
    const found = region(lines, random, 1);
    if (found === null || found.put.length > 1) return null;
    const ends = lines.map(() => (random.below(2) === 0 ? '\n' : '\r\n'));
    const joined = (all: readonly string[]) =>
      all.map((line, i) => line + (i === all.length - 1 ? '' : (ends[i] ?? '\n'))).join('');
    return whole(found, joined(lines), joined(replaced(found, found.put)), found.old.join('\n'), found.put.join('\n'));
  },
  'no last line end': (lines, random) => {
    const bare = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
    const old = bare.slice(-2);
    const put = [old[0] ?? '', `${old[1] ?? ''} // end`];
    if (old.length < 2 || !isOnce(bare, old) || random.below(1) > 0) return null;
    const found = { lines: bare, first: bare.length - 2, count: 2, old, put };
    return { ...inFile(found, (line) => line), old: `${old.join('\n')}\n`, new: `${put.join('\n')}\n` };
  },
  'blanks at line ends': (lines, random) => {
    const found = region(lines, random);
    const blanks = random.pick(['  ', '\t', '    ']);
    const has = lines.map(() => random.below(2) === 0);
    if (found === null || !found.old.some((_, i) => has[found.first + i])) return null;
    return inFile(found, (line, i) => (i >= 0 && has[i] ? line + blanks : line));
  },
  'moved as a whole': (lines, random) => {
    const found = region(lines, random);
    const more = random.pick(['  ', '    ', '\t']);
    if (found === null || found.old.some((line) => line.startsWith('\t'))) return null;
    return inFile(found, (line) => (line === '' ? '' : more + line));
  },
  'tabs for spaces': (lines, random) => {
    const found = region(lines, random);
    if (found === null || !spaced([...lines]) || !found.old.some((line) => line.startsWith('  '))) return null;
    const unit = random.pick(['  ', '    ']);
    return inFile(
      found,
      (line) => widened(line, '\t'),
      (line) => widened(line, unit),
    );
  },
  'spaces for tabs': (lines, random) => {
    const found = region(lines, random);
    if (found === null || !spaced([...lines]) || !found.old.some((line) => line.startsWith('  '))) return null;
    const unit = random.pick(['  ', '    ']);
    return inFile(
      found,
      (line) => widened(line, unit),
      (line) => widened(line, '\t'),
    );
  },
  'curly quotes in the file': (lines, random) => {
    const found = region(lines, random);
    if (found === null || !found.old.some((line) => curly(line) !== line)) return null;
    const isChanged = found.put.some(
      (line) => !found.old.includes(line) && curly(line) !== line && /["']| - /.test(line),
    );
    return isChanged ? null : inFile(found, (line, i) => (i < 0 ? line : curly(line)));
  },
  'curly quotes of the model': (lines, random) => {
    const found = region(lines, random);
    if (found === null || !found.old.some((line) => curly(line) !== line)) return null;
    return inFile(found, (line) => line, curly);
  },
  'line numbers copied': (lines, random) => {
    const found = region(lines, random);
    if (found === null || found.count < 2 || found.put.length !== found.count) return null;
    const made = inFile(found, (line) => line);
    const numbered = (all: readonly string[]) => all.map((line, i) => `${found.first + 1 + i}: ${line}`).join('\n');
    return { ...made, old: numbered(found.old), new: numbered(found.put) };
  },
  'CRLF, blanks and moved': (lines, random) => {
    const found = region(lines, random);
    const more = random.pick(['  ', '    ']);
    const has = lines.map(() => random.below(3) === 0);
    if (found === null || found.old.some((line) => line.startsWith('\t'))) return null;
    const made = inFile(found, (line, i) => (line === '' ? '' : more + line) + (i >= 0 && has[i] ? '  ' : ''));
    const dos = (text: string) => text.replaceAll('\n', '\r\n');
    return { ...made, text: dos(made.text), expected: dos(made.expected ?? '') };
  },
  'stale lines': (lines, random) => {
    const found = region(lines, random);
    if (found === null) return null;
    const now = replaced(
      found,
      found.old.map((line) => line.replace(/[A-Za-z_]{3,}/, 'other$&')),
    );
    const text = now.join('\n');
    if (text.includes(found.old.join('\n'))) return null;
    return { ...whole(found, text, null, found.old.join('\n'), found.put.join('\n')), seen: lines.join('\n') };
  },
  'stale and repeated': (lines, random) => {
    const found = region(lines, random, 3);
    if (found === null) return null;
    // The lines that were meant have changed since; a copy of them stands further down.
    const now = [
      ...replaced(
        found,
        found.old.map((line) => line.replace(/[A-Za-z_]{3,}/, 'other$&')),
      ),
      '',
      ...found.old,
      '',
    ];
    const text = now.join('\n');
    return { ...whole(found, text, null, found.old.join('\n'), found.put.join('\n')), seen: lines.join('\n') };
  },
  repeated: (lines, random) => {
    const found = region(lines, random, 3);
    if (found === null) return null;
    return whole(found, [...lines, '', ...found.old, ''].join('\n'), null, found.old.join('\n'), found.put.join('\n'));
  },
  'left out in the middle': (lines, random) => {
    const found = region(lines, random, 6);
    if (found === null || found.count < 4) return null;
    const gap = random.pick(['  // ... existing code ...', '...', '  # ...']);
    const cut = (all: readonly string[]) => [all[0] ?? '', gap, all.at(-1) ?? ''].join('\n');
    return whole(
      found,
      lines.join('\n'),
      null,
      cut(found.old),
      cut(found.put.map((line, i) => (i === 0 ? `${line} ` : line))),
    );
  },
  'changes nothing': (lines, random) => {
    const found = region(lines, random);
    return found === null ? null : whole(found, lines.join('\n'), null, found.old.join('\n'), found.old.join('\n'));
  },
};
