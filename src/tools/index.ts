// The tools over a workspace, all read-only.

import { join, relative, sep } from 'node:path';
import { countOf } from '../core/count.ts';
import type { LookingTool, Signal, ToolResult } from '../core/dialog/tool.ts';
import { textArgument } from './argument.ts';
import { resolvePath } from './files/paths.ts';
import { accept, headLine, refuse, shortPath } from './files/result.ts';
import type { Workspace } from './files/workspace.ts';
import { createFindSymbol } from './findSymbol.ts';
import { createGetDiagnostics } from './getDiagnostics.ts';
import { createReadFile } from './readFile.ts';
import { listing } from './search/listing.ts';
import type { RipgrepRun } from './search/ripgrep.ts';
import { createSearchCode } from './searchCode.ts';

export type { Diagnostic, Folder, SymbolHit, Unsaved, Workspace } from './files/workspace.ts';

/** The tools in the order of their names; get_diagnostics is among them only where the workspace has diagnostics. */
export function createTools(workspace: Workspace): LookingTool[] {
  const tools = [
    createFindSymbol(workspace),
    createListFiles(workspace),
    createReadFile(workspace),
    createSearchCode(workspace),
  ];
  if (workspace.diagnostics !== undefined) tools.push(createGetDiagnostics(workspace));
  return tools.sort((a, b) => (a.schema.name < b.schema.name ? -1 : 1));
}

// The tool list_files: the files and folders in a folder of the workspace, without ignored ones.
const mostListed = 200;

/** A tool that lists one folder, not what is below it: at most 200 entries, folders first. */
function createListFiles(workspace: Workspace): LookingTool {
  return {
    schema: {
      name: 'list_files',
      description: 'List the files and folders in a folder of the workspace.',
      parameters: {
        type: 'object',
        properties: { path: { type: 'string', description: 'Path of the folder' } },
        required: ['path'],
      },
    },
    effect: 'read',
    async run(args, signal) {
      const path = textArgument(args, 'path', 'src');
      if (!path.ok) return path.refusal;
      const isRoot = ['', '.', '/', './'].includes(path.value.trim());
      if (isRoot && workspace.folders.length > 1) {
        const names = workspace.folders.map((folder) => `${headLine(folder.name)}/`);
        return accept(`The workspace has ${countOf(names.length, 'folder', 'folders')}:`, names);
      }
      const found = await resolvePath(workspace, isRoot ? '.' : path.value);
      if (!found.ok)
        return refuse(found.reason === 'missing' ? `${found.head} List "." to see what there is.` : found.head);
      const { kind, shown, real } = found.place;
      if (kind !== 'folder') return refuse(`${shortPath(shown)} is a file, not a folder; read it with read_file.`);
      return list(shown, real, signal);
    },
  };
}

async function list(path: string, real: string, signal: Signal): Promise<ToolResult> {
  const folders = new Set<string>();
  const files = new Set<string>();
  const onFile = (file: string): boolean => {
    const [entry, ...below] = relative(real, file).split(sep);
    if (entry !== undefined) (below.length > 0 ? folders : files).add(entry);
    return true;
  };
  const run = await listing({ folders: [join(real, sep)], hidden: true, onFile, signal });
  const shown = shortPath(path);
  if (run.end === 'aborted') return refuse(`Listing ${shown} was stopped.`);
  if (run.end === 'failed') return refuse(`${shown} could not be listed: ${run.error ?? 'ripgrep gave no reason'}`);
  const entries = [...[...folders].sort().map((name) => `${name}/`), ...[...files].sort()].map(headLine);
  return accept(headOf(shown, entries.length, run.end), entries.slice(0, mostListed));
}

function headOf(shown: string, total: number, end: RipgrepRun['end']): string {
  const late = end === 'timed out' ? ' (stopped after 10 seconds, there may be more)' : '';
  if (total === 0) return `${shown}: no entries, or only ignored ones${late}`;
  return `${shown}: ${countOf(total, 'entry', 'entries')}${total > mostListed ? `, first ${mostListed}` : ''}${late}`;
}
