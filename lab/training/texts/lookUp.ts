// Knowledge for a user's message, without a model: the code behind the names and paths that it mentions.

import type { Signal } from '../../../src/core/dialog/tool.ts';
import type { TokenCounter } from '../../../src/core/prompt/counter.ts';
import type { Place } from '../../../src/tools/files/paths.ts';
import { cutEnd, headLine } from '../../../src/tools/files/result.ts';
import type { Workspace } from '../../../src/tools/files/workspace.ts';
import { createFindSymbol } from '../../../src/tools/findSymbol.ts';
import { placeRange } from '../../../src/tools/lineRange.ts';
import { declares } from '../../../src/tools/readFile.ts';
import { fitStart } from '../../../src/workspace/bundle.ts';
import { readStart } from '../../../src/workspace/fileStart.ts';
import { findMentions, type Mention } from './lookUpMentions.ts';

const mostMentions = 5;
const mostLinesOfName = 3;
const mostLinesAround = 2;
const bytesRead = 256 * 1024;
const longestLine = 160;

/** Whole lines of at most `budget.maxTokens` tokens; empty where the message mentions nothing known. Never rejects. */
export async function retrieve(
  workspace: Workspace,
  text: string,
  budget: { readonly maxTokens: number },
  counter: TokenCounter,
  signal: Signal,
): Promise<string> {
  try {
    if (budget.maxTokens <= 0 || signal.aborted) return '';
    const lines = new Set<string>();
    for (const mention of await findMentions(workspace, text, mostMentions, signal)) {
      for (const line of await linesOf(workspace, mention, signal)) lines.add(line);
      if (signal.aborted) return '';
    }
    const all = [...lines];
    const fitted = await fitStart({
      total: all.length,
      render: (kept) => all.slice(0, kept).join('\n'),
      limit: budget.maxTokens,
      count: async (part) => (await counter.count([part])).tokens[0] ?? 0,
    });
    return fitted.text;
  } catch {
    // Knowledge that nobody asked for may be missing; the model has the tools.
    return '';
  }
}

async function linesOf(workspace: Workspace, mention: Mention, signal: Signal): Promise<readonly string[]> {
  if (mention.kind === 'name') return linesOfName(workspace, mention.name, signal);
  return mention.line === undefined ? linesOfFile(mention.place) : linesAround(mention.place, mention.line, signal);
}

async function linesOfName(workspace: Workspace, name: string, signal: Signal): Promise<readonly string[]> {
  const found = await createFindSymbol(workspace).run({ name }, signal);
  if (!found.ok || found.body === '') return [];
  const lines = found.body.split('\n').slice(0, mostLinesOfName);
  return lines.map((line) => line.replace(/^\d+\. /, ''));
}

async function linesOfFile(place: Place): Promise<readonly string[]> {
  const start = await readStart(place, bytesRead);
  if (start === undefined) return [];
  const line = declares(start.text.split('\n'), 1, place.shown);
  return line.includes('(line ') ? [`${headLine(place.shown)}: ${line}`] : [];
}

async function linesAround(place: Place, line: number, signal: Signal): Promise<readonly string[]> {
  const first = Math.max(1, line - mostLinesAround);
  const options = { first, last: line + mostLinesAround, most: 8000, signal };
  const range = await placeRange(place, options).catch(() => null);
  // Fewer than asked for means that the line itself may be past the end.
  if (range === null || range.total < line) return [];
  return range.lines.map((text, index) => {
    const code = text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').trimEnd();
    return cutEnd(`${headLine(place.shown)}:${first + index}: ${code}`, longestLine + place.shown.length);
  });
}
