// Made-up code in five languages: declarations that use each other's names, in the shapes people write.
import type { Random } from './random.ts';
import { makeName, type Style, type Words } from './words.ts';

/** The words, names and random numbers that a file is made with. */
export interface Ink {
  readonly random: Random;
  readonly words: Words;
  /** A name that is declared in another file, or a fresh one. */
  readonly foreign: () => string;
}

export interface Language {
  readonly extension: string;
  readonly functions: Style;
  readonly types: Style;
  readonly constants: Style;
  readonly comment: (text: string) => string;
  readonly imports: (name: string, module: string) => string;
  readonly declare: Readonly<Record<Kind, readonly ((ink: Ink, name: string) => readonly string[])[]>>;
}

export type Kind = 'function' | 'type' | 'constant';

const local = ({ words, random }: Ink) => (random.chance(0.5) ? words.noun() : words.rare());
const sentence = ({ words, random }: Ink) =>
  Array.from({ length: random.int(3, 7) }, () => (random.chance(0.5) ? words.noun() : words.rare())).join(' ');

/** Statements that call foreign names. */
function body(ink: Ink, statement: (target: string, call: string) => string, most = 4): string[] {
  return Array.from({ length: ink.random.int(1, most) }, () => {
    const args = ink.random.chance(0.3) ? String(ink.random.int(0, 900)) : local(ink);
    return statement(local(ink), `${ink.foreign()}(${args})`);
  });
}

const tsBody = (ink: Ink) => [
  ...body(ink, (to, call) => (ink.random.chance(0.7) ? `  const ${to} = ${call};` : `  ${call};`)),
  `  return ${ink.random.chance(0.4) ? `${local(ink)} * ${ink.random.int(2, 60)}` : `${ink.foreign()}(${local(ink)})`};`,
];
const tsType = ({ random, words }: Ink) =>
  random.pick(['string', 'number', 'boolean', 'readonly string[]', makeName(words, random, 'pascal', false)]);

const typescript: Language = {
  extension: 'ts',
  functions: 'camel',
  types: 'pascal',
  constants: 'constant',
  comment: (text) => `// ${text}`,
  imports: (name, module) => `import { ${name} } from './${module}.js';`,
  declare: {
    function: [
      (ink, name) => [`export function ${name}(${local(ink)}: ${tsType(ink)}): ${tsType(ink)} {`, ...tsBody(ink), '}'],
      (ink, name) => [
        `export async function ${name}(${local(ink)}: ${tsType(ink)}, ${local(ink)} = ${ink.random.int(0, 99)}): Promise<${tsType(ink)}> {`,
        ...tsBody(ink),
        '}',
      ],
      (ink, name) => [`function ${name}(${local(ink)}: ${tsType(ink)}) {`, ...tsBody(ink), '}'],
      (ink, name) => [`export const ${name} = (${local(ink)}: ${tsType(ink)}) => {`, ...tsBody(ink), '};'],
    ],
    type: [
      (ink, name) => [
        `export interface ${name} {`,
        `  readonly ${local(ink)}: ${tsType(ink)};`,
        `  readonly ${local(ink)}: ${tsType(ink)};`,
        '}',
      ],
      (ink, name) => [
        `export class ${name} {`,
        `  private ${local(ink)}: ${tsType(ink)};`,
        `  ${ink.words.verb()}(): void {`,
        ...body(ink, (_, call) => `    ${call};`, 2),
        '  }',
        '}',
      ],
      (ink, name) => [`export type ${name} = '${local(ink)}' | '${local(ink)}';`],
      (ink, name) => [`enum ${name} {`, `  ${local(ink)},`, `  ${local(ink)},`, '}'],
    ],
    constant: [
      (ink, name) => [`export const ${name} = ${ink.random.int(1, 5000)};`],
      (ink, name) => [`const ${name} = '${local(ink)}';`],
    ],
  },
};

const javascript: Language = {
  ...typescript,
  extension: 'js',
  imports: (name, module) => `const { ${name} } = require('../${module}');`,
  declare: {
    function: [
      (ink, name) => [`function ${name}(${local(ink)}, ${local(ink)}) {`, ...tsBody(ink), '}'],
      (ink, name) => [`export function ${name}(${local(ink)}) {`, ...tsBody(ink), '}'],
      (ink, name) => [`exports.${name} = async (${local(ink)}) => {`, ...tsBody(ink), '};'],
    ],
    type: [
      (ink, name) => [
        `class ${name} {`,
        `  ${ink.words.verb()}(${local(ink)}) {`,
        ...body(ink, (_, call) => `    ${call};`, 2),
        '  }',
        '}',
      ],
    ],
    constant: [
      (ink, name) => [`const ${name} = ${ink.random.int(1, 5000)};`],
      (ink, name) => [`export const ${name} = '${local(ink)}';`],
    ],
  },
};

const pyBody = (ink: Ink) => [
  ...(ink.random.chance(0.4) ? [`    """${sentence(ink)}"""`] : []),
  ...body(ink, (to, call) => `    ${to} = ${call}`),
  `    return ${local(ink)}`,
];

const python: Language = {
  extension: 'py',
  functions: 'snake',
  types: 'pascal',
  constants: 'constant',
  comment: (text) => `# ${text}`,
  imports: (name, module) => `from .${module} import ${name}`,
  declare: {
    function: [
      (ink, name) => [`def ${name}(${local(ink)}, ${local(ink)}=None):`, ...pyBody(ink)],
      (ink, name) => [`def ${name}(${local(ink)}: str) -> int:`, ...pyBody(ink)],
      (ink, name) => [`async def ${name}(${local(ink)}):`, ...pyBody(ink)],
    ],
    type: [
      (ink, name) => [
        `class ${name}:`,
        `    def ${ink.words.verb()}(self, ${local(ink)}):`,
        ...body(ink, (to, call) => `        self.${to} = ${call}`, 2),
      ],
      (ink, name) => [`class ${name}(${ink.foreign()}):`, `    ${local(ink)} = ${ink.random.int(0, 99)}`],
    ],
    constant: [(ink, name) => [`${name} = ${ink.random.int(1, 5000)}`], (ink, name) => [`${name} = "${local(ink)}"`]],
  },
};

const goBody = (ink: Ink) => [...body(ink, (to, call) => `\t${to} := ${call}`), `\treturn ${local(ink)}`];

const go: Language = {
  extension: 'go',
  functions: 'camel',
  types: 'pascal',
  constants: 'camel',
  comment: (text) => `// ${text}`,
  imports: (_, module) => `import "app/${module}"`,
  declare: {
    function: [
      (ink, name) => [`func ${name}(${local(ink)} string) error {`, ...goBody(ink), '}'],
      (ink, name) => [
        `func (s *${makeName(ink.words, ink.random, 'pascal', false)}) ${name}(${local(ink)} int) (int, error) {`,
        ...goBody(ink),
        '}',
      ],
    ],
    type: [
      (ink, name) => [`type ${name} struct {`, `\t${local(ink)} int`, `\t${local(ink)} string`, '}'],
      (_, name) => [`type ${name} int`],
    ],
    constant: [
      (ink, name) => [`const ${name} = ${ink.random.int(1, 5000)}`],
      (ink, name) => [`var ${name} = "${local(ink)}"`],
    ],
  },
};

const rustBody = (ink: Ink) => [...body(ink, (to, call) => `    let ${to} = ${call};`), `    ${local(ink)}`];

const rust: Language = {
  extension: 'rs',
  functions: 'snake',
  types: 'pascal',
  constants: 'constant',
  comment: (text) => `// ${text}`,
  imports: (name, module) => `use crate::${module}::${name};`,
  declare: {
    function: [
      (ink, name) => [`pub fn ${name}(${local(ink)}: &str) -> usize {`, ...rustBody(ink), '}'],
      (ink, name) => [`fn ${name}(${local(ink)}: u32) -> Option<u32> {`, ...rustBody(ink), '}'],
    ],
    type: [
      (ink, name) => [`pub struct ${name} {`, `    pub ${local(ink)}: u32,`, '}'],
      (ink, name) => [`pub enum ${name} {`, `    ${ink.foreign()},`, '}'],
      (ink, name) => [`pub trait ${name} {`, `    fn ${ink.words.verb()}(&self) -> u32;`, '}'],
    ],
    constant: [(ink, name) => [`pub const ${name}: u32 = ${ink.random.int(1, 5000)};`]],
  },
};

export const languages: readonly Language[] = [typescript, typescript, javascript, python, go, rust];

export function commentOf(ink: Ink, language: Language): string {
  return language.comment(sentence(ink));
}
