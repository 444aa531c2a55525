// The tool get_diagnostics: the problems the editor reports, errors first.

import { countOf } from '../core/count.ts';
import type { LookingTool, Signal, ToolResult } from '../core/dialog/tool.ts';
import { secretMark } from '../core/prompt/leftOut.ts';
import { secretInLine } from '../secrets/lines.ts';
import { readOptionalText } from './argument.ts';
import { findRoots, isInside, ownerOf, type Place, type Root, resolvePath, showPath } from './files/paths.ts';
import { accept, cutEnd, headLine, refuse, shortPath, systemReason } from './files/result.ts';
import type { Diagnostic, Workspace } from './files/workspace.ts';
import { comparePlaces } from './search/rankLines.ts';
import { untilAborted } from './untilAborted.ts';

const mostShown = 50;
const messageLimit = 300;
const severities: readonly Diagnostic['severity'][] = ['error', 'warning', 'info', 'hint'];

/** A tool for a workspace that has diagnostics; it names at most 50 problems. */
export function createGetDiagnostics(workspace: Workspace): LookingTool {
  return {
    schema: {
      name: 'get_diagnostics',
      description: 'Get the errors and warnings the editor reports, for one file or all.',
      parameters: {
        type: 'object',
        properties: { path: { type: 'string', description: 'Path of the file' } },
        required: [],
      },
    },
    effect: 'read',
    async run(args, signal) {
      const path = readOptionalText(args, 'path', 'src/index.ts');
      if (!path.ok) return path.refusal;
      const roots = await findRoots(workspace);
      try {
        const wanted = path.value?.trim() ?? '';
        if (['', '.', '/'].includes(wanted)) {
          return report(roots, await ask(workspace, undefined, signal), 'the workspace');
        }
        const found = await resolvePath(workspace, wanted);
        if (!found.ok) return refuse(found.head);
        return report(roots, await ask(workspace, found.place, signal), shortPath(found.place.shown));
      } catch (error) {
        return refuse(`The editor gave no problems: ${systemReason(error)}`);
      }
    },
  };
}

async function ask(workspace: Workspace, place: Place | undefined, signal: Signal): Promise<readonly Diagnostic[]> {
  if (workspace.diagnostics === undefined) throw new Error('there is no editor here');
  if (place?.kind === 'file') return untilAborted(workspace.diagnostics(place.path), signal);
  const all = await untilAborted(workspace.diagnostics(), signal);
  if (place === undefined) return all;
  return all.filter(({ path }) => isInside(place.path, path) || isInside(place.real, path));
}

function report(roots: readonly Root[], problems: readonly Diagnostic[], where: string): ToolResult {
  const lines = problems
    .filter(({ path }) => ownerOf(roots, path) !== undefined)
    .map((problem) => ({ ...problem, shown: showPath(roots, problem.path) }))
    .sort((a, b) => rankOf(a) - rankOf(b) || comparePlaces(a, b) || a.column - b.column)
    .map(({ shown, line, column, severity, source, message }) => {
      const origin = source === undefined ? severity : `${severity} ${headLine(source)}`;
      return `${headLine(shown)}:${line}:${column}: ${origin}: ${shownMessage(message)}`;
    });
  if (lines.length === 0) return accept(`No problems in ${where}.`);
  const first = lines.length > mostShown ? `, first ${mostShown}` : '';
  return accept(`${countOf(lines.length, 'problem', 'problems')} in ${where}${first}:`, lines.slice(0, mostShown));
}

/** A problem may quote the line that it is about. */
function shownMessage(message: string): string {
  const secret = secretInLine(message);
  return secret === null ? cutEnd(headLine(message), messageLimit) : secretMark(secret);
}

function rankOf(problem: Diagnostic): number {
  return severities.indexOf(problem.severity);
}
