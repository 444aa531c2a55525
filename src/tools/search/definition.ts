// Definitions: whether a line of code defines a name, by the look of the line, over many languages.

import { extname } from 'node:path';

/** 2 for a definition proper, 1 for a local variable, a field, a prototype or an `impl`, 0 for no definition. */
export type Strength = 0 | 1 | 2;

export type DefinitionTest = (line: string, path: string) => Strength;

interface Rule {
  readonly source: string;
  readonly strength: 1 | 2;
  /** Extensions the rule is held to; every language otherwise. */
  readonly only?: ReadonlySet<string>;
}

/** Any identifier, as the source of a regular expression with the `u` flag. */
const anyName = '[\\p{L}_$][\\p{L}\\p{N}_$]*';

const lineLimit = 600;
const ascii = /^[\t -~]*$/;
const proseSet = new Set(
  '.md .markdown .mdx .txt .rst .adoc .json .jsonc .yaml .yml .toml .lock .html .xml .svg .csv .log'.split(' '),
);
const proseName = /(?:^|[/\\])(?:licen[cs]e|readme|copying|changelog|notice|authors)[^/\\]*$/i;
const cLike = new Set(
  '.c .h .cc .hh .cpp .hpp .cxx .hxx .m .mm .ino .cu .java .cs .dart .d .groovy .glsl .hlsl .scala'.split(' '),
);
const methods = new Set([...cLike, ...'.ts .tsx .mts .cts .js .jsx .mjs .cjs .vue .svelte .sh .bash .zsh'.split(' ')]);
const noValueKeyword = new Set('.py .pyi .rb .sh .bash .zsh .jl .lua .r .R .ex .exs .mk .nix .tf'.split(' '));

const comment = /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?!\s*define\b)|--\s|;;|<!--|"""|''')/;
const importPattern =
  /^\s*(?:import\b|from\s+\S+\s+import\b|(?:pub\s+)?use\s|using\s|#\s*include\b|export\s*(?:type\s*)?[{*]|require\b|.*=\s*require\()/;
const control =
  /^\s*(?:if|for|foreach|while|switch|return|catch|else|elif|await|new|throw|do|case|yield|match|with|when|until|unless|goto|delete|not|and|or|in|print|echo|assert|raise|del|package|default:)(?![\w$])/;

const modifiers =
  '(?:(?:export|default|declare|public|private|protected|internal|static|async|abstract|final|pub(?:\\([^)]*\\))?|' +
  'unsafe|extern(?:\\s+"[^"]*")?|inline|const|constexpr|readonly|override|open|sealed|data|virtual|partial|local|' +
  'global|suspend|case|lazy|implicit|typedef|template\\s*<[^>]*>|@[\\w.]+(?:\\([^)]*\\))?)\\s+)*';

/** Makes a test of whether a line defines a name that `name`, the source of a regular expression, matches. */
export function createDefinitionTest(name: string, ignoreCase = false): DefinitionTest {
  const flags = ignoreCase ? 'iu' : 'u';
  const compile = (plain: boolean) =>
    definitionRules(name).map(({ source, ...rule }) => {
      return { ...rule, pattern: new RegExp(plain ? asciiOnly(source) : source, flags) };
    });
  const [forAscii, forAll] = [once(() => compile(true)), once(() => compile(false))];
  return (line, path) => {
    const extension = extname(path);
    if (isProse(path) || isComment(line) || isImport(line)) return 0;
    const head = line.slice(0, lineLimit).trimEnd();
    const rules = ascii.test(head) ? forAscii() : forAll();
    const applies = (rule: Pick<Rule, 'only'>): boolean => rule.only === undefined || rule.only.has(extension);
    return rules.find((rule) => applies(rule) && rule.pattern.test(head))?.strength ?? 0;
  };
}

/** Means the same in a line of ASCII, where the classes of all letters take most of the time of a search to build. */
function asciiOnly(source: string): string {
  return source.replaceAll('\\p{L}\\p{N}', 'A-Za-z0-9').replaceAll('\\p{L}', 'A-Za-z');
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The name that a line defines, if it defines one. */
export function definedName(line: string, path: string): string | undefined {
  const extension = extname(path);
  if (isProse(path) || isComment(line) || isImport(line)) return undefined;
  const head = line.slice(0, lineLimit).trimEnd();
  for (const rule of anyRules) {
    if (rule.only !== undefined && !rule.only.has(extension)) continue;
    const name = rule.pattern.exec(head)?.groups?.name;
    if (name !== undefined) return name;
  }
  return undefined;
}

export function isComment(line: string): boolean {
  return comment.test(line);
}

export function isImport(line: string): boolean {
  return importPattern.test(line.slice(0, lineLimit));
}

/** Whether a file holds prose or data, where a line cannot define anything. */
export function isProse(path: string): boolean {
  return proseSet.has(extname(path).toLowerCase()) || proseName.test(path);
}

/** A wide pattern, the same in ripgrep and in JavaScript, that every line which defines `name` matches. */
export function definitionCandidates(name: string): string {
  const keywords =
    'function|class|interface|type|enum|namespace|module|const|let|var|def|defp|defmodule|defmacro|fn|func|fun|val|' +
    'struct|trait|impl|union|mod|static|macro_rules|record|object|protocol|extension|sub|proc|typedef|table|view|actor';
  return [
    `\\b(?:${keywords}|TABLE|VIEW|FUNCTION)\\b.*${name}`,
    `^\\s*[^=('"]*${name}\\s*(?:<[^>]*>)?\\(`,
    `^\\s*(?:[\\w$]+\\.)*[#]?${name}\\??\\s*[:=]`,
    `^\\}\\s*${name}\\s*;`,
    `#\\s*define\\s+${name}`,
  ].join('|');
}

const anyRules = definitionRules(anyName).map((rule) => ({ ...rule, pattern: new RegExp(rule.source, 'u') }));

function definitionRules(name: string): readonly Rule[] {
  const word = `(?<![\\p{L}\\p{N}_$])(?<name>${name})(?![\\p{L}\\p{N}_$])`;
  const notControl = `(?!${control.source.slice(1)})`;
  const start = `^\\s*${modifiers}`;
  return [
    { source: `^\\s*#\\s*define\\s+${word}`, strength: 2 },
    { source: `${start}function\\s*\\*?\\s*&?(?:[\\w.]+[.:])?${word}\\s*[(<{]`, strength: 2 },
    { source: `${start}func\\s*(?:\\([^)]*\\)\\s*)?${word}\\s*[(<\\[]`, strength: 2 },
    { source: `${start}(?:fn|defp?|defmacrop?|sub|proc)\\s+(?:self\\.)?${word}`, strength: 2 },
    { source: `${start}fun\\s+(?:<[^>]*>\\s*)?(?:[\\w.]+\\.)?${word}`, strength: 2 },
    { source: `${start}type\\s+${word}\\s*(?:$|[=<\\[]|[\\w*(])`, strength: 2 },
    // `struct tide *next;` uses the type, `struct tide {` defines it.
    {
      source: `${start}(?:class|interface|enum(?:\\s+class)?|struct|trait|union|record|object|protocol|namespace|defmodule|actor|extension)\\s+(?:[A-Z_]+\\s+)?${word}(?!\\s*[*&]|\\s+[A-Za-z_]\\w*\\s*[;=,(\\[])`,
      strength: 2,
    },
    { source: `${start}(?:mod|module)\\s+${word}`, strength: 2 },
    { source: `${start}macro_rules!\\s*${word}`, strength: 2 },
    { source: `^\\s*(?:create|CREATE)\\s+(?:[A-Za-z]+\\s+){1,5}${word}`, strength: 2 },
    { source: `^${modifiers}(?:const|let|var|val|static)\\s+(?:mut\\s+)?${word}\\s*(?:$|[:=;,]|\\w)`, strength: 2 },
    { source: `^\\s+(?:(?:pub|export|static)\\s+)(?:const|static)\\s+(?:mut\\s+)?${word}\\s*[:=]`, strength: 2 },
    { source: `${start}(?:const|let|var|val|static)\\s+(?:mut\\s+)?${word}\\s*(?:$|[:=;,]|\\w)`, strength: 1 },
    { source: `^(?:module\\.)?exports\\.${word}\\s*=(?!=)`, strength: 2 },
    {
      source: `^\\s*(?:(?:public|private|protected|static|readonly)\\s+)*(?:[\\w$]+\\.)*#?${word}\\s*[:=]\\s*(?:async\\s*)?(?:function\\b|\\([^)]*\\)\\s*(?::[^=]+)?=>|[\\w$]+\\s*=>)`,
      strength: 2,
    },
    { source: `^${word}\\s*(?::[^=]+)?=(?![=~>])`, strength: 2, only: noValueKeyword },
    {
      source: `^\\s*${notControl}${modifiers}(?:get\\s+|set\\s+)?\\*?\\s*#?${word}\\s*(?:<[^>]*>)?\\((?!\\s*['"\`]|.*=>\\s*\\{$|.*\\bfunction\\b).*\\)[^;=]*(?:=>[^;]*)?\\{(?:.*\\})?$`,
      strength: 2,
      only: methods,
    },
    {
      source: `^${notControl}[\\w][\\w:<>,\\[\\]*&~\\s]*[\\s*&](?:\\w+::)*~?${word}\\s*\\([^;]*$`,
      strength: 2,
      only: cLike,
    },
    {
      source: `^\\s+${notControl}(?:[\\w:<>,\\[\\]?@]+[\\s*&]+)+${word}\\s*\\([^;]*\\)[^;]*\\{(?:.*\\})?$`,
      strength: 2,
      only: cLike,
    },
    { source: `^(?:\\}|typedef\\b.*[\\s*])\\s*${word}\\s*;`, strength: 2, only: cLike },
    { source: `^${notControl}[\\w][\\w\\s*&]*[\\s*&]${word}\\s*\\([^;]*\\)[^;]*;$`, strength: 1, only: cLike },
    { source: `^(?:unsafe\\s+)?impl(?:<[^>]*>)?\\s+(?:.*\\sfor\\s+)?${word}`, strength: 1 },
    {
      source: `^\\s+(?:(?:public|private|protected|static|abstract)\\s+)*${word}\\??\\s*(?:<[^>]*>)?\\(.*\\)\\s*:\\s*[^;?]+;$`,
      strength: 1,
    },
    { source: `^\\s+(?:(?:public|private|protected|static|readonly)\\s+)*#?${word}[?!]?:\\s*[^;,]+;$`, strength: 1 },
  ];
}
