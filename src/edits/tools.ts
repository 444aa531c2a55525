// The tools that change files, for an agent that may. They are made together: several edits of one answer in their order, all or none per file.

import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { ItemId } from '../core/dialog/dialog.ts';
import type { Quotable } from '../core/dialog/quotable.ts';
import type {
  Deed,
  DeedSource,
  FilesKnown,
  SeenFile,
  Tool,
  ToolResult,
  ToolSchema,
  Undoable,
} from '../core/dialog/tool.ts';
import { obeyed } from '../core/obeyed.ts';
import { textWithoutSecrets } from '../secrets/lines.ts';
import { findRoots, isInside, type Root, resolvePath, showPath } from '../tools/files/paths.ts';
import type { Workspace } from '../tools/files/workspace.ts';
import { blockCalls } from './calls/blockCalls.ts';
import { previewOf } from './calls/preview.ts';
import type { Rename } from './calls/renaming.ts';
import { type StagedFile, stage, type Tried, type Unit } from './calls/stage.ts';
import type { EditableFiles, EditableText } from './files/editable.ts';
import { isIgnored } from './files/ignored.ts';

// Which changes ask the user whatever else is allowed, and why: what is made unasked is only what is known to be harmless.

/**
 * In words, a line for each file with its reason; '' where none asks. `known`: what the conversation knows of files; null where there is no
 * conversation, so that no folder is expected to have been read.
 */
export async function asksBecause(
  workspace: Workspace,
  { files }: { readonly files: readonly StagedFile[] },
  known: Pick<FilesKnown, 'seen' | 'beside'> | null,
): Promise<string> {
  const roots = await findRoots(workspace);
  const read = known === null ? null : await foldersRead(workspace, known);
  const lines: string[] = [];
  for (const { real, shown } of files) {
    const folder = dirname(real);
    const because =
      namedBecause(roots, real) ??
      ((await isIgnored(real)) ? "Git's ignore files name it" : null) ??
      (existsSync(folder) ? null : 'its folder is new') ??
      (read?.has(folder) === false ? 'nothing in its folder was read in this conversation' : null);
    if (because !== null) lines.push(`${shown}: ${because}`);
  }
  return lines.join('\n');
}

/** Real paths of the folders that hold a file which was read, attached or found, and of those that were attached. */
async function foldersRead(
  workspace: Workspace,
  { seen, beside }: Pick<FilesKnown, 'seen' | 'beside'>,
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(beside.map((path) => resolvePath(workspace, path)));
  const attached = found.flatMap((one, i): readonly string[] => {
    if (!one.ok) return [];
    const { kind, real } = one.place;
    // A folder that was found is a list of names.
    if (kind === 'folder') return beside[i]?.endsWith('/') === true ? [real] : [];
    return [dirname(real)];
  });
  return new Set([...[...seen.keys()].map((file) => dirname(file)), ...attached]);
}

/** Why changing a file asks by its name alone, in words; null where it need not. */
export function namedBecause(roots: readonly Root[], real: string): string | null {
  const owner = roots.find((one) => isInside(one.real, real));
  const parts = (owner === undefined ? real : relative(owner.real, real)).split(sep);
  const because = obeyed(parts)?.because ?? null;
  if (because !== null) return because;
  const hidden = parts.find((part) => part.normalize('NFKC').startsWith('.'));
  if (hidden !== undefined) return `${hidden} begins with a dot, as the files that tools obey do`;
  return isOfRepository(real) ? 'it makes its folder a repository of Git, or is a part of one' : null;
}

/** A folder with HEAD, objects and refs is a repository to Git, whatever its name is: gitrepository-layout(5). */
function isOfRepository(real: string): boolean {
  const parts = ['HEAD', 'objects', 'refs', 'commondir', 'config'];
  const beside = parts.filter((name) => existsSync(join(dirname(real), name)));
  return parts.includes(basename(real)) && (basename(real) === 'HEAD' || beside.some((name) => name !== 'config'));
}

// The files that a conversation has read, as they are now: what an edit says it replaces is kept to their lines while it is generated.

/** The files that were read last count; characters of all together. */
const mostFiles = 12;
const mostCharacters = 400_000;

/** Returns the texts of the files that were read last; null where nothing was read. Never rejects. */
async function quotableFiles(
  { seen }: FilesKnown,
  { workspace, files }: { readonly workspace: Workspace; readonly files: EditableFiles },
): Promise<Quotable | null> {
  const latest = [...seen.values()].toReversed().slice(0, mostFiles);
  if (latest.length === 0) return null;
  const roots = await findRoots(workspace);
  const texts: Record<string, string> = {};
  let left = mostCharacters;
  for (const { file } of latest) {
    const found = await files.read(file);
    if (found.is !== 'text' || found.text.length > left) continue;
    left -= found.text.length;
    // Secrets are left out, because the model sees the text without them.
    const text = textWithoutSecrets(found.text, file);
    for (const name of [file, showPath(roots, file)]) texts[name] = text;
  }
  return { tool: 'edit_file', argument: 'old', names: 'path', texts };
}

// Hands a file, or the part that is meant, to a model whose edits of it failed twice, so that the model can give it back as a whole.

interface HandedOver {
  readonly words: string;
  readonly body: string;
  /** The body is the whole file. */
  readonly whole: boolean;
}

/** Lines of a file that is handed over whole, and of a part of a longer one. */
const wholeFile = 250;
const part = 60;

/** `near`: the line, from 1, that is meant; null where none is known. */
function handedOver(path: string, text: string, near: number | null): HandedOver {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.length <= wholeFile)
    return { words: `This is all of ${path}: give it back whole with write_file.`, body: text, whole: true };
  const first = Math.max(1, Math.min((near ?? 1) - part / 2, lines.length - part));
  const shown = lines.slice(first - 1, first - 1 + part);
  const words = `These are lines ${first}-${first + shown.length - 1} of ${path}: copy the ones to replace into "old", word for word.`;
  return { words, body: shown.join('\n'), whole: false };
}

export interface EditPorts {
  readonly workspace: Workspace;
  readonly files: EditableFiles;
  /** Keeps what the files were, before the turn of this message changes them; what it gives is called afterwards, and never rejects. Rejects where it cannot. */
  readonly keep?: (files: readonly StagedFile[], message: ItemId) => Promise<() => Promise<void>>;
  /** Renames by language servers; left out, no symbol is renamed. */
  readonly rename?: Rename;
  /** Called before files are changed: what comes back tells the problems that are new in them, as lines for the model. Never rejects. */
  readonly watchProblems?: (files: readonly string[]) => () => Promise<ReadonlyMap<string, readonly string[]>>;
}

const path = { type: 'string', description: 'Path of the file' } as const;
const text = (description: string) => ({ type: 'string', description }) as const;

const schemas: readonly ToolSchema[] = [
  {
    name: 'delete_file',
    description: 'Delete a file.',
    parameters: { type: 'object', properties: { path }, required: ['path'] },
  },
  {
    name: 'edit_file',
    description: 'Replace lines of a file. "old" must stand in it exactly once, word for word.',
    parameters: {
      type: 'object',
      properties: {
        path,
        old: text('The lines to replace'),
        new: text('The lines in their place'),
        all: { type: 'boolean', description: 'Replace every place' },
      },
      required: ['path', 'old', 'new'],
    },
  },
  {
    name: 'move_file',
    description: 'Move or rename a file.',
    parameters: { type: 'object', properties: { path, to: text('The new path') }, required: ['path', 'to'] },
  },
  {
    name: 'write_file',
    description: 'Create a file, or rewrite one that was read whole.',
    parameters: {
      type: 'object',
      properties: { path, content: text('All of its text') },
      required: ['path', 'content'],
    },
  },
];

const renameSchema: ToolSchema = {
  name: 'rename_symbol',
  description: 'Rename a function, class or variable everywhere.',
  parameters: {
    type: 'object',
    properties: { path, name: text('Its name'), to: text('The new name') },
    required: ['path', 'name', 'to'],
  },
};

export function createEditTools(ports: EditPorts): readonly Tool[] {
  const deeds: DeedSource = {
    together: true,
    callsIn: (answer, among, newId, file) => blockCalls(answer, among, newId, ports, file),
    quotable: (known) => quotableFiles(known, ports),
    plan: async (calls, known) => {
      const seen = (file: string) => known.seen.get(file) ?? null;
      const { workspace, files, rename } = ports;
      const units = await stage(calls, { workspace, files, seen, rename, days: known.days });
      return Promise.all(units.map((unit) => deedOf(unit, known, ports)));
    },
  };
  const own = ports.rename === undefined ? schemas : [...schemas, renameSchema];
  return own.map((schema) => ({ schema, effect: 'write', deeds }));
}

async function deedOf(unit: Unit, known: FilesKnown, ports: EditPorts): Promise<Deed | Undoable> {
  const calls = unit.calls.map(({ call }) => call);
  if (unit.changes.length === 0 && unit.calls.some(({ outcome }) => !outcome.ok))
    return { calls, refused: refusals(unit, known) };
  return {
    ...{ calls, effect: 'write', shown: previewOf(unit.files), doubt: doubtOf(unit), allowed: false, lasting: [] },
    asks: await asksBecause(ports.workspace, unit, known),
    run: () => made(unit, known, ports),
  };
}

/** Says in words what a unit's calls may lose unintentionally; '' for nothing. */
export function doubtOf({ calls }: Pick<Unit, 'calls'>): string {
  return calls.flatMap(({ outcome }) => (outcome.ok && outcome.doubt !== '' ? [outcome.doubt] : [])).join('\n');
}

function refusals({ calls }: Unit, known: FilesKnown): ReadonlyMap<string, ToolResult> {
  return new Map(calls.map((one) => [one.call, refusal(one, known)]));
}

/** After two failures on a file the model gets it, or the part that it means, and gives it back as a whole. */
function refusal(one: Tried, known: FilesKnown): ToolResult {
  const { outcome, subject } = one;
  const { words } = outcome;
  const [lead, body] = outcome.ok ? ['', ''] : [outcome.lead, outcome.body];
  const head = [words, lead].filter((text) => text !== '').join(' ');
  if (subject === null) return { ok: false, head, body };
  const { real, before } = subject;
  const again = (known.failed.get(real) ?? 0) >= 1 && before !== null && !outcome.ok && outcome.drifted;
  const handed = again ? handedOver(one.path, textWithoutSecrets(before.text, real), outcome.near) : null;
  const whole =
    handed?.whole === true || (known.seen.get(real)?.whole === true && known.seen.get(real)?.hash === before?.hash);
  const seen: readonly SeenFile[] = before === null ? [] : [{ file: real, hash: before.hash, whole }];
  return handed === null
    ? { ok: false, head, body, seen }
    : { ok: false, head: `${words} ${handed.words}`, body: handed.body, seen };
}

async function made(unit: Unit, known: FilesKnown, ports: EditPorts): Promise<ReadonlyMap<string, ToolResult>> {
  const changed = unit.files.map(({ real }) => real);
  const newProblems = ports.watchProblems?.(changed);
  const kept = await ports.keep?.(unit.files, known.message);
  // Called also where the files could not be changed: some may have been.
  const after = await ports.files.change(unit.changes).finally(() => kept?.());
  const problems = (await newProblems?.()) ?? new Map<string, readonly string[]>();
  return new Map(
    unit.calls.map((one, i) => [
      one.call,
      doneResult(one, i === unit.calls.length - 1, unit, { after, changed, problems, known }),
    ]),
  );
}

interface Afterwards {
  readonly after: ReadonlyMap<string, EditableText>;
  readonly changed: readonly string[];
  readonly problems: ReadonlyMap<string, readonly string[]>;
  readonly known: FilesKnown;
}

/** The last call of a unit tells what is new in its files. */
function doneResult({ outcome, subject }: Tried, isLast: boolean, { files }: Unit, facts: Afterwards): ToolResult {
  const { after, changed, problems, known } = facts;
  const formatted = files.filter(
    ({ real, after: wanted }) => wanted !== null && (after.get(real)?.text ?? wanted) !== wanted,
  );
  const unsaved = files.filter(({ real }) => after.get(real)?.unsaved === true);
  const lines = [
    ...unsaved.map(
      ({ shown }) =>
        `${shown} has other changes that the user has not saved: it was changed where it is open, and not saved.`,
    ),
    ...formatted.map(
      ({ shown }) => `The editor formatted ${shown} when it was saved: read it again before the next edit.`,
    ),
    ...changed.flatMap((file) => problems.get(file) ?? []),
  ];
  const seen = files.flatMap(({ real, shown, before }): readonly SeenFile[] => {
    const now = after.get(real);
    if (now === undefined) return [{ file: real, shown, hash: '', whole: false }];
    const knew =
      before === null || (known.seen.get(real)?.whole === true && known.seen.get(real)?.hash === before.hash);
    const isNew = subject?.real === real && outcome.ok && outcome.whole;
    return [
      { file: real, shown, hash: now.hash, whole: (knew || isNew) && !formatted.some((one) => one.real === real) },
    ];
  });
  return { ok: outcome.ok, head: outcome.words, body: isLast ? lines.join('\n') : '', changed, seen };
}
