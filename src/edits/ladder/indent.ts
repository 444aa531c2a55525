// Indentation that differs in one and the same way in all lines: moved as a whole, or in other units. What is new is moved alike.

/** The indentation of a line as the model wrote it, and as the file has it. */
export interface IndentPair {
  readonly asked: string;
  readonly there: string;
}

export type Reindent = (indent: string) => string;

const units = ['\t', '  ', '    ', '   ', '        '] as const;

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** How the file's indentation comes of the model's; null where the lines do not differ alike. `pairs`: of lines that are not blank. */
export function reindent(pairs: readonly IndentPair[]): Reindent | null {
  if (pairs.every(({ asked, there }) => asked === there)) return (indent) => indent;
  return moved(pairs) ?? inOtherUnits(pairs);
}

/** All of them further in, or all of them further out, by the same indentation. */
function moved(pairs: readonly IndentPair[]): Reindent | null {
  const [first] = pairs;
  if (first === undefined) return null;
  if (first.there.endsWith(first.asked)) {
    const more = first.there.slice(0, first.there.length - first.asked.length);
    if (pairs.every(({ asked, there }) => there === more + asked)) return (indent) => more + indent;
  }
  if (first.asked.endsWith(first.there)) {
    const less = first.asked.slice(0, first.asked.length - first.there.length);
    const cut: Reindent = (indent) => (indent.startsWith(less) ? indent.slice(less.length) : '');
    if (pairs.every(({ asked, there }) => asked === less + there)) return cut;
  }
  return null;
}

/** The same levels in other units, perhaps all of them moved by some levels. The first units that explain all lines count. */
function inOtherUnits(pairs: readonly IndentPair[]): Reindent | null {
  for (const ours of units) {
    for (const theirs of units) {
      if (ours === theirs) continue;
      const levels = pairs.map(({ asked, there }) => ({
        asked: levelsIn(asked, theirs),
        there: levelsIn(there, ours),
      }));
      const more = (levels[0]?.there ?? 0) - (levels[0]?.asked ?? 0);
      const isUniform = levels.every(({ asked, there }) => asked !== null && there !== null && there - asked === more);
      if (!isUniform) continue;
      return (indent) => {
        const whole = Math.floor(sizeIn(indent, theirs));
        const rest = theirs === '\t' ? indent.replace(/\t/g, '') : indent.slice(whole * theirs.length);
        return ours.repeat(Math.max(0, whole + more)) + rest;
      };
    }
  }
  return null;
}

/** Returns how many units an indentation has; null where it is no whole number of them, or has something else in it. */
function levelsIn(indent: string, unit: string): number | null {
  const count = indent.length / unit.length;
  return Number.isInteger(count) && unit.repeat(count) === indent ? count : null;
}

function sizeIn(indent: string, unit: string): number {
  return unit === '\t' ? (indent.match(/\t/g)?.length ?? 0) : indent.length / unit.length;
}
