// Whatever stands behind a command: the script that `npm test` or `make x` runs, and the files that decide what a command does. Shown in the question, and a
// permission for good ends where one of them changes.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { obeyed } from '../core/obeyed.ts';
import type { FolderTree } from './changes/walk.ts';
import { isWithin } from './fence/places.ts';
import type { ParsedCommand } from './judge/parse.ts';

export interface Script {
  /** The file that has it, from the open folder on. */
  readonly file: string;
  readonly text: string;
}

/** SHA-256 of files by their paths from the open folder on; '' for one that is not there. */
export type Hashes = Readonly<Record<string, string>>;

export interface Behind {
  readonly scripts: readonly Script[];
  /** Files that decide what the command does, its scripts among them, as they were before these were read. */
  readonly files: Hashes;
  /** All that it reads to decide what it does is among them. */
  readonly isKnown: boolean;
}

/** Real paths of the open folder, and of the folder in it where a command begins. */
export interface CommandPlace {
  readonly folder: string;
  readonly cwd: string;
}

export async function behind(command: ParsedCommand, place: CommandPlace, tree: FolderTree): Promise<Behind> {
  // Behind a `cd`, and with an option that names another folder, it is not told which script runs.
  const isClear = command.parts.every(
    ({ words }) => words[0] !== 'cd' && words.every((word) => !elsewhere.test(word ?? '')),
  );
  const isKnown = isClear && command.parts.every(({ words: [program, ...rest] }) => runsByFiles(program ?? '', rest));
  // A script may call any other one of its manifest.
  const manifests = scriptsBehind(command, place).map(({ file }) => file);
  const said = await Promise.all(
    [...new Set(manifests)].map((file) => readFile(join(place.folder, file), 'utf8').catch(() => '')),
  );
  const words = [
    ...command.parts.flatMap((part) => part.words),
    ...manifests,
    ...said.flatMap((text) => text.split(/[\s"'();&|=:,@]+/)),
  ];
  const named = new Set(words.flatMap((word) => placesOf(word ?? '', place)));
  const present = [...named].filter((path) => isFileAt(join(place.folder, path)));
  const obeyedHere = isKnown ? [...tree.files.keys()].filter((path) => obeyed(path.split('/')) !== null) : [];
  const files = await hashesOf([...new Set([...present, ...obeyedHere])].toSorted(), place.folder);
  return { scripts: scriptsBehind(command, place), files, isKnown };
}

/** The scripts that stand behind the parts of a command, as they are now; none where it is not told which. */
export function scriptsBehind(command: ParsedCommand, place: CommandPlace): readonly Script[] {
  return command.parts.some(({ words }) => words[0] === 'cd')
    ? []
    : command.parts.flatMap(({ words }) => scriptsOf(words, place));
}

/** Options of package managers and of make that name another folder or file. */
const elsewhere =
  /^(?:--(?:prefix|cwd|dir|directory|filter|workspaces?|workspace-root|manifest-path|file|makefile|rootdir|project)\b|-w$)/;

/** The same of files as they are now. */
export async function hashesOf(files: readonly string[], folder: string): Promise<Hashes> {
  const rows = files.map(async (name) => {
    const bytes = await readFile(join(folder, name)).catch(() => null);
    return [name, bytes === null ? '' : createHash('sha256').update(bytes).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

/** Programs that decide what they do by their words, by files whose names say so, and by the scripts that these name. */
function runsByFiles(program: string, rest: readonly (string | null)[]): boolean {
  if (/^(?:npm|pnpm|yarn|bun)$/.test(program)) return /^(?:test|t|run|run-script|start)$/.test(rest[0] ?? '');
  if (/^g?make$/.test(program)) return rest.every((word) => makeWord.test(word ?? ''));
  if (program === 'cargo') return /^(?:test|build|check|clippy|fmt|doc|t|b|c)$/.test(rest[0] ?? '');
  if (program === 'go') return /^(?:test|build|vet|fmt)$/.test(rest[0] ?? '');
  if (/^python3?$/.test(program)) return rest[0] === '-m' && /^(?:pytest|unittest|mypy)$/.test(rest[1] ?? '');
  return /^(?:pytest|tox|nox|mypy|ruff|tsc|eslint|prettier|biome|vitest|jest|mocha|gradle|mvn|ctest|just|rake|dotnet)$/.test(
    program,
  );
}

/** A word, or what stands behind a `=` in it, as a file of the folder: from where the command begins, or from the top. */
function placesOf(word: string, { folder, cwd }: CommandPlace): readonly string[] {
  const words = [word, word.slice(word.indexOf('=') + 1)].filter((one) => one !== '');
  const paths = words.flatMap((one) => [join(cwd, one), join(folder, one)]);
  return paths.filter((path) => isWithin(folder, path)).map((path) => relative(folder, path));
}

/** A target, a variable, or an option of make that leads nowhere else. */
const makeWord = /^(?:-[sknBj]+\d*|[\w.%/][\w.%/-]*(?:=.*)?)$/;
const managers = /^(?:npm|pnpm|yarn|bun)$/;

function scriptsOf(words: readonly (string | null)[], place: CommandPlace): readonly Script[] {
  const [program, ...rest] = words.map((word) => word ?? '');
  const own = rest.filter((word) => !word.startsWith('-'));
  if (managers.test(program ?? '') && !rest.some((word) => elsewhere.test(word) || /^-[^s-]/.test(word))) {
    const isRun = /^(?:run|run-script)$/.test(own[0] ?? '');
    const name = isRun ? own[1] : own[0] === 't' ? 'test' : own[0];
    return name === undefined ? [] : packageScript(name, place);
  }
  if (/^g?make$/.test(program ?? '') && rest.every((word) => makeWord.test(word)))
    return makeRules(
      own.filter((word) => !word.includes('=')),
      place,
    );
  return [];
}

/** The nearest manifest from where the command begins up to the open folder. */
function packageScript(name: string, { folder, cwd }: CommandPlace): readonly Script[] {
  for (let at = cwd; isWithin(folder, at); at = dirname(at)) {
    const path = join(at, 'package.json');
    if (!existsSync(path)) continue;
    try {
      const { scripts = {} } = JSON.parse(readFileSync(path, 'utf8')) as { scripts?: Record<string, unknown> };
      const file = relative(folder, path);
      return [`pre${name}`, name, `post${name}`].flatMap((one) =>
        typeof scripts[one] === 'string' ? [{ file, text: `${one}: ${scripts[one]}` }] : [],
      );
    } catch {
      return [];
    }
  }
  return [];
}

/** All rules of the targets, since a later one of the same name goes over an earlier one; without a target the first rule. */
function makeRules(targets: readonly string[], { folder, cwd }: CommandPlace): readonly Script[] {
  const name = ['GNUmakefile', 'makefile', 'Makefile'].find((one) => existsSync(join(cwd, one)));
  if (name === undefined) return [];
  const lines = readFileSync(join(cwd, name), 'utf8').split('\n');
  const rules = lines.flatMap((line, at) => {
    const [, said] = /^([^\s#:=.][^:=#]*):(?!=)/.exec(line) ?? [];
    return said === undefined ? [] : [{ at, names: said.split(/\s+/) }];
  });
  const wanted =
    targets.length === 0 ? rules.slice(0, 1) : rules.filter(({ names }) => targets.some((one) => names.includes(one)));
  return wanted.map(({ at }) => {
    const end = lines.findIndex((line, i) => i > at && !/^(?:\t|\s*$|#)/.test(line));
    return {
      file: relative(folder, join(cwd, name)),
      text: lines
        .slice(at, end < 0 ? undefined : end)
        .join('\n')
        .trimEnd(),
    };
  });
}

/** Whether a file stands there. A word of a command may be no path at all, such as a script in quotes, which is too long for one. */
export function isFileAt(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
