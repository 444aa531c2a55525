// What the model should do: for each kind of question the calls to make, in turn, and the answer to give from their results.
import type { ToolResult } from '../src/core/tool.ts';
import { createDefinitionTest } from '../src/tools/definition.ts';
import { escapePattern } from '../src/tools/pattern.ts';

/** A call the model makes, or the words it ends the turn with. */
export type Move =
  | { readonly tool: string; readonly arguments: Readonly<Record<string, string | number>> }
  | { readonly answer: string };

export type Script = Generator<Move, unknown, ToolResult>;

/** `path:line` of a line of a result or of the knowledge, and its code. */
export interface Line {
  readonly place: string;
  readonly path: string;
  readonly code: string;
}

/** What an answer was about, for the questions that follow. */
export interface Topic {
  readonly name: string;
  readonly place: string | null;
}

const call = (tool: string, args: Readonly<Record<string, string | number>>): Move => ({ tool, arguments: args });

export function linesOf(body: string): Line[] {
  return body.split('\n').flatMap((line) => {
    const found = /^(?:\d+\. )?((\S.*?):\d+): (.*)$/.exec(line);
    return found === null ? [] : [{ place: found[1] ?? '', path: found[2] ?? '', code: found[3] ?? '' }];
  });
}

export const definedAt = (name: string, places: readonly string[]) =>
  `\`${name}\` is defined at ${places.slice(0, 2).join(' and ')}.`;

/** Where a name is declared: from what is known already, else by its symbol, else by a search. */
export function* where(name: string, known: string | null): Script {
  const seen = known === null ? [] : linesOf(known);
  if (seen.length > 0) return yield { answer: definedAt(name, [seen[0]?.place ?? '']) };
  const symbols = linesOf((yield call('find_symbol', { name })).body);
  if (symbols.length > 0)
    return yield {
      answer: definedAt(
        name,
        symbols.map(({ place }) => place),
      ),
    };
  const found = linesOf((yield call('search_code', { query: name })).body);
  const best = found[0];
  yield {
    answer:
      best === undefined ? `I found no \`${name}\`.` : `\`${name}\` is not defined here, but ${best.place} has it.`,
  };
}

/** Up to three places that are no definition. */
export function* uses(name: string): Script {
  const found = linesOf((yield call('search_code', { query: name })).body);
  const others = found.filter(({ code, path }) => !defines(name, code, path)).map(({ place }) => place);
  if (found.length === 0) return yield { answer: `I found no \`${name}\`.` };
  if (others.length === 0) return yield { answer: `\`${name}\` is only defined, at ${found[0]?.place}.` };
  yield { answer: `\`${name}\` is used at ${others.slice(0, 3).join(', ')}${others.length > 3 ? ' and more' : ''}.` };
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
  yield { answer: `I could not read \`${path}\`.` };
}

/** `src/a.ts (lines 1-9 of 9) declares load (line 3), Store (line 1).` */
function sumUp({ head, body }: ToolResult): string {
  if (body === '') return head;
  const declares = body.split('\n')[0] ?? '';
  return `${head} ${declares.replace('Declares:', 'declares')}.`;
}

export function* list(path: string): Script {
  const result = yield call('list_files', { path });
  if (!result.ok && result.head.endsWith('read it with read_file.')) return yield* read(path, null);
  if (!result.ok) return yield { answer: `There is no folder \`${path}\`.` };
  const entries = result.body.split('\n').filter((entry) => entry !== '');
  const most = 6;
  const [, folder = path, count = ''] = /^(.*): (.*)$/.exec(result.head) ?? [];
  const where = folder === '.' ? 'The workspace' : folder;
  if (entries.length === 0) return yield { answer: `${where} has ${count}.` };
  yield {
    answer: `${where} has ${count}: ${entries.slice(0, most).join(', ')}${entries.length > most ? ' and more' : ''}.`,
  };
}

/** All problems, or those of a file; without an editor nobody knows them. */
export function* problems(path: string | null, editor: boolean): Script {
  if (!editor) return yield { answer: 'I cannot see problems here: there is no editor.' };
  const { head, body } = yield call('get_diagnostics', path === null ? {} : { path });
  yield { answer: body === '' ? head : `${head} ${body.split('\n')[0]}` };
}

export function* phrase(text: string): Script {
  const found = linesOf((yield call('search_code', { query: text })).body);
  return yield { answer: found[0] === undefined ? `I found no \`${text}\`.` : `The best match is ${found[0].place}.` };
}

export function* again({ name, place }: Topic): Script {
  return yield { answer: place === null ? `I found no \`${name}\`.` : definedAt(name, [place]) };
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
