// A workspace to ask about: files in memory, and where each name is declared. Made up, or this project's own sources with
// every declared name, every path and the lines they stand on changed.
import { globSync, readFileSync } from 'node:fs';
import { definedName } from '../../../src/tools/search/definition.ts';
import { commentOf, type Ink, type Kind, type Language, languages } from './languages.ts';
import { createRandom, type Random } from './random.ts';
import { createWords, inStyle, makeName, type Split, styleOf, type Words } from './words.ts';

export interface Declared {
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

export interface World {
  readonly folder: string;
  /** Text by relative path. */
  readonly files: ReadonlyMap<string, string>;
  readonly declared: readonly Declared[];
  /** Seen with an editor's eyes: symbols and problems are known. */
  readonly editor: boolean;
  readonly random: Random;
  readonly words: Words;
}

/** A made-up folder for three of five, else one of our own sources in disguise. */
export function createWorld(seed: number, split: Split): World {
  const random = createRandom(seed);
  const words = createWords(split, random);
  const made = random.chance(0.6) ? inventFiles(random, words) : disguiseFiles(random, words);
  const folder = inStyle([words.rare(), ...(random.chance(0.4) ? [words.noun()] : [])], 'kebab');
  const files = new Map([...made, ...texts(random, words, folder)]);
  return { folder, files, declared: declarationsIn(files), editor: random.chance(0.5), random, words };
}

function declarationsIn(files: ReadonlyMap<string, string>): Declared[] {
  const declared = new Map<string, Declared>();
  for (const [path, text] of files) {
    for (const [index, line] of text.split('\n').entries()) {
      const name = /^\s/.test(line) ? undefined : definedName(line, path);
      if (name !== undefined && name.length > 2 && !declared.has(name))
        declared.set(name, { name, path, line: index + 1 });
    }
  }
  return [...declared.values()];
}

/** README and instructions, which many folders have. */
function texts(random: Random, words: Words, folder: string): [string, string][] {
  const sentence = () =>
    `${Array.from({ length: random.int(4, 10) }, () => (random.chance(0.6) ? words.rare() : words.noun())).join(' ')}.`;
  const paragraph = () => Array.from({ length: random.int(1, 3) }, sentence).join(' ');
  const found: [string, string][] = [];
  if (random.chance(0.6))
    found.push(['README.md', `# ${folder}\n\n${paragraph()}\n\n- ${sentence()}\n- ${sentence()}\n`]);
  if (random.chance(0.3)) found.push(['AGENTS.md', `${paragraph()}\n${sentence()}\n`]);
  if (random.chance(0.4))
    found.push(['package.json', `{\n  "name": "${folder}",\n  "version": "1.${random.int(0, 9)}.0"\n}\n`]);
  return found;
}

function inventPaths(random: Random, words: Words, extension: string, count: number): string[] {
  const folders = [
    'src',
    'lib',
    'test',
    words.noun(),
    words.rare(),
    `src/${words.noun()}`,
    `src/${words.rare()}`,
    `${words.rare()}/${words.noun()}`,
  ];
  const used = random.some(folders, random.int(1, 4));
  const style = random.pick(['camel', 'snake', 'kebab'] as const);
  const paths = new Set<string>();
  while (paths.size < count) {
    const parts = [random.chance(0.5) ? words.rare() : words.noun(), ...(random.chance(0.3) ? [words.noun()] : [])];
    const test = extension !== 'go' && random.chance(0.1) ? '.test' : '';
    paths.add(`${random.chance(0.05) ? '' : `${random.pick(used)}/`}${inStyle(parts, style)}${test}.${extension}`);
  }
  return [...paths];
}

function inventFiles(random: Random, words: Words): [string, string][] {
  const language = random.pick(languages);
  const paths = inventPaths(random, words, language.extension, random.int(5, 12));
  const planned = paths.map((path) => ({
    path,
    names: Array.from({ length: random.int(1, 6) }, () => planName(random, words, language)),
  }));
  const all = planned.flatMap(({ names }) => names.map(({ name }) => name));
  const ink: Ink = {
    random,
    words,
    foreign: () => (random.chance(0.75) ? random.pick(all) : makeName(words, random, language.functions, true)),
  };
  return planned.map(({ path, names }) => [path, inventFile(ink, language, names)]);
}

interface Planned {
  readonly name: string;
  readonly kind: Kind;
}

function planName(random: Random, words: Words, language: Language): Planned {
  const kind: Kind = random.chance(0.65) ? 'function' : random.chance(0.6) ? 'type' : 'constant';
  const style = language[`${kind}s`];
  return { kind, name: makeName(words, random, style, kind === 'function') };
}

function inventFile(ink: Ink, language: Language, names: readonly Planned[]): string {
  const { random, words } = ink;
  const lines: string[] = random.chance(0.5) ? [commentOf(ink, language), ''] : [];
  for (let i = random.int(0, 3); i > 0; i--) lines.push(language.imports(ink.foreign(), words.noun()));
  if (lines.length > 0) lines.push('');
  for (const { kind, name } of names) {
    if (random.chance(0.3)) lines.push(commentOf(ink, language));
    lines.push(...random.pick(language.declare[kind])(ink, name));
    for (let i = random.int(0, 2); i > 0; i--) lines.push('');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

let ownSources: readonly (readonly [string, string])[] | null = null;

function disguiseFiles(random: Random, words: Words): [string, string][] {
  ownSources ??= globSync('src/**/*.ts', { cwd: new URL('../../..', import.meta.url).pathname })
    .toSorted()
    .map((path) => [path, readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')] as const);
  const chosen = random.some(ownSources, random.int(5, 10));
  const slices = chosen.map(([path, text]) => {
    const lines = text.split('\n');
    const from = random.int(0, Math.max(0, lines.length - 40));
    return [path, lines.slice(from, from + random.int(20, 90)).join('\n')] as const;
  });
  const names = new Map(
    declarationsIn(new Map(slices))
      .filter(({ name }) => name.length > 3)
      .map(({ name }) => [name, makeName(words, random, styleOf(name), random.chance(0.6))]),
  );
  const paths = inventPaths(random, words, 'ts', slices.length);
  const pattern = new RegExp(`\\b(?:${[...names.keys(), '(?!)'].join('|')})\\b`, 'g');
  return slices.map(([, text], i) => [
    paths[i] ?? `file${i}.ts`,
    `${text.replace(pattern, (name) => names.get(name) ?? name)}\n`,
  ]);
}
