// The moves a model should make: for each kind of question the calls to make, in turn, and the answer to give from their results.
import type { ToolResult } from '../../../src/core/dialog/tool.ts';
import { createDefinitionTest } from '../../../src/tools/search/definition.ts';
import { escapePattern } from '../../../src/tools/search/pattern.ts';

/** A call the model makes, or the words it ends the turn with. */
export type Move =
  | { readonly tool: string; readonly arguments: Readonly<Record<string, string | number>> }
  | { readonly answer: string };

export type Script = Generator<Move, unknown, ToolResult>;

/** `path:line` of a line of a result or of the knowledge, and its code. */
export interface Line {
  /** `1. `, or empty. */
  readonly number: string;
  readonly place: string;
  readonly path: string;
  readonly code: string;
}

/** The subject of an answer, for the questions that follow. */
export interface Topic {
  readonly name: string;
  /** The file in the answer, if it named one. */
  readonly path: string | null;
  readonly answer: string;
}

const call = (tool: string, args: Readonly<Record<string, string | number>>): Move => ({ tool, arguments: args });

export function linesOf(body: string): Line[] {
  return body.split('\n').flatMap((line) => {
    const [, number = '', place, path = '', code = ''] = /^(\d+\. )?((\S.*?):\d+): (.*)$/.exec(line) ?? [];
    return place === undefined ? [] : [{ number, place, path, code }];
  });
}

const notFound = 'Not found in this workspace.';

/** Places as they stand in a result, with their numbers: what stands to the left of a copy helps a small model to copy. */
const listed = (lines: readonly Line[], most: number) =>
  lines
    .slice(0, most)
    .map(({ number, place }) => `${number}${place}`)
    .join('\n');

export const definedAt = (lines: readonly Line[]) => `Defined at:\n${listed(lines, 2)}`;

/** Finds where a name is declared: from what is known already, else by its symbol, else by a search. */
export function* where(name: string, known: string | null): Script {
  const seen = known === null ? [] : linesOf(known);
  if (seen.length > 0) return yield { answer: definedAt(seen.slice(0, 1)) };
  const symbols = linesOf((yield call('find_symbol', { name })).body);
  if (symbols.length > 0) return yield { answer: definedAt(symbols) };
  const found = linesOf((yield call('search_code', { query: name })).body);
  return yield { answer: found.length === 0 ? notFound : `Not defined here, but found at:\n${listed(found, 1)}` };
}

/** Up to three places that are no definition. */
export function* uses(name: string): Script {
  const found = linesOf((yield call('search_code', { query: name })).body);
  const others = found.filter(({ code, path }) => !defines(name, code, path));
  if (found.length === 0) return yield { answer: notFound };
  if (others.length === 0) return yield { answer: `Only defined, at:\n${listed(found, 1)}` };
  return yield { answer: `Used at:\n${listed(others, 3)}` };
}

const tests = new Map<string, ReturnType<typeof createDefinitionTest>>();

function defines(name: string, code: string, path: string): boolean {
  const test = tests.get(name) ?? createDefinitionTest(escapePattern(name));
  if (tests.size > 500) tests.clear();
  tests.set(name, test);
  return test(code, path) === 2;
}

/** A file or some of its lines; a path that is not there is read by its near name, a folder is listed. */
export function* read(path: string, range: readonly [number, number] | null): Script {
  const lines = range === null ? {} : { startLine: range[0], endLine: range[1] };
  const result = yield call('read_file', { path, ...lines });
  const near = /Near names: (\S+?)[,.](?:\s|$)/.exec(result.head)?.[1];
  if (result.ok) return yield { answer: sumUp(result) };
  if (near !== undefined) {
    const other = yield call('read_file', { path: near, ...lines });
    return yield { answer: other.ok ? sumUp(other) : other.head };
  }
  if (result.head.endsWith('list it with list_files.')) return yield* list(path);
  if (result.head.endsWith('is past its end.')) return yield { answer: result.head };
  return yield { answer: notFound };
}

/** The head and what is declared, as they stand in the result. */
function sumUp({ head, body }: ToolResult): string {
  return body === '' ? head : `${head}\n${body.split('\n')[0]}`;
}

export function* list(path: string): Script {
  const result = yield call('list_files', { path });
  if (!result.ok && result.head.endsWith('read it with read_file.')) return yield* read(path, null);
  if (!result.ok) return yield { answer: notFound };
  const entries = result.body.split('\n').slice(0, 12);
  return yield { answer: result.body === '' ? result.head : [result.head, ...entries].join('\n') };
}

/** All problems, or those of a file; without an editor nobody knows them. */
export function* problems(path: string | null, editor: boolean): Script {
  if (!editor) return yield { answer: 'I cannot see problems here: there is no editor.' };
  const { head, body } = yield call('get_diagnostics', path === null ? {} : { path });
  yield { answer: body === '' ? head : `${head}\n${body.split('\n')[0]}` };
}

export function* phrase(text: string): Script {
  const found = linesOf((yield call('search_code', { query: text })).body);
  return yield { answer: found.length === 0 ? notFound : `Best match:\n${listed(found, 1)}` };
}

/** Says the last answer once more. */
export function* again({ answer }: Topic): Script {
  return yield { answer };
}

const small = 'I am the pocket model, a tiny demo';

/** Words that do not depend on the workspace. */
export const said = {
  hello: 'Hello! Ask me where something is defined or used, to read a file or to list a folder.',
  thanks: 'You are welcome.',
  help: `${small}: I tell where names are defined and used, read files, list folders and show problems.`,
  beyond: `That is beyond me. ${small}: I only look up names, files, folders and problems.`,
} as const;

export function* say(what: keyof typeof said): Script {
  return yield { answer: said[what] };
}
