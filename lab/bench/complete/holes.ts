// Holes in this repository's own sources, which no model has seen: the rest of a line, a line, and a body of two to six lines. Half of them want a name
// that the file imports. Drawn by a seed, so that every way of asking gets the same ones.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Caret, OpenText } from '../../../src/completion/caret.ts';
import { projectRoot } from '../../../test/harness/program.ts';

export type HoleKind = 'rest' | 'line' | 'body';

export interface Hole {
  readonly kind: HoleKind;
  /** The file without the hole's text. */
  readonly text: OpenText;
  readonly caret: Caret;
  readonly wanted: string;
  /** Whether a name is wanted that another file declares. */
  readonly foreign: boolean;
}

/** Numbers from 0 to 1 (xorshift, Marsaglia 2003). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const kinds: readonly HoleKind[] = ['rest', 'line', 'body'];

export function holes(count: number, seed = 20261127): readonly Hole[] {
  const next = random(seed);
  const files = globSync('src/**/*.ts', { cwd: projectRoot }).toSorted();
  const found: Hole[] = [];
  while (found.length < count) {
    const path = files[Math.floor(next() * files.length)] ?? '';
    const hole = holeIn(path, kinds[found.length % 3] ?? 'line', next);
    // Every second one wants a name of another file.
    if (hole !== null && hole.foreign === (Math.floor(found.length / 3) % 2 === 0)) found.push(hole);
  }
  return found;
}

function holeIn(path: string, kind: HoleKind, next: () => number): Hole | null {
  const source = readFileSync(join(projectRoot, path), 'utf8');
  const lines = source.split('\n');
  const at = 10 + Math.floor(next() * (lines.length - 14));
  const line = lines[at] ?? '';
  const isPlain = line.trim().length >= 12 && !/^\s*(?:\/\/|\*|\/\*|import|export \{|[}\])])/.test(line);
  if (!isPlain) return null;
  const indent = line.search(/\S/);
  const end = kind === 'body' ? bodyEnd(lines, at) : at + 1;
  if (end === null) return null;
  const from = kind === 'rest' ? indent + Math.floor(line.trim().length * (0.3 + 0.4 * next())) : indent;
  const wanted = [line.slice(from), ...lines.slice(at + 1, end)].join('\n');
  const names = new Set(
    [...source.matchAll(/^import (?:type )?\{([^}]*)\}/gm)].flatMap(([, all = '']) => all.match(/\w+/g) ?? []),
  );
  const foreign = (wanted.match(/\w+/g) ?? []).some((name) => names.has(name));
  const text: OpenText = {
    path,
    language: 'typescript',
    lines: [...lines.slice(0, at), line.slice(0, from), ...lines.slice(end)],
  };
  return { kind, text, caret: { line: at, column: from }, wanted, foreign };
}

/** The end of a run of two to six lines that a block begins with; null where none begins here. */
function bodyEnd(lines: readonly string[], at: number): number | null {
  if (!/[{(]\s*$/.test(lines[at - 1] ?? '')) return null;
  const indent = (lines[at] ?? '').search(/\S/);
  let end = at;
  while (end < lines.length && (lines[end] ?? '').trim() !== '' && (lines[end] ?? '').search(/\S/) >= indent) end++;
  return end - at >= 2 && end - at <= 6 ? end : null;
}
