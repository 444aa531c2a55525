// Facts of a project that a message asks for and that its manifests say, told by its words.

export const topics = ['entry', 'test', 'scripts', 'dependencies', 'version', 'engine', 'licence'] as const;
export type Topic = (typeof topics)[number];

export const topicNames: Readonly<Record<Topic, string>> = {
  entry: 'entry point',
  test: 'test command',
  scripts: 'scripts',
  dependencies: 'dependencies',
  version: 'version',
  engine: 'language version',
  licence: 'licence',
};

const it =
  '(?:it|this|(?:this|the|our|my) (?:project|app|application|program|package|library|crate|module|extension|repo|repository))';
const engines = '(?:node(?:\\.?js)?|npm|python|rust|go|golang|java|jdk|typescript|php|deno|bun|dotnet|\\.net)';

const patterns: Readonly<Record<Topic, RegExp>> = {
  entry: new RegExp(
    [
      '\\bentry[- ]?points?\\b',
      '\\bmain (?:class|file|module|script|program)\\b',
      '\\bstarting point\\b',
      '\\b(?:which|what) (?:executables?|binar(?:y|ies)|console scripts?)\\b',
      `\\b(?:where|which file|what file)\\b[^.?!]*\\b(?:${it}|execution|everything|cli|tool)\\b[^.?!]*\\b(?:starts?|begins?)(?: up| running)?\\W*$`,
    ].join('|'),
    'im',
  ),
  test: /\btest (?:commands?|scripts?|runner)\b|\b(?:runs?|running|execute|start|launch) (?:(?:all|the|its|unit|my|our|these) )*tests?\b(?! case)|\btests? (?:are )?(?:run|executed)\b/i,
  scripts: new RegExp(
    [
      '\\b(?:npm|yarn|pnpm|package|composer|build|start|lint|dev) scripts?\\b',
      '\\b(?:which|what) scripts?\\b',
      '\\b(?:build|start|lint|run|dev) commands?\\b',
      `\\bhow\\b[^.?!]*\\b(?:run|start|build|compile|launch|lint|format|release|publish) ${it}\\W*$`,
    ].join('|'),
    'im',
  ),
  dependencies: new RegExp(
    [
      '\\bdependenc(?:y|ies)\\b(?! (?:injection|graph|array|cycle|tree))',
      `\\b${it}\\b[^.?!]*\\bdepends? on\\b`,
      '\\b(?:which|what)\\b(?: [\\w-]+)? (?:librar(?:y|ies)|packages|crates|frameworks?)\\b[^.?!]*\\b(?:uses?|used|needs?|needed|requires?|required|installs?|installed|imported)\\b',
      '\\bwhich version of (?!the |this |it )',
    ].join('|'),
    'i',
  ),
  version: new RegExp(
    `\\b(?:which|what)(?:'s| is)?(?: the)?(?: current)? version\\b(?! of (?!${it}))|\\bversion of ${it}\\b`,
    'i',
  ),
  engine: new RegExp(
    [
      `\\b${engines}\\b(?: [\\w-]+)? versions?\\b`,
      `\\bversions? of ${engines}\\b`,
      '\\b(?:which|what|programming) languages?\\b',
      '\\bmsrv\\b|\\bedition of rust\\b|\\brust edition\\b',
    ].join('|'),
    'i',
  ),
  licence: /\blicen[cs](?:e|es|ed)\b/i,
};

/** None where the message asks for something else. */
export function topicsOf(message: string): readonly Topic[] {
  const asked = topics.filter((topic) => patterns[topic].test(message));
  // "Which Node version" asks for no version of the project, "which version of Rust" for no dependency.
  return asked.includes('engine') ? asked.filter((topic) => topic !== 'version' && topic !== 'dependencies') : asked;
}
