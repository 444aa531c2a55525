// Facts of the project that no passage says by its words: entry points, commands, dependencies and versions, from the manifests that are
// nearest to what is asked. A passage has the lines that say it, 150 tokens at most.
import { posix } from 'node:path';
import { type Passage, passageText, stretchesOf } from '../../core/prompt/found.ts';
import type { Question } from '../rank/question.ts';
import { fileKindOf } from '../text/accept.ts';
import { type Manifest, manifestOf, manifests, saidIn } from './manifests.ts';
import { type AskedFrom, nearestManifests } from './nearest.ts';
import { type Topic, topicNames, topicsOf } from './topics.ts';

export interface Facts {
  readonly passages: readonly Passage[];
  /** That nothing says what is asked for, in words; else empty. */
  readonly weak: string;
}

/** The folder, as far as facts are looked for in it. */
export interface FactGround {
  readonly files: readonly string[];
  readonly read: (path: string) => readonly string[] | null;
  /** Paths of the files that declare a name. */
  readonly declaring: (name: string) => readonly string[];
}

const mostTokens = 150;
/** Manifests of one folder, and files that begin the program. */
const mostPassages = 2;
/** Lines of a file that begins the program. */
const mostLines = 8;

/** The result is null where the message asks for no such facts, or the folder has no manifest. */
export function factsFor(message: string, question: Question, place: AskedFrom, ground: FactGround): Facts | null {
  const topics = topicsOf(message);
  if (topics.length === 0 || asksOfCode(question, ground)) return null;
  const folders = nearestManifests(question, place, ground.files);
  for (const paths of folders) {
    const passages = paths.flatMap((path) => said(path, topics, message, ground) ?? []);
    const found = passages.length > 0 ? passages : begun(paths, topics, ground);
    if (found.length > 0) return { passages: meant(found, message).slice(0, mostPassages), weak: '' };
  }
  const [first] = folders[0] ?? [];
  if (first === undefined) return null;
  const shown = itself(first, ground);
  return { passages: shown === null ? [] : [shown], weak: `${first} names no ${topicNames[topics[0] ?? 'entry']}` };
}

/** A name of the folder's code, written as one, is what is asked for. */
function asksOfCode({ names }: Question, { declaring }: FactGround): boolean {
  return [...names].some(
    ([name, { sure, written }]) => sure && /[a-z][A-Z]|_/.test(written) && declaring(name).length > 0,
  );
}

/** Chooses, of manifests beside each other, those whose language the message names. */
function meant(passages: readonly Passage[], message: string): readonly Passage[] {
  const named = passages.filter(({ path }) => manifestOf(path)?.meant.test(message) === true);
  return named.length > 0 ? named : passages;
}

/** The lines of a manifest that say something of the topics; null for none. */
function said(path: string, topics: readonly Topic[], message: string, { read }: FactGround): Passage | null {
  const manifest = manifestOf(path);
  const lines = read(path);
  if (manifest === null || lines === null) return null;
  const entries = manifest.read(lines);
  const saying = saidIn(entries, manifest, topics);
  const [command, topic] = commandOf(manifest, topics);
  if (saying.length === 0 && command === '') return null;
  const why =
    saying.length > 0 ? `says the ${topics.map((one) => topicNames[one]).join(', ')}` : `${topic}: ${command}`;
  const told = saying.length > 0 ? saying : entries.filter(({ key }) => manifest.itself.test(key));
  const words = message.toLowerCase().match(/[\w@/-]{3,}/g) ?? [];
  const isAsked = (line: number) => {
    const text = lines[line - 1]?.toLowerCase() ?? '';
    return words.some((word) => text.includes(`"${word}"`) || text.startsWith(`${word} `));
  };
  const inner = told.flatMap(({ from, to }) => rangeOf(from + 1, to - 1));
  const numbers = [...told.flatMap(({ from, to }) => [from, to]), ...inner.filter(isAsked), ...inner];
  return fitted(path, why, lines, numbers);
}

/** The command that its tools have where a manifest says none, and its topic. */
function commandOf({ test, run }: Manifest, topics: readonly Topic[]): readonly [string, string] {
  if (topics.includes('test')) return [test, 'tests'];
  return [topics.includes('scripts') ? run : '', 'commands'];
}

/** Files that are the entry point by convention, else those that declare `main`, for manifests that name none. */
function begun(paths: readonly string[], topics: readonly Topic[], ground: FactGround): readonly Passage[] {
  if (!topics.includes('entry')) return [];
  const folder = posix.dirname(paths[0] ?? '.');
  const below = (path: string) =>
    folder === '.' ? path : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : '';
  const patterns = manifests.filter(({ name }) => paths.some((path) => name.test(posix.basename(path))));
  const usual = patterns
    .flatMap(({ entries }) => entries)
    .map((pattern) => ground.files.filter((path) => pattern.test(below(path))))
    .find((some) => some.length > 0);
  const mains = () => ground.declaring('main').filter((path) => below(path) !== '' && fileKindOf(path) === 'code');
  const depth = (path: string) => path.split('/').length;
  const files = usual ?? mains().toSorted((one, two) => depth(one) - depth(two));
  const why = usual === undefined ? 'declares main' : 'the entry point by convention';
  return files.slice(0, mostPassages).flatMap((path) => {
    const lines = ground.read(path) ?? [];
    const main = lines.findIndex((line) => /\bmain\s*\(/.test(line) && !/^\s*(?:\/\/|#|\*)/.test(line));
    const first = lines.findIndex((line) => /^\s*[^\s/#*]/.test(line));
    const from = (main < 0 ? Math.max(first, 0) : main) + 1;
    return fitted(path, why, lines, rangeOf(from, Math.min(lines.length, from + mostLines - 1))) ?? [];
  });
}

/** A manifest that does not say it: all of it where it is short, else what project it is of. */
function itself(path: string, { read }: FactGround): Passage | null {
  const lines = read(path) ?? [];
  const manifest = manifestOf(path);
  const why = 'the nearest manifest';
  const whole = fitted(path, why, lines, rangeOf(1, lines.length));
  if (whole?.stretches.length === 1 && whole.stretches[0].lines.length === lines.length) return whole;
  const entries = manifest?.read(lines).filter(({ key }) => manifest.itself.test(key)) ?? [];
  return fitted(
    path,
    why,
    lines,
    entries.flatMap(({ from, to }) => rangeOf(from, to)),
  );
}

function rangeOf(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
}

/** Takes as many of the lines as fit, the first of them first; null for none. */
function fitted(path: string, why: string, lines: readonly string[], numbers: readonly number[]): Passage | null {
  let kept: Passage | null = null;
  const chosen = new Set<number>();
  for (const number of numbers) {
    if (chosen.has(number)) continue;
    const numbered = [...chosen, number].toSorted((one, two) => one - two);
    const next: Passage = {
      kind: 'file',
      path,
      why,
      stretches: stretchesOf(numbered.map((one) => [one, lines[one - 1] ?? ''])),
    };
    if (tokensOf(passageText(next)) > mostTokens) continue;
    chosen.add(number);
    kept = next;
  }
  return kept;
}

/** More than any tokenizer makes of it: pieces of words, digits, signs. */
function tokensOf(text: string): number {
  return text.match(/\p{L}{1,5}|\p{N}|[^\s\p{L}\p{N}]{1,2}|\n/gu)?.length ?? 0;
}
