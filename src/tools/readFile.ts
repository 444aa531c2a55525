// The tool read_file: a file of the workspace, or a range of its lines, with what it declares.

import type { LookingTool, MayShow, Signal, ToolResult } from '../core/dialog/tool.ts';
import { withoutSecrets } from '../secrets/lines.ts';
import { type Arguments, readOptionalLine, textArgument } from './argument.ts';
import { declares } from './declarations.ts';
import { hashOfPlace } from './files/hash.ts';
import { type PathRefusal, type Place, resolvePath } from './files/paths.ts';
import { accept, cutEnd, refuse, shortPath, systemReason } from './files/result.ts';
import type { Workspace } from './files/workspace.ts';
import { cutMark, type LineRange, placeRange } from './lineRange.ts';
import { linesBefore } from './linesBefore.ts';
import { nearNames } from './nearNames.ts';

const defaultLines = 200;
const mostCharacters = 24_000;
/** Kept free for the line of declarations. */
const declaresLimit = 400;

/** A tool that reads at most 24,000 characters a call, and 200 lines where no last line is given. */
export function createReadFile(workspace: Workspace): LookingTool {
  return {
    schema: {
      name: 'read_file',
      description: 'Read a file of the workspace, or a range of its lines.',
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Path of the file' },
          startLine: { type: 'integer', description: 'First line' },
          endLine: { type: 'integer', description: 'Last line' },
        },
        required: ['path'],
      },
    },
    effect: 'read',
    touches: async ({ path }) => {
      const found = typeof path === 'string' ? await resolvePath(workspace, path) : null;
      return found?.ok === true ? [found.place.real] : null;
    },
    async run(args, signal, mayShow) {
      const path = textArgument(args, 'path', 'src/index.ts');
      if (!path.ok) return path.refusal;
      const found = await resolvePath(workspace, path.value);
      if (!found.ok) return refuseWithNearNames(workspace, path.value, found, signal);
      try {
        return await read(found.place, args, signal, mayShow);
      } catch (error) {
        return refuse(`${shortPath(found.place.shown)} could not be read: ${systemReason(error)}`);
      }
    },
  };
}

async function read(place: Place, args: Arguments, signal: Signal, mayShow?: MayShow): Promise<ToolResult> {
  const shown = shortPath(place.shown);
  const start = readOptionalLine(args, 'startLine');
  if (!start.ok) return start.refusal;
  const end = readOptionalLine(args, 'endLine');
  if (!end.ok) return end.refusal;
  const first = start.value ?? 1;
  const last = end.value ?? first + defaultLines - 1;
  if (last < first) return refuse(`The argument "endLine" (${last}) is before "startLine" (${first}).`);
  if (place.kind === 'folder') return refuse(`${shown} is a folder; list it with list_files.`);
  if (place.kind === 'other') return refuse(`${shown} is not a regular file, so it cannot be read.`);
  // Before its lines: a version that was replaced meanwhile vouches for nothing that the model has not seen.
  const hash = await hashOfPlace(place);
  const options = { first, last, most: mostCharacters - declaresLimit, signal };
  const read = await placeRange(place, options);
  const before = await linesBefore(place, first, signal);
  const range = read === null ? null : { ...read, lines: await shownLines(place, read.lines, before, mayShow) };
  if (range === null) return refuse(`${shown} is a binary file, so it cannot be read as text.`);
  const result = report(place, first, range);
  if (hash === null || !result.ok) return result;
  const whole = first === 1 && range.counted && range.lines.length === range.total && !range.lines.some(isCut);
  return { ...result, seen: [{ file: place.real, hash, whole }] };
}

/** Lines that hold a secret are shown where the user says so. */
async function shownLines(
  { real, shown }: Place,
  lines: readonly string[],
  before: readonly string[],
  mayShow?: MayShow,
): Promise<readonly string[]> {
  const hidden = withoutSecrets(lines, real, before);
  if (hidden.kinds.length === 0 || mayShow === undefined) return hidden.lines;
  const because = `${shown} holds ${hidden.kinds.join(', ')}`;
  return (await mayShow({ about: real, because, lines })) ? lines : hidden.lines;
}

const isCut = (line: string) => line.endsWith(cutMark);

function report(place: Place, first: number, range: LineRange): ToolResult {
  const shown = shortPath(place.shown);
  if (range.aborted) return refuse(`Reading ${shown} was stopped.`);
  if (range.total === 0) return accept(`${shown} is empty (0 lines).`);
  const total = range.counted ? String(range.total) : `more than ${range.total}`;
  if (range.lines.length === 0) return refuse(`${shown} has ${total} lines; line ${first} is past its end.`);
  const numbered = range.lines.map((text, index) => `${first + index}: ${text}`);
  const head = `${shown} (lines ${first}-${first + range.lines.length - 1} of ${total})`;
  return accept(head, [cutEnd(declares(range.lines, first, place.shown), declaresLimit - 1), ...numbered]);
}

async function refuseWithNearNames(
  workspace: Workspace,
  given: string,
  refusal: PathRefusal,
  signal: Signal,
): Promise<ToolResult> {
  if (refusal.reason !== 'missing' || workspace.folders.length === 0) return refuse(refusal.head);
  const names = await nearNames(workspace, given, signal);
  const advice =
    names.length === 0 ? 'Find it with list_files or search_code.' : `Near names: ${names.map(shortPath).join(', ')}.`;
  return refuse(`${refusal.head} ${advice}`);
}
