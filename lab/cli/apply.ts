// `npm run -s apply -- --workspace DIR [--yes] [--json] EDITS.json`: edit calls on a folder, by the code that runs those of a model, without
// a conversation. Each call stands alone; one that is refused stops nothing.

import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ToolCall } from '../../src/core/dialog/dialog.ts';
import { reasonOf } from '../../src/core/faults/faults.ts';
import { stage, type Tried } from '../../src/edits/calls/stage.ts';
import { diskFiles } from '../../src/edits/files/diskFiles.ts';
import { removeLeftovers } from '../../src/edits/files/leftovers.ts';
import { asksBecause, doubtOf } from '../../src/edits/tools.ts';
import { folderWorkspace } from './folderWorkspace.ts';
import { say } from './say.ts';

const usage = `usage: npm run -s apply -- --workspace DIR [--yes] [--json] EDITS.json
EDITS.json: [{"name": "edit_file", "arguments": {"path": "a.ts", "old": "…", "new": "…"}}]; also write_file {path, content},
delete_file {path}, move_file {path, to}. --yes also changes what is asked about else: files that are run or obeyed, names with a dot
in front, what Git ignores, new folders.`;

interface Arguments {
  readonly workspace: string;
  readonly yes: boolean;
  readonly json: boolean;
  readonly calls: readonly ToolCall[];
}

/** The answer's line about a single call. `lines`: first and last line of each run, from 1, in the file as it is afterwards. */
interface Outcome {
  readonly ok: boolean;
  readonly rung: string | null;
  readonly path: string;
  readonly lines: readonly (readonly [first: number, last: number])[];
  readonly reason: string;
}

function readArguments(argv: readonly string[]): Arguments | string {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const options = { workspace: { type: 'string' }, yes: flag, json: flag } as const;
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const [file, another] = positionals;
    if (values.workspace === undefined || file === undefined || another !== undefined) return usage;
    if (!statSync(values.workspace, { throwIfNoEntry: false })?.isDirectory())
      return `${values.workspace} is not a folder`;
    const calls = readCalls(readFileSync(file, 'utf8'));
    if (typeof calls === 'string') return `${file} ${calls}\n${usage}`;
    return { workspace: values.workspace, yes: values.yes, json: values.json, calls };
  } catch (error) {
    return `${reasonOf(error)}\n${usage}`;
  }
}

/** Words that follow the file's name where they are no calls. */
function readCalls(text: string): readonly ToolCall[] | string {
  const given: unknown = JSON.parse(text);
  if (!Array.isArray(given)) return 'must be a list of calls';
  const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const calls: ToolCall[] = [];
  for (const [i, one] of given.entries()) {
    if (!isObject(one) || typeof one.name !== 'string' || !isObject(one.arguments))
      return `has no call at place ${i + 1}: it needs a "name" and "arguments"`;
    calls.push({ id: String(i), name: one.name, arguments: one.arguments });
  }
  return calls;
}

async function applyOne(call: ToolCall, { workspace: folder, yes }: Arguments): Promise<Outcome> {
  const workspace = folderWorkspace(folder);
  const [unit] = await stage([call], { workspace, files: diskFiles, seen: null });
  const [tried] = unit?.calls ?? [];
  if (unit === undefined || tried === undefined) throw new Error('a call has an outcome');
  if (!tried.outcome.ok) return outcomeOf(tried, false, tried.outcome.words);
  const doubt = doubtOf(unit);
  if (doubt !== '') return outcomeOf(tried, false, `Not changed. ${doubt}`);
  const asks = yes ? '' : await asksBecause(workspace, unit, null);
  if (asks !== '') return outcomeOf(tried, false, `Not changed without --yes. ${asks.replaceAll('\n', '; ')}.`);
  try {
    await diskFiles.change(unit.changes);
    return outcomeOf(tried, true, tried.outcome.words);
  } catch (error) {
    return outcomeOf(tried, false, reasonOf(error));
  }
}

function outcomeOf({ path, outcome }: Tried, ok: boolean, reason: string): Outcome {
  const lines = ok && outcome.ok ? outcome.lines.map(({ first, last }) => [first, last] as const) : [];
  return { ok, rung: ok && outcome.ok ? outcome.rung : null, path, lines, reason };
}

const args = readArguments(process.argv.slice(2));
if (typeof args === 'string') {
  say(args, process.stderr);
  process.exitCode = 2;
} else {
  await removeLeftovers().catch((error: unknown) => say(reasonOf(error), process.stderr));
  const outcomes: Outcome[] = [];
  for (const call of args.calls) {
    const outcome = await applyOne(call, args);
    outcomes.push(outcome);
    if (!args.json) say(`${outcome.ok ? 'ok' : 'refused'}: ${outcome.reason}`);
  }
  if (args.json) say(JSON.stringify(outcomes));
}
